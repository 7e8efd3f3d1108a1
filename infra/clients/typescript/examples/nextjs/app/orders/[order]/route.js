import { orders } from '../../../../shop.js';

export async function GET(_request, { params }) {
  const order = orders.get((await params).order);
  return order ? Response.json(order) : new Response(null, { status: 404 });
}
