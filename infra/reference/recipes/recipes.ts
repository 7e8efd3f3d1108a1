import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One shop program in sections, which a test runs from start to end. */
const sections = new Map(
  readFileSync(join(import.meta.dirname, 'recipes.mjs'), 'utf8')
    .split(/^\/\/ (?=[a-z-]+$)/m)
    .slice(1)
    .map((section) => {
      const [id = '', ...lines] = section.split('\n');
      return [id, lines.join('\n').trim()];
    }),
);

/** Each recipe fits on a phone's screen: a few sentences and a section of the program. */
export const recipes = [
  recipe('calling', 'Call the API', 'The recipes below use this. With a test key no money moves.'),
  recipe(
    'hold',
    'Hold what is not verified',
    'A text can be forged: hold a live order until `proof.state` is `proven`, or look in the wallet yourself. No event says when it is: verify again what you hold.',
  ),
  recipe(
    'first-charge',
    'First charge',
    'Never take the price from the browser. `customer_name` recognises who forgets the reference.',
  ),
  recipe(
    'webhook',
    'Webhook',
    '[Verify each request](#webhooks), answer 2xx, then `receive` it. It may come late or twice: mark the order as delivered.',
  ),
  recipe('outage', 'After an outage', 'Read what was posted, and `receive` each event.'),
  recipe(
    'double-payment',
    'Double payment',
    '`receipt.held` (`already_paid`) and `second_payments` name it. Send it back only if it and the charge’s `proof` are verified. Of two paid charges of an order refund one.',
  ),
  recipe(
    'refund',
    'Refund',
    'Note what you refund first, so that the wallet’s text finds it, and do what its `warning` says. Then send the money from its phone: this service moves none. The wallet’s text closes the refund where it can be for nothing else (on the local stack, “Send money back” on the phone’s page makes that text); otherwise you do.',
  ),
  recipe(
    'retry',
    'Retry',
    'After no answer, 429 or 5xx, repeat with the same `Idempotency-Key`: it takes effect once. A new attempt takes another: `order-8-2`.',
  ),
  recipe(
    'changed-price',
    'Changed price',
    'A charge keeps its price: cancel it, and make another with another `Idempotency-Key`. If it has been paid meanwhile, cancelling is refused (409): refund it, or charge the difference. If it is paid afterwards, `receipt.held` tells you. Once its `proof.state` is `proven`, assign it to the new charge (a part of the price with `as_part`), or send it back and note that with its `receipt_id`.',
  ),
  recipe(
    'parts',
    'Payment in parts',
    'Who pays too little is shown what is missing, and pays it in another part. Until then the charge is `pending` and you get `charge.partly_paid`; with the last part, `charge.success`.',
  ),
  recipe(
    'test-to-live',
    'From test to live',
    'Only keys and addresses change, which are https. What the test key made stays behind, so set the webhook again: its secret is another. Then pay GHS 1 from your own phone, see it delivered (in a wallet’s first week it is held), and refund it.',
  ),
];

function recipe(id: string, title: string, text: string) {
  const code = sections.get(id);
  if (code === undefined) throw new Error(`recipes.mjs has no section ${id}`);
  return { id, title, text, code };
}
