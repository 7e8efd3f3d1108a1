import { Webhook } from 'standardwebhooks';

// `body`: the request's raw bytes.
const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const event = webhook.verify(body, headers); // Or throws.
console.log(event.type, event.data);
