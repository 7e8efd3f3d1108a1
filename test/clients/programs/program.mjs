import { ApiError, MomoKiosk } from 'momo-kiosk-client';

const { SERVER, KEY, HOOK } = process.env;
const momo = new MomoKiosk({ baseUrl: SERVER, secretKey: KEY });
const { reference } = await momo.transaction.initialize(
  { amount: 36.5, customer_name: 'Kofi Mensah', metadata: { order_id: 'A-1' } },
  { idempotencyKey: 'own-typescript-1' },
);
await momo.test.simulate(reference, { outcome: 'paid' });
const paid = await momo.transaction.verify(reference);
const webhook = await momo.webhook.set({ url: HOOK });
const error = await momo.transaction.verify('MK-0000000000').catch((refused) => refused);
console.log(
  JSON.stringify({
    server: SERVER,
    reference: paid.reference,
    status: paid.status,
    payer: paid.payment.payer_name,
    proof: paid.payment.proof,
    disputed: paid.disputed,
    hook: webhook.url,
    error: error instanceof ApiError ? error.code : null,
  }),
);
