import { CANCELLED, type StateReport } from '../../phones/gateway/callback.ts';
import { outcomesOf } from '../../phones/sender/sender.ts';
import { type IdOutside, nowIso, type Outside } from '../../runtime/outside/outside.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { noteOutcome } from '../../runtime/table/recent-outcomes.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { newUlid } from '../../runtime/values/ids.ts';
import { bookCredits } from '../credits/credits.table.ts';
import { codeTextRows } from './code-text.table.ts';
import { getSendAndMessage, type Message, type Move, moveMessage, type SendOfMessage } from './message.table.ts';
import { messageId, parseMessageId } from './message-id.ts';
import { textTo } from './personal-text.ts';
import { sizeOf } from './segments.ts';
import type { Send } from './send.table.ts';
import { isTooLate } from './too-late.ts';

/**
 * Marks a text as failed and refunds its credit in one transaction. With `device`, does nothing unless that phone is
 * sending the text.
 */
export async function failMessage(
  outside: Outside,
  send: SendOfMessage,
  index: number,
  failure: Omit<End, 'to'>,
): Promise<void> {
  await endMessage(outside, send, index, { to: 'failed', ...failure });
}

interface End extends Pick<Move, 'device' | 'isUntaken'> {
  readonly to: 'failed' | 'expired';
  readonly reason: string;
}

export async function expireMessage(
  outside: Outside,
  send: SendOfMessage,
  index: number,
  only: Pick<Move, 'device' | 'isUntaken'> = {},
): Promise<void> {
  await endMessage(outside, send, index, { to: 'expired', reason: 'It could not be sent in time', ...only });
}

/**
 * Sets the final state of a text that its phone reported as failed. The state is `expired` if the phone dropped the
 * text as too late.
 */
export async function endAsReported(
  outside: Outside,
  send: Send,
  index: number,
  { reason, device }: { readonly reason?: string | null | undefined } & Pick<Move, 'device'>,
): Promise<void> {
  const isExpired = isTooLate(outside, send) && EXPIRY.test(reason ?? '');
  if (isExpired) await expireMessage(outside, send, index, { device });
  else await failMessage(outside, send, index, { reason: reasonInWords(reason), device });
}

async function endMessage(
  outside: Outside,
  send: SendOfMessage,
  index: number,
  { reason, ...move }: End,
): Promise<void> {
  await outside.table.write([
    moveMessage(outside, send, index, { ...move, set: { failure_reason: reason } }),
    ...refundTexts(outside, send, [index]),
    ...(send.has_code ? [codeTextRows.remove(send)] : []),
  ]);
}

/**
 * Returns the writes that refund texts. Commit them in the same transaction as the texts' final state. The operator's
 * texts are free.
 */
export function refundTexts(
  outside: IdOutside,
  { send_id, merchant_id }: Pick<SendOfMessage, 'send_id' | 'merchant_id'>,
  indexes: readonly number[],
): TableWrite[] {
  const [first, ...others] = indexes;
  if (!merchant_id || first === undefined) return [];
  return bookCredits(merchant_id, {
    entry_id: newUlid(outside),
    credits: indexes.length,
    reason: 'refund',
    ...(others.length > 0 ? { send_id } : { message_id: messageId(send_id, first) }),
    created_at: nowIso(outside),
  });
}

/**
 * Updates a message from its phone's delivery report. Phones send reports only if an operator registered a webhook
 * manually (see `ask-smsgate.ts`). Ignores reports from other phones and reports about unknown texts.
 */
export async function applyReport(outside: Outside, gateway: string, report: StateReport): Promise<void> {
  const place = parseMessageId(report.payload.messageId);
  const found = place && (await getSendAndMessage(outside, place.sendId, place.index));
  if (!found || found.message.gateway !== gateway) return;
  const { send, message } = found;
  const device = report.deviceId;
  switch (report.event) {
    // Each part of a long text causes a report. Only the first report has an effect.
    case 'sms:sent':
    case 'sms:delivered': {
      const to = report.event === 'sms:sent' ? 'sent' : 'delivered';
      await outside.table.update(moveMessage(outside, send, message.index, { to, device }));
      return;
    }
    case 'sms:failed':
      // The text's other parts may still arrive.
      if (sizeOf(textTo(send, message.index)).segments > 1) return;
      return endAsReported(outside, send, message.index, { reason: report.payload.reason, device });
    case 'sms:cancelled':
      return failMessage(outside, send, message.index, { reason: reasonInWords(CANCELLED), device });
  }
}

/** Counts a text as sent or failed for its SIM. A text that fails after being sent counts as both. */
export async function noteTextOutcome(outside: WorkerOutside, message: Message, hasFailed: boolean): Promise<void> {
  const { gateway, device_id, sim_number } = message;
  if (gateway === undefined || device_id === undefined || sim_number === undefined) return;
  await noteOutcome(outside, outcomesOf({ gateway, device_id, sim_number }), hasFailed);
}

const EXPIRY = /TTL expired/;

/** Descriptions of the app's failure reasons. The original reason follows in brackets. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^${CANCELLED}$`), 'It was cancelled on the gateway before the phone sent it'],
  [EXPIRY, 'The phone did not send it in time'],
  [/SIM \d+ not found/, 'The SIM with this number is not in the phone'],
  [/RESULT_ERROR_GENERIC_FAILURE/, 'The network did not accept it: the SIM may have no airtime'],
  [/RESULT_ERROR_(NO_SERVICE|NETWORK_ERROR|NETWORK_REJECT|MODEM_ERROR|RIL_)/, 'The phone had no signal'],
  [/RESULT_ERROR_RADIO_OFF|RESULT_RADIO_NOT_AVAILABLE/, 'The phone was in flight mode'],
  [/RESULT_ERROR_LIMIT_EXCEEDED/, 'Android blocked it, because the phone had sent too many texts'],
  [/RESULT_ERROR_SHORT_CODE/, 'Android does not let the phone send to this short code'],
  [/^Delivery result/, 'The network could not deliver it to the recipient'],
];

function reasonInWords(reason: string | null | undefined): string {
  const written = (reason ?? '').replace(/\+\d+/g, '').trim();
  const [, words] = WORDS.find(([pattern]) => pattern.test(written)) ?? [];
  const [code] = /RESULT_\w+|(?<!\d)\d+$/.exec(written) ?? [];
  if (words !== undefined) return code ? `${words} (${code})` : words;
  const isPlain = written !== '' && written.length <= MAX_CHARACTERS && !/[{}<>[\]]/.test(written);
  return isPlain ? `The phone could not send it: ${written}` : 'The phone could not send it';
}

const MAX_CHARACTERS = 200;
