import { html } from 'hono/html';
import { shownMoney, wholeMoney } from '../../../ghana/money.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import { unverifiedPayments } from '../../../money/payment/backing.ts';
import {
  areCash,
  doubtOf,
  notVerifiedYet,
  shownPayment,
  shownReceipt,
  shownSecond,
} from '../../../money/payment/shown-payment.ts';
import type { HeldReason, Receipt } from '../../../money/receipt/receipt.ts';
import { receiptFor } from '../../../money/receipt/shown-receipt.ts';
import { cancelRequest } from '../../../money/request/make-request.ts';
import { type MoreThanAsked, readMoreThanAsked } from '../../../money/request/more-than-asked.ts';
import { reminderToLeaveAt } from '../../../money/request/reminder-times.ts';
import { type PaymentRequest, requireRequest } from '../../../money/request/request.table.ts';
import { overduePesewas } from '../../../money/request/request.ts';
import { requestUrl } from '../../../money/request/request-url.ts';
import { withPaid } from '../../../money/request/schedule.ts';
import { backingOf, mayBeOwed, readAllSums, requestStateOf, type Sums } from '../../../money/request/sums.ts';
import { type Outside, todayOf } from '../../../runtime/outside/outside.ts';
import { findOptOut } from '../../../texts/conversation/opt-out.table.ts';
import { qrCode } from '../../frame/qr-code.ts';
import { lookFirst, textLinks } from '../charges/charge-story.ts';
import { chargesTable, PAYER } from '../charges/find-charges.ts';
import { readerOf } from '../charges/reader.ts';
import { tooMuch } from '../charges/refunds.ts';
import { chargeLink, heldAddress, requestAddress, textAddress } from '../parts/addresses.ts';
import {
  arrived,
  copyable,
  doubtPill,
  facts,
  type Html,
  money,
  notice,
  paidBar,
  quiet,
  section,
  shareButton,
  shownDay,
  shownTime,
} from '../parts/content.ts';
import { foldedForm } from '../parts/form.ts';
import { type List, table } from '../parts/list.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { shownReminderDays } from './reminder-fields.ts';
import { statePill } from './requests.ts';

const PATH = '/{slug}';

export async function showRequest(visit: MerchantVisit<'slug'>, outside: Outside): Promise<Shown> {
  const { merchant, path, user } = visit;
  const request = await requireRequest(outside, merchant.merchant_id, path.slug);
  const sums = await readAllSums(outside, request);
  const url = requestUrl(outside, request.slug);
  const [more, reminders] = await Promise.all([
    readMoreThanAsked(outside, request, sums, todayOf(outside)),
    remindersOf(outside, request, sums),
  ]);
  const isOpen = requestStateOf(request, sums) === 'open';
  const words = wordsOf(request, merchant.name, url, sums);
  const waits = waitingOf(visit, more);
  const share = html`<p class="actions">${shareButton(words, { number: request.customer_phone, isMain: isOpen && !doubtOf(sums.backing) && !waits && more.late.length + more.held.length === 0 })}<a class="plain button" href="${url}">Customer’s page</a></p>`;
  return {
    title: request.title,
    about: request.customer_name && `To ${request.customer_name}`,
    main: html`<div class="columns"><div>
<section class="summary">${summaryOf(visit, outside, request, sums)}${waits}</section>
${
  isOpen &&
  section(
    'Share it',
    html`<div class="pay-link">${share}
${copyable(url, 'address')}
${qrCode(url, 'QR code of the payment request')}</div>`,
  )
}
${moreOf(visit, more, { sums, isOwed: mayBeOwed(request, sums) })}
${request.instalments[0]?.due === undefined ? html`` : quiet('Instalments', instalmentsOf(outside, request, sums))}
${section('What it is for', linesOf(request))}
</div><div class="list">
${quiet('Bills', chargesOf(outside, request, sums))}
</div><div>
${quiet('Details', [
  facts([
    ['Phone', request.customer_phone && shownNumber(request.customer_phone)],
    ['Your own reference', request.merchant_reference],
    ['Reminders', request.reminder_days && shownReminderDays(request.reminder_days)],
    ['Next reminder', reminders],
    ['Last reminder', lastReminder(request)],
    ['Created', shownTime(request.created_at)],
    [doubtOf(sums.backing) ? 'Fully paid, not verified' : 'Fully paid', request.paid_at && shownTime(request.paid_at)],
    ['Cancelled', request.cancelled_at && shownTime(request.cancelled_at)],
  ]),
  isOpen ? html`` : share,
])}
${may(user, 'links:write') && isOpen ? cancelForm(visit) : html``}
</div></div>`,
  };
}

/**
 * Shows the overdue amount or, if nothing is overdue, the amount still to pay. Shows a paid request’s total, and what was
 * paid for a cancelled request.
 */
function summaryOf(visit: MerchantVisit<'slug'>, outside: Outside, request: PaymentRequest, sums: Sums): Html {
  const { paidPesewas, openPesewas, overpaidPesewas, backing } = sums;
  const charges = sums.charges.flatMap((one) => (one.paid_pesewas > 0 && sums.found.get(one.reference)) || []);
  const isCash = areCash(charges.flatMap(unverifiedPayments));
  const [paid, over] = [shownPayment(paidPesewas, backing, isCash), shownPayment(overpaidPesewas, backing, isCash)];
  const { total_pesewas } = request;
  const state = requestStateOf(request, sums);
  const isOpen = state === 'open';
  const latePesewas = isOpen ? overduePesewas(outside, request, sums) : 0;
  const asked = isOpen ? latePesewas || openPesewas : total_pesewas;
  const amount = state === 'cancelled' ? paid.amount : shownMoney(asked);
  const isPaid = state === 'paid';
  const label = latePesewas > 0 ? 'To pay now' : isOpen ? 'Still to pay' : 'Paid';
  return html`${!isPaid && html`<p class="hint">${label}</p>`}
<p class="amount"><span class="number">${amount}</span>${statePill(outside, request, sums)}</p>
${!isPaid && paidBar(paid, total_pesewas)}
${(!isPaid || over.pesewas > 0) && html`<p>${paid.amountText} paid of ${money(total_pesewas)}${over.pesewas > 0 && html`, so ${tooMuch(visit.user, over, isSaidAbove(sums) ? lastPaid(sums) : undefined)}`}${latePesewas > 0 && latePesewas < openPesewas && html`, ${money(openPesewas)} still to pay in all`}</p>`}
${request.note && html`<p>${request.note}</p>`}
${paid.doubt && lookFirst(paid.doubt, charges, textLinks(visit, charges), { isMain: true })}`;
}

async function remindersOf(outside: Outside, request: PaymentRequest, sums: Sums): Promise<string | undefined> {
  const at = reminderToLeaveAt(request, sums.paidPesewas);
  if (at === undefined || request.customer_phone === undefined) return undefined;
  const optOut = await findOptOut(outside, request.merchant_id, request.customer_phone);
  return optOut?.opted_out ? `None: the customer wrote ${optOut.word}` : shownDay(at);
}

function moreOf(
  { user }: MerchantVisit<'slug'>,
  more: MoreThanAsked,
  { sums, isOwed }: { readonly sums: Sums; readonly isOwed: boolean },
): Html | string {
  const { notedPesewas, sentPesewas, aheadPesewas, nextDue, held, late } = more;
  const { toReturnPesewas } = sums;
  const last = lastPaid(sums);
  const at = last && html` at ${chargeLink(last.reference)}`;
  const toReturn = shownPayment(toReturnPesewas, sums.backing);
  const ahead = shownPayment(aheadPesewas, sums.backing);
  const facts = [
    toReturnPesewas > 0 &&
      !isSaidAbove(sums) &&
      html`<p><b>${toReturn.amountText}</b> too much was paid. ${toReturn.doubt ? 'It does not count towards anything else.' : html`It is in your wallet and does not count towards anything else. Record it as a refund${at} first. Then send it back.`}</p>`,
    notedPesewas > 0 && html`<p>You recorded ${money(notedPesewas)} as a refund. It has not been sent yet.</p>`,
    sentPesewas > 0 && html`<p>${money(sentPesewas)} was sent back.</p>`,
    ...(may(user, 'receipts:read') ? [...held, ...late].filter(({ set_aside }) => !set_aside) : []).map((receipt) => {
      const { received_at, reason, suggested_reference = '' } = receipt;
      const bill = sums.found.get(suggested_reference);
      const shown = shownSecond(receipt, bill);
      const why = bill?.state === 'reversed' ? 'charge_reversed' : reason;
      const [how, ifOwed] = (why && LATE_WORDS[why]) ?? ['which was already paid', MATCH_TO_NEW];
      const todo = isOwed ? ifOwed : SEND_BACK;
      return html`<p><b>${shown.amountText}</b> arrived on ${shownDay(received_at)} for ${chargeLink(suggested_reference)}, ${how}. It is held and does not count yet. ${shown.advise(todo)} <a href="${pageOf(user, receipt)}">Decide what to do</a></p>`;
    }),
    aheadPesewas > 0 &&
      html`<p>${ahead.amountText} was paid early. It counts towards what is due next. ${nextDue && html`The next payment is due on ${shownDay(nextDue)}.`}</p>`,
  ].filter((one) => one !== false);
  return facts.length > 0 ? section('Other money for this request', facts) : '';
}

/** Says that payments wait for a decision. The customer's page says so too, so nobody should be asked to pay before. */
function waitingOf({ user }: MerchantVisit<'slug'>, { waiting }: MoreThanAsked): Html | undefined {
  const toCheck = may(user, 'receipts:read') ? waiting.filter(({ reason }) => reason !== 'checking') : [];
  if (toCheck.length === 0) return undefined;
  return html`${toCheck.map((receipt) => {
    const { amountText } = shownReceipt(receipt);
    const bill = chargeLink(receipt.suggested_reference ?? '');
    return notice(
      'look',
      html`<b>A payment of ${amountText} is waiting.</b> It is for ${bill}. <a href="${pageOf(user, receipt)}">Check it</a>`,
    );
  })}`;
}

function pageOf(user: User, receipt: Receipt): string {
  return heldAddress(receiptFor(readerOf(user), receipt).receipt_id);
}

/** True if the summary says all there is to say about an overpayment: it is not verified, and no refund covers it. */
function isSaidAbove({ toReturnPesewas, overpaidPesewas, backing }: Sums): boolean {
  return doubtOf(backing) !== undefined && toReturnPesewas === overpaidPesewas;
}

function lastPaid({ charges, found }: Sums): Charge | undefined {
  const [last] = charges
    .filter(({ reference, paid_pesewas }) => paid_pesewas > 0 && found.has(reference))
    .toSorted((one, other) => (other.paid_at ?? '').localeCompare(one.paid_at ?? ''));
  return last && found.get(last.reference);
}

type Words = readonly [how: string, ifOwed: string];
const SEND_BACK = 'Send it back, or match it to another of this customer’s bills.';
const MATCH_TO_NEW =
  'If the customer still owes this money, open this request’s page and press Pay. Match the payment to the new bill.';
const LATE_WORDS: Readonly<Partial<Record<HeldReason, Words>>> = {
  charge_expired: [
    'which had expired',
    'If the customer still owes this money, match the payment to that bill. It then counts towards this request.',
  ],
  charge_reversed: ['whose payment the network has reversed', MATCH_TO_NEW],
};

function lastReminder({ last_reminder }: PaymentRequest): Html | string | undefined {
  if (!last_reminder) return undefined;
  const { at, send_id, not_sent } = last_reminder;
  if (send_id) return html`<a href="${textAddress(send_id)}">${shownTime(at)}</a>`;
  return `${shownDay(at)}: not sent (${not_sent ?? 'nothing was due'})`;
}

/** Lists what each line adds to the total, like the customer’s page. */
function linesOf({ lines, every, instalments, total_pesewas }: PaymentRequest): Html {
  const sums = lines.map(({ description, quantity, amount_pesewas }) => {
    const times = quantity > 1 ? ` · ${quantity} × ${wholeMoney(amount_pesewas)}` : '';
    return { name: `${description}${times}`, pesewas: quantity * amount_pesewas };
  });
  const once = sums.reduce((sum, { pesewas }) => sum + pesewas, 0);
  return facts([
    ...sums.map(({ name, pesewas }) => [name, money(pesewas)] as const),
    [`Each ${every}`, every && money(once), 'total'],
    [every ? `Total, ${instalments.length} times` : 'Total', money(total_pesewas), 'total'],
  ]);
}

function group<Entry>(caption: string, entries: readonly Entry[], list: Omit<List<Entry>, 'caption'>): Html {
  return html`${entries.length > 0 && html`<h3>${caption}</h3>${table(entries, { caption, ...list })}`}`;
}

function apart<Entry>(entries: readonly Entry[], is: (entry: Entry) => boolean) {
  return [entries.filter((one) => !is(one)), entries.filter(is)] as const;
}

/** Lists overdue instalments first, and paid ones last. Nothing is due for a cancelled request. */
function instalmentsOf(outside: Outside, request: PaymentRequest, { paidPesewas, backing }: Sums): Html {
  const { instalments, state } = request;
  const parts = withPaid(instalments, paidPesewas);
  const [open, paid] = apart(parts, ({ amount_pesewas, paid_pesewas }) => paid_pesewas >= amount_pesewas);
  const today = todayOf(outside);
  const isLate = ({ due = '' }: Part) => state !== 'cancelled' && due < today;
  const [later, overdue] = apart(open, isLate);
  type Part = (typeof parts)[number];
  const Due = ({ due = '' }: Part) => shownDay(due);
  const left = ({ amount_pesewas, paid_pesewas }: Part) => {
    const shown = shownPayment(paid_pesewas, backing);
    const part = html` left<br><span class="hint">${shown.amount} paid</span>`;
    return html`${money(amount_pesewas - paid_pesewas)}${shown.pesewas > 0 && part}`;
  };
  const State = ({ paid_pesewas }: Part) => (paid_pesewas > 0 ? doubtPill(shownPayment(paid_pesewas, backing)) : '');
  const paidPart = ({ amount_pesewas }: Part) => money(amount_pesewas);
  const unpaid = { columns: { Due, State, Amount: { figure: left } }, isCompact: true };
  return html`${group('Overdue', overdue, unpaid)}
${group(state === 'cancelled' ? 'Not paid' : 'Later', later, unpaid)}
${group('Paid', paid, { columns: { Due, State, Amount: { figure: paidPart } }, isCompact: true })}`;
}

/** Lists the bills, newest first. Of deleted bills, only the amounts paid are known. */
function chargesOf(outside: Outside, request: PaymentRequest, { charges, found }: Sums): Html {
  if (charges.length === 0)
    return html`<p class="hint">Nobody has pressed Pay yet. If somebody paid without it, press Pay on the customer’s page, and match the payment to the new bill.</p>`;
  const [unpaid, paid] = apart(charges.toReversed(), ({ paid_pesewas }) => paid_pesewas > 0);
  const areMixed = unpaid.length > 0 && paid.length > 0;
  const bills = (heading: string, some: typeof charges) => {
    const stored = some.flatMap(({ reference }) => found.get(reference) ?? []);
    const list = chargesTable(outside, stored, { caption: `Bills: ${heading}`, name: PAYER });
    return stored.length > 0 && html`${areMixed && html`<h3>${heading}</h3>`}${list}`;
  };
  const deleted = paid.flatMap((one) => {
    if (found.has(one.reference)) return [];
    const day = one.paid_at ? `, ${shownDay(one.paid_at)}` : '';
    return [[one.reference + day, arrived(shownPayment(one.paid_pesewas, backingOf(request, one)))] as const];
  });
  return html`${bills('Paid', paid)}
${deleted.length > 0 && html`<h3>Paid earlier</h3>${facts(deleted)}`}
${bills('Not paid', unpaid)}`;
}

/**
 * Returns the words to share. They ask for money only while the request is open, and give thanks only for verified
 * money.
 */
function wordsOf(request: PaymentRequest, shop: string, url: string, sums: Sums): string {
  const { title, instalments } = request;
  const { openPesewas, paidPesewas, backing } = sums;
  const state = requestStateOf(request, sums);
  const paid = doubtOf(backing) ? `${title}. ${notVerifiedYet(shop)}` : `${title} is paid. Thank you.`;
  if (state !== 'open') return `${shop}: ${state === 'paid' ? paid : `${title}.`} See it here: ${url}`;
  const [next, ...later] = withPaid(instalments, paidPesewas).filter((one) => one.paid_pesewas < one.amount_pesewas);
  const open = next && shownMoney(next.amount_pesewas - next.paid_pesewas);
  const parts = next?.due && later.length > 0 ? ` in ${later.length + 1} parts, ${open} by ${shownDay(next.due)}` : '';
  return `${shop}: ${title}, ${shownMoney(openPesewas)}${parts}. See and pay it here: ${url}`;
}

function cancelForm(visit: MerchantVisit<'slug'>): Html {
  const facts = { path: `${PATH}/cancel`, submit: 'Cancel the request', isDangerous: true };
  return foldedForm(
    visit,
    'Cancel this request',
    facts,
    html`<p>The request’s page will say so, and no reminders will be sent. You keep what was paid.</p>`,
  );
}

export function cancelThisRequest(visit: MerchantVisit<'slug'>, outside: Outside): Promise<Going> {
  const { merchant, path, commit } = visit;
  return cancelRequest(outside, merchant.merchant_id, path.slug, ({ slug }, _, writes) => {
    const going = { goTo: requestAddress(slug), notice: 'The request was cancelled.' };
    return writes.length > 0
      ? commit(writes, going, { action: 'request cancel', about: slug })
      : Promise.resolve(going);
  });
}
