import express from 'express';
import { MomoKiosk, webhooks } from 'momo-kiosk-client';

const { MOMO_URL, MOMO_SECRET_KEY, WEBHOOK_SECRET, PORT } = process.env;
const momo = new MomoKiosk({ baseUrl: MOMO_URL, secretKey: MOMO_SECRET_KEY });

// In the place of your database. The price is the shop's own, never the browser's.
const orders = new Map([['1007', { cedis: '36.50', isPaid: false }]]);

const app = express();

app.post('/buy/:order', async (request, response) => {
  const { order } = request.params;
  if (!orders.has(order)) return response.sendStatus(404);
  const charge = await momo.transaction.initialize(
    { amount: orders.get(order).cedis, merchant_reference: order },
    // However often the button is pressed, an order has one charge.
    { idempotencyKey: `order-${order}` },
  );
  response.redirect(303, charge.authorization_url);
});

// The signature is over the bytes as they came: here nothing may parse them first.
app.post('/webhook', express.raw({ type: '*/*' }), async (request, response) => {
  const event = await webhooks.verify(request.body, request.headers, WEBHOOK_SECRET).catch(() => undefined);
  if (!event) return response.sendStatus(401);
  // An event may arrive twice: to mark an order as paid a second time changes nothing.
  if (event.type === 'charge.success') {
    const order = orders.get(event.data.merchant_reference);
    if (order) order.isPaid = true;
  }
  response.sendStatus(204);
});

app.get('/orders/:order', (request, response) => {
  const order = orders.get(request.params.order);
  return order ? response.json(order) : response.sendStatus(404);
});

app.listen(PORT);
