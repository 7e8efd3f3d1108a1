import { html, raw } from 'hono/html';
import * as z from 'zod/mini';
import { networks } from '../../../ghana/network.ts';
import { shownNumber, wholeNumber } from '../../../ghana/shown-number.ts';
import { fieldAmount } from '../../../ghana/typed.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { namesOf } from '../../../merchants/user/user.table.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import { isSettled, statusOf } from '../../../money/charge/charge.ts';
import { cameWith, isOpenedByStranger } from '../../../money/charge/origin.ts';
import { fitsPayer } from '../../../money/matching/match.ts';
import { mayNameBill } from '../../../money/matching/typed-detail.ts';
import { fitsAmount } from '../../../money/payment/backing.ts';
import { missingPesewas, paidPesewas } from '../../../money/payment/payment.ts';
import { cautionOfSecond, LOOK_FIRST, shownReceipt } from '../../../money/payment/shown-payment.ts';
import { billsOf } from '../../../money/receipt/paid-as.ts';
import { LATE } from '../../../money/receipt/receipt.table.ts';
import {
  type HeldReason,
  isAssignable,
  listOf,
  type PaymentReceipt,
  type Receipt,
  vouchedAtTills,
} from '../../../money/receipt/receipt.ts';
import { receiptFor } from '../../../money/receipt/shown-receipt.ts';
import { needOf } from '../../../money/request/more-than-asked.ts';
import {
  isOwedAfterEnd,
  releaseReceipt,
  requireReceipt,
  restoreSetAside,
  SetAsideReason,
  setAside,
} from '../../../money/settling/assign-receipt.ts';
import { type Candidate, type Candidates, candidatesOf, MAX_SHOWN } from '../../../money/settling/candidates.ts';
import { refusalOf, takenSince } from '../../../money/till/take.ts';
import { namingOperator } from '../../../runtime/outside/operator.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { asideForm, notThereForm } from '../charges/aside.ts';
import { statePill } from '../charges/charge-state.ts';
import { requestsHint } from '../charges/find-bill.ts';
import { textsOf } from '../charges/held-cards.ts';
import { heldWords, lookFor, NEW_BILL_OF_REQUEST, type Need, proofWords } from '../charges/held-words.ts';
import { carriesOfReceipt, type LookAtReceiptForm } from '../charges/look.ts';
import { readerOf } from '../charges/reader.ts';
import type { Back } from '../parts/action.ts';
import {
  CHARGES,
  chargeAddress,
  chargeLink,
  giveAddress,
  HELD,
  heldAddress,
  UNREAD_TEXTS,
} from '../parts/addresses.ts';
import {
  doubtPill,
  facts,
  type Html,
  money,
  notice,
  pill,
  proofPill,
  quiet,
  section,
  shownTime,
} from '../parts/content.ts';
import { field, foldedForm, formSection, ticks } from '../parts/form.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { compared } from './give.ts';

export async function showHeldPayment(visit: MerchantVisit<'id'>, outside: Outside): Promise<Shown> {
  const { merchant, user, path } = visit;
  const reader = readerOf(user);
  const receipt = receiptFor(reader, await requireReceipt(outside, merchant.merchant_id, path.id, reader));
  if (receipt.state === 'unread') return unread(visit, receipt);
  const title = `Payment${receipt.payer_name ? ` from ${receipt.payer_name}` : ''}`;
  const mayAssign = may(user, 'receipts:assign');
  const mayGive = mayAssign && isAssignable(receipt) && !receipt.set_aside?.sent_back;
  const [candidates, names, bills] = await Promise.all([
    mayGive ? candidatesOf(outside, merchant.merchant_id, receipt) : undefined,
    namesOf(outside, receipt.set_aside ? [receipt.set_aside.by] : []),
    billsOf(outside, [receipt]),
  ]);
  const bill = bills.get(receipt.suggested_reference);
  const around = { names, bill, candidates, need: await needFor(outside, receipt, bill) };
  const main = html`<div class="columns"><div>
${reason(visit, outside, receipt, around)}
${mayGive && candidates && candidatesSection(outside, receipt, { ...around, candidates })}
${mayAssign && restoreSection(visit, receipt)}
</div><div>
${quiet('The payment', detailsOf(receipt))}
${receipt.text && quiet(shownReceipt(receipt).doubt ? 'The text that arrived' : 'The network’s text', html`${isUnverified(receipt) && html`<p>${doubtPill(shownReceipt(receipt))}</p>`}<p class="words">${receipt.text}</p>`)}
</div></div>`;
  return { title, back: back(receipt), main };
}

interface Around {
  readonly names: ReadonlyMap<string, string>;
  readonly bill: Charge | undefined;
  readonly need: Need;
  readonly candidates: Candidates | undefined;
}

/** Returns whether a payment's bill, or the payment request of its bill, needs the payment. */
async function needFor(outside: Outside, { reason }: Receipt, bill: Charge | undefined): Promise<Need> {
  const isEnded = reason === 'charge_expired' || reason === 'charge_cancelled';
  if (isEnded && bill && isOwedAfterEnd(outside, bill)) return 'yes';
  if (!LATE.has(reason) && reason !== 'already_paid') return 'no';
  return bill?.origin.kind === 'request' ? needOf(outside, bill.origin.slug) : 'no';
}

function reason(
  visit: MerchantVisit<'id'>,
  outside: Outside,
  receipt: Receipt,
  { names, bill, need, candidates }: Around,
): Html {
  const { state, reference, set_aside } = receipt;
  if (state === 'matched' && reference)
    return keyFigure(
      receipt,
      pill(isUnverified(receipt) ? 'plain' : 'good', 'Matched'),
      html`<p>This payment belongs to the bill ${chargeLink(reference)}.</p>`,
    );
  const { tone, label, explanation, look, steps } = heldWords(receipt, bill, need);
  if (set_aside) {
    const by = names.get(set_aside.by) ?? (set_aside.by.startsWith('key ') ? 'your website' : 'a former team member');
    return keyFigure(
      receipt,
      pill('plain', set_aside.sent_back ? 'Sent back' : 'Not for a bill'),
      html`<p>${set_aside.why ?? (set_aside.sent_back ? 'The money was sent back to the payer.' : 'No reason was given.')}</p><p class="hint">By ${by}, ${shownTime(set_aside.at)}. Why it was held: ${explanation}</p>`,
    );
  }
  const mayDecide = may(visit.user, 'receipts:assign') && receipt.reason !== 'checking';
  const answers = mayDecide && answersOf(visit, receipt, candidates);
  const others = mayDecide && otherDecisions(visit, outside, receipt, candidates);
  return keyFigure(
    receipt,
    pill(tone, label),
    html`${look && lookNotice(visit, receipt, look)}${answers}<p><b>Why it is waiting.</b> ${explanation}</p>${isUnverified(receipt) && html`<p class="hint">${proofWords(receipt)}</p>`}${whatToDo(steps.map((step) => namingOperator(outside, step)))}${others}`,
  );
}

/** Renders the two answers to the advice to check the wallet. */
function answersOf(visit: MerchantVisit<'id'>, receipt: Receipt, candidates: Candidates | undefined): Html | false {
  if (!isUnverified(receipt)) return false;
  const isThere = candidates && html`<a class="plain button" href="#bills">The money is there</a>`;
  return html`<div class="actions">${isThere}${notThereForm(visit, receipt)}</div>`;
}

/**
 * Renders the decisions other than matching the payment to a bill. On a phone, nobody would see them below a list of
 * bills.
 */
function otherDecisions(
  visit: MerchantVisit<'id'>,
  outside: Outside,
  receipt: Receipt,
  candidates: Candidates | undefined,
): Html | string {
  const isOpen = ({ charge }: Candidate) => !isSettled(charge);
  const mayBeBills = receipt.reason === 'reference_unclear' || candidates?.compared.some(isOpen) === true;
  return html`<div class="actions">${asideFold(visit, receipt)}${releaseForm(visit, outside, { receipt, mayBeBills })}</div>`;
}

function lookNotice(visit: MerchantVisit<'id'>, receipt: Receipt, advice: string): Html {
  const texts = textsOf(visit, receipt);
  return notice(
    'look',
    html`<b>${advice}</b> ${lookFor(shownReceipt(receipt), receipt)}${texts && html`<br>${texts}`}`,
  );
}

function whatToDo([first = '', ...others]: readonly string[]): Html {
  if (others.length === 0) return html`<p><b>What to do.</b> ${first}</p>`;
  return html`<p><b>What to do.</b></p>${[first, ...others].map((step) => html`<p>${step}</p>`)}`;
}

function isUnverified(receipt: Receipt): boolean {
  return shownReceipt(receipt).doubt !== undefined;
}

function keyFigure(receipt: Receipt, state: Html, text: Html): Html {
  const shown = shownReceipt(receipt);
  return html`<section class="summary"><p class="amount"><span class="number">${shown.amount}</span><span class="pills">${proofPill(shown)}${state}</span></p>
${text}</section>`;
}

function candidatesSection(
  outside: Outside,
  receipt: PaymentReceipt,
  { candidates, bill, need }: Pick<Around, 'bill' | 'need'> & { readonly candidates: Candidates },
): Html {
  const main = mainOf(outside, receipt, candidates);
  const isSecond = bill !== undefined && isSettled(bill);
  const fitting = candidates.ranked.filter((one) => !isSecond || isForSecond(outside, receipt, one));
  const shown = fitting.slice(0, MAX_SHOWN);
  // One or two characters, such as `1`, say nothing.
  const typed = [receipt.payer_reference, receipt.payer_name].find((one) => one !== undefined && one.length > 2);
  const found =
    shown.length > 0
      ? html`<ul class="candidates" role="list">${shown.map((one) => candidateOf(outside, receipt, one, { bill, need, isMain: one === main }))}</ul>`
      : html`<p class="hint">None of the newest bills with this amount, name or reference is unpaid.</p>`;
  const ofAmount = html`<p class="hint"><a href="${CHARGES}?status=pending&amp;amount=${fieldAmount(receipt.amount_pesewas)}">All waiting bills of this amount</a></p>`;
  const hint = typed ? [html`<p class="hint">${requestsHint(typed)}</p>`] : [];
  const parts = [found, ofAmount, ...hint, otherCharge(receipt, shown.length === 0)];
  return html`<div id="bills">${section('Which bill is the payment for?', parts)}</div>`;
}

/** Reasons to expect that other bills fit as well, which may not be shown. */
const UNCLEAR: ReadonlySet<HeldReason> = new Set(['reference_unclear', 'several_fit', 'too_many_open']);

/**
 * Returns the only certain bill. If the payer named it, they named no other. If not, no other bill of the amount may be
 * the payer's that was open when the payment arrived, or that the payer paid shortly before or after.
 */
function mainOf(outside: Outside, receipt: PaymentReceipt, { compared, isCut }: Candidates): Candidate | undefined {
  if (receipt.reason === 'amount_of_another') return undefined;
  const [certain, ...others] = compared.filter((one) => isCertain(outside, receipt, one));
  if (!certain || others.length > 0) return undefined;
  const isPayers = ({ charge, isPayable, isRepeated, name, isAnswered, isCustomersNumber }: Candidate) => {
    if (isRepeated) return true;
    const wasOpen = isPayable || (charge.paid_at ?? '') > receipt.received_at;
    const isOfAmount = fitsAmount(charge, receipt, receipt.amount_pesewas);
    return (isCustomersNumber || isAnswered || name === 'fits') && wasOpen && isOfAmount;
  };
  const isNamed = certain.reference === 'named';
  if (isCut && !isNamed) return undefined;
  const isRival = isNamed ? ({ reference }: Candidate) => reference === 'named' : isPayers;
  return compared.some((one) => one !== certain && isRival(one)) ? undefined : certain;
}

/** Returns true if nothing about the payment or the bill speaks against matching them. */
function isCertain(
  outside: Outside,
  receipt: PaymentReceipt,
  { charge, reference, detail, isOutnamed, name, isCustomersNumber, isLater, excessPesewas }: Candidate,
): boolean {
  const isOther =
    reference === 'other' || isOutnamed || name === 'differs' || (reference !== 'named' && excessPesewas !== 0);
  // Anybody can open a bill at a link or request, for any amount.
  const isStrangers = reference !== 'named' && isOpenedByStranger(charge);
  // The payer may have named another bill, which may not be shown. A detail does not say who the payer is. The amount
  // alone never suggests a bill: many may have it.
  const { payer_name = '', payer_reference = '', reason } = receipt;
  const isOfPayer = isCustomersNumber || fitsPayer(charge, payer_name);
  const isPayers =
    isOfPayer && !isLater && !(reason && UNCLEAR.has(reason)) && !detail && !mayNameBill(payer_reference);
  const isUnnamed = reference === 'none' && !isPayers;
  return !isOther && !isStrangers && !isUnnamed && !isUnverified(receipt) && statusOf(outside, charge) === 'pending';
}

/** Returns true for the paid bill that a second payment names, and for an open bill of the same customer and amount. */
function isForSecond(outside: Outside, receipt: PaymentReceipt, { charge, name, excessPesewas }: Candidate): boolean {
  const isOther = excessPesewas !== 0 || name === 'differs' || statusOf(outside, charge) !== 'pending';
  return charge.reference === receipt.suggested_reference || !isOther;
}

const CLOSED = 'This bill can no longer be paid.';
const SEND_BACK = `${CLOSED} Send it back, unless it is for another of this customer’s bills.`;
const PAID_OTHERWISE = 'Another payment paid this bill. Its request may still need money.';
const WAS_REVERSED = 'The network reversed this bill’s payment.';
const KEEP_IF_GIVEN = `${WAS_REVERSED} If the customer has the goods, keep this money. Then create a new bill.`;

const IF_PAID_TWICE = 'If the customer says they paid twice, send this one back.';

/** Says what to do about a bill that can no longer be paid. In doubt, the top of the page says to check the wallet. */
function closedAdvice(
  receipt: PaymentReceipt,
  { charge, isRepeated }: Candidate,
  { bill, need }: Pick<Candidacy, 'bill' | 'need'>,
): string {
  const isNamed = charge.reference === receipt.suggested_reference;
  const paid = isNamed ? bill : charge;
  const isDoubted = isSettled(charge) ? cautionOfSecond(receipt, paid) : shownReceipt(receipt).doubt;
  const mayNeed = isNamed ? need !== 'no' : isSettled(charge) && charge.origin.kind === 'request';
  if (!isDoubted && charge.state === 'reversed')
    return charge.origin.kind === 'request' ? `${WAS_REVERSED} ${NEW_BILL_OF_REQUEST}` : KEEP_IF_GIVEN;
  if (!isDoubted && mayNeed) return PAID_OTHERWISE;
  if (!isDoubted) return isRepeated && !isNamed ? IF_PAID_TWICE : SEND_BACK;
  return isSettled(charge) ? 'Compare this payment with the one that paid the bill.' : CLOSED;
}

interface Candidacy extends Pick<Around, 'bill' | 'need'> {
  /** True if the bill is the only certain one, whose button is the page's main action. */
  readonly isMain: boolean;
}

function candidateOf(
  outside: Outside,
  receipt: PaymentReceipt,
  candidate: Candidate,
  { bill, need, isMain }: Candidacy,
): Html {
  const { charge, isPayable } = candidate;
  const { reference, amount_pesewas, customer_name, description, created_at } = charge;
  const isPartly = Number(paidPesewas(charge)) > 0 && statusOf(outside, charge) === 'pending';
  const asked = isPartly
    ? html`<b>${money(missingPesewas(charge))}</b> still to pay of ${money(amount_pesewas)}`
    : html`<b>${money(amount_pesewas)}</b>`;
  const { customer_note } = cameWith(charge);
  return html`<li><p class="head-line"><span>${asked}${customer_name && html` · ${customer_name}`}${customer_note && html` · ${customer_note}`}</span>${statePill(outside, charge)}</p>
<p class="hint">${chargeLink(reference)} · ${shownTime(created_at)}${description && html` · ${description}`}</p>
${compared(outside, receipt, candidate)}
${
  isPayable
    ? html`<p class="actions"><a class="${!isMain && 'plain '}button" href="${giveAddress(receipt.receipt_id, reference)}">Choose<span class="unseen"> the bill ${reference}</span></a></p>`
    : html`<p>${closedAdvice(receipt, candidate, { bill, need })}</p><p class="actions"><a class="plain button" href="${chargeAddress(reference)}">Open the bill</a></p>`
}</li>`;
}

function otherCharge({ receipt_id }: Receipt, isOpen: boolean): Html {
  return html`<details${isOpen && raw(' open')}><summary>Another bill</summary><form method="get" action="${giveAddress(receipt_id)}"><p class="field"><label for="other">Customer, amount, order number or reference</label><input id="other" name="reference" autocomplete="off" required></p><button class="plain button">Find it</button></form></details>`;
}

function detailsOf(receipt: Receipt): Html {
  const { network, momo_number, transaction_id, payer_name, payer_phone, payer_reference, received_at } = receipt;
  const isWaiting = receipt.state === 'held' && !receipt.set_aside;
  const isProven = receipt.proof?.state === 'proven';
  return facts([
    ['From', payer_name],
    ['Payer’s number', payer_phone && html`<span class="number">${shownNumber(payer_phone)}</span>`],
    ['The payer typed', payer_reference],
    ['Arrived', shownTime(received_at)],
    ['To', network && `${networks[network].name}${momo_number ? `, ${wholeNumber(momo_number)}` : ''}`],
    ['Transaction ID', transaction_id && html`<span class="number">${transaction_id}</span>`],
    ['Verified', isUnverified(receipt) && (isWaiting || isProven) ? undefined : proofWords(receipt)],
  ]);
}

function unread(visit: MerchantVisit<'id'>, receipt: Receipt): Shown {
  const { set_aside, reference } = receipt;
  const state = reference
    ? html`<p>${pill('good', 'Marked as paid')}</p><p>The bill ${chargeLink(reference)} was marked as paid from this text.</p>`
    : set_aside
      ? html`<p>${pill('plain', 'No payment')}</p><p>${set_aside.why ?? 'Someone marked it “not a payment”.'}</p>`
      : html`<p>${pill('look', 'Not understood')}</p><p>This text was sent under a network’s name but does not read like a payment. No bill was marked as paid because of it.</p>
<p><b>What to do.</b> ${LOOK_FIRST} ${receipt.momo_number && `Look on ${wholeNumber(receipt.momo_number)}.`} Show the text to support, because its wording may be new. The text is deleted after 30 days.</p>`;
  const main = html`<section>${state}</section>
${section('The text', html`<p class="words">${receipt.text}</p>`)}
${may(visit.user, 'receipts:assign') && decisionOf(visit, receipt)}
${quiet(
  'Where it came from',
  facts([
    ['Sender', receipt.sender],
    ['Arrived', shownTime(receipt.received_at)],
    ['To', receipt.momo_number && shownNumber(receipt.momo_number)],
  ]),
)}`;
  return { title: 'Text that was not understood', back: back(receipt), main };
}

function back(receipt: Receipt): Back {
  const list = listOf(receipt);
  const address = list === 'held' || list === 'matched' ? HELD : `${HELD}?list=${list}`;
  return { name: 'To check', path: address };
}

export const SetAsideForm = z.object({ why: z.optional(SetAsideReason), ...ticks(['sent_back']) });

/** `mayBeBills`: bills are listed that the payment may be for, so a till may refuse even a verified payment. */
function releaseForm(
  visit: MerchantVisit<'id'>,
  outside: Outside,
  { receipt, mayBeBills }: { readonly receipt: Receipt; readonly mayBeBills: boolean },
): Html | string {
  const released = { ...receipt, released_by: receipt.released_by ?? visit.user.user_id };
  const isFree = refusalOf(released, { since: takenSince(outside, { began_at: '' }) }) === undefined;
  if (!isFree || (receipt.proof?.state === 'proven' && !mayBeBills)) return '';
  const allowedBy = receipt.proof?.state === 'proven' ? receipt.released_by : vouchedAtTills(receipt);
  if (allowedBy !== undefined) return html`<p>Tills can take it.</p>`;
  const facts = { path: '/{id}/release', submit: 'Let a till take it', carries: carriesOfReceipt(receipt) };
  const { doubt } = shownReceipt(receipt);
  const warning = doubt && notice('look', html`<b>${doubt.lookFirst}</b>`);
  const only = mayBeBills && html`<p>Only if it is for a sale at a till, and not for a bill.</p>`;
  return foldedForm(visit, 'Let a till take it', facts, html`${warning}${only}`);
}

/** @throws PublicError `receipt_not_held` (also if the form is outdated). */
export async function releasePayment(
  visit: MerchantVisit<'id', typeof LookAtReceiptForm>,
  outside: Outside,
): Promise<Going> {
  const { merchant, user, path, form, commit } = visit;
  const writes = await releaseReceipt(outside, merchant.merchant_id, path.id, { by: user.user_id, ...form });
  const going = { goTo: heldAddress(path.id), notice: 'This payment can now be taken at a till.' };
  return commit(writes, going, { action: 'receipt release', about: path.id, after: { shown: form.shown } });
}

function restoreSection(visit: MerchantVisit<'id'>, { state, set_aside }: Receipt): Html | string {
  if (state !== 'held' || !set_aside) return '';
  const facts = { path: '/{id}/take-back', submit: 'Put it back on the list' };
  return formSection(visit, set_aside.sent_back ? 'Sent back' : 'Not for a bill', facts);
}

function asideFold(visit: MerchantVisit<'id'>, receipt: Receipt): Html | string {
  if (receipt.state !== 'held') return '';
  const why = field('why', 'Why', { hint: 'For example: a friend paid me back.', maxLength: 200 });
  return asideForm(visit, receipt, why);
}

function decisionOf(visit: MerchantVisit<'id'>, receipt: Receipt): Html | string {
  const { receipt_id, set_aside, reference } = receipt;
  if (reference) return '';
  if (set_aside) return noPaymentSection(visit, receipt);
  const address = `${heldAddress(receipt_id)}/mark`;
  return html`${section('A payment?', html`<p class="actions"><a class="plain button" href="${address}">Mark a bill as paid</a></p>`)}${noPaymentSection(visit, receipt)}`;
}

/** Renders the form that marks an unparsed text as "not a payment", or the form that undoes this mark. */
function noPaymentSection(visit: MerchantVisit<'id'>, { set_aside }: Receipt): Html {
  if (set_aside)
    return formSection(visit, 'No payment', { path: '/{id}/take-back', submit: 'Put it back on the list' });
  const facts = { path: '/{id}/set-aside', submit: 'It is not a payment' };
  return foldedForm(visit, 'It is not a payment', facts, [
    html`<p class="hint">For example, an advert. The text is removed from this list. You can undo this.</p>`,
    field('why', 'Why', { maxLength: 200 }),
  ]);
}

export async function setPaymentAside(visit: MerchantVisit<'id', typeof SetAsideForm>, outside: Outside) {
  const { merchant, user, path, form, commit } = visit;
  const { state } = await requireReceipt(outside, merchant.merchant_id, path.id);
  const writes = await setAside(outside, merchant.merchant_id, path.id, {
    by: user.user_id,
    why: form.why,
    ...(form.sent_back && { sent_back: true }),
  });
  const entry = { action: 'receipt set-aside', about: path.id, ...(form.sent_back && { after: { sent_back: true } }) };
  if (state === 'unread')
    return commit(writes, { goTo: UNREAD_TEXTS, notice: 'The text is now marked “not a payment”.' }, entry);
  return commit(
    writes,
    {
      goTo: HELD,
      notice: form.sent_back ? 'The payment is now marked “sent back”.' : 'The payment is now marked “not for a bill”.',
    },
    entry,
  );
}

export async function restorePayment(visit: MerchantVisit<'id'>, outside: Outside): Promise<Going> {
  const { merchant, path, commit } = visit;
  const writes = await restoreSetAside(outside, merchant.merchant_id, path.id);
  const entry = { action: 'receipt take-back', about: path.id };
  return commit(writes, { goTo: heldAddress(path.id), notice: 'The payment is back under “To check”.' }, entry);
}
