import { momo, orders } from '../../../lib/shop.js';

export async function POST(_request, { params }) {
  const { order } = await params;
  if (!orders.has(order)) return new Response(null, { status: 404 });
  const charge = await momo.transaction.initialize(
    { amount: orders.get(order).cedis, merchant_reference: order },
    // However often the button is pressed, an order has one charge.
    { idempotencyKey: `order-${order}` },
  );
  return Response.redirect(charge.authorization_url, 303);
}
