import * as z from 'zod/mini';
import { phoneNumber } from '../../ghana/responses.ts';
import { Livemode, time, uuid } from '../../runtime/http/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';
import { SendResponse } from '../sms/responses.ts';

export const VerifyResponse = answer('Verification', {
  id: uuid('The id for the check, and of the text (`GET /api/v1/sms/{id}`).'),
  livemode: Livemode,
  to: phoneNumber('The number that the code is sent to.'),
  from: SendResponse.shape.from,
  status: z.literal('pending'),
  length: described(z.int(), 'Digits of the code.', { examples: [6] }),
  expires_at: time('When the code expires, unless a newer code replaces it first.'),
  cost: described(z.int(), 'The credits that it cost; 0 for a test.', { examples: [1] }),
  segments: SendResponse.shape.segments,
  encoding: SendResponse.shape.encoding,
});
export type VerifyResponse = z.infer<typeof VerifyResponse>;

export const CheckResponse = answer('VerificationCheck', {
  id: described(z.string(), 'The id of the request.'),
  livemode: Livemode,
  verified: described(
    z.boolean(),
    '`true` once, for the correct code; `false` for a wrong, used, replaced or expired code, after too many attempts, and for an unknown id.',
  ),
});
export type CheckResponse = z.infer<typeof CheckResponse>;
