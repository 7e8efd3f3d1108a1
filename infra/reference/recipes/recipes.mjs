// calling
let key = process.env.MOMO_TEST_KEY;
async function momo(what, body, attempt = crypto.randomUUID()) {
  const [method, path] = what.split(' ');
  const answer = await fetch(`https://pay.example.com/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': attempt,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  const { status, data, meta, ...error } = await answer.json();
  if (status) return { ...data, ...meta };
  throw Object.assign(new Error(), error, { answer });
}

// hold
const mustHold = ({ livemode, proof }) => livemode && proof?.state !== 'proven';

// first-charge
const { reference, authorization_url } = await momo(
  'POST /transaction/initialize',
  { amount: '36.50', merchant_reference: 'order-7' },
  'order-7-1',
);
console.log('send the browser to', authorization_url);
const simulate = (charge, outcome) => momo(`POST /test/transaction/${charge}/simulate`, { outcome });
const verify = (charge) => momo(`GET /transaction/verify/${charge}`);

await simulate(reference, 'paid');
const charge = await verify(reference);
if (charge.status === 'success') console.log(mustHold(charge) ? 'hold' : 'deliver');

// webhook
const url = 'https://shop.example.com/hooks';
const { secret } = await momo('PUT /webhook', { url });
const delivered = new Set(); // in your database
const held = new Set(); // verify each again, every ten minutes
async function receive({ type, data }) {
  console.log(type);
  if (type !== 'charge.success') return;
  const now = await verify(data.reference); // may be reversed
  const order = now.merchant_reference;
  if (now.status !== 'success' || delivered.has(order)) return;
  if (mustHold(now)) return held.add(now.reference);
  delivered.add(order);
  console.log('deliver', order);
}
await momo('POST /webhook/test');

// text
key = process.env.MOMO_SMS_TEST_KEY;
const { id } = await momo('POST /sms/send', { to: '0551112223', message: 'Your order is ready' }, 'order-7-ready');
const { status } = await momo(`GET /sms/${id}`);
console.log('text', status);
key = process.env.MOMO_TEST_KEY;

// outage
const { events, next } = await momo('GET /webhook/event');
for (const { body } of events.reverse()) await receive(body);
console.log('next page:', next ? `?cursor=${next}` : 'none');

// double-payment
await simulate(reference, 'paid_twice');
const { second_payments } = await verify(reference);
for (const { amount, warning, sent_back_at, receipt_id } of second_payments) {
  if (warning || sent_back_at) continue;
  console.log('send back', amount); // and then:
  await momo(`POST /transaction/${reference}/refund`, { receipt_id }, receipt_id);
}

const paid = 'status=success&merchant_reference=order-7';
const { transactions } = await momo(`GET /transaction?${paid}`);
const [, ...others] = transactions.reverse();
if (!transactions.some(mustHold)) console.log('refund', others.length, 'other charges');

// refund
const refund = `/transaction/${reference}/refund`;
const { refunds, warning } = await momo(`POST ${refund}`, { amount: '5.05', reason: 'Torn' }, 'order-7-refund-1');
if (warning) console.log(warning);

// The money has left your wallet:
const { refund_id } = refunds[0];
const closed = await momo(`POST ${refund}/${refund_id}/close`, {
  outcome: 'sent',
});
console.log('refund', closed.refunds[0].status);

// retry
async function insist(request, tries = 3) {
  try {
    return await request();
  } catch (error) {
    const { status, headers } = error.answer ?? {};
    const isFinal = status < 500 && status !== 429;
    if (isFinal || tries === 1) throw error;
    const wait = headers?.get('Retry-After') ?? 1;
    await new Promise((go) => setTimeout(go, wait * 1000));
    return insist(request, tries - 1);
  }
}
const pay = () => momo('POST /transaction/initialize', { amount: 12 }, 'order-8-1');
const once = await insist(pay);
const again = await insist(pay);
console.log('one charge:', once.reference === again.reference);

// changed-price
const order = { merchant_reference: 'order-9' };
const old = await momo('POST /transaction/initialize', { ...order, amount: 20 }, 'order-9-1');
await momo(`POST /transaction/${old.reference}/cancel`);
const cheaper = await momo('POST /transaction/initialize', { ...order, amount: 18 }, 'order-9-2');
console.log('pay', cheaper.amount, 'at', cheaper.authorization_url);

// parts
await simulate(once.reference, 'underpaid');
const half = await verify(once.reference);
console.log(half.status, 'with', half.amount_paid, 'of', half.amount);

await simulate(once.reference, 'paid');
const whole = await verify(once.reference);
console.log(whole.status, 'with', whole.amount_paid);

// test-to-live
key = process.env.MOMO_LIVE_KEY;
const hook = await momo('PUT /webhook', { url });
console.log('another secret:', hook.secret !== secret);
await momo('POST /webhook/test');

const first = await momo('POST /transaction/initialize', {
  amount: 1,
});
console.log('live:', first.livemode, first.authorization_url);
