import { isMobileNumber } from '../../ghana/network.ts';
import { parsePhoneNumber } from '../../ghana/phone-number.ts';
import type { ReceivedEvent } from '../../phones/gateway/callback.ts';
import { placedNumber } from '../../phones/sender/placed-number.ts';
import { rememberedSenders } from '../../phones/sender/sender.table.ts';
import type { Outside, TimedOutside } from '../../runtime/outside/outside.ts';
import { isCode, NoCode } from '../../runtime/table/one-time-code.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { isRecent, type Question, questionRows, takeAnswerTry, takeWord } from './question.table.ts';
import { mayHoldCode, type OwnersAnswer, readAnswer } from './read-answer.ts';

/**
 * Takes a text that a phone posted where it may be an owner's answer to a question: true, whatever became of it, because nobody may be shown
 * it. It is the code that proves an answer, and not the number, which anybody can forge. What it says is only kept here: another function,
 * with rights over the wallet, acts on it.
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
  // With the code: other words under the id of an event that was tried are another try.
  const told = `${gateway} ${event.deviceId} ${event.id} ${answer?.code}`;
  const tried = sha256(told).slice(0, 12);
  for (const question of answer ? questions : [])
    if (answer && (await isTaken(outside, question, answer, tried))) break;
  return true;
}

/** Whether the code is this question's: then it is used up, whenever it came. A wrong one is one try less. */
async function isTaken(
  outside: TimedOutside,
  question: Question,
  { word, code }: OwnersAnswer,
  tried: string,
): Promise<boolean> {
  if (question.code_hash === undefined) return false;
  // A phone posts again what was not answered.
  const isAgain = question.tried === tried;
  try {
    if (!isAgain) await outside.table.write([takeAnswerTry(question, tried)]);
    if (!isCode(question, code)) return false;
    await outside.table.write([takeWord(outside, question, word, isAgain ? question.tries : question.tries + 1)]);
    return true;
  } catch (error) {
    if (error instanceof NoCode) return false;
    throw error;
  }
}
