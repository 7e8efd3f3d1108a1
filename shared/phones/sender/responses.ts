import * as z from 'zod/mini';
import { Network } from '../../ghana/network.ts';
import { phoneNumber } from '../../ghana/responses.ts';

import { unavailableMessages, unavailableReasons } from './sender.ts';

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
    reason: z
      .nullable(z.enum(unavailableReasons))
      .check(
        z.describe(
          `Why you cannot send from it now; null if you can. ${unavailableReasons
            .map((reason) => `\`${reason}\`: ${unavailableMessages[reason]}`)
            .join(' ')}`,
        ),
      ),
    message: z.nullable(z.string()).check(z.describe('The same in a sentence, for a person to read.')),
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
