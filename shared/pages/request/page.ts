import { html } from 'hono/html';
import * as z from 'zod/mini';
import { arrivedPesewas } from '../../ghana/arrived.ts';
import { CURRENCY } from '../../ghana/country.ts';
import { shownAmount, shownMoney, wholeMoney } from '../../ghana/money.ts';
import { merchantCache } from '../../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { heldAsCustomerSees } from '../../money/payment/backing.ts';
import {
  cautionOfSecond,
  doubtOf,
  notVerifiedYet,
  otherMessage,
  shownPayment,
} from '../../money/payment/shown-payment.ts';
import type { PaymentReceipt } from '../../money/receipt/receipt.ts';
import { type MoreThanAsked, readMoreThanAsked } from '../../money/request/more-than-asked.ts';
import { findRequest, type PaymentRequest } from '../../money/request/request.table.ts';
import { isOverdue, partBounds } from '../../money/request/request.ts';
import { duePesewas, withPaid } from '../../money/request/schedule.ts';
import {
  backingOf,
  mayBeOwed,
  readSums,
  requestStateOf,
  type Sums,
  sumsAsCustomerSees,
} from '../../money/request/sums.ts';
import type { Answer } from '../../runtime/http/answer.ts';
import { type Outside, todayOf } from '../../runtime/outside/outside.ts';
import { inWords } from '../../runtime/values/calendar.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { checkoutPath } from '../checkout/checkout-path.ts';
import * as icons from '../frame/drawings.ts';
import { type Html, safety } from '../frame/frame.ts';
import { icon } from '../frame/icon.ts';
import { amountField, payField, payForm, type Refused } from '../pay/form.ts';
import { closedNotice, closedReason, shopHead, shopPage } from '../pay/shop-page.ts';
import { sharedWords, requestWords as words } from '../words/words.ts';

export interface OpenRequest {
  readonly request: PaymentRequest;
  readonly merchant: Merchant;
  readonly sums: Sums;
}

/** Finds a payment request by slug, with its totals as customers see them. @throws PublicError `not_found`. */
export async function requestOfSlug(outside: Outside, slug: string): Promise<OpenRequest> {
  const { request, merchant } = await askedAt(outside, slug);
  return { request, merchant, sums: sumsAsCustomerSees(request, await readSums(outside, request)) };
}

/** Like `requestOfSlug`, without the totals, which are expensive to compute. @throws PublicError `not_found`. */
export async function askedAt(outside: Outside, slug: string): Promise<Omit<OpenRequest, 'sums'>> {
  const request = await findRequest(outside, slug);
  const merchant = request && (await merchantCache.get(outside, request.merchant_id));
  if (!request || !merchant) throw new PublicError('not_found', 'There is no payment request at this address.');
  return { request, merchant };
}

/** The form of a payment request. `openRequestCharge` validates the amount, with error messages for the page. */
export const PayPartRequest = z
  .object(
    {
      amount: z
        ._default(z.string('must be a string'), '')
        .check(z.meta({ description: `The amount to pay now, in ${CURRENCY}.`, examples: ['425'] })),
    },
    'must be a form or a JSON object',
  )
  .check(z.meta({ id: 'PayPartRequest' }));
export type PayPartRequest = z.infer<typeof PayPartRequest>;

export async function requestPage(outside: Outside, found: OpenRequest, refused?: Refused): Promise<Answer> {
  const { request, merchant, sums } = found;
  const more = await readMoreThanAsked(outside, request, { ...sums, view: heldAsCustomerSees }, todayOf(outside));
  const { title, note, customer_name } = request;
  const closed = closedOf(found);
  const main = html`<main>
${shopHead(outside, merchant)}
<div class="card">
${closed && closedNotice(closed.text, closed)}
<h1>${title}</h1>
${customer_name && html`<p class="hint">${words.customer(html`<span translate="no">${customer_name}</span>`)}</p>`}
${closed?.isPaid && html`<p class="hint label">${doubtOf(sums.backing) ? words.paidNotVerified : words.paid}</p><p class="amount">${shownMoney(request.total_pesewas)}</p>`}
${!closed && toPay(outside, found)}
${moreOf(merchant, sums, { ...more, isOpen: !closed, isNeeded: mayBeOwed(request, sums) })}
${!closed && requestForm(outside, found, { refused, isWarned: [...more.waiting, ...more.held].some(isChecked) || more.late.length > 0 })}
${note && !closed?.isPaid && html`<p class="description" dir="auto">${note}</p>`}
${requestLines(request)}
${standingOf(found, closed ? undefined : suggestedPesewas(outside, found))}
<p class="hint">${sharedWords.noInvoice}</p>
</div>
${instalmentsOf(outside, found)}
${paymentsOf(request, sums)}
${!closed && safety(merchant.name)}
</main>`;
  return shopPage(outside, refused?.error.statusCode ?? 200, {
    title: refused && !closed ? sharedWords.errorTitle(title) : title,
    main,
    merchant,
    headers: refused?.error.headers,
  });
}

interface Closed {
  readonly text: string;
  readonly tone?: 'good' | 'look';
  readonly icon?: string;
  readonly isPaid?: true;
}

/**
 * Returns why the request cannot be paid now, or undefined. Only a request paid with verified money is shown in green,
 * with thanks.
 */
function closedOf({ request, merchant, sums }: OpenRequest): Closed | undefined {
  const state = requestStateOf(request, sums);
  if (state === 'paid') {
    return doubtOf(sums.backing)
      ? {
          text: `${notVerifiedYet(merchant.name)} ${sharedWords.doNotPayAgain}`,
          tone: 'look',
          icon: icons.clock,
          isPaid: true,
        }
      : { text: words.paidInFull, tone: 'good', icon: icons.check, isPaid: true };
  }
  const text = state === 'cancelled' ? words.cancelled(merchant.name) : closedReason(merchant);
  return text === undefined ? undefined : { text };
}

/** Renders the amount to pay next and its due date. */
function toPay(outside: Outside, found: OpenRequest): Html {
  const { request, sums } = found;
  const next = nextUnpaid(request, sums);
  const due = next?.due;
  const suggested = suggestedPesewas(outside, found);
  const areParts = next !== undefined && suggested > next.amount_pesewas - next.paid_pesewas;
  const isLate = isOverdue(outside, request, sums);
  const dueOn = isLate ? words.overdueSince : request.instalments.length > 1 ? words.nextDueOn : words.dueOn;
  const ofPart = request.instalments.length > 1 ? words.nextPart : words.stillToPay;
  const isPartly = sums.paidPesewas > 0;
  const paid = shownPayment(sums.paidPesewas, sums.backing);
  return html`${(isPartly || areParts) && html`<p class="hint label">${areParts ? words.toPayNow : ofPart}</p>`}
<p class="amount">${shownMoney(suggested)}</p>
${isPartly && html`<p>${words.paidOf(paid.amount, shownMoney(request.total_pesewas))}${paid.doubt && html` ${NOT_YET}`}</p>`}
${due !== undefined && (isLate ? caution(dueOn(inWords(due).day)) : html`<p class="hint">${dueOn(inWords(due).day)}</p>`)}`;
}

function requestLines({ lines, every, instalments, total_pesewas }: PaymentRequest): Html {
  const once = lines.reduce((sum, { quantity, amount_pesewas }) => sum + quantity * amount_pesewas, 0);
  const sum = (name: string, pesewas: number) =>
    html`<tr><th scope="row">${name}</th><td>${shownMoney(pesewas)}</td></tr>`;
  const rows = lines.map(
    ({ description, quantity, amount_pesewas }) =>
      html`<tr><th scope="row">${description}${quantity > 1 && html` <span class="hint">${quantity} × ${shownAmount(amount_pesewas)}</span>`}</th><td>${shownAmount(quantity * amount_pesewas)}</td></tr>`,
  );
  return html`<table class="items"><caption class="unseen">${words.items(CURRENCY)}</caption>
<tbody>${rows}</tbody>
<tfoot>${every && sum(words.each[every], once)}${sum(every ? words.totalOf(`${instalments.length}`) : words.total, total_pesewas)}</tfoot>
</table>`;
}

/** Renders what is paid and, unless it is the amount at the top of the page, what is still to pay. */
function standingOf({ sums }: OpenRequest, shownPesewas: number | undefined): Html | false {
  if (sums.paidPesewas === 0) return false;
  return html`<dl><div><dt>${words.paid}</dt><dd>${paidOf(sums)}</dd></div>
${sums.openPesewas > 0 && sums.openPesewas !== shownPesewas && html`<div><dt>${words.stillToPay}</dt><dd>${shownMoney(sums.openPesewas)}</dd></div>`}</dl>`;
}

/** The badge of unverified money, as on the dashboard. */
const NOT_YET = html`<span class="pill look">${words.notVerified}${icon(icons.fault)}</span>`;

/** Returns the amount paid. Excludes any unverified overpayment, which may be forged. */
function paidOf({ paidPesewas, overpaidPesewas, backing }: Sums): Html | string {
  const hidden = doubtOf(backing) ? overpaidPesewas : 0;
  const { amount, doubt } = shownPayment(arrivedPesewas(paidPesewas - hidden), backing);
  return doubt ? html`<span>${amount}</span>${NOT_YET}` : amount;
}

interface Standing extends MoreThanAsked {
  readonly isOpen: boolean;
  /** True unless verified money has paid the request. It may then need a second payment for one of its charges. */
  readonly isNeeded: boolean;
}

/**
 * Shows the overpayment and whom to contact. For a held payment, shows only the amount, because the visitor may not be
 * its payer.
 */
function moreOf({ name }: Merchant, sums: Sums, more: Standing): Html | string {
  const { notedPesewas, sentPesewas, aheadPesewas, nextDue, late, isOpen, isNeeded } = more;
  // An open request may need a second payment for one of its charges.
  const [held, waiting] = isOpen ? [[], [...more.waiting, ...more.held]] : [more.held, more.waiting];
  const { toReturnPesewas } = sums;
  const isVerified = !doubtOf(sums.backing);
  const isInDoubt = (receipt: PaymentReceipt) => {
    return cautionOfSecond(receipt, sums.found.get(receipt.suggested_reference ?? '')) !== undefined;
  };
  const sumOf = (receipts: readonly PaymentReceipt[]) =>
    arrivedPesewas(
      receipts.filter((one) => !isInDoubt(one)).reduce((sum, { amount_pesewas }) => sum + amount_pesewas, 0),
    );
  const [againPesewas, latePesewas] = [sumOf(isNeeded ? [] : held), sumOf(late)];
  const hasMoneyUnderReview =
    (isNeeded && held.length > 0) || [...held, ...late].some(isInDoubt) || (toReturnPesewas > 0 && !isVerified);
  const cautions = [
    waiting.some(isChecked) && words.messageIsChecked(name),
    hasMoneyUnderReview && otherMessage(name),
    latePesewas > 0 && words.late(shownPayment(latePesewas, 'verified').amount, name),
  ].filter((one) => one !== false);
  const facts = [
    toReturnPesewas > 0 && isVerified && words.moreThanAsked(shownPayment(toReturnPesewas, sums.backing).amount, name),
    notedPesewas > 0 && isVerified && words.toBeSentBack(wholeMoney(notedPesewas), name),
    sentPesewas > 0 && words.sentBack(wholeMoney(sentPesewas), name),
    againPesewas > 0 && words.paidAgain(shownPayment(againPesewas, 'verified').amount, name),
    aheadPesewas > 0 &&
      [
        words.ahead(shownPayment(aheadPesewas, sums.backing).amount),
        ...(isVerified ? [] : [words.aheadNotVerified]),
        ...(nextDue ? [words.nextToPay(inWords(nextDue).day)] : []),
      ].join(' '),
  ].filter((one) => one !== false);
  return html`${cautions.map(caution)}${facts.map((one) => html`<p class="hint">${one}</p>`)}`;
}

function caution(text: string): Html {
  return html`<p class="notice look">${icon(icons.fault)}<span>${text}</span></p>`;
}

/** True for a payment that the shop has not decided about. */
function isChecked({ set_aside }: PaymentReceipt): boolean {
  return !set_aside;
}

interface Form {
  readonly refused: Refused | undefined;
  /** True if the page tells the customer to ask before they pay again. */
  readonly isWarned: boolean;
}

function requestForm(outside: Outside, found: OpenRequest, { refused, isWarned }: Form): Html {
  const { request, sums } = found;
  const [least, most] = partBounds(sums.openPesewas);
  const amount = payField(refused, {
    ...amountField,
    label: words.amountNow,
    value: shownAmount(suggestedPesewas(outside, found)).replaceAll(',', ''),
    hint: least === most ? undefined : words.mayPayPart,
  });
  return payForm(`/r/${request.slug}`, refused, amount, isWarned ? { submit: words.payAnyway, isPlain: true } : {});
}

/** Returns what is due now or, if nothing is due, the next instalment. Stays within the amounts that may be paid. */
function suggestedPesewas(outside: Outside, { request, sums }: OpenRequest): number {
  const [least, most] = partBounds(sums.openPesewas);
  const due = Math.min(duePesewas(request, sums.paidPesewas, todayOf(outside)), most);
  const next = nextUnpaid(request, sums);
  const suggested = due > 0 ? due : Math.min(most, next ? next.amount_pesewas - next.paid_pesewas : most);
  return Math.max(least, suggested);
}

function nextUnpaid({ instalments }: PaymentRequest, sums: Sums) {
  return withPaid(instalments, sums.paidPesewas).find((one) => one.paid_pesewas < one.amount_pesewas);
}

function instalmentsOf(outside: Outside, { request, sums }: OpenRequest): Html {
  if (request.instalments.length < 2) return html``;
  const now = todayOf(outside);
  const rows = withPaid(request.instalments, sums.paidPesewas).map(({ due = '', amount_pesewas, paid_pesewas }) => {
    const isPaid = paid_pesewas === amount_pesewas;
    const ofPart = due < now ? words.partOverdue : words.partPaid;
    const part = ofPart(shownAmount(shownPayment(paid_pesewas, sums.backing).pesewas));
    const none = due < now ? words.overdue : words.notPaid;
    return html`<tr><th scope="row"><time datetime="${due}">${inWords(due).day}</time></th><td>${shownAmount(amount_pesewas)}</td><td>${isPaid ? words.paid : paid_pesewas > 0 ? part : none}${paid_pesewas > 0 && doubtOf(sums.backing) && html`<br>${NOT_YET}`}</td></tr>`;
  });
  const table = html`<table class="items"><caption class="unseen">${words.instalmentsIn(CURRENCY)}</caption><thead class="hint"><tr><th scope="col">${words.due}</th><th scope="col">${words.amount}</th><th scope="col">${words.state}</th></tr></thead><tbody>${rows}</tbody></table>`;
  return html`<section class="card"><h2>${words.instalments}</h2>${table}</section>`;
}

/** Links to the customer receipts of payments, if their charges are still stored. */
function paymentsOf(request: PaymentRequest, { charges, found, overpaidPesewas }: Sums): Html {
  const paid = charges.filter(({ paid_pesewas }) => paid_pesewas > 0);
  if (paid.length === 0) return html``;
  const rows = paid.map((one) => {
    const { reference, paid_at = '' } = one;
    const { pesewas, doubt } = shownPayment(one.paid_pesewas, backingOf(request, one));
    // One of these payments includes the unverified overpayment.
    const amount = doubt && overpaidPesewas > 0 ? words.beingChecked : shownAmount(pesewas);
    const charge = found.get(reference);
    const { access_code = charge?.access_code } = one;
    const path = access_code && checkoutPath(access_code);
    const paper =
      one.access_code || charge?.state === 'success'
        ? [`${path}/receipt`, doubt ? words.details : words.receipt]
        : [path, words.page];
    return html`<tr><th scope="row"><time datetime="${paid_at}">${inWords(paid_at).day}</time></th><td>${amount}${doubt && html`<br>${NOT_YET}`}</td><td>${path ? html`<a href="${paper[0]}" aria-label="${words.paperOf(paper[1] ?? '', reference)}">${paper[1]}</a>` : html`<span translate="no">${reference}</span>`}</td></tr>`;
  });
  const table = html`<table class="items"><caption class="unseen">${words.paymentsIn(CURRENCY)}</caption><thead class="hint"><tr><th scope="col">${words.paid}</th><th scope="col">${words.amount}</th><th scope="col">${words.receipt}</th></tr></thead><tbody>${rows}</tbody></table>`;
  return html`<section class="card"><h2>${words.payments}</h2>${table}</section>`;
}
