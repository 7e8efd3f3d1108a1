import { html, raw } from 'hono/html';
import * as z from 'zod/mini';
import { shownMoney, wholeMoney } from '../../../ghana/money.ts';
import { MovedOn } from '../../../money/charge/change-charge.table.ts';
import { type Charge, getCharge } from '../../../money/charge/charge.table.ts';
import { statusOf } from '../../../money/charge/charge.ts';
import { cameWith } from '../../../money/charge/origin.ts';
import type { Detail } from '../../../money/matching/typed-detail.ts';
import { hasEndedUnpaid } from '../../../money/payment/backing.ts';
import { isSamePayment, missingPesewas, paymentsOf } from '../../../money/payment/payment.ts';
import { shownReceipt } from '../../../money/payment/shown-payment.ts';
import { isAssignable, type PaymentReceipt } from '../../../money/receipt/receipt.ts';
import { typedBy } from '../../../money/receipt/typed-use.ts';
import { assignReceipt, payByHand, requireReceipt } from '../../../money/settling/assign-receipt.ts';
import { type Candidate, candidate } from '../../../money/settling/candidates.ts';
import type { Clock, Outside } from '../../../runtime/outside/outside.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import * as icons from '../../frame/drawings.ts';
import { icon } from '../../frame/icon.ts';
import { chargeStateOf, statePill } from '../charges/charge-state.ts';
import { billsFound } from '../charges/find-bill.ts';
import { readSearch } from '../charges/find-charges.ts';
import { carriesOfReceipt, giveWords, LookAtReceiptForm } from '../charges/look.ts';
import { chargeAfter, isOfWebsite, releasedGoodsText } from '../charges/released-goods.ts';
import { chargeAddress, chargeLink, giveAddress, heldAddress } from '../parts/addresses.ts';
import { arrived, emptyState, facts, type Html, notice, section, shownTime, typedWords } from '../parts/content.ts';
import { type Field, formSection, radios } from '../parts/form.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';

const PATH = '/{id}/give';

export const GiveForm = z.object({
  reference: z.string('must be the reference of a bill'),
  counts_as: z._default(z.enum(['part', 'full'], 'must be one of the options listed'), 'full'),
  /** Amount in pesewas that the form showed as still due once the payment counts. */
  still_due: z._default(z.coerce.number(), 0),
  ...LookAtReceiptForm.shape,
});

export async function showGive(visit: MerchantVisit<'id'>, outside: Outside): Promise<Shown> {
  const { merchant, path, query, refused } = visit;
  const receipt = await requireReceipt(outside, merchant.merchant_id, path.id);
  const typed = refused?.typed.reference ?? query.reference ?? '';
  const { reference = typed } = readSearch(typed);
  const charge = await getCharge(outside, reference, merchant.merchant_id);
  const title = 'Match the payment to this bill?';
  const back = { name: 'The payment', path: heldAddress(path.id) };
  if (!charge)
    return {
      title: 'Which bill is the payment for?',
      back,
      main: html`${await billsFound(visit, outside, typed, (one) => giveAddress(path.id, one))}`,
    };
  if (!isAssignable(receipt))
    return {
      title,
      back,
      main: emptyState('No longer waiting', 'This payment can no longer be matched to a bill.'),
    };
  return {
    title,
    back,
    main: html`${beside(outside, receipt, await candidate(outside, receipt, charge))}${await markedElsewhere(outside, receipt, charge)}${await confirmation(visit, outside, receipt, charge)}`,
  };
}

/** Warns that another bill was marked as paid with this payment's ID. */
async function markedElsewhere(outside: Outside, receipt: PaymentReceipt, charge: Charge): Promise<Html | false> {
  const marks = receipt.marked ? [] : await typedBy(outside, receipt, [charge.merchant_id]);
  const other = marks.find(({ reference }) => reference !== charge.reference);
  return (
    other?.reference !== undefined &&
    notice(
      'look',
      html`<b>The bill ${chargeLink(other.reference)} was marked as paid with this ID.</b> There is only one payment. If it was for that bill, do not match it again: that bill will be in doubt.`,
    )
  );
}

function beside(outside: Outside, receipt: PaymentReceipt, candidate: Candidate): Html {
  const { charge, duePesewas, isRest } = candidate;
  const { customer_note } = cameWith(charge);
  return html`<div class="beside">${section(
    'The payment',
    facts([
      ['Amount', arrived(shownReceipt(receipt))],
      ['From', receipt.payer_name],
      ['The payer typed', receipt.payer_reference],
      ['Arrived', shownTime(receipt.received_at)],
    ]),
  )}${section(
    'The bill',
    facts([
      ['Amount', html`<span class="number">${shownMoney(charge.amount_pesewas)}</span>`],
      ['Still due', isRest ? html`<span class="number">${shownMoney(duePesewas)}</span>` : undefined],
      ['Customer', charge.customer_name],
      ['The customer wrote', customer_note],
      ['For', charge.description],
      ['Reference', chargeLink(charge.reference)],
      ['Order number', charge.merchant_reference],
      ['Created', shownTime(charge.created_at)],
      ['State', statePill(outside, charge)],
    ]),
  )}</div>${section('How they compare', compared(outside, receipt, candidate))}`;
}

async function confirmation(
  visit: MerchantVisit<'id'>,
  outside: Outside,
  receipt: PaymentReceipt,
  charge: Charge,
): Promise<Html> {
  const by = visit.user.user_id;
  const look = { by, ...carriesOfReceipt(receipt) };
  const after = await chargeAfter(payByHand(outside, receipt, charge, { look }));
  const isRefused = after instanceof PublicError;
  const left = isRefused ? 0 : missingPesewas(after);
  const status = statusOf(outside, charge);
  const mayBePart = left > 0 && status === 'pending';
  const { warning, carries, submit } = giveWords(receipt);
  // The payment covers the rest, unless another payment leaves the bill before the person confirms.
  const coversRest = !mayBePart && (status === 'pending' || status === 'success');
  const countsAs = coversRest && { counts_as: 'part' };
  const still_due = String(Math.max(0, left));
  const facts = { path: PATH, submit, carries: { reference: charge.reference, ...carries, ...countsAs, still_due } };
  const leaves = releasedGoodsText(outside, by, { charge, after, merchant: visit.merchant });
  return formSection(visit, 'Confirm', facts, [
    warning,
    mayBePart
      ? html`<p>If you choose “Part payment”, no goods are released yet. If you choose “Full payment”, the bill is paid. ${leaves}</p>`
      : html`<p>${isRefused ? after.message : `${outcomeOf(charge)} ${leaves}`}</p>`,
    ...(!isRefused && hasEndedUnpaid(charge) && left > 0
      ? [
          html`<p><b>${wholeMoney(left)} of the bill is still missing.</b>${isWithout(after, charge) && ' Not all of its earlier payments count again.'}</p>`,
        ]
      : []),
    html`<p>A payment can be matched only once.</p>`,
    ...(mayBePart ? [partOrFull(left)] : []),
  ]);
}

/** True if a bill's earlier payments do not all count again. */
function isWithout(after: Charge, { parts = [] }: Charge): boolean {
  const counted = paymentsOf(after);
  return parts.some((part) => !counted.some((one) => isSamePayment(one, part)));
}

function outcomeOf(charge: Charge): string {
  if (charge.state === 'success') return 'The bill then counts this payment too.';
  return isOfWebsite(charge) ? 'The bill will be paid, and your website will be notified.' : 'The bill will be paid.';
}

function partOrFull(left: number): Field {
  return radios('counts_as', 'The payment is less than the amount due', {
    value: 'part',
    options: [
      ['part', `Part payment: ${wholeMoney(left)} is still due`],
      ['full', 'Full payment: the bill will be marked as paid'],
    ],
  });
}

/** @throws PublicError `not_found`, `charge_not_pending`, `receipt_not_held` (also if the form is outdated). */
export async function givePayment(visit: MerchantVisit<'id', typeof GiveForm>, outside: Outside): Promise<Going> {
  const { merchant, user, path, form, commit } = visit;
  const { reference, counts_as, still_due, shown, doubts } = form;
  const given = { merchantId: merchant.merchant_id, receiptId: path.id, look: { by: user.user_id, shown, doubts } };
  const { charge, writes } = await assignReceipt(outside, given, { reference, as_part: counts_as === 'part' });
  if (charge.state === 'success' && missingPesewas(charge) > still_due)
    throw new MovedOn('More is due on this bill than the form showed. Check it again.');
  const notice =
    missingPesewas(charge) > 0 && charge.state === 'pending'
      ? `Counted as a part: ${wholeMoney(missingPesewas(charge))} is still due.`
      : 'The payment was matched to this bill, which is now paid.';
  const entry = { action: 'receipt assign', about: path.id, after: { reference, counts_as, shown } };
  return commit(writes, { goTo: chargeAddress(reference), notice }, entry);
}

export function compared(outside: Clock, receipt: PaymentReceipt, candidate: Candidate): Html {
  const { fits, doubts } = reasons(outside, receipt, candidate);
  // Green is for verified money only.
  const isVerified = shownReceipt(receipt).doubt === undefined;
  return html`<ul class="compare" role="list">${fits.map((one) => html`<li${isVerified && raw(' class="fits"')}>${icon(icons.check)}<span>${one}</span></li>`)}${doubts.map((one) => html`<li class="doubts">${icon(icons.question)}<span>${one}</span></li>`)}</ul>`;
}

function reasons(outside: Clock, receipt: PaymentReceipt, candidate: Candidate) {
  const { charge } = candidate;
  const all = [
    ofAmount(candidate),
    ofReference(receipt, candidate),
    ...(candidate.isCustomersNumber ? [fits('The payer has the customer’s phone number.')] : []),
    ofName(receipt, candidate),
    ...(candidate.isRepeated && charge.state !== 'reversed'
      ? [doubt(`${receipt.payer_name} paid this bill shortly before or after, so this may be a second payment for it.`)]
      : []),
    ...(candidate.isLater
      ? [doubt(`The bill was created only after the payment arrived: ${shownTime(charge.created_at)}.`)]
      : []),
    ...(charge.state === 'pending' ? [] : [doubt(chargeStateOf(outside, charge).text)]),
  ];
  return {
    fits: all.flatMap((one) => ('fits' in one ? [one.fits] : [])),
    doubts: all.flatMap((one) => ('doubt' in one ? [one.doubt] : [])),
  };
}

type Reason = { readonly fits: string } | { readonly doubt: Html | string };
const fits = (text: string): Reason => ({ fits: text });
const doubt = (text: Html | string): Reason => ({ doubt: text });

function ofAmount({ excessPesewas, isRest }: Candidate): Reason {
  const what = isRest ? 'what is still due' : 'the bill’s amount';
  if (excessPesewas === 0) return fits(`The payment is exactly ${what}.`);
  const differs = `${wholeMoney(Math.abs(excessPesewas))} ${excessPesewas > 0 ? 'more' : 'less'} than ${what}`;
  return doubt(`The payment is ${differs}.`);
}

const OF_BILL: Readonly<Record<Detail, string>> = {
  'order number': 'this bill’s order number',
  digits: 'digits of this bill’s order number',
  'phone number': 'the customer’s phone number',
  name: 'the customer’s name',
};

function ofReference({ payer_reference = '' }: PaymentReceipt, { reference, detail }: Candidate): Reason {
  if (detail && reference !== 'named') {
    const typed = `The payer typed ${OF_BILL[detail]}: “${payer_reference}”.`;
    return detail === 'digits' ? doubt(typed) : fits(typed);
  }
  switch (reference) {
    case 'named':
      return fits('The payer typed this bill’s reference.');
    case 'near':
      return doubt(html`The payer typed ${typedWords(payer_reference)}, which is almost this bill’s reference.`);
    case 'other':
      return doubt(html`The payer typed a different reference: ${typedWords(payer_reference)}.`);
    case 'none':
      return doubt('The payer did not type this bill’s reference.');
  }
}

function ofName({ payer_name }: PaymentReceipt, { charge: { customer_name }, name }: Candidate): Reason {
  switch (name) {
    case 'fits':
      return fits(`The payer has the customer’s name: ${customer_name}.`);
    case 'shares':
      return doubt(`The bill’s customer is ${customer_name}, which is only part of the payer’s name.`);
    case 'differs':
      return doubt(`The bill’s customer is ${customer_name}, but the payer is ${payer_name}.`);
    case 'unknown':
      return doubt(payer_name ? 'The bill has no customer name to compare.' : 'The text does not say who paid.');
  }
}
