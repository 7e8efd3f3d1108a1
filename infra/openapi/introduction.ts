import { KEY_CACHE_SECONDS } from '../../shared/merchants/merchant/api-key.table.ts';
import {
  DEFAULT_REQUESTS_PER_SECOND,
  DEFAULT_TEST_REQUESTS_PER_SECOND,
} from '../../shared/merchants/merchant/api-key.ts';
import { MAX_TEST_OBJECTS_PER_DAY } from '../../shared/merchants/merchant/test-limit.table.ts';
import { EXAMPLE_BASE_URL } from '../../shared/pages/docs/text-with-address.ts';
import { ANSWER_KEPT_SECONDS, MAX_KEY_CHARACTERS } from '../../shared/runtime/http/idempotency.ts';
import { BURST_SECONDS } from '../../shared/runtime/http/middleware/limit-rate.ts';
import { MAX_PER_PAGE } from '../../shared/runtime/http/pagination.ts';
import { RETENTION } from '../../shared/runtime/outside/retention.ts';
import { HOUR_SECONDS } from '../../shared/runtime/values/calendar.ts';
import { errorCodes, statusOfCode } from '../../shared/runtime/values/errors.ts';
import { magicNumbers } from '../../shared/texts/sms/magic-numbers.ts';
import { FAILING_DAYS, MAX_TRIES, WAITS_SECONDS, WEBHOOK_TIMEOUT_MS } from '../../shared/webhook/deliver-webhook.ts';
import { errorDescriptions } from './error-descriptions.ts';
import { generalErrors } from './general-errors.ts';

/** Table of all error codes. The reference page has a section per code instead. */
export const errorTable = `
| code | status | meaning | what to do |
|---|---|---|---|
${errorCodes
  .map((code) => {
    const { meaning, whatToDo } = errorDescriptions[code];
    return `| \`${code}\` | ${statusOfCode[code]} | ${meaning} | ${whatToDo} |`;
  })
  .join('\n')}
`.trim();

const retryWaits = WAITS_SECONDS.map((seconds) =>
  seconds < 60 ? `${seconds} s` : seconds < HOUR_SECONDS ? `${seconds / 60} min` : `${seconds / HOUR_SECONDS} h`,
);
const retryHours = Math.floor(WAITS_SECONDS.reduce((sum, seconds) => sum + seconds) / HOUR_SECONDS);

/** The reference's introduction, in Markdown: everything that applies to all routes. */
export const introduction = `
## Try it in test mode

You get test keys on your dashboard, under **Developers**, or from the operator: \`sk_test_…\` for charges, \`sk_sms_test_…\` for texts. The same routes accept them and return
the same responses, with \`"livemode": false\`, but without money, phones or credits. Test mode has its own webhook, lists and objects.

1. Create a charge with \`sk_test_…\`. Its \`callback_url\` may be \`http://localhost:…\` or \`http://127.0.0.1:…\`. Nobody can pay to its
   \`momo_number\`.
2. Make it paid, underpaid, held, disputed, reversed or expired with \`POST /api/v1/test/transaction/{reference}/simulate\`, or with the
   buttons on its checkout page, which is marked TEST. Webhooks are posted.
3. Send a text with \`sk_sms_test_…\`. It is never sent; the number determines the outcome:

| number | the text |
|---|---|
| \`${magicNumbers.delivered}\`, and any other | is delivered |
| \`${magicNumbers.failed}\` | fails |
| \`${magicNumbers.slow}\` | is delivered after a minute |
| \`${magicNumbers.noSender}\` | is refused: 503 \`no_sender_available\` |
| \`${magicNumbers.noCredits}\` | is refused: 402 \`insufficient_credits\` |

A test key may make ${DEFAULT_TEST_REQUESTS_PER_SECOND} requests a second; all test keys together ${MAX_TEST_OBJECTS_PER_DAY.toLocaleString('en')} charges, payments and texts a day, which are deleted
after ${RETENTION.leastDays} days. A service on your own machine (\`npm start\`) writes all keys to \`demo.json\`, and its
webhook may be \`http://localhost:…\`. \`GET /api/v1/sms/from\` lists test numbers, and \`GET /api/v1/sms/credits\` always returns 1,000.

## Keys

All paths are below \`${EXAMPLE_BASE_URL}\`. Every request under \`/api\` needs \`Authorization: Bearer <key>\`. Each route names the kind of its key, and accepts the test key of the same kind:
\`sk_sms_test_\` for \`sk_sms_\`, \`sk_test_\` for \`sk_live_\`. A key may have a scope, such as \`charges:read\` alone:
each route names the permission that it needs. Keep keys on your server. A revoked key is refused everywhere
within ${KEY_CACHE_SECONDS} seconds. The examples read keys from the environment: \`export MOMO_LIVE_KEY=sk_live_…\`, \`MOMO_SMS_KEY=sk_sms_…\`, \`MOMO_TEST_KEY=sk_test_…\`, \`MOMO_SMS_TEST_KEY=sk_sms_test_…\`.

A key may make ${DEFAULT_REQUESTS_PER_SECOND} requests a second, and ${BURST_SECONDS * DEFAULT_REQUESTS_PER_SECOND} at once, unless the operator set another rate. Beyond that, or beyond about a hundred sends a second
from one balance of credits, the response is 429 \`too_many_requests\`.

## Responses

Bodies are JSON in both directions. A successful response has \`status\` true, a \`message\` for people, and the \`data\`:

\`\`\`json
{ "status": true, "message": "Charge created", "data": { } }
\`\`\`

An error has \`status\` false, a \`message\` that says what to do, a \`code\` for your program, and \`errors\` for invalid fields:

\`\`\`json
{ "status": false, "message": "to[3]: …", "code": "invalid_request", "errors": [{ "field": "to[3]", "message": "…" }], "request_id": "…", "doc_url": "…" }
\`\`\`

Unknown fields and parameters are refused, with the nearest name. Responses may get new fields: ignore them. Amounts are in cedis (GHS), not pesewas, with at most two decimals; requests may use decimal strings. Times are UTC, as in Accra, in ISO 8601. Responses give phone numbers as \`+233…\`.

## Errors

The \`doc_url\` of an error links to its code here. Routes list only errors other than these general ones:

${generalErrors.map(({ of, codes }) => `- ${of}: ${codes.map((code) => `\`${code}\``).join(', ')}`).join('\n')}

${errorTable}

API Gateway responds only with \`{"message":"…"}\`: 429 if the whole service gets more requests than its operator allows (try again after a second), 413 for a body over 10 MB, and 500 or 503 if the service could not be reached.

## Repeating a request

A request whose response was lost may have taken effect. Every POST with a key accepts the \`Idempotency-Key\` header: 1 to ${MAX_KEY_CHARACTERS} printable ASCII characters, ideally a
new UUID. Repeat the request with the same key and exactly the same body: it takes effect once (for each route, whatever id is in its path), and every repeat within
${ANSWER_KEPT_SECONDS / HOUR_SECONDS} hours gets the first response, with \`Idempotent-Replayed: true\`. A refused request had no effect: correct it, and send it with the same key. A new attempt at a charge that has ended, or at
another price, needs a new key: \`order-7-1\`, then \`order-7-2\`.

## Pages of a list

Lists are newest first, and \`data\` contains the list under its name: \`{ "transactions": [ … ] }\`. The query has \`per_page\` (at most ${MAX_PER_PAGE}, \`50\` by default) and
\`cursor\`: the \`meta.next\` of the previous page, which is beside \`data\` and null on the last page. With a filter, a page may be short or even empty although more
pages follow.

## Webhooks

Your address gets a POST for every event, \`{ "type", "timestamp", "livemode", "data" }\`, signed per [Standard Webhooks](https://www.standardwebhooks.com). Verify
\`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\` with any of its libraries and the secret from \`PUT /api/v1/webhook\`,
over the body’s bytes as received. Respond with 2xx within ${WEBHOOK_TIMEOUT_MS / 1000} seconds, before you process the event. Otherwise it
is retried after ${retryWaits.join(', ')}: ${MAX_TRIES} attempts over about ${retryHours} hours, each signed anew. A 410, or ${FAILING_DAYS} days of
failures, disables the webhook until it is set again; no events are created meanwhile, so list your charges then. \`POST /api/v1/webhook/event/{id}/replay\` reposts a listed event. Events may arrive twice, and late: remember each
\`webhook-id\`. \`data\` is as it was at the time of the event; \`verify\` returns the charge as it is now.

Each kind of key has its own webhook, with its own secret, events, tests and replays. The webhook of
the \`sk_sms_\` key gets \`sms.*\` and \`credits.*\`, and the webhook of the \`sk_live_\` key all other events. If the first
is missing, the second gets all events. A server that takes over half a second to respond gets two events at a time, and one event about texts.

### On your own computer

The TypeScript client posts a test key’s events to your computer, from a deployed or local stack, without a tunnel or webhook.
It prints the secret that signs them, the same at each start. Install the client, start your server, and run:

\`\`\`sh
export MOMO_KIOSK_URL=https://pay.example.com MOMO_KIOSK_KEY=sk_test_…   # or sk_sms_test_…
npx --no momo-kiosk listen --forward-to http://localhost:4000/webhooks --events charge.success
\`\`\`

An event that your server does not accept is posted five times within about 90 seconds.
`.trim();
