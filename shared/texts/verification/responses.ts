import * as z from 'zod/mini';
import { phoneNumber } from '../../ghana/responses.ts';
import { Livemode, time, uuid } from '../../runtime/http/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';
import { SendResponse } from '../sms/responses.ts';

export const VerifyResponse = answer('Verification', {
  id: uuid('The id to check the code with. It is also the id of the text, which `GET /api/v1/sms/{id}` shows.'),
  livemode: Livemode,
  to: phoneNumber('The number that the code is sent to.'),
  from: SendResponse.shape.from,
  status: z.literal('pending'),
  length: described(z.int(), 'How many digits the code has.', { examples: [6] }),
  expires_at: time('Until when the code is valid. A newer code to the same number ends it earlier.'),
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
    '`true` once, for the right code. `false` for a wrong code and one that was used, replaced, tried too often or is too old, and for an id that is not yours: which of these is not told.',
  ),
});
export type CheckResponse = z.infer<typeof CheckResponse>;
