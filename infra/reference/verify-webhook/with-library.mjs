import { Webhook } from 'standardwebhooks';

const secret = process.env.WEBHOOK_SECRET ?? '';
// Anyone can sign with an empty secret.
if (!/^whsec_[\w+/]{32}/.test(secret))
  throw new Error('WEBHOOK_SECRET is not a webhook secret. Set it to the `secret` from PUT /api/v1/webhook.');
// `body`: the request's raw bytes.
const webhook = new Webhook(secret);
const event = webhook.verify(body, headers); // Or throws.
console.log(event.type, event.data);
