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
    description: `Makes a code, and queues a text with it to one number, for one credit. Ask your customer for the code, and check it with
\`POST /api/v1/verify/check\`. Codes leave before other texts. Where so many wait that one would not leave in half
its time: 429 \`queue_full\`. One that cannot leave while it is valid is not sent any more, and its credit is refunded, as for every text that fails.

A number has one valid code of yours at a time: a newer one replaces it. At most ${MAX_CODES_OF_NUMBER.hour} an hour and ${MAX_CODES_OF_NUMBER.day} a day go to a
number, and ${MAX_CODES_OF_MERCHANT.hour} an hour and ${MAX_CODES_OF_MERCHANT.day} a day are sent for you: 429 \`too_many_requests\`. Limit who may ask for a code on your
side too, because each costs you a credit. Nobody can read a code here, not even you: \`GET /api/v1/sms/{id}\`, events and the
dashboard show its text with asterisks.

With a test key nothing is sent and the code is \`123456\` (\`1234567\` or \`12345678\` where it is longer), for \`0240000001\` and any other
number but \`0240000002\`, whose text fails and which no code verifies.`,
    body: {
      schema: VerifyRequest,
      examples: {
        plain: { summary: 'With our words', value: { to: '0551112223' } },
        own: {
          summary: 'With your words',
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
    description: `Says whether a code is the one that was sent. It is right once: send an \`Idempotency-Key\`, so that you can repeat a request
whose answer was lost. A code can be tried ${MAX_TRIES_OF_CODE} times; after too many wrong ones for a number in a day it verifies no more, and gets no
new code, and after too many for all your customers together 429 \`too_many_tries\` tells you that somebody is guessing. What was tried before a
code is proven does not count. Keep \`id\` in the session of whoever asked for the code: somebody else's code must not open it.`,
    body: {
      schema: CheckRequest,
      examples: { code: { summary: 'What your customer typed', value: { id: started.id, code: '402716' } } },
    },
    success: {
      message: 'The code is right',
      data: CheckResponse,
      example: { id: started.id, livemode: true, verified: true } satisfies CheckResponse,
    },
    errors: ['too_many_tries'],
  },
} satisfies Record<string, Operation>;
