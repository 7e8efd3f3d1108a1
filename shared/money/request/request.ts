import type { ArrivedPesewas } from '../../ghana/arrived.ts';
import { CURRENCY } from '../../ghana/country.ts';
import { ghsOf, MAX_AMOUNT_GHS, shownMoney } from '../../ghana/money.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import { type Clock, nowIso, type Outside, todayOf } from '../../runtime/outside/outside.ts';
import { addDays } from '../../runtime/values/calendar.ts';
import { type FieldError, PublicError, refuseInvalid } from '../../runtime/values/errors.ts';
import { metadataValue } from '../../runtime/values/metadata.ts';
import { orNull } from '../../runtime/values/or-null.ts';
import { type Proof, presentProof } from '../../wallets/chain/proof.ts';
import { newSlug } from '../charge/slug.ts';
import { doubtOf, presentArrived, shownPayment } from '../payment/shown-payment.ts';
import { endWhileOpen } from './open-retention.ts';
import { nextReminderAt, reminderToLeaveAt } from './reminder-times.ts';
import { type Instalment, type Line, type PaymentRequest, REQUEST_SLUG_CHARACTERS } from './request.table.ts';
import type { RequestBody } from './request-body.ts';
import { requestUrl } from './request-url.ts';
import type { MadeRequestResponse, RequestResponse } from './responses.ts';
import { duePesewas, MAX_INSTALMENTS, MAX_TOTAL_GHS, repeatedDays, withPaid } from './schedule.ts';
import { backingOf, recordedSums, requestStateOf, type Sums } from './sums.ts';

/** A request's body, with the key that sent it. Forms have no key. */
export type NewRequest = RequestBody & Pick<PaymentRequest, 'by'>;

export function newRequest(outside: Outside, merchant: Merchant, body: NewRequest): PaymentRequest {
  const { merchant_id } = merchant;
  if (merchant.momo_accounts.length === 0)
    throw new PublicError(
      'no_momo_number',
      'This merchant has no MoMo number to receive payments on. Ask the operator to set one.',
    );
  const { title, note, customer_name, customer_phone, merchant_reference, metadata, reminders, repeat, by } = body;
  const lines = body.lines.map(({ description, quantity = 1, amount }) => ({
    description,
    quantity,
    amount_pesewas: amount,
  }));
  const instalments = instalmentsOf(body, sumOf(lines));
  const created_at = nowIso(outside);
  const reminder_days = reminders && [...new Set(reminders)].toSorted((one, other) => one - other);
  const request = {
    slug: newSlug(outside.randomBytes, REQUEST_SLUG_CHARACTERS),
    merchant_id,
    title,
    note,
    lines,
    customer_name,
    customer_phone,
    merchant_reference,
    metadata,
    instalments,
    every: repeat?.every,
    total_pesewas: instalments.reduce((sum, { amount_pesewas }) => sum + amount_pesewas, 0),
    state: 'open',
    version: 1,
    charges: [],
    ...(reminder_days?.length && { reminder_days }),
    ...(by && { by }),
    created_at,
    ...endWhileOpen(outside, { merchant_id, instalments, created_at }),
  } satisfies PaymentRequest;
  return { ...request, remind_at: nextReminderAt(request, outside.now()) };
}

function sumOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { quantity, amount_pesewas }) => sum + quantity * amount_pesewas, 0);
}

function instalmentsOf(body: RequestBody, linesPesewas: number): Instalment[] {
  const { due, instalments, repeat, reminders, customer_phone } = body;
  const errors: FieldError[] = [];
  const refuse = (field: string, message: string) => errors.push({ field, message });
  if (instalments && due) refuse('due', 'cannot be combined with instalments, each of which has its own due date');
  if (instalments && repeat) refuse('repeat', 'cannot be combined with instalments');
  if (repeat && !due) refuse('due', 'is missing: repeat needs the date of the first payment');
  if (repeat && due && repeat.until < due) refuse('repeat.until', 'must not be before due');
  if (reminders?.length && !due && !instalments) refuse('due', 'is missing: reminders are scheduled from this date');
  if (reminders?.length && !customer_phone) refuse('customer_phone', 'is missing: reminders are sent to this number');
  const parts = (instalments ?? []).map((one) => ({ due: one.due, amount_pesewas: one.amount }));
  const partsPesewas = parts.reduce((sum, { amount_pesewas }) => sum + amount_pesewas, 0);
  if (instalments && partsPesewas !== linesPesewas)
    refuse(
      'instalments',
      `must add up to the total of the lines: the instalments total ${shownMoney(partsPesewas)}, but the lines total ${shownMoney(linesPesewas)}`,
    );
  const days = repeat && due ? repeatedDays(due, repeat.every, repeat.until, MAX_INSTALMENTS + 1) : [due];
  if (days.length > MAX_INSTALMENTS)
    refuse('repeat.until', `must be earlier: a request can repeat at most ${MAX_INSTALMENTS} times`);
  const times = instalments ? 1 : days.length;
  if (linesPesewas * times > MAX_TOTAL_GHS * 100)
    refuse(
      'lines',
      `must total at most ${CURRENCY} ${MAX_TOTAL_GHS}${times > 1 ? ` across all ${times} repetitions` : ''}`,
    );
  refuseInvalid(errors);
  if (instalments) return parts.toSorted((one, other) => (one.due < other.due ? -1 : 1));
  return days.map((day) => ({ ...(day && { due: day }), amount_pesewas: linesPesewas }));
}

/**
 * Minimum amount of a part, because texting and checking a payment costs more than a pesewa. The last part may be
 * smaller.
 */
const MIN_PART_PESEWAS = 100;

export function partBounds(openPesewas: number): readonly [number, number] {
  const most = Math.min(openPesewas, MAX_AMOUNT_GHS * 100);
  return [Math.min(MIN_PART_PESEWAS, most), most];
}

/** True if an amount that was due before today is still unpaid. An amount without a due date is never overdue. */
export function isOverdue(outside: Clock, request: PaymentRequest, sums: Sums): boolean {
  return overduePesewas(outside, request, sums) > 0;
}

/**
 * Returns how much of the amount due before today is still unpaid. Covers all earlier due dates of a repeating request.
 */
export function overduePesewas(outside: Clock, request: PaymentRequest, { paidPesewas }: Sums): number {
  if (request.state === 'cancelled' || request.instalments[0]?.due === undefined) return 0;
  return Math.max(0, duePesewas(request, paidPesewas, addDays(todayOf(outside), -1)));
}

export function presentMade(outside: Pick<Outside, 'baseUrl'>, request: PaymentRequest): MadeRequestResponse {
  const { slug, total_pesewas } = request;
  const url = requestUrl(outside, slug);
  return { slug, url, amount_due: ghsOf(total_pesewas), ...orNull(request, 'merchant_reference') };
}

export function presentRequest(
  outside: Pick<Outside, 'now' | 'baseUrl'>,
  request: PaymentRequest,
  sums: Sums = recordedSums(request),
): RequestResponse {
  const { slug, merchant_id, lines, total_pesewas, last_reminder, reminder_days = [] } = request;
  const instalments = withPaid(request.instalments, sums.paidPesewas);
  const ghs = (pesewas: ArrivedPesewas) => shownPayment(pesewas, sums.backing).ghs;
  const status = requestStateOf(request, sums);
  const isOpen = status === 'open';
  return {
    slug,
    url: requestUrl(outside, slug),
    livemode: !isTestAccount(merchant_id),
    status,
    overdue: isOverdue(outside, request, sums),
    ...orNull(request, 'title', 'note', 'customer_name', 'customer_phone'),
    lines: lines.map(({ description, quantity, amount_pesewas }) => ({
      description,
      quantity,
      amount: ghsOf(amount_pesewas),
    })),
    currency: CURRENCY,
    total: ghsOf(total_pesewas),
    amount_paid: ghs(sums.paidPesewas),
    amount_due: ghsOf(sums.openPesewas),
    due_now: ghsOf(isOpen ? duePesewas(request, sums.paidPesewas, todayOf(outside)) : 0),
    amount_overpaid: ghs(sums.overpaidPesewas),
    proof: presentProof(proofOf(request, sums)),
    due: (isOpen && instalments.find((one) => one.paid_pesewas < one.amount_pesewas)?.due) || null,
    ...orNull(request, 'every'),
    instalments: instalments.map(({ due, amount_pesewas, paid_pesewas }) => ({
      due: due ?? null,
      amount: ghsOf(amount_pesewas),
      paid: ghs(paid_pesewas),
    })),
    payments: sums.charges
      .filter(({ paid_pesewas }) => paid_pesewas > 0)
      .map((charge) => ({
        reference: charge.reference,
        ...presentArrived(
          charge.paid_pesewas,
          proofOf(request, { charges: [charge], backing: backingOf(request, charge) }),
        ),
        paid_at: charge.paid_at ?? null,
      })),
    reminders: [...reminder_days],
    next_reminder_at: reminderToLeaveAt(request, sums.paidPesewas) ?? null,
    last_reminder: last_reminder
      ? { at: last_reminder.at, sms_id: last_reminder.send_id ?? null, not_sent: last_reminder.not_sent ?? null }
      : null,
    ...orNull(request, 'merchant_reference', 'created_at', 'paid_at', 'cancelled_at'),
    metadata: metadataValue(request.metadata),
  };
}

function proofOf(request: PaymentRequest, { charges, backing }: Pick<Sums, 'charges' | 'backing'>): Proof | undefined {
  if (isTestAccount(request.merchant_id) || !charges.some(({ paid_pesewas }) => paid_pesewas > 0)) return undefined;
  return (
    charges.find((charge) => backingOf(request, charge) === backing)?.proof ?? {
      state: doubtOf(backing) ? 'unproven' : 'proven',
    }
  );
}
