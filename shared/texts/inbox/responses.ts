import * as z from 'zod/mini';
import { phoneNumber } from '../../ghana/responses.ts';
import { Livemode, time } from '../../runtime/http/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';
import { keywords } from '../conversation/keywords.ts';
import { reasonsToWithhold } from './inbox.table.ts';

export const AnswerResponse = answer('Answer', {
  id: described(z.string(), 'Stays the same, however often the phone posts the text.', {
    examples: ['ans_9f86d081884c7d659a2feaa0c55ad015'],
  }),
  livemode: Livemode,
  from: phoneNumber('The sender reported by the network. **It can be forged.**'),
  to: phoneNumber('Your number. Send from it to stay in the conversation.'),
  message: described(
    z.string(),
    'The content, unchanged, up to 1,530 characters: anything, from anybody. Empty if `withheld`.',
  ),
  withheld: described(
    z.nullable(z.enum(reasonsToWithhold)),
    'Why the content is only on the phone. `looks_private`: it may come from a bank or a wallet, or contain a code. `may_hold_code`: it has four digits, and this person was sent a code.',
  ),
  keyword: described(
    z.nullable(z.enum(keywords)),
    '`stop` (also your own words), `start` or `help`, which took effect.',
  ),
  in_reply_to: described(
    z.nullable(z.string()),
    'The id of your last text between these numbers within 30 days, which it probably answers.',
  ),
  received_at: time('When it arrived, by the phone’s clock.'),
  created_at: time('When it reached the service, as lists are ordered.'),
});
export type AnswerResponse = z.infer<typeof AnswerResponse>;

export const InboxResponse = z.object({ answers: z.array(AnswerResponse) });
export type InboxResponse = z.infer<typeof InboxResponse>;
