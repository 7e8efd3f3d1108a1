import { client } from './client/hey-api/client.gen.ts';
import { testSimulate, transactionInitialize, transactionVerify, webhookSet } from './client/hey-api/sdk.gen.ts';
import { tell } from './tell.ts';

const auth = process.env.KEY;
const made = await transactionInitialize({
  auth,
  headers: { 'Idempotency-Key': 'hey-api-1' },
  body: { amount: 36.5, customer_name: 'Kofi Mensah', metadata: { order_id: 'A-1' } },
});
if (!made.data) throw new Error(made.error.code);
const page: string = made.data.data.authorization_url;
const server = client.getConfig().baseUrl;
if (!page.startsWith(server ?? '')) throw new Error(page);
const path = { reference: made.data.data.reference };
await testSimulate({ auth, path, body: { outcome: 'paid' } });
const verified = await transactionVerify({ auth, path });
if (!verified.data) throw new Error(verified.error.code);
const paid = verified.data.data;
const webhook = await webhookSet({ auth, body: { url: process.env.HOOK ?? '' } });
if (!webhook.data) throw new Error(webhook.error.code);
const refused = await transactionVerify({ auth, path: { reference: 'MK-0000000000' } });
tell({ server, paid, webhook: webhook.data.data, error: refused.error?.code });
