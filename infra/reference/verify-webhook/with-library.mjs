import { Webhook } from 'standardwebhooks';

const secret = process.env.WEBHOOK_SECRET ?? '';
if (!/^whsec_[\w+/]{32}/.test(secret)) throw new Error('Set WEBHOOK_SECRET to the `secret` from PUT /api/v1/webhook.');
// `body`: the request's raw bytes.
const webhook = new Webhook(secret);
const event = webhook.verify(body, headers); // Or throws.
console.log(event.type, event.data);
