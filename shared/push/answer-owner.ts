import { merchantRows } from '../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../merchants/merchant/merchant.ts';
import { isoOf } from '../runtime/outside/outside.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { HOUR_MS } from '../runtime/values/calendar.ts';
import { type ErrorCode, hasCode } from '../runtime/values/errors.ts';
import {
  getQuestion,
  noteReply,
  type Outcome,
  type Question,
  type QuestionJob,
  Replied,
} from '../texts/question/question.table.ts';
import { fitName } from '../texts/sms/segments.ts';
import { acceptSend, REFUSED_FOR_GOOD } from '../texts/sms/send.ts';

/** Age above which an owner's answer gets no reply. */
const USELESS_MS = HOUR_MS;
/** Errors that a retry cannot fix. */
const ENDS: readonly ErrorCode[] = [...REFUSED_FOR_GOOD, 'invalid_request'];

/**
 * Texts the owner the outcome of their answer to a question. Costs the shop one credit. Each question gets at most one
 * reply.
 */
export async function answerOwner(outside: WorkerOutside, job: QuestionJob): Promise<void> {
  const question = await getQuestion(outside, job);
  if (!question?.outcome) return;
  const { merchant_id, number, line, about, outcome, answered_at = '' } = question;
  const uselessMs = Date.parse(answered_at) + USELESS_MS;
  const merchant = await merchantRows.find(outside, { merchant_id });
  if (!merchant || merchant.suspended_at || !(outside.now() < uselessMs)) return;
  const text = { to: [number], from: line, message: replyWords(merchant, { about, outcome }) };
  const useless_at = isoOf(uselessMs);
  try {
    const { send, writes } = await acceptSend(outside, merchant, { ...text, useless_at });
    await outside.table.write([noteReply(question, send.send_id), ...writes]);
  } catch (error) {
    if (error instanceof Replied) return;
    if (!hasCode(error, ...ENDS)) throw error;
    outside.log.warn('owner_not_told', { merchant_id, code: error.code });
  }
}

/** Builds a reply that fits into one SMS. A reply must not parse as an answer, or two auto-responders could loop. */
export function replyWords(
  { name }: Pick<Merchant, 'name'>,
  { outcome, about }: Pick<Question, 'about'> & { readonly outcome: Outcome },
): string {
  const where = about === 'hello' ? 'Ask again under Notifications' : 'Answer under Wallets';
  const sentences: Readonly<Record<Outcome, string>> = {
    taken:
      about === 'hello'
        ? 'Thank you. You can now answer questions about your wallets from this phone.'
        : 'Thank you. Your answer about the wallet was recorded.',
    refused: `Your answer does not match, so nothing was changed. ${where} in the dashboard.`,
    late: `That code is no longer valid, so nothing was changed. ${where} in the dashboard.`,
  };
  return fitName(name, { orElse: 'Your shop', maxSegments: 1 }, (shop) => `${shop}: ${sentences[outcome]}`);
}
