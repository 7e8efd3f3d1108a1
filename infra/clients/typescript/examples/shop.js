import { MomoKiosk, WebhookSignatureError, webhooks } from 'momo-kiosk-client';

const { MOMO_URL, MOMO_SECRET_KEY, WEBHOOK_SECRET } = process.env;
if (!WEBHOOK_SECRET) throw new Error('WEBHOOK_SECRET is missing: it is the `secret` that `momo.webhook.set` returned.');
const momo = new MomoKiosk({ baseUrl: MOMO_URL, secretKey: MOMO_SECRET_KEY });

// In the place of your database; in Next.js each route has modules of its own. The price is the shop's own, never the browser's.
globalThis.orders ??= new Map([['1007', { cedis: '36.50', attempt: 1, paidBy: [] }]]);
export const orders = globalThis.orders;

/** Where to send the customer. Undefined if Momo Kiosk refuses or does not answer: the log says why, and no process ends of it. */
export async function pageFor(id) {
  return openPage(id, orders.get(id)).catch((error) => console.error(error));
}

/** However often the button is pressed, there is one page to pay on, and after it was cancelled or has expired another one. */
async function openPage(id, order) {
  for (let { attempt } = order; order.paidBy.length === 0; attempt += 1) {
    const charge = await chargeOf(id, order.cedis, attempt);
    if (!charge) continue;
    order.attempt = attempt;
    const { status } = await momo.transaction.verify(charge.reference);
    if (status === 'pending') return charge.authorization_url;
    if (status === 'success') break;
  }
  return `/orders/${id}`;
}

/**
 * For 24 hours the same key gets the same charge, even one that was cancelled: so each attempt has a key of its own. Undefined if the
 * attempt was made at another price.
 */
async function chargeOf(id, amount, attempt) {
  const idempotencyKey = `order-${id}-${attempt}`;
  return momo.transaction.initialize({ amount, merchant_reference: id }, { idempotencyKey }).catch((error) => {
    if (error.code !== 'idempotency_key_reused') throw error;
  });
}

/** The status with which to answer a webhook. `body` is its bytes as received: the signature is over them. */
export async function receive(body, headers) {
  const event = await webhooks.verify(body, headers, WEBHOOK_SECRET).catch((error) => {
    if (!(error instanceof WebhookSignatureError)) throw error;
    console.error(error.message);
  });
  if (!event) return 401;
  const order = event.type === 'charge.success' && orders.get(event.data.merchant_reference);
  // An event may arrive twice. Deliver for the first reference; any other is a second payment, which you refund.
  if (order && !order.paidBy.includes(event.data.reference)) order.paidBy.push(event.data.reference);
  return 204;
}
