import createClient from 'openapi-fetch';
import type { paths } from './client/openapi-typescript.ts';
import { tell } from './tell.ts';

const server = process.env.SERVER ?? '';
const client = createClient<paths>({ baseUrl: server, headers: { Authorization: `Bearer ${process.env.KEY}` } });
const made = await client.POST('/api/v1/transaction/initialize', {
  params: { header: { 'Idempotency-Key': 'openapi-typescript-1' } },
  body: { amount: 36.5, customer_name: 'Kofi Mensah', metadata: { order_id: 'A-1' } },
});
if (!made.data) throw new Error(made.error.code);
const page: string = made.data.data.authorization_url;
if (!page.startsWith(server)) throw new Error(page);
const path = { reference: made.data.data.reference };
await client.POST('/api/v1/test/transaction/{reference}/simulate', { params: { path }, body: { outcome: 'paid' } });
const verified = await client.GET('/api/v1/transaction/verify/{reference}', { params: { path } });
if (!verified.data) throw new Error(verified.error.code);
const paid = verified.data.data;
const webhook = await client.PUT('/api/v1/webhook', { body: { url: process.env.HOOK ?? '' } });
if (!webhook.data) throw new Error(webhook.error.code);
const refused = await client.GET('/api/v1/transaction/verify/{reference}', {
  params: { path: { reference: 'MK-0000000000' } },
});
tell({ server, paid, webhook: webhook.data.data, error: refused.error?.code });
