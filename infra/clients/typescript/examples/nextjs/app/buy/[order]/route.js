import { orders, pageFor } from '../../../../shop.js';

export async function POST(request, { params }) {
  const { order } = await params;
  if (!orders.has(order)) return new Response(null, { status: 404 });
  const page = await pageFor(order);
  if (!page) return new Response('Paying does not work at the moment. Please try again later.', { status: 502 });
  return Response.redirect(new URL(page, request.url), 303);
}
