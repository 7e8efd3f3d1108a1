import * as z from 'zod/mini';
import { Network } from '../../ghana/network.ts';
import { phoneNumber } from '../../ghana/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';

import { unavailableMessages, unavailableReasons } from './sender.ts';

export const SenderResponse = answer('Sender', {
  number: phoneNumber('Pass this number as `from`.'),
  network: described(Network, 'The network of the SIM.'),
  own: described(z.boolean(), 'True if the number is yours alone. Only replies to your own numbers are stored.'),
  available: described(z.boolean(), 'True if you can send from this number now.'),
  reason: described(
    z.nullable(z.enum(unavailableReasons)),
    `Why you cannot send from this number now. ${unavailableReasons
      .map((reason) => `\`${reason}\`: ${unavailableMessages[reason]}`)
      .join(' ')}`,
  ),
  message: described(z.nullable(z.string()), 'The `reason` as a sentence.'),
});
export type SenderResponse = z.infer<typeof SenderResponse>;

export const SenderListResponse = z.object({
  default: described(
    z.nullable(phoneNumber('The number that texts are sent from if the request names none.')),
    'If null, a request that names no number uses any available one.',
  ),
  senders: z.array(SenderResponse),
});
export type SenderListResponse = z.infer<typeof SenderListResponse>;
