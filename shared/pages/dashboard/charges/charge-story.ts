import { html } from 'hono/html';
import { shownMoney, wholeMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber, wholeNumber } from '../../../ghana/shown-number.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import { statusOf } from '../../../money/charge/charge.ts';
import { codeOf } from '../../../money/charge/goods.ts';
import { cameWith } from '../../../money/charge/origin.ts';
import type { chargeFields } from '../../../money/charge/stored-fields.ts';
import {
  type MarkedHow,
  type MatchedBy,
  missingPesewas,
  type Note,
  type Payment,
  paymentsOf,
  type Refund,
  reversibleUntil,
} from '../../../money/payment/payment.ts';
import {
  type Doubt,
  type EndedParts,
  LOOK_FIRST,
  lookFirstFor,
  shownHeld,
  shownOne,
  shownPaid,
  shownReceipt,
} from '../../../money/payment/shown-payment.ts';
import { withParts } from '../../../money/receipt/ended-parts.ts';
import { heldReceiptsOf, listReceipts } from '../../../money/receipt/receipt.table.ts';
import { numberInReceiptId, type Receipt } from '../../../money/receipt/receipt.ts';
import { paymentIdFor, type Reader, receiptFor } from '../../../money/receipt/shown-receipt.ts';
import { type Clock, isoOf, type Outside } from '../../../runtime/outside/outside.ts';
import { DAY_MS } from '../../../runtime/values/calendar.ts';
import type { NamesIn } from '../../../runtime/values/stored-field.ts';
import { msOfSendId } from '../../../texts/sms/message-id.ts';
import {
  chargeAddress,
  codeAddress,
  heldAddress,
  linkAddress,
  requestAddress,
  textAddress,
} from '../parts/addresses.ts';
import {
  doubtPill,
  facts,
  type Happening,
  type Html,
  money,
  notice,
  paidBar,
  shownDay,
  shownTime,
} from '../parts/content.ts';
import type { MerchantVisit } from '../parts/visit.ts';
import { seeTexts } from '../parts/wallet-pill.ts';
import { chargeStateOf, statePill } from './charge-state.ts';
import { heldWords, lookFor, proofWords, withReference } from './held-words.ts';

const MAX_HELD = 20;

/** Returns a charge's held and second payments, including noted ones that were set aside. */
export async function heldFor(outside: Outside, charge: Charge): Promise<Receipt[]> {
  const { merchant_id, reference } = charge;
  const until = isoOf(Date.parse(charge.expires_at) + DAY_MS);
  const page = { between: [charge.created_at, `${until}~`], newestFirst: true, limit: MAX_HELD } as const;
  const [{ receipts }, noted] = await Promise.all([
    listReceipts(outside, merchant_id, 'held', page),
    heldReceiptsOf(outside, charge),
  ]);
  const others = receipts.filter((one) => noted.every(({ receipt_id }) => receipt_id !== one.receipt_id));
  return [...noted, ...others.filter(({ suggested_reference }) => suggested_reference === reference)];
}

interface InSummary {
  /** Links to the texts of the wallets that have the payments. */
  readonly texts?: Html;
  /** Payments that wait for a decision. A second payment can show that the first one is not real. */
  readonly waiting?: Html;
  readonly actions?: Html | string;
}

/** Renders the state of a charge and its amount or, if a part is paid, the amount still to pay. */
export function summary(
  outside: Outside,
  charge: Charge,
  ended: EndedParts | undefined,
  { texts, waiting, actions }: InSummary = {},
): Html {
  const paid = ended ? shownHeld(ended.held) : shownPaid(charge);
  const { amount_pesewas } = charge;
  const { text, more } = chargeStateOf(outside, charge);
  const isPartly = paid.pesewas > 0 && statusOf(outside, charge) === 'pending';
  const places = placesOf(withParts(charge, ended));
  return html`<section class="summary">${isPartly && html`<p class="hint">Still to pay</p>`}
<p class="amount">${money(isPartly ? missingPesewas(charge) : amount_pesewas)}${statePill(outside, charge, paid)}</p>
${isPartly && html`${paidBar(paid, amount_pesewas)}<p>${paid.amountText} paid${paid.backing === 'verified' && ' and verified,'} of ${money(amount_pesewas)}</p>`}
<p>${text} ${more}</p>
${paid.pesewas > 0 && paid.doubt && notice('look', html`<b>${lookFirstFor(paid.doubt, places.length)}</b>${places.map((place) => html`<br>${place}`)}${texts}`)}
${actions}
${waiting}
${takenBack(outside, charge)}</section>`;
}

/** Says where to look for each unverified payment. The shop may have moved to another number since. */
function placesOf(charge: Charge): Html[] {
  return paymentsOf(charge).flatMap((payment) => {
    const momo_number = numberInReceiptId(payment.receipt_id);
    return lookFor(shownOne(charge, payment), { ...withReference(charge, payment), momo_number }) ?? [];
  });
}

/** A request or a link can have hundreds of payments. Each bill's page says where to look for its own. */
const MAX_PLACES = 5;

/**
 * Says to check the wallet first, and leads to the bill of an unverified payment, which says where to look. If there are
 * several, says where to look for each, folded, because a phone would show nothing else. `texts`: links to the wallets' texts. `isMain`: the
 * check is the page's main action. `beside`: another action.
 */
export function lookFirst(
  doubt: Doubt,
  charges: readonly Charge[],
  texts?: Html,
  { isMain = false, beside }: { readonly isMain?: boolean; readonly beside?: Html } = {},
): Html {
  const places = charges.flatMap((charge) =>
    placesOf(charge).map((place) => ({ place, address: chargeAddress(charge.reference) })),
  );
  const others = places.length - MAX_PLACES;
  const warning = html`<b>${lookFirstFor(doubt, places.length)}</b>`;
  const [only] = places;
  if (!only) return notice('look', html`${warning}${texts}`);
  if (places.length === 1)
    return html`${notice('look', html`<b>${LOOK_FIRST}</b>`)}<p class="actions"><a class="${isMain ? '' : 'plain '}button" href="${only.address}">Check it on its bill</a>${beside}</p>`;
  const shown = places
    .slice(0, MAX_PLACES)
    .map(({ place, address }) => html`${place} <a href="${address}">Check it on its bill</a><br>`);
  return html`${notice('look', html`${warning}${texts}`)}<details><summary>Where to look</summary><p>${shown}${others > 0 && `${others} more are on the pages of the bills below.`}</p></details>${beside && html`<p class="actions">${beside}</p>`}`;
}

/**
 * Links to the texts of the wallets on which unverified payments arrived, unless the shop has removed the number. The
 * links are lines at the end of a warning.
 */
export function textLinks(
  { user, merchant }: Pick<MerchantVisit, 'user' | 'merchant'>,
  charges: readonly Charge[],
): Html {
  if (!may(user, 'balances:read')) return html``;
  const own = merchant.momo_accounts.map(({ number }) => number);
  const numbers = new Set(charges.flatMap(unverifiedOn)).intersection(new Set(own));
  return html`${Array.from(numbers, (number) => html`<br>${seeTexts(number, { isOneOfMany: numbers.size > 1 })}`)}`;
}

function unverifiedOn(charge: Charge): string[] {
  return paymentsOf(charge)
    .filter((payment) => payment.marked?.how !== 'cash' && shownOne(charge, payment).doubt)
    .map(({ receipt_id }) => numberInReceiptId(receipt_id) ?? charge.momo_number);
}

function takenBack(outside: Clock, charge: Charge): Html | undefined {
  const payments = charge.state === 'success' && !shownPaid(charge).doubt ? paymentsOf(charge) : [];
  const [last] = payments.toSorted((one, other) => (reversibleUntil(one) < reversibleUntil(other) ? 1 : -1));
  if (!last || Date.parse(reversibleUntil(last)) <= outside.now()) return undefined;
  const { short, takesBack } = networks[last.network];
  return html`<p class="hint">${short} can reverse this payment until ${shownDay(reversibleUntil(last))}: ${takesBack.how}.</p>`;
}

export function detailsOf(charge: Charge): Html {
  const { customer_name, customer_phone, email, description, merchant_reference, metadata, callback_url } = charge;
  const { link, request, customer_note } = cameWith(charge);
  const details: Readonly<
    Record<NamesIn<typeof chargeFields, 'page'> | OfOrigin | 'Reference', Html | string | undefined>
  > = {
    Reference: html`<span class="number" translate="no">${charge.reference}</span>`,
    Customer: customer_name,
    Phone: customer_phone && html`<span class="number">${shownNumber(customer_phone)}</span>`,
    'E-mail': email,
    For: description,
    'Your order number': merchant_reference,
    'Number to pay': `${networks[charge.momo_network].name}, ${wholeNumber(charge.momo_number)}`,
    'Wallet it arrived on': arrivedOn(charge),
    Created: shownTime(charge.created_at),
    Expires: charge.paid_at ? undefined : shownTime(charge.expires_at),
    'Returns to': callback_url,
    Metadata: metadata && html`<code>${metadata}</code>`,
    'Payment link': link && linkOf(charge, link),
    'Payment request': request && html`<a href="${requestAddress(request)}">${request}</a>`,
    'The customer wrote': customer_note,
    'Paid at the till as': charge.paid_as && html`<a href="${chargeAddress(charge.paid_as)}">${charge.paid_as}</a>`,
  };
  return facts(Object.entries(details));
}

type OfOrigin = 'Wallet it arrived on' | 'Payment link' | 'Payment request' | 'The customer wrote';

/** Names the numbers on which a payment arrived, if one is not the bill's. */
function arrivedOn(charge: Charge): string | undefined {
  const numbers = paymentsOf(charge).flatMap(({ receipt_id }) => numberInReceiptId(receipt_id) ?? []);
  if (numbers.every((number) => number === charge.momo_number)) return undefined;
  return [...new Set(numbers)].map(wholeNumber).join(', ');
}

function linkOf(charge: Charge, link: string): Html {
  return html`<a href="${linkAddress(link)}">${link}</a>${codeOf(charge) && html`, <a href="${codeAddress(link, charge.reference)}">its code</a>`}`;
}

interface Around {
  /** Held payments that may be for the charge. */
  readonly held: readonly Receipt[];
  readonly names: ReadonlyMap<string, string>;
  readonly reader: Reader;
}

/** Returns everything that happened to a charge. Visits to its page are not recorded. */
export function happeningsOf(outside: Clock, charge: Charge, { held, names, reader }: Around): Happening[] {
  return [
    { at: charge.created_at, what: 'Created', more: shownMoney(charge.amount_pesewas) },
    ...paymentsOf(charge).map((payment, n, all) => {
      // Say it only once if the payments have the same evidence.
      const evidence = all.findIndex((one) => proofWords(one) === proofWords(payment)) === n && proofWords(payment);
      return paymentHappening(charge, payment, { reader, evidence });
    }),
    ...held.map((receipt) => heldHappening(receiptFor(reader, receipt))),
    ...ends(outside, charge),
    ...(charge.refunds ?? []).flatMap(refundHappenings),
    ...(charge.notes ?? []).map((note) => noteHappening(note, names)),
    ...receiptHappening(charge),
  ];
}

const MATCHED_BY: Readonly<Record<MatchedBy, string>> = {
  reference: 'recognised by its reference',
  name: 'recognised by the payer’s name',
  claim: 'claimed by the customer with the transaction ID',
  phone: 'confirmed with a code to the payer’s number',
  hand: 'matched by hand',
  till: 'taken at a till',
};

const MARKED: Readonly<Record<MarkedHow, string>> = {
  text: 'Manually marked as paid, from a message that was not understood',
  transfer: 'Manually marked as paid, because its message was lost',
  cash: 'Marked as paid in cash',
};

interface Told {
  readonly reader: Reader;
  readonly evidence: string | false | undefined;
}

function paymentHappening(charge: Charge, payment: Payment, { reader, evidence }: Told): Happening {
  const { payer_name, network, matched_by, received_at, marked } = payment;
  const id = html`ID <span class="number">${paymentIdFor(reader, payment)}</span>`;
  const isPart = payment !== charge.payment;
  const shown = shownOne(charge, payment);
  return {
    at: received_at,
    what: `${shown.amountText} arrived${payer_name ? ` from ${payer_name}` : ''}${isPart ? ', part of the amount' : ''}`,
    more: html`${marked?.how !== 'cash' && html`${networks[network].name} · `}${id} · ${marked ? MARKED[marked.how] : MATCHED_BY[matched_by]}${evidence && html`<br>${evidence}`}`,
    tone: shown.doubt ? 'look' : 'good',
  };
}

function heldHappening(receipt: Receipt): Happening {
  const { payer_name, received_at, receipt_id, set_aside } = receipt;
  const { label, explanation } = heldWords(receipt);
  const become = set_aside?.sent_back ? 'was sent back' : 'is not for a bill';
  return {
    at: received_at,
    what: html`${shownReceipt(receipt).amountText}${payer_name ? ` from ${payer_name}` : ''} ${set_aside ? become : 'is waiting to be checked'}. <a href="${heldAddress(receipt_id)}">${set_aside ? 'See it' : 'Check it'}</a>`,
    more: set_aside ? html`${label}. Recorded ${shownTime(set_aside.at)}` : `${label}: ${explanation}`,
    tone: set_aside ? 'plain' : 'look',
  };
}

function ends(outside: Clock, charge: Charge): Happening[] {
  const { paid_at, goods, expires_at, expired_at, cancelled_at, reversed_at, unmarked_at, disputed } = charge;
  const paid = shownPaid(charge);
  const hasExpired = expired_at !== undefined || statusOf(outside, charge) === 'expired';
  return [
    ...(paid_at
      ? [{ at: paid_at, what: html`Paid${doubtPill(paid)}`, tone: paid.doubt ? ('look' as const) : ('good' as const) }]
      : []),
    ...(goods?.kind === 'counter' && goods.at ? [{ at: goods.at, what: 'Goods handed over at the till' }] : []),
    ...(hasExpired ? [{ at: expires_at, what: 'Expired', more: 'The bill was not paid in time.' }] : []),
    ...(cancelled_at ? [{ at: cancelled_at, what: 'Cancelled' }] : []),
    ...(reversed_at
      ? [{ at: reversed_at, what: 'Reversed', more: 'The network reversed the payment.', tone: 'bad' as const }]
      : []),
    ...(unmarked_at ? [{ at: unmarked_at, what: 'A payment no longer counts', tone: 'look' as const }] : []),
    ...(disputed
      ? [{ at: disputed.at, what: 'In doubt', more: chargeStateOf(outside, charge).text, tone: 'look' as const }]
      : []),
  ];
}

/** A send's id contains the time at which the send was accepted. */
function receiptHappening({ receipt_send_id }: Charge): Happening[] {
  const ms = receipt_send_id && msOfSendId(receipt_send_id);
  if (!ms) return [];
  const what = html`<a href="${textAddress(receipt_send_id)}">Receipt sent as a text</a>`;
  return [{ at: isoOf(ms), what, more: 'It cost 1 credit.' }];
}

function refundHappenings({ amount_pesewas, reason, state, noted_at, closed_at, ...closed }: Refund): Happening[] {
  const amount = wholeMoney(amount_pesewas);
  const { closed_by, transaction_id } = closed;
  const by = {
    wallet: `Confirmed by your wallet’s text · ID ${transaction_id}`,
    hand: 'Closed by hand',
    network: 'The network reversed the payment',
  }[closed_by ?? 'hand'];
  return [
    { at: noted_at, what: `Refund of ${amount} recorded`, more: reason },
    ...(closed_at && state !== 'noted'
      ? [
          {
            at: closed_at,
            what: state === 'sent' ? `${amount} was sent back` : `Refund of ${amount} withdrawn`,
            more: by,
          },
        ]
      : []),
  ];
}

function noteHappening({ at, by, text, send_id }: Note, names: ReadonlyMap<string, string>): Happening {
  const more = names.get(by) ?? 'A former team member';
  return send_id
    ? { at, what: html`<a href="${textAddress(send_id)}">${text}</a>`, more }
    : { at, what: html`Note: <span class="words">${text}</span>`, more };
}
