import { Webhook } from 'standardwebhooks';

// Throws unless Momo Kiosk signed it. `body` is its bytes, as received.
const event = new Webhook(process.env.WEBHOOK_SECRET).verify(body, headers);
console.log(event.type, event.data);
