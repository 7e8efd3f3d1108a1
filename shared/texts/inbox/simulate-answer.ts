import type * as z from 'zod/mini';
import { PhoneNumber } from '../../ghana/phone-number-schema.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import { countTests } from '../../merchants/merchant/test-limit.table.ts';
import { testSenders } from '../../phones/sender/test-senders.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { described, requestBody } from '../../runtime/values/described.ts';
import { invalidRequest, PublicError } from '../../runtime/values/errors.ts';
import { filled } from '../../runtime/values/text.ts';
import { MAX_ANSWERS_PER_DAY } from '../conversation/conversation.table.ts';
import { MAX_MESSAGE_CHARACTERS } from '../sms/send-request.ts';
import type { Answer } from './inbox.table.ts';
import { mayBeShown } from './may-be-shown.ts';
import { storeAnswer } from './receive-answer.ts';

export const ReceiveRequest = requestBody('ReceiveRequest', {
  from: described(PhoneNumber, 'Who writes: any number.', { examples: ['0551112223'] }),
  message: described(
    filled(MAX_MESSAGE_CHARACTERS),
    'What they write. `STOP`, `START` and `HELP` work as in live mode.',
    { examples: ['Is it still there?'] },
  ),
});
export type ReceiveRequest = z.infer<typeof ReceiveRequest>;

/**
 * Simulates an incoming text. Repeating a call with the same `seed` changes nothing.
 * @throws PublicError `not_found` with a live key, `invalid_request` for a text that would not be shown,
 * `too_many_requests`.
 */
export async function simulateAnswer(
  outside: Outside,
  { merchant_id }: Pick<Merchant, 'merchant_id'>,
  { from, message }: ReceiveRequest,
  seed: string = outside.randomBytes(16).toString('hex'),
): Promise<Answer> {
  if (!isTestAccount(merchant_id))
    throw new PublicError('not_found', 'Only test keys can simulate replies. Use a key that starts with sk_sms_test_.');
  if (!mayBeShown(message)) {
    const message = 'looks like a code, or a text from a bank or wallet. Merchants are never shown such texts';
    throw invalidRequest([{ field: 'message', message }]);
  }
  await outside.table.write(countTests(outside, merchant_id));
  const [{ number: to }] = testSenders;
  const taken = await storeAnswer(outside, {
    to,
    line: merchant_id,
    owner: merchant_id,
    number: from,
    words: message,
    receivedMs: outside.now(),
    eventId: seed,
  });
  if (taken.answer) return taken.answer;
  if (taken.isKnown) throw invalidRequest([{ field: 'message', message: 'was sent from this number a moment ago' }]);
  const most = `At most ${MAX_ANSWERS_PER_DAY} texts a day are stored per number, as in live mode. Use another number as "from".`;
  throw new PublicError('too_many_requests', most);
}
