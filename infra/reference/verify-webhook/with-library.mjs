import { Webhook } from 'standardwebhooks';

// `body`: the bytes of the request, as received.
const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const event = webhook.verify(body, headers); // Or throws.
console.log(event.type, event.data);
