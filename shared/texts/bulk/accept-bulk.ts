import { afterQuietMs } from '../../ghana/quiet-hours.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { durationMs } from '../../phones/sender/pace.table.ts';
import type { Sender } from '../../phones/sender/sender.ts';
import { isoOf, type Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { HOUR_MS } from '../../runtime/values/calendar.ts';
import { invalidRequest, PublicError, retryAfter } from '../../runtime/values/errors.ts';
import { partIds } from '../sms/message-id.ts';
import { refuseUnwanted } from '../sms/promotion.ts';
import { createSend, type Send } from '../sms/send.table.ts';
import { payTexts, planSend } from '../sms/send.ts';
import { MAX_RECIPIENTS } from '../sms/send-request.ts';
import { CLOSED_MS, dueMs } from '../sms/when-to-leave.ts';
import { type PersonalTexts, personalTexts } from './personal-texts.ts';
import type { BulkToMany } from './read-recipients.ts';

export interface AcceptedBulk {
  readonly parts: readonly Send[];
  readonly texts: PersonalTexts;
  /** Estimated send time of the last text, in epoch milliseconds. */
  readonly endsMs: number;
  readonly writes: readonly TableWrite[];
}

/**
 * Accepts a personalised text to up to 1,000 recipients, split into ordinary sends.
 * @throws PublicError `invalid_request`, `no_sender_available`, `queue_full`, `recipient_opted_out`, `consent_missing`;
 * `insufficient_credits` when the writes are committed.
 */
export async function acceptBulk(
  outside: Outside,
  merchant: Merchant,
  asked: BulkToMany & Pick<Send, 'by'>,
): Promise<AcceptedBulk> {
  const texts = personalTexts(asked);
  const { to, message } = texts;
  const quiet_hours = asked.quiet_hours ?? merchant.quiet_hours;
  const planned = await planSend(outside, merchant, { ...asked, to, message, quiet_hours }, true);
  const { send, sender, leavesMs = dueMs(planned.send) } = planned;
  // Errors use the row numbers of the request, before rows were merged.
  const { all, errorAt } = asked.recipients;
  const rows = all.map((one) => one.to);
  // Consent is checked again just before each text is sent.
  await refuseUnwanted(outside, { ...send, to: rows }, (n, message) => errorAt(n, 'to', message));
  const endsMs = afterQuietMs(send.quiet_hours, dueMs(send), leavesMs - dueMs(send));
  refuseTooMany(send, sender, endsMs);
  const parts = inParts(send, texts.words);
  return {
    parts,
    texts,
    endsMs,
    writes: [...payTexts(outside, merchant.merchant_id, to.length), ...parts.map(createSend)],
  };
}

/**
 * @throws PublicError `invalid_request` if the send is too large even for an empty queue, or `queue_full` if it is too
 * large only because of texts already waiting.
 */
function refuseTooMany(send: Send, sender: Sender, endsMs: number): void {
  const fromMs = dueMs(send);
  const overMs = endsMs - fromMs - CLOSED_MS;
  if (overMs < 0) return;
  const count = send.to.length;
  const hours = CLOSED_MS / HOUR_MS;
  const when = `the last of ${count} texts would be sent from ${sender.number} at about ${isoOf(endsMs)}, and texts not sent within ${hours} hours are dropped. Nothing was debited`;
  if (afterQuietMs(send.quiet_hours, fromMs, durationMs(sender, count)) - fromMs >= CLOSED_MS)
    throw invalidRequest([
      { field: 'recipients', message: `are too many to send to at once: ${when}. Send to fewer recipients` },
    ]);
  throw new PublicError(
    'queue_full',
    `Other texts are ahead in the queue: ${when}. Wait, or send to fewer recipients.`,
    retryAfter(overMs / 1000 + 1),
  );
}

function inParts(whole: Send, words: string[][] | undefined): Send[] {
  const parts = Math.ceil(whole.to.length / MAX_RECIPIENTS);
  const ids = partIds(whole.send_id, parts);
  const [id = whole.send_id] = ids;
  return ids.map((send_id, n) => {
    const [first, last] = [n * MAX_RECIPIENTS, (n + 1) * MAX_RECIPIENTS];
    const own = words && { words: words.slice(first, last) };
    return { ...whole, send_id, to: whole.to.slice(first, last), ...own, bulk: { id, parts } };
  });
}
