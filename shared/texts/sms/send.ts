import { afterQuietMs, NIGHT, quietUntilMs, withNight } from '../../ghana/quiet-hours.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { knownSenders } from '../../merchants/merchant/senders.ts';
import { isTestAccount, retentionOf } from '../../merchants/merchant/test-account.ts';
import { countTests } from '../../merchants/merchant/test-limit.table.ts';
import { chooseSender, namedIn, sendersFor, soonestOf } from '../../phones/sender/choose-sender.ts';
import { codeLeavesMs, durationMs, lastLeavesMs } from '../../phones/sender/pace.table.ts';
import type { Sender } from '../../phones/sender/sender.ts';
import {
  type Clock,
  endsIn,
  type IdOutside,
  isoOf,
  type Outside,
  type TableOutside,
} from '../../runtime/outside/outside.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { DAY_MS, DAY_SECONDS, MINUTE_MS } from '../../runtime/values/calendar.ts';
import { type ErrorCode, invalidRequest, PublicError, retryAfter } from '../../runtime/values/errors.ts';
import { debitCredits } from '../credits/credits.table.ts';
import { refuseByMagic } from './magic-numbers.ts';
import { newSendId } from './message-id.ts';
import { refuseUnwanted, stillWanted } from './promotion.ts';
import { createSend, FIRST_CHECK_MS, OPERATOR, type Send } from './send.table.ts';
import type { SendRequest } from './send-request.ts';
import { MAX_AHEAD_DAYS, NO_QUIET_HOURS, QUEUED_AHEAD_MS } from './when-to-leave.ts';

type Accepted = SendRequest &
  Pick<Send, 'by' | 'reference' | 'request' | 'has_code' | 'useless_at'> & {
    /** Preferred sender if the caller asked for `any`. The text may still be moved to another sender. */
    readonly begins_from?: string | undefined;
  };

/** Errors after which automatic texts are not retried. Pages also show these errors. */
export const REFUSED_FOR_GOOD: readonly ErrorCode[] = [
  'insufficient_credits',
  'too_many_requests',
  'no_sender_available',
  'queue_full',
];

/**
 * Accepts a text to up to 50 numbers. Returns the send, and the writes that store the send and debit one credit per
 * number. The table's stream then queues the send. `leavesMs` is the estimated time of the last text, if requested.
 * @throws PublicError `invalid_request`, `no_sender_available`, `queue_full`, `recipient_opted_out`, `consent_missing`;
 * `insufficient_credits` when the writes are committed.
 */
export async function acceptSend(outside: Outside, merchant: Merchant, asked: Accepted) {
  const { merchant_id } = merchant;
  const { send, leavesMs } = await planSend(outside, merchant, asked);
  // Unlike the transaction's conditions, this check can list every rejected recipient.
  await refuseUnwanted(outside, send);
  const wanted = stillWanted(merchant_id, send.category, send.to);
  return { send, leavesMs, writes: [...payTexts(outside, merchant_id, send.to.length), createSend(send), ...wanted] };
}

export function payTexts(outside: Clock & TableOutside, merchantId: string, texts: number): TableWrite[] {
  return [...debitCredits(outside, merchantId, texts), ...countTests(outside, merchantId, texts)];
}

/**
 * Plans a send from the sender that is free soonest. `leavesMs` is the estimated time of the last text, ignoring quiet
 * hours. `isTimed` requests this estimate.
 * @throws PublicError `invalid_request`, `no_sender_available`, `queue_full`.
 */
export async function planSend(
  outside: Outside,
  merchant: Merchant,
  accepted: Accepted,
  isTimed = accepted.valid_for !== undefined,
): Promise<{ send: Send; sender: Sender; leavesMs: number | undefined }> {
  const asked = accepted.purpose === 'marketing' ? { ...accepted, quiet_hours: atNight(accepted) } : accepted;
  if (isTestAccount(merchant.merchant_id)) refuseByMagic(asked.to);
  const { fromMs, ...times } = timesToSend(outside, asked);
  const { from, by, reference, has_code } = asked;
  const { sender, leavesMs } = await senderFor(outside, merchant, asked, { fromMs, isTimed });
  refuseTooLate({ fromMs, ...times }, asked, sender, leavesMs);
  const category = asked.purpose === 'transactional' ? undefined : asked.purpose;
  const send = {
    ...newSend(outside, merchant, asked, { from: sender.number, fromMs }),
    ...times,
    ...(namedIn({ from, default_from: merchant.default_from }) === undefined && { any_sender: true }),
    ...(category && { category }),
    ...(by && { by }),
    ...(reference && { reference }),
    ...(asked.request && { request: asked.request }),
    ...(has_code && { has_code }),
  };
  return { send, sender, leavesMs };
}

/**
 * Adds the night to the requested quiet hours. Marketing is never sent at night.
 * @throws PublicError `invalid_request` if the hours cannot be combined.
 */
function atNight({ quiet_hours }: Accepted): string {
  const hours = withNight(quiet_hours === NO_QUIET_HOURS ? undefined : quiet_hours);
  if (hours !== undefined) return hours;
  const message = `${quiet_hours} must overlap the night (${NIGHT}), when marketing is never sent, and leave some hours free. Use hours that begin or end at night, or "none" for the night only`;
  throw invalidRequest([{ field: 'quiet_hours', message }]);
}

interface ToSend extends Pick<Send, 'send_at' | 'quiet_hours' | 'useless_at' | 'valid_for'> {
  readonly fromMs: number;
}

function timesToSend(outside: Clock, { send_at, valid_for, quiet_hours, useless_at }: Accepted): ToSend {
  const nowMs = outside.now();
  const askedMs = send_at === undefined ? nowMs : Date.parse(send_at);
  if (askedMs < nowMs - MAX_PAST_MS)
    throw invalidRequest([{ field: 'send_at', message: `is in the past. It is now ${isoOf(nowMs)}` }]);
  if (askedMs > nowMs + MAX_AHEAD_DAYS * DAY_MS)
    throw invalidRequest([{ field: 'send_at', message: `must be at most ${MAX_AHEAD_DAYS} days ahead` }]);
  const quiet = quiet_hours === NO_QUIET_HOURS ? undefined : quiet_hours;
  const wantedMs = Math.max(askedMs, nowMs);
  const fromMs = quietUntilMs(quiet, wantedMs) ?? wantedMs;
  const until = valid_for === undefined ? useless_at : isoOf(wantedMs + valid_for * 1000);
  return {
    fromMs,
    ...(fromMs > nowMs && { send_at: isoOf(fromMs) }),
    ...(quiet && { quiet_hours: quiet }),
    ...(until && { useless_at: until }),
    ...(valid_for !== undefined && { valid_for }),
  };
}

/** Scheduled times this far in the past count as now, to allow for clock skew and slow requests. */
const MAX_PAST_MS = 5 * MINUTE_MS;

async function senderFor(
  outside: Outside,
  merchant: Merchant,
  { from, begins_from, to, has_code }: Accepted,
  { fromMs, isTimed }: { fromMs: number; isTimed: boolean },
): Promise<{ sender: Sender; leavesMs: number | undefined }> {
  const { merchant_id, default_from } = merchant;
  const known = await knownSenders(outside, merchant_id);
  const may = sendersFor(outside, known, { merchant_id, from, default_from, has_code });
  const shown = may.find(({ number }) => number === begins_from);
  const senders = shown ? ([shown] as const) : may;
  const isPaced = !isTestAccount(merchant_id) && (senders.length > 1 || has_code || isTimed);
  if (!isPaced) return { sender: senders[0], leavesMs: undefined };
  return soonestOf(outside, senders, (sender) =>
    has_code
      ? codeLeavesMs(outside, sender, merchant_id)
      : lastLeavesMs(outside, sender, { merchantId: merchant_id, texts: to.length, fromMs }),
  );
}

/**
 * @throws PublicError `invalid_request` if `valid_for` is too short even for an empty queue, or `queue_full` if it is
 * too short only because of texts already waiting.
 */
function refuseTooLate(
  { fromMs, quiet_hours, useless_at }: ToSend,
  { to, valid_for }: SendRequest,
  sender: Sender,
  leavesMs = fromMs,
): void {
  if (useless_at === undefined || valid_for === undefined) return;
  const uselessMs = Date.parse(useless_at);
  const lastMs = afterQuietMs(quiet_hours, fromMs, leavesMs - fromMs);
  if (lastMs < uselessMs) return;
  const what = to.length === 1 ? 'the text' : `the last of ${to.length} texts`;
  const when = `${what} would be sent from ${sender.number} at about ${isoOf(lastMs)}, but expires at ${useless_at}. Nothing was debited`;
  if (afterQuietMs(quiet_hours, fromMs, durationMs(sender, to.length)) >= uselessMs) {
    const needed = valid_for + Math.ceil((lastMs - uselessMs) / 1000) + 1;
    const message = `is too short: ${when}. Set it to at least ${needed}, or send to fewer numbers`;
    throw invalidRequest([{ field: 'valid_for', message }]);
  }
  throw new PublicError(
    'queue_full',
    `Other texts are ahead in the queue: ${when}. Wait, or set a longer valid_for.`,
    retryAfter((lastMs - uselessMs) / 1000),
  );
}

export function newSend(
  outside: Pick<Outside, 'now' | 'randomBytes' | 'retentionDays'>,
  merchant: Pick<Merchant, 'merchant_id'> | undefined,
  asked: Pick<SendRequest, 'to' | 'message' | 'metadata'>,
  { from, fromMs }: { readonly from: string; readonly fromMs?: number | undefined },
): Send {
  const nowMs = outside.now();
  const created_at = isoOf(nowMs);
  const leaves_at = isoOf(fromMs ?? nowMs);
  return {
    send_id: newSendId(nowMs, outside.randomBytes),
    merchant_id: merchant?.merchant_id,
    from,
    to: asked.to,
    message: asked.message,
    metadata: asked.metadata,
    created_at,
    ...endOfRetention(retentionOf(outside, merchant?.merchant_id), leaves_at),
    next_check_at: firstCheckAt(nowMs, fromMs),
  };
}

/** Returns the time of the first check, which also queues texts scheduled far ahead. */
function firstCheckAt(nowMs: number, fromMs = nowMs): string {
  const isQueuedLater = fromMs - nowMs > QUEUED_AHEAD_MS;
  return isoOf(isQueuedLater ? fromMs - QUEUED_AHEAD_MS : fromMs + FIRST_CHECK_MS);
}

export const OPERATOR_TEXT_KEPT_SECONDS = 8 * DAY_SECONDS;

interface OperatorText extends Pick<Send, 'from' | 'message' | 'purpose'> {
  readonly to: string;
  readonly uselessAfterMs: number;
}

/**
 * Builds a text from the operator without storing it. Such a text is free, is not listed and triggers no webhook events.
 */
export function operatorText(
  outside: Pick<Outside, 'now' | 'randomBytes' | 'retentionDays'>,
  { from, to, message, purpose, uselessAfterMs }: OperatorText,
): Send {
  return {
    ...newSend(outside, undefined, { to: [to], message }, { from }),
    ...(purpose && { purpose }),
    useless_at: isoOf(outside.now() + uselessAfterMs),
    ...endsIn(outside, OPERATOR_TEXT_KEPT_SECONDS),
  };
}

/**
 * Chooses the number that sends a text on behalf of the operator.
 * @throws PublicError `no_sender_available`, `queue_full`.
 */
export function operatorSender(outside: IdOutside, senders: readonly Sender[]): string {
  return chooseSender(outside, senders, { merchant_id: OPERATOR, from: 'random' }).number;
}
