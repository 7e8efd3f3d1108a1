import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { MomoKiosk, webhooks } from 'momo-kiosk-client';

const { MOMO_URL, MOMO_SECRET_KEY, WEBHOOK_SECRET, PORT } = process.env;
const momo = new MomoKiosk({ baseUrl: MOMO_URL, secretKey: MOMO_SECRET_KEY });

// In the place of your database. The price is the shop's own, never the browser's.
const orders = new Map([['1008', { cedis: '36.50', isPaid: false }]]);

const app = new Hono();

app.post('/buy/:order', async (context) => {
  const order = context.req.param('order');
  if (!orders.has(order)) return context.notFound();
  const charge = await momo.transaction.initialize(
    { amount: orders.get(order).cedis, merchant_reference: order },
    // However often the button is pressed, an order has one charge.
    { idempotencyKey: `order-${order}` },
  );
  return context.redirect(charge.authorization_url, 303);
});

app.post('/webhook', async (context) => {
  const body = await context.req.arrayBuffer();
  const event = await webhooks.verify(body, context.req.raw.headers, WEBHOOK_SECRET).catch(() => undefined);
  if (!event) return context.body(null, 401);
  // An event may arrive twice: to mark an order as paid a second time changes nothing.
  if (event.type === 'charge.success') {
    const order = orders.get(event.data.merchant_reference);
    if (order) order.isPaid = true;
  }
  return context.body(null, 204);
});

app.get('/orders/:order', (context) => {
  const order = orders.get(context.req.param('order'));
  return order ? context.json(order) : context.notFound();
});

// At the edge: `export default app`, with the keys of its environment.
serve({ fetch: app.fetch, port: Number(PORT) });
