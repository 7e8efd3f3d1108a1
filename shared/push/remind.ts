import { shownMoney } from '../ghana/money.ts';
import { NIGHT, withNight } from '../ghana/quiet-hours.ts';
import { getMerchantOrTwin } from '../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../merchants/merchant/merchant.ts';
import { suspension } from '../merchants/merchant/suspend-merchant.ts';
import { nextReminderAt, type ReminderTime, reminderTimes } from '../money/request/reminder-times.ts';
import { changeRequest, findRequest, type PaymentRequest } from '../money/request/request.table.ts';
import { requestUrl } from '../money/request/request-url.ts';
import { duePesewas } from '../money/request/schedule.ts';
import { readSums } from '../money/request/sums.ts';
import { isoOf, todayOf } from '../runtime/outside/outside.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { retryIfChanged } from '../runtime/table/contention.ts';
import { DAY_MS, inWords } from '../runtime/values/calendar.ts';
import { type ErrorCode, hasCode, PublicError } from '../runtime/values/errors.ts';
import { fitName } from '../texts/sms/segments.ts';
import { acceptSend } from '../texts/sms/send.ts';
import { OVER } from './text-notice.ts';

/** A reminder that cannot leave for so long is not sent any more, and its credit comes back. */
const USEFUL_MS = DAY_MS;

/** Why a customer is not reminded, and nothing failed. */
const NOT_SENT: readonly ErrorCode[] = [...OVER, 'recipient_opted_out', 'invalid_request', 'forbidden'];

/**
 * Sends the reminder of a request that is due, for one of its merchant's credits: once, because the request notes it in the transaction that
 * debits, and only of what is due by the day that it is about and was not paid. After a pause of ours the newest alone is sent.
 */
export function remind(outside: WorkerOutside, slug: string): Promise<void> {
  return retryIfChanged(async () => {
    const request = await findRequest(outside, slug);
    const nowMs = outside.now();
    if (!request?.remind_at || Date.parse(request.remind_at) > nowMs) return;
    const { paidPesewas } = await readSums(outside, request);
    const last = reminderTimes(request).findLast(({ at }) => Date.parse(at) <= nowMs);
    const remind_at = nextReminderAt(request, nowMs);
    const pesewas = last ? duePesewas(request, paidPesewas, last.until) : 0;
    const merchant = await getMerchantOrTwin(outside, request.merchant_id);
    // Nobody is reminded twice on a day: one that comes late leaves it to the next.
    const isOvertaken = remind_at?.slice(0, 10) === todayOf(outside);
    if (!last || isOvertaken || !merchant || pesewas === 0)
      return outside.table.write([changeRequest(request, { remind_at })]);
    const reminder = { ...last, asked_pesewas: pesewas };
    try {
      const { send, writes } = await acceptReminder(outside, merchant, request, reminder);
      const last_reminder = { ...reminder, send_id: send.send_id };
      await outside.table.write([changeRequest(request, { remind_at, last_reminder }), ...writes]);
    } catch (error) {
      if (!hasCode(error, ...NOT_SENT)) throw error;
      await outside.table.write([
        changeRequest(request, { remind_at, last_reminder: { ...reminder, not_sent: error.code } }),
      ]);
    }
  });
}

type Reminder = ReminderTime & { readonly asked_pesewas: number };

/** @throws PublicError for what keeps it from being sent. */
function acceptReminder(outside: WorkerOutside, merchant: Merchant, request: PaymentRequest, reminder: Reminder) {
  const { slug, customer_phone } = request;
  const refusal = suspension(merchant);
  if (refusal) throw refusal;
  if (customer_phone === undefined) throw new PublicError('invalid_request', 'The number was erased.');
  return acceptSend(outside, merchant, {
    to: [customer_phone],
    message: reminderText(outside, merchant, request, reminder),
    purpose: 'reminder',
    // No reminder leaves at night, whatever the shop says of its other texts.
    quiet_hours: withNight(merchant.quiet_hours) ?? NIGHT,
    useless_at: isoOf(outside.now() + USEFUL_MS),
    request: slug,
  });
}

/** At most two SMS, for one credit. It names nobody: the number may have changed hands. */
function reminderText(
  outside: Pick<WorkerOutside, 'now' | 'baseUrl'>,
  { name }: Pick<Merchant, 'name'>,
  { slug, title }: Pick<PaymentRequest, 'slug' | 'title'>,
  { until, asked_pesewas }: Reminder,
): string {
  const day = `on ${inWords(until).day}`;
  const now = todayOf(outside);
  const when = until === now ? 'is due today' : until < now ? `was due ${day}` : `is due ${day}`;
  return fitName(
    name,
    { orElse: 'Reminder', maxSegments: 2 },
    (shop) => `${shop}: ${shownMoney(asked_pesewas)} for ${title} ${when}. See and pay: ${requestUrl(outside, slug)}`,
  );
}
