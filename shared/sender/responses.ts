import * as z from 'zod/mini';
import { Network } from '../ghana/network.ts';
import { phoneNumber } from '../runtime/http/responses.ts';

export const SenderResponse = z
  .object({
    number: phoneNumber('Give it as `from`.'),
    network: Network.check(z.describe('The network of its SIM.')),
    available: z
      .boolean()
      .check(
        z.describe(
          'Whether you can send from it now: it is enabled, its phone is online, and fewer of your texts are waiting there than it sends in a day.',
        ),
      ),
  })
  .check(z.meta({ id: 'Sender' }));
export type SenderResponse = z.infer<typeof SenderResponse>;

export const SenderListResponse = z.object({
  default: z
    .nullable(phoneNumber('The number that texts are sent from if the request names none.'))
    .check(z.describe('If it is null, a request that names no number uses any available one.')),
  senders: z.array(SenderResponse),
});
export type SenderListResponse = z.infer<typeof SenderListResponse>;
