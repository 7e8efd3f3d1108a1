import { webhooks } from 'momo-kiosk-client';
import { orders } from '../../lib/shop.js';

export async function POST(request) {
  const body = await request.arrayBuffer();
  const event = await webhooks.verify(body, request.headers, process.env.WEBHOOK_SECRET).catch(() => undefined);
  if (!event) return new Response(null, { status: 401 });
  // An event may arrive twice: to mark an order as paid a second time changes nothing.
  if (event.type === 'charge.success') {
    const order = orders.get(event.data.merchant_reference);
    if (order) order.isPaid = true;
  }
  return new Response(null, { status: 204 });
}
