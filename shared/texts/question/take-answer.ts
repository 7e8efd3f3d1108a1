import { isMobileNumber } from '../../ghana/network.ts';
import { parsePhoneNumber } from '../../ghana/phone-number.ts';
import type { ReceivedEvent } from '../../phones/gateway/callback.ts';
import { placedNumber } from '../../phones/sender/placed-number.ts';
import { rememberedSenders } from '../../phones/sender/sender.table.ts';
import type { Outside, TimedOutside } from '../../runtime/outside/outside.ts';
import { isCode, NoCode } from '../../runtime/table/one-time-code.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { isOlderThan, isRecent, type Question, questionRows, recordAnswer, takeAnswerTry } from './question.table.ts';
import { mayHoldCode, type OwnersAnswer, readAnswer } from './read-answer.ts';

/**
 * Stores a text that may be an owner's answer to a question. Returns true for such a text, which no merchant may see.
 * The code authenticates the owner, because the sender's number can be forged.
 */
export async function takeOwnersAnswer(outside: Outside, gateway: string, event: ReceivedEvent): Promise<boolean> {
  const { sender, message } = event.payload;
  const number = parsePhoneNumber(sender);
  if (number === undefined || !isMobileNumber(number) || !mayHoldCode(message)) return false;
  const senders = await rememberedSenders(outside);
  const line = placedNumber(gateway, event, senders);
  if (line === undefined) return false;
  const questions = (await questionRows.list(outside, { line, number })).filter((one) => isRecent(outside, one));
  if (questions.length === 0) return false;
  const answer = readAnswer(message);
  // Include the code: a new text under a reused event id is another attempt.
  const identity = `${gateway} ${event.deviceId} ${event.id} ${answer?.code}`;
  const tried = sha256(identity).slice(0, 12);
  // A phone may resend its inbox. Earlier answers must not use up the tries of an open question.
  const asked = questions.filter((question) => !isOlderThan(question, event.payload.receivedAt));
  for (const question of answer ? asked : []) if (answer && (await isTaken(outside, question, answer, tried))) break;
  return true;
}

async function isTaken(
  outside: TimedOutside,
  question: Question,
  { value, code }: OwnersAnswer,
  tried: string,
): Promise<boolean> {
  if (question.code_hash === undefined) return false;
  const isAgain = question.tried === tried;
  try {
    if (!isAgain) await outside.table.write([takeAnswerTry(question, tried)]);
    if (!isCode(question, code)) return false;
    await outside.table.write([recordAnswer(outside, question, value, isAgain ? question.tries : question.tries + 1)]);
    return true;
  } catch (error) {
    if (error instanceof NoCode) return false;
    throw error;
  }
}
