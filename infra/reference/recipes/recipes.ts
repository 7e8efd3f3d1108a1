import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The sections of a shop's program, which a test runs. */
const sections = new Map(
  readFileSync(join(import.meta.dirname, 'recipes.mjs'), 'utf8')
    .split(/^\/\/ (?=[a-z-]+$)/m)
    .slice(1)
    .map((section) => {
      const [id = '', ...lines] = section.split('\n');
      return [id, lines.join('\n').trim()];
    }),
);

/** The recipes: a few sentences and one section of the program each, to fit on a phone's screen. */
export const recipes = [
  recipe('calling', 'Call the API', 'The recipes are one program that needs nothing installed.'),
  recipe(
    'hold',
    'Hold what is not verified',
    'A text can be forged: hold a live order until `proof.state` is `proven`, or check the wallet yourself. No event reports that a payment has become verified: verify the held charges again.',
  ),
  recipe(
    'first-charge',
    'Charge and deliver',
    'Never take the price from the browser. `customer_name` helps to match customers who forget the reference.',
  ),
  recipe(
    'webhook',
    'Webhook',
    '[Verify each request](#webhooks), answer 2xx, then `receive` the event. It may come late or twice: mark the order as delivered. [`momo-kiosk listen`](#webhooks) brings events to your computer.',
  ),
  recipe('text', 'Send a text', 'Texts need a key of their own.'),
  recipe('outage', 'After an outage', 'Read the posted events, and `receive` each one.'),
  recipe(
    'double-payment',
    'Double payment',
    'After `receipt.held` (`already_paid`), verify the charge. Send a second payment back only if its `warning` is null. If an order has two paid, verified charges, refund one.',
  ),
  recipe(
    'refund',
    'Refund',
    'Record the refund first, so that the wallet’s text can match it, and do what `warning` says. Then send the money from your phone: this service cannot. The wallet’s text closes the refund if it can be for nothing else (on the local stack, “Send money back” on the phone’s page makes this text); otherwise close it yourself.',
  ),
  recipe(
    'retry',
    'Retry',
    'After no response, 429 or 5xx, repeat the request with the same `Idempotency-Key`: it takes effect once. A new attempt needs a new key: `order-8-2`.',
  ),
  recipe(
    'changed-price',
    'Changed price',
    'The price of a charge cannot change: cancel the charge, and create another with a new `Idempotency-Key`. If it was paid meanwhile, cancelling is refused (409): refund it, or charge the difference. `receipt.held` reports a later payment. Once its `proof.state` is `proven`, assign it to the new charge (a part of the price with `as_part`), or send it back and record that with its `receipt_id`.',
  ),
  recipe(
    'parts',
    'Payment in parts',
    'A customer who pays too little sees the outstanding amount and can pay it in another part. Until then the charge is `pending` and you get `charge.partly_paid`; the last part causes `charge.success`.',
  ),
  recipe(
    'test-to-live',
    'From test to live',
    'Only keys and addresses change; live addresses must be https. Test objects stay in test mode, so set the webhook again: its secret is different. Then pay GHS 1 from your own phone, see it delivered (it is verified once the wallet’s balance is named), and refund it.',
  ),
];

function recipe(id: string, title: string, text: string) {
  const code = sections.get(id);
  if (code === undefined) throw new Error(`recipes.mjs has no section ${id}`);
  return { id, title, text, code };
}
