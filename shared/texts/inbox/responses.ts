import * as z from 'zod/mini';
import { phoneNumber } from '../../ghana/responses.ts';
import { Livemode, time } from '../../runtime/http/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';
import { keywords } from '../conversation/keywords.ts';
import { reasonsToWithhold } from './inbox.table.ts';

export const AnswerResponse = answer('Answer', {
  id: described(z.string(), 'The same text always has the same id, however often its phone posts it.', {
    examples: ['ans_9f86d081884c7d659a2feaa0c55ad015'],
  }),
  livemode: Livemode,
  from: phoneNumber(
    'Who sent it, as the network says. **The sender of a text can be forged: an answer is no proof of who wrote it.**',
  ),
  to: phoneNumber('The number that it came to. Send from it to stay in the same conversation.'),
  message: described(
    z.string(),
    'What it says, as it was written: any text, by anybody. Up to 1,530 characters are kept. Empty where `withheld` says why.',
  ),
  withheld: described(
    z.nullable(z.enum(reasonsToWithhold)),
    'Why its words are on the phone alone. `looks_private`: it may be a bank’s or a wallet’s, or hold a code. `may_hold_code`: it has four digits, and this person was sent a code. Otherwise null.',
  ),
  keyword: described(
    z.nullable(z.enum(keywords)),
    '`stop`, `start` or `help` where the text is one of these words, or one of your own words for `stop`; it was acted on. Otherwise null.',
  ),
  in_reply_to: described(
    z.nullable(z.string()),
    'The id of your last text to this number from that number, if you sent one in the last 30 days: the text that it most likely answers.',
  ),
  received_at: time('When it came, by the clock of the phone that got it.'),
  created_at: time('When it reached the service. Lists are in this order.'),
});
export type AnswerResponse = z.infer<typeof AnswerResponse>;

export const InboxResponse = z.object({ answers: z.array(AnswerResponse) });
export type InboxResponse = z.infer<typeof InboxResponse>;
