import * as z from 'zod/mini';
import { Network } from '../../ghana/network.ts';
import { phoneNumber } from '../../ghana/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';

import { unavailableMessages, unavailableReasons } from './sender.ts';

export const SenderResponse = answer('Sender', {
  number: phoneNumber('Give it as `from`.'),
  network: described(Network, 'The network of its SIM.'),
  own: described(
    z.boolean(),
    'True if the number is yours alone. Answers to it are kept for you; answers to a shared number are not kept.',
  ),
  available: described(
    z.boolean(),
    'True if you can send from it now: it is enabled, its phone is online, and fewer of your texts are waiting there than it sends in a day.',
  ),
  reason: described(
    z.nullable(z.enum(unavailableReasons)),
    `The reason you cannot send from it now; null if you can. ${unavailableReasons
      .map((reason) => `\`${reason}\`: ${unavailableMessages[reason]}`)
      .join(' ')}`,
  ),
  message: described(z.nullable(z.string()), 'The reason as a sentence for people.'),
});
export type SenderResponse = z.infer<typeof SenderResponse>;

export const SenderListResponse = z.object({
  default: described(
    z.nullable(phoneNumber('The number that texts are sent from if the request names none.')),
    'If it is null, a request that names no number uses any available one.',
  ),
  senders: z.array(SenderResponse),
});
export type SenderListResponse = z.infer<typeof SenderListResponse>;
