import { shownMoney } from '../../ghana/money.ts';
import { NIGHT, withNight } from '../../ghana/quiet-hours.ts';
import { getMerchantOrTestAccount } from '../../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { suspension } from '../../merchants/merchant/suspend-merchant.ts';
import { isoOf, todayOf } from '../../runtime/outside/outside.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import { DAY_MS, inWords } from '../../runtime/values/calendar.ts';
import { type ErrorCode, hasCode, PublicError } from '../../runtime/values/errors.ts';
import { accessEndedBecause } from '../../texts/sms/causer.ts';
import { fitName } from '../../texts/sms/segments.ts';
import { acceptSend, REFUSED_FOR_GOOD } from '../../texts/sms/send.ts';
import { arrivedForRequest } from './more-than-asked.ts';
import { nextReminderAt, type ReminderTime, reminderTimes } from './reminder-times.ts';
import { changeRequest, findRequest, type PaymentRequest } from './request.table.ts';
import { requestUrl } from './request-url.ts';
import { duePesewas } from './schedule.ts';
import { readSums } from './sums.ts';

/** Time after which an unsent reminder is cancelled and its credit refunded. */
const USEFUL_MS = DAY_MS;

const NOT_SENT: readonly ErrorCode[] = [...REFUSED_FOR_GOOD, 'recipient_opted_out', 'invalid_request', 'forbidden'];

/**
 * Sends a payment request's due reminder. Costs one of the merchant's credits. Sends at most one text, because one
 * transaction debits the credit and records the text on the payment request. Asks only for the part of what is due by
 * the reminder's due date that has not arrived. If several reminders became due during an outage, sends only the newest.
 */
export function remind(outside: WorkerOutside, slug: string): Promise<void> {
  return retryIfChanged(async () => {
    const request = await findRequest(outside, slug);
    const nowMs = outside.now();
    if (!request?.remind_at || Date.parse(request.remind_at) > nowMs) return;
    const arrivedPesewas = await arrivedForRequest(outside, request, await readSums(outside, request));
    const last = reminderTimes(request).findLast(({ at }) => Date.parse(at) <= nowMs);
    const remind_at = nextReminderAt(request, nowMs);
    const pesewas = last ? duePesewas(request, arrivedPesewas, last.until) : 0;
    const merchant = await getMerchantOrTestAccount(outside, request.merchant_id);
    // Skip a late reminder if the next one is due today. No customer gets two reminders on one day.
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

async function acceptReminder(outside: WorkerOutside, merchant: Merchant, request: PaymentRequest, reminder: Reminder) {
  const { slug, customer_phone, by } = request;
  const refusal = suspension(merchant);
  if (refusal) throw refusal;
  const ended = await accessEndedBecause(outside, request);
  if (ended !== undefined) throw new PublicError('forbidden', ended);
  if (customer_phone === undefined) throw new PublicError('invalid_request', 'The number was erased.');
  return acceptSend(outside, merchant, {
    to: [customer_phone],
    message: reminderText(outside, merchant, request, reminder),
    purpose: 'reminder',
    by,
    // Reminders are never sent at night, even if the merchant has no quiet hours.
    quiet_hours: withNight(merchant.quiet_hours) ?? NIGHT,
    useless_at: isoOf(outside.now() + USEFUL_MS),
    request: slug,
  });
}

/**
 * Builds a text of at most two SMS, which costs one credit. Leaves out the customer's name: the number may have a new
 * owner.
 */
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
