import { MomoKiosk, WebhookSignatureError, webhooks } from 'momo-kiosk-client';

const { MOMO_URL, MOMO_SECRET_KEY, WEBHOOK_SECRET } = process.env;
if (!WEBHOOK_SECRET)
  throw new Error('WEBHOOK_SECRET is missing. Set it to the `secret` that `momo.webhook.set` returned.');
const momo = new MomoKiosk({ baseUrl: MOMO_URL, secretKey: MOMO_SECRET_KEY });

// Replace this with your database, because each Next.js route loads its own modules. Never take the price from the
// browser.
globalThis.orders ??= new Map([['1007', { cedis: '36.50', attempt: 1, paidBy: [], held: [] }]]);
export const orders = globalThis.orders;

/**
 * Returns the URL to send the customer to. If Momo Kiosk responds with an error or not at all, logs the error and
 * returns undefined.
 */
export async function pageFor(id) {
  return openPage(id, orders.get(id)).catch((error) => console.error(error));
}

/** Reuses the payment page of a pending charge. After cancellation or expiry, opens a new one. */
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
 * Creates the charge of an attempt. Within 24 hours, the same key returns the same charge, even if it was cancelled.
 * Returns undefined if the attempt used another price.
 */
async function chargeOf(id, amount, attempt) {
  const idempotencyKey = `order-${id}-${attempt}`;
  return momo.transaction.initialize({ amount, merchant_reference: id }, { idempotencyKey }).catch((error) => {
    if (error.code !== 'idempotency_key_reused') throw error;
  });
}

/** Returns the response status for a webhook. `body` is the raw bytes, because the signature covers them. */
export async function receive(body, headers) {
  const event = await webhooks.verify(body, headers, WEBHOOK_SECRET).catch((error) => {
    if (!(error instanceof WebhookSignatureError)) throw error;
    console.error(error.message);
  });
  if (!event) return 401;
  if (event.type === 'charge.success') settle(await momo.transaction.verify(event.data.reference));
  return 204;
}

/**
 * Applies the charge as it is now, because an event can arrive twice, or after a reversal. Deliver for the first
 * reference in `paidBy`. Refund any other: it is a second payment.
 */
function settle({ reference, merchant_reference, status, livemode, proof }) {
  const order = orders.get(merchant_reference);
  if (!order || order.paidBy.includes(reference)) return;
  order.held = order.held.filter((one) => one !== reference);
  if (status !== 'success') return;
  // A network's text can be forged. Until the payment is verified, check the MoMo balance before you deliver or refund.
  const mustHold = livemode && proof?.state !== 'proven';
  (mustHold ? order.held : order.paidBy).push(reference);
}

/** Checks held payments again, because no event reports that a payment was verified. */
export async function askAgain() {
  for (const reference of [...orders.values()].flatMap(({ held }) => held))
    settle(await momo.transaction.verify(reference));
}
setInterval(() => askAgain().catch((error) => console.error(error)), 600_000).unref();
