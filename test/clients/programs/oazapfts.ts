import { defaults, testSimulate, transactionInitialize, transactionVerify, webhookSet } from './client/oazapfts.ts';
import { tell } from './tell.ts';

const key = { headers: { authorization: `Bearer ${process.env.KEY}` } };
const made = await transactionInitialize(
  { amount: 36.5, customer_name: 'Kofi Mensah', metadata: { order_id: 'A-1' } },
  { idempotencyKey: 'oazapfts-1' },
  key,
);
if (made.status !== 200) throw new Error(made.data.code);
const page: string = made.data.data.authorization_url;
if (!page.startsWith(defaults.baseUrl ?? '')) throw new Error(page);
const { reference } = made.data.data;
await testSimulate(reference, { outcome: 'paid' }, {}, key);
const verified = await transactionVerify(reference, key);
if (verified.status !== 200) throw new Error(verified.data.code);
const paid = verified.data.data;
const webhook = await webhookSet({ url: process.env.HOOK ?? '' }, key);
if (webhook.status !== 200) throw new Error(webhook.data.code);
const refused = await transactionVerify('MK-0000000000', key);
const error = refused.status === 404 ? refused.data.code : null;
tell({ server: defaults.baseUrl, paid, webhook: webhook.data.data, error });
