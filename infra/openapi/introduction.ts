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

/** The reference page replaces this with one entry per code. */
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

/** The introduction of the reference in Markdown: everything that applies to all routes. */
export const introduction = `
## Try it in test mode

Your dashboard, under **Developers**, or the operator gives you test keys too: \`sk_test_…\` for charges, \`sk_sms_test_…\` for texts. They are accepted by the same routes and give
the same answers, with \`"livemode": false\`, but no money, no phone and no credit is involved. What you make with them is a world of its
own: it has its own webhook and lists, and a live key sees nothing of it, nor the other way round.

1. Create a charge with \`sk_test_…\`. Its \`callback_url\` may be \`http://localhost:…\` or \`http://127.0.0.1:…\`. Nobody can pay to its
   \`momo_number\`.
2. Make it paid, underpaid, held, disputed, reversed or expired with \`POST /api/v1/test/transaction/{reference}/simulate\`, or with the
   buttons on its checkout page, which says TEST throughout. Webhooks arrive as in life.
3. Send a text with \`sk_sms_test_…\`. It goes to nobody, whatever its number; the number says what becomes of it:

| number | the text |
|---|---|
| \`${magicNumbers.delivered}\`, and any other | is delivered |
| \`${magicNumbers.failed}\` | fails |
| \`${magicNumbers.slow}\` | is delivered after a minute |
| \`${magicNumbers.noSender}\` | is refused: 503 \`no_sender_available\` |
| \`${magicNumbers.noCredits}\` | is refused: 402 \`insufficient_credits\` |

A test key may make ${DEFAULT_TEST_REQUESTS_PER_SECOND} requests a second, and test keys together ${MAX_TEST_OBJECTS_PER_DAY.toLocaleString('en')} charges, payments and texts a day. What they made is deleted
after ${RETENTION.leastDays} days. Where the service runs on your own machine (\`npm start\`), all keys are in the \`demo.json\` that it names, and the
webhook may be \`http://localhost:…\`. \`GET /api/v1/sms/from\` lists numbers that exist only in test mode, and \`GET /api/v1/sms/credits\` always says 1,000.

## Keys

All paths are below \`${EXAMPLE_BASE_URL}\`. Every request under \`/api\` needs \`Authorization: Bearer <key>\`. Routes for texts require a key that starts with \`sk_sms_\`,
those for your webhook accept either kind, all others require one that starts with \`sk_live_\`; in their place they accept the test key, \`sk_sms_test_\` or \`sk_test_\`. A key may have a scope, such as \`charges:read\` alone:
each route names what of it is needed. Keep keys on your server. A revoked key is refused everywhere
within ${KEY_CACHE_SECONDS} seconds. The examples take yours from the environment: \`export MOMO_LIVE_KEY=sk_live_…\`, \`MOMO_SMS_KEY=sk_sms_…\`, \`MOMO_TEST_KEY=sk_test_…\`, \`MOMO_SMS_TEST_KEY=sk_sms_test_…\`.

A key may make ${DEFAULT_REQUESTS_PER_SECOND} requests a second, and ${BURST_SECONDS * DEFAULT_REQUESTS_PER_SECOND} at once, unless the operator set another rate. Beyond that the answer is 429
\`too_many_requests\`: nothing was done, and the same request succeeds after \`Retry-After\` seconds. A text to 50 numbers is one request. All sends debit one balance,
which takes about a hundred requests a second; beyond that the answer is the same.

## Answers

Bodies are JSON in both directions. A successful answer has \`status\` true, a \`message\` for people, and the \`data\`:

\`\`\`json
{ "status": true, "message": "Charge created", "data": { } }
\`\`\`

An error has \`status\` false, a \`message\` that says what to do, and a \`code\` for your program. If fields are invalid,
\`errors\` lists each one:

\`\`\`json
{ "status": false, "message": "to[3]: …", "code": "invalid_request", "errors": [{ "field": "to[3]", "message": "…" }], "request_id": "…", "doc_url": "…" }
\`\`\`

An unknown field or parameter is refused, with the nearest name. New fields may be added to answers: ignore them. Amounts are in cedis (GHS), not pesewas, with at most two decimals; a request may
give one as a decimal string. Times are UTC, as in Accra, in ISO 8601. Phone numbers come back as \`+233…\`.

## Errors

Every error has a \`doc_url\`, which leads to its code here. A route names only those errors that do not follow from what
the request is:

${generalErrors.map(({ of, codes }) => `- ${of}: ${codes.map((code) => `\`${code}\``).join(', ')}`).join('\n')}

${errorTable}

A few answers come from API Gateway, and are only \`{"message":"…"}\`: 429 when the whole service gets
more requests than its operator allows (wait a second and try again), 413 for a body over 10 MB, and 500 or 503 when the service
itself could not be reached.

## Repeating a request

A request whose answer was lost may have taken effect. Every POST with a key takes the header \`Idempotency-Key\`: 1 to ${MAX_KEY_CHARACTERS} printable ASCII characters, best a
new UUID. Send it, and repeat it with the same key and the very same text as often as necessary: it takes effect once (keys count for each route, whatever id is in its path), and every repeat gets the first answer, with
\`Idempotent-Replayed: true\`, also once its charge has ended. What was refused had no effect and is not kept: correct it, and repeat it with the same key. Keys are kept for ${ANSWER_KEPT_SECONDS / HOUR_SECONDS} hours. A new try of a charge that ended, or at
another price, takes a new key: \`order-7-1\`, then \`order-7-2\`.

## Pages of a list

Lists are newest first, and \`data\` holds the list under its name: \`{ "transactions": [ … ] }\`. \`per_page\` is at most ${MAX_PER_PAGE}, and \`50\` if left out.
\`cursor\` is left out for the first page; \`meta.next\`, beside \`data\`, is that of the next page, null on the last one. With a filter, a page may be short or even empty although more
pages follow.

## Webhooks

Your address gets a POST for every event, signed per [Standard Webhooks](https://www.standardwebhooks.com). Verify
\`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\` with any of its libraries and the secret that \`PUT /api/v1/webhook\`
showed you, over the body’s bytes as received. Answer 2xx within ${WEBHOOK_TIMEOUT_MS / 1000} seconds, before you process the event. Otherwise it
is tried again after ${retryWaits.join(', ')}: ${MAX_TRIES} tries over about ${retryHours} hours, each signed anew. A 410, or ${FAILING_DAYS} days of
failures, disables the webhook until it is set again; what happens meanwhile becomes no event, so list your charges then. \`POST /api/v1/webhook/event/{id}/replay\` posts one of the listed events again. An event may arrive twice, and late: remember each
\`webhook-id\`. \`data\` is as it was then; how a charge is now, \`verify\` says.

Each kind of key has a webhook of its own, with its own secret, events, tests and replays; with one kind you see nothing of the
other's. \`charge.*\`, \`receipt.*\` and \`wallet.*\` go only to the webhook that was set with the \`sk_live_\` key. \`sms.*\` and
\`credits.*\` go to the one that was set with the \`sk_sms_\` key or, if there is none, to the other one: a single webhook, set with
the \`sk_live_\` key, gets everything. To a server that takes over half a second to answer, events are posted two at a time, those about texts one at a time besides.

While you write your server, have it listen on \`localhost\`. A service on your own machine (\`npm start\`) posts there directly. Of a deployed one,
whoever may run its command line can have events posted to their computer too, without a tunnel:

\`\`\`sh
npm run --silent admin -- merchant list --stage prod    # the ID
npm run --silent admin -- webhook listen --merchant ID --to http://localhost:4000/hook --stage prod   # --test: of test mode
\`\`\`
`.trim();
