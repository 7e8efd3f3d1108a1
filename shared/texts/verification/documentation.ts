import type { Operation } from '../../runtime/http/operation.ts';
import { CheckResponse, VerifyResponse } from './responses.ts';
import { MAX_CODES_OF_MERCHANT, MAX_CODES_OF_NUMBER, MAX_TRIES_OF_CODE } from './verification.table.ts';
import { CheckRequest, VerifyRequest } from './verify-request.ts';

const started: VerifyResponse = {
  id: '019a9f6e-4b1c-7d3a-9c52-1f0e8a6b4d00',
  livemode: true,
  to: '+233551112223',
  from: '+233241234567',
  status: 'pending',
  length: 6,
  expires_at: '2026-11-20T08:40:00.000Z',
  cost: 1,
  segments: 1,
  encoding: 'GSM-7',
};

const ofTexts = { tag: 'Texts', path: {} } as const;

export const verifyOperations = {
  'verify/start': {
    ...ofTexts,
    summary: 'Send a code',
    description: `Queues a text with a code to one number, for one credit. Ask your customer for the code, and check it with
\`POST /api/v1/verify/check\`. Codes are sent before other texts. If so many codes are waiting that yours would not be sent within half
its validity, the response is 429 \`queue_full\`. An unsent code expires and is refunded.

A newer code to the same number replaces an older one. At most ${MAX_CODES_OF_NUMBER.hour} codes an hour and ${MAX_CODES_OF_NUMBER.day} a day are sent to a
number, and ${MAX_CODES_OF_MERCHANT.hour} an hour and ${MAX_CODES_OF_MERCHANT.day} a day for you: 429 \`too_many_requests\`. Also limit who can request codes from your
server, because each costs a credit. Nobody can read a code here: \`GET /api/v1/sms/{id}\`, events and the dashboard show asterisks.

With a test key no text is sent and the code is \`123456\` (\`1234567\` or \`12345678\` if longer) for every
number except \`0240000002\`, whose text fails and which no code verifies.`,
    body: {
      schema: VerifyRequest,
      examples: {
        plain: { summary: 'With the default text', value: { to: '0551112223' } },
        own: {
          summary: 'With your own text',
          value: {
            to: '0551112223',
            length: 8,
            expires_in: 300,
            message: '{code} is your code at {name}, for {life}.',
          },
        },
      },
    },
    success: { message: 'Queued a code from +233241234567', data: VerifyResponse, example: started },
    errors: ['insufficient_credits', 'no_sender_available', 'queue_full', 'too_many_tries'],
  },
  'verify/check': {
    ...ofTexts,
    summary: 'Check a code',
    description: `Checks a code, which is accepted once: send an \`Idempotency-Key\`, so that you can repeat a request whose response was lost.
A code can be tried ${MAX_TRIES_OF_CODE} times. After too many wrong codes in a day a number is neither verified nor sent a new code; after too many
for all your customers together, 429 \`too_many_tries\` means that somebody is guessing. A correct code resets its number’s
count. Keep \`id\` in the session that requested the code, so that somebody else’s code cannot open it.`,
    body: {
      schema: CheckRequest,
      examples: { code: { summary: 'What your customer typed', value: { id: started.id, code: '402716' } } },
    },
    success: {
      message: 'The code is correct',
      data: CheckResponse,
      example: { id: started.id, livemode: true, verified: true } satisfies CheckResponse,
    },
    errors: ['too_many_tries'],
  },
} satisfies Record<string, Operation>;
