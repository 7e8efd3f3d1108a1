import { html, raw } from 'hono/html';
import * as z from 'zod/mini';
import { shownMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { fieldAmount, TypedAmount } from '../../../ghana/typed.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import { may, type Rights } from '../../../merchants/user/permissions.ts';
import { type Charge, getCharge, getCharges } from '../../../money/charge/charge.table.ts';
import { statusOf } from '../../../money/charge/charge.ts';
import { takeOf } from '../../../money/charge/goods.ts';
import { cameWith } from '../../../money/charge/origin.ts';
import { mayLeave } from '../../../money/goods/may-leave.ts';
import { isPaidUnproven } from '../../../money/payment/backing.ts';
import { missingPesewas, paymentsOf } from '../../../money/payment/payment.ts';
import { type ShownPayment, shownOf, shownPaid, shownReceipt } from '../../../money/payment/shown-payment.ts';
import {
  type AmountPage,
  listHeldOfAmount,
  listReceipts,
  receivedBetween,
  versionOfArrived,
} from '../../../money/receipt/receipt.table.ts';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import { receiptFor } from '../../../money/receipt/shown-receipt.ts';
import { requireReceipt } from '../../../money/settling/assign-receipt.ts';
import { type Green, greenOf, isHandedOut, mayBeHandedOut } from '../../../money/till/green.ts';
import { listOpenAtSticker } from '../../../money/till/scanned.ts';
import { handOut, listStickerCharges } from '../../../money/till/sticker.ts';
import {
  type CannotTake,
  isBeingChecked,
  mayUndo,
  takenSince,
  takePayment,
  undoPayment,
  whyNotTaken,
} from '../../../money/till/take.ts';
import { requireTill, type Shift, type Till, takeRows } from '../../../money/till/till.table.ts';
import { redirect } from '../../../runtime/http/answer.ts';
import { nowIso, type Outside } from '../../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../../runtime/table/contention.ts';
import { MINUTE_MS } from '../../../runtime/values/calendar.ts';
import { hasCode, invalidRequest } from '../../../runtime/values/errors.ts';
import * as icons from '../../frame/drawings.ts';
import { icon } from '../../frame/icon.ts';
import type { Outcome } from '../page.ts';
import { heldAddress, receiptAddress, TILL, tillAddress } from '../parts/addresses.ts';
import { age, doubtPill, type Html, pill, refreshed, type Tone } from '../parts/content.ts';
import { carried, form, ONCE } from '../parts/form.ts';
import { BY_NUMBER, pagination } from '../parts/list.ts';
import { pageVersion } from '../parts/page-version.ts';
import type { Going, MerchantVisit } from '../parts/visit.ts';
import { readerOf } from '../payments/reader.ts';

/** Few enough to see at a glance. The payer stands at the counter, so the newest matter. */
const MAX_ARRIVED = 12;
const MAX_TAKEN = 10;
/** Customers who scan also stand at the counter: this many paid charges, and as many unpaid. */
const MAX_SCANNED = 8;
/** Payments of other amounts than the one due. */
const MAX_OTHERS = 5;
/** Seconds between reloads without a script. */
const RELOAD_SECONDS = 5;

/** Tolerance for a phone's clock that is ahead. */
const AHEAD_MS = MINUTE_MS;

/** The till: the amount due, arrived payments, and payments just taken. */
export async function showTill(visit: MerchantVisit<'till'>, outside: Outside): Promise<Outcome> {
  const { merchant, user, path, query, refused } = visit;
  const till = await requireTill(outside, merchant.merchant_id, path.till);
  const { shift } = till;
  if (shift?.by !== user.user_id && !refused) return redirect(TILL, 303);
  // If a take is refused because the shift has ended, the fault is shown here, where nothing else can be done.
  if (shift?.by !== user.user_id)
    return { title: till.name, main: html`<p><a class="button" href="${TILL}">To the tills</a></p>` };
  const amountPesewas = amountIn(refused?.typed.amount ?? query.amount);
  const [{ arrived, next }, taken, scanned] = await Promise.all([
    listArrived(visit, outside, shift, amountPesewas),
    listTaken(outside, till, shift),
    listStickerCharges(outside, till, { since: takenSince(outside, shift), amountPesewas }),
  ]);
  const done = taken.filter(({ reference }) => reference === query.taken && amountPesewas === undefined);
  const asked = refused ? undefined : await askedOf(visit, outside, till, { shift, amountPesewas });
  const main = html`<p class="till-line" data-offline${raw(' hidden')} role="alert"></p>
${!refused && refreshed(greens(visit, outside, [...done, ...scanned.filter((charge) => isDue(charge, amountPesewas))]))}
<div class="columns"><div>
${asked ?? (amountPesewas !== undefined && due(merchant, till, amountPesewas))}
<section><h2>Just arrived</h2>
${refreshed(html`${arrivedList(visit, outside, { arrived, shift, amountPesewas })}${pagination(visit, { next }, BY_NUMBER)}`)}</section>
</div><div>
${!asked && amountPesewas === undefined && keypad(visit)}
${till.sticker !== undefined && stickerSection(visit, outside, scanned)}
<section><h2>Taken last</h2>
${refreshed(takenList(visit, outside, taken))}</section>
</div></div>
<details class="till-more"><summary>More</summary>
<p><a href="${TILL}/closing">Daily closing</a></p>
${form(visit, { path: '/{till}/end', submit: 'End your shift', isSmall: true, carries: { shift: shift.shift_id } })}</details>`;
  return {
    title: till.name,
    main,
    script: 'till.js',
    ...(amountPesewas !== undefined && !asked && { reloadSeconds: RELOAD_SECONDS }),
  };
}

function amountIn(written: string | undefined): number | undefined {
  return written === undefined ? undefined : z.safeParse(TypedAmount, written).data;
}

/**
 * The newest waiting payments, and one page of the typed amount with proven payments first, so that every match is
 * found.
 */
async function listArrived(
  { merchant, query }: MerchantVisit,
  outside: Outside,
  shift: Shift,
  amountPesewas: number | undefined,
): Promise<{ arrived: Receipt[]; next: string | null }> {
  const between = arrivedIn(outside, shift);
  const [{ receipts }, own] = await Promise.all([
    listReceipts(outside, merchant.merchant_id, 'held', { between, newestFirst: true, limit: MAX_ARRIVED }),
    amountPesewas === undefined
      ? { receipts: [], next: undefined }
      : listHeldOfAmount(outside, merchant, amountPage(query, between, amountPesewas)),
  ]);
  const others = receipts.filter(({ amount_pesewas }) => amount_pesewas !== amountPesewas);
  return { arrived: [...own.receipts, ...others], next: own.next === undefined ? null : String(own.next) };
}

function arrivedIn(outside: Outside, shift: Shift): AmountPage['between'] {
  return receivedBetween({ fromMs: Date.parse(takenSince(outside, shift)), toMs: outside.now() + AHEAD_MS });
}

/** @throws PublicError `invalid_request`. */
function amountPage(
  { cursor = '0' }: MerchantVisit['query'],
  between: AmountPage['between'],
  amountPesewas: number,
): AmountPage {
  if (!/^\d{1,4}$/.test(cursor))
    throw invalidRequest([{ field: 'cursor', message: 'must be that of a link to the next page' }]);
  return { amountPesewas, between, from: Number(cursor), limit: MAX_ARRIVED };
}

async function listTaken(outside: Outside, till: Till, { shift_id }: Shift): Promise<Charge[]> {
  const { entries: takes } = await takeRows.page(outside, till, { newestFirst: true, limit: MAX_TAKEN });
  const own = takes.filter((take) => take.shift_id === shift_id);
  return own.length > 0
    ? getCharges(
        outside,
        own.map(({ reference }) => reference),
      )
    : [];
}

/** Changes with arrived payments, their proof, taken payments, and charges opened and paid at the sticker. */
export async function versionOfTill(
  { merchant, path, query }: MerchantVisit<'till'>,
  outside: Outside,
): Promise<string> {
  const { merchant_id } = merchant;
  const till = await requireTill(outside, merchant_id, path.till);
  const { shift } = till;
  const amountPesewas = amountIn(query.amount);
  const ofAmount =
    shift && amountPesewas !== undefined ? amountPage(query, arrivedIn(outside, shift), amountPesewas) : undefined;
  const [arrived, { entries: takes }, scanned] = await Promise.all([
    versionOfArrived(outside, merchant, MAX_ARRIVED, ofAmount),
    takeRows.page(outside, till, { newestFirst: true, limit: 1 }),
    listStickerCharges(outside, till, { amountPesewas }),
  ]);
  const done = query.taken === undefined ? undefined : await getCharge(outside, query.taken, merchant_id);
  const facts = [...scanned, ...(done ? [done] : [])].map((charge) => [
    ...[charge.reference, statusOf(outside, charge), charge.disputed !== undefined, isPaidUnproven(charge)],
    ...[paymentsOf(charge).length, greenOf(outside, merchant, charge)?.mayLeave, isHandedOut(charge)],
  ]);
  return `${arrived}-${Date.parse(takes[0]?.at ?? '') || 0}-${pageVersion(outside, facts)}`;
}

/** If the cashier has typed the amount due, other amounts do not turn green: a customer may have typed less. */
function isDue({ amount_pesewas }: Charge, amountPesewas: number | undefined): boolean {
  return amountPesewas === undefined || amount_pesewas === amountPesewas;
}

/**
 * Payments just made by a tap or at the sticker, visible across the counter and audible. Two customers may be waiting.
 */
function greens(visit: MerchantVisit<'till'>, outside: Outside, charges: readonly Charge[]): Html {
  const now = nowIso(outside);
  const shown = charges.flatMap((charge) => greenOf(outside, visit.merchant, charge) ?? []);
  return html`${shown.map((green) => greenBox(visit, green, { now, age: age(outside, green.charge.paid_at ?? '') }))}`;
}

function greenBox(visit: MerchantVisit<'till'>, green: Green, { now, age }: { now: string; age: Html }): Html {
  const { charge, until, arrivedPesewas } = green;
  const { amount } = shownOf(charge, arrivedPesewas);
  const words = greenWords(visit, green);
  // A tap's take is already counted. At the sticker, an unverified payment needs a tap on Handed out first.
  const isAsked = takeOf(charge) === undefined && green.isUnproven;
  const look = isAsked || !green.mayLeave || green.missingPesewas > 0;
  return html`<div class="till-green${look && ' look'}" data-chime="${charge.reference}" data-until="${until}" data-now="${now}" role="status">${icon(look ? icons.fault : icons.check)}<p><b>${amount}</b>${words.map((word) => html`<strong>${word}</strong>`)}<span>${payerOf(charge)} · ${age}</span></p>
${takeOf(charge) === undefined && green.mayLeave && handOutForm(visit, charge)}</div>`;
}

/** Warnings for the cashier, besides the amount that arrived. */
function greenWords(
  { user }: MerchantVisit<'till'>,
  { charge, tooMuchPesewas, missingPesewas, isUnproven, mayLeave }: Green,
): string[] {
  const tooMuch = shownOf(charge, tooMuchPesewas);
  const why = paymentsOf(charge).every(isOfNewWallet) ? 'New wallet' : NOT_PROVEN;
  return [
    ...(missingPesewas > 0 ? [`${shownMoney(missingPesewas)} is missing`] : []),
    ...(tooMuchPesewas > 0
      ? [`${tooMuch.said} too much: ${tooMuch.doubt ? `${whereToLook(user, 'you give change')}` : 'give it back'}`]
      : []),
    ...(isUnproven && !mayLeave ? [`${why}: ${whereToLook(user)}`] : []),
    ...(isUnproven && mayLeave
      ? [
          takeOf(charge)
            ? 'Goods may leave: not verified, but within the shop’s limit'
            : `${NOT_PROVEN}: tap Handed out first`,
        ]
      : []),
  ];
}

/** A new wallet has too few receipts to verify payments; nothing is wrong with it. */
function isOfNewWallet({ proof }: Pick<Receipt, 'proof'>): boolean {
  return proof?.why === 'not_established';
}

/** People who may release goods check the wallet; others ask them. */
function whereToLook(user: Rights, before = 'the goods leave'): string {
  return may(user, 'receipts:assign')
    ? `look in your MoMo balance before ${before}`
    : `ask a manager to look in the MoMo balance before ${before}`;
}

/** A tap uses up the green, because the next customer may owe the same amount. */
function handOutForm(visit: MerchantVisit<'till'>, { reference }: Charge): Html {
  return form(visit, { path: '/{till}/hand-out', submit: 'Handed out', isSmall: true, carries: { reference } });
}

function payerOf(charge: Charge): string {
  return paymentsOf(charge).at(-1)?.payer_name ?? charge.reference;
}

function whoOf(charge: Charge): string {
  const payer = payerOf(charge);
  const { customer_note } = cameWith(charge);
  return customer_note === undefined ? payer : `${payer} · ${customer_note}`;
}

/** Charges opened at the sticker in this shift, with their payments. Unpaid ones disappear when their time is over. */
function stickerSection(visit: MerchantVisit<'till'>, outside: Outside, scanned: readonly Charge[]): Html {
  const isPaid = (charge: Charge) => paymentsOf(charge).length > 0;
  const paid = scanned.filter((charge) => isPaid(charge) && charge.state !== 'pending').slice(0, MAX_SCANNED);
  // Partly paid charges come first, because their customers are still there.
  const partly = scanned.filter((charge) => isPaid(charge) && charge.state === 'pending').slice(0, MAX_SCANNED);
  const open = scanned.filter((charge) => !isPaid(charge) && statusOf(outside, charge) === 'pending');
  const unpaid = [...partly, ...open.slice(0, MAX_SCANNED)];
  const list = (heading: string, charges: readonly Charge[]) =>
    charges.length > 0 &&
    html`<h3>${heading}</h3><ul class="till-list" role="list">${charges.map((charge) => scannedOne(visit, outside, charge))}</ul>`;
  const nothing = html`<p class="hint">Nobody has scanned it in this shift. What a customer opens shows here by itself.</p>`;
  return html`<section><h2>Scanned at the sticker</h2>
${refreshed(html`${list('Paid', paid)}${list('Still to pay', unpaid)}${paid.length + unpaid.length === 0 && nothing}`)}
<p class="actions"><a href="${tillAddress(visit.path.till)}">Look again</a></p></section>`;
}

function scannedOne(visit: MerchantVisit<'till'>, outside: Outside, charge: Charge): Html {
  const handsOut =
    mayBeHandedOut(charge) &&
    typeof mayLeave(outside, visit.merchant, charge) !== 'string' &&
    !greenOf(outside, visit.merchant, charge);
  const at = charge.paid_at ?? charge.created_at;
  return html`<li><div class="till-one">${rowOf(outside, { amount: shownMoney(charge.amount_pesewas), who: whoOf(charge), at, said: stickerWords(charge), ...ofPaid(charge) })}</div>
${handsOut && handOutForm(visit, charge)}</li>`;
}

interface TillLine extends Pick<ShownPayment, 'doubt'> {
  readonly amount: string;
  readonly who: string;
  readonly at: string;
  readonly said: readonly [Tone, string];
}

/** A payment or charge in a till's list: amount, payer, time and remark. */
function rowOf(outside: Outside, { amount, doubt, who, at, said }: TillLine): Html {
  const isSaid = doubt !== undefined && (said[1] === doubt.badge || said[1] === NOT_PROVEN);
  return html`<b class="number">${amount}</b><span class="till-who">${who}</span><span class="hint">${age(outside, at)}</span><span class="pills">${!isSaid && pill(...said)}${doubtPill({ doubt })}</span>`;
}

/** The badge of a charge's payments; empty without any. */
function ofPaid(charge: Charge): Pick<ShownPayment, 'doubt'> {
  const { pesewas, doubt } = shownPaid(charge);
  return { doubt: pesewas > 0 ? doubt : undefined };
}

function stickerWords(charge: Charge): readonly [Tone, string] {
  const { state, disputed } = charge;
  if (state === 'reversed') return ['bad', 'Taken back'];
  if (disputed) return ['look', 'In doubt'];
  if (isHandedOut(charge)) return ['plain', 'Handed out'];
  const missing = missingPesewas(charge);
  if (state === 'success' && missing > 0) return ['look', `${shownMoney(missing)} is missing`];
  if (state === 'success') return isPaidUnproven(charge) ? ['look', NOT_PROVEN] : ['good', 'Paid'];
  const { pesewas, amount } = shownPaid(charge);
  return pesewas > 0 ? ['look', `Only ${amount} paid`] : ['waiting', 'Not paid yet'];
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0'];

function keypad({ here, refused, query }: MerchantVisit<'till'>): Html {
  const typed = refused?.typed.amount ?? query.amount;
  const isWrong = typed !== undefined;
  return html`<form class="till-keys" method="get" action="${here.split('?')[0]}">
<p class="field"><label for="amount">Amount in cedis</label>
<input id="amount" name="amount" inputmode="decimal" autocomplete="off" required maxlength="10" value="${typed}"${isWrong && raw(' aria-invalid="true" aria-describedby="amount-error"')}></p>
${isWrong && html`<p class="fault" id="amount-error">Type an amount, such as 36 or 36.50.</p>`}
<div class="keys" data-keys${raw(' hidden')}>${KEYS.map((key) => html`<button type="button" class="plain button" data-key="${key}">${key}</button>`)}<button type="button" class="plain button" data-key="delete" aria-label="Delete">${icon(icons.back)}</button></div>
<button class="button">Show payments</button>
</form>`;
}

function due({ momo_accounts }: Merchant, { till_id }: Till, amountPesewas: number): Html {
  return html`<div class="till-due"><p class="till-amount">${shownMoney(amountPesewas)}</p>
${momo_accounts.map(({ number, network, account_name }) => html`<p><span class="hint">${networks[network].name} · ${account_name}</span><b class="till-number">${shownNumber(number)}</b></p>`)}
<p class="actions"><a class="plain button" href="${tillAddress(till_id)}">Another amount</a></p></div>`;
}

/**
 * Asks who paid before a payment is taken, if a customer has scanned for the same amount: only the customer at the
 * counter knows. No answer is preselected.
 */
async function askedOf(
  visit: MerchantVisit<'till'>,
  outside: Outside,
  till: Till,
  { shift, amountPesewas }: Omit<Arrived, 'arrived'>,
): Promise<Html | undefined> {
  const { merchant, query, user } = visit;
  if (query.receipt === undefined || amountPesewas === undefined) return undefined;
  const open = await listOpenAtSticker(outside, till, amountPesewas);
  if (open.length === 0) return undefined;
  const reader = readerOf(user);
  const found = await requireReceipt(outside, merchant.merchant_id, query.receipt, reader).catch(unlessTaken);
  if (found === undefined) return undefined;
  const tapped = receiptFor(reader, found);
  const choice = (value: string, label: Html | string) =>
    html`<p class="tick"><label><input type="radio" name="scanned" value="${value}" required> <span>${label}</span></label></p>`;
  const amount = shownMoney(amountPesewas);
  return html`<section><h2>${amount} from ${tapped.payer_name ?? 'an unknown payer'}</h2>
<form method="post" action="${visit.addressOf('/{till}/take')}" data-till>
${takeFields(visit, tapped, shift, amountPesewas)}
<fieldset><legend>Did this customer scan the sticker?</legend>
<p class="hint">Their page shows the reference. Whoever else scanned for as much still has to pay.</p>
${open.map((charge) => choice(charge.reference, scannedWords(outside, charge)))}
${choice('no', 'No')}</fieldset>
<button class="button">Take ${amount}</button>
</form>
<p class="actions"><a class="plain button" href="${tillAddress(till.till_id)}?amount=${fieldAmount(amountPesewas)}">Back</a></p></section>`;
}

function scannedWords(outside: Outside, charge: Charge): Html {
  const { customer_note } = cameWith(charge);
  return html`Yes: ${customer_note && html`${customer_note} · `}<span class="number">${charge.reference}</span> · ${age(outside, charge.created_at)}`;
}

/** A payment is found by its shown id digits only while it is held. */
function unlessTaken(error: unknown): undefined {
  if (!hasCode(error, 'not_found')) throw error;
}

/** The payment to take, and the shift that takes it. */
function takeFields(visit: MerchantVisit<'till'>, { receipt_id }: Receipt, shift: Shift, amountPesewas: number): Html {
  const { shift_id } = shift;
  return carried({ [ONCE]: visit.once, receipt: receipt_id, shift: shift_id, amount: fieldAmount(amountPesewas) });
}

interface Arrived {
  readonly arrived: readonly Receipt[];
  readonly shift: Shift;
  readonly amountPesewas: number | undefined;
}

/** Payments of this amount first. The others show the cashier that a payment came with another amount. */
function arrivedList(visit: MerchantVisit<'till'>, outside: Outside, { arrived, shift, amountPesewas }: Arrived): Html {
  if (arrived.length === 0)
    return html`<p class="hint">No payment waits here yet. One that arrives in this shift shows by itself: tap it to take it. A typed amount shows those of that amount first.</p>`;
  const isMeant = ({ amount_pesewas }: Receipt) => amount_pesewas === amountPesewas;
  const others = arrived.filter((one) => !isMeant(one)).slice(0, MAX_OTHERS);
  const ordered = [...arrived.filter(isMeant), ...others];
  const shown = ordered.map((receipt) => ({ receipt, why: whyNot(outside, receipt, shift, amountPesewas) }));
  const unproven = shown.filter(({ receipt, why }) => saidOf(receipt, why)[1] === NOT_PROVEN);
  return html`<ul class="till-list" role="list" data-now="${nowIso(outside)}">${shown.map(
    ({ receipt, why }) =>
      html`<li>${arrivedOne(visit, outside, receiptFor(readerOf(visit.user), receipt), { shift, why })}</li>`,
  )}</ul>${unproven.length > 0 && html`<p class="hint"><b>${NOT_PROVEN}</b>: ${unproven.every(({ receipt }) => isOfNewWallet(receipt)) ? 'your wallet is still new here' : 'the wallet’s other texts do not confirm it'}. A tap takes what is within the shop’s limit. To be sure: ${whereToLook(visit.user)}.</p>`}`;
}

/** A payment under check is offered once the check is over. */
function whyNot(outside: Outside, receipt: Receipt, shift: Shift, amountPesewas: number | undefined) {
  const since = takenSince(outside, shift);
  return whyNotTaken(receipt, { since, amountPesewas, isBeingChecked: isBeingChecked(outside, receipt) });
}

/** The list ends with an explanation of this badge. */
const NOT_PROVEN = 'Not verified';

/** A word or two in the list; a tap shows the full explanation. */
const WORDS: Readonly<Record<CannotTake, readonly [Tone, string]>> = {
  gone: ['bad', 'Not free'],
  other_amount: ['plain', 'Other amount'],
  before_shift: ['plain', 'Before this shift'],
  for_another: ['look', 'For a bill'],
  doubtful: ['look', 'For a manager'],
  checking: ['waiting', 'Being checked'],
  not_proven: ['look', NOT_PROVEN],
  limit: ['look', NOT_PROVEN],
  large: ['look', 'For a manager'],
};

function arrivedOne(
  visit: MerchantVisit<'till'>,
  outside: Outside,
  receipt: Receipt,
  { shift, why }: { readonly shift: Shift; readonly why: CannotTake | undefined },
): Html {
  const { amount_pesewas = 0, payer_name, received_at } = receipt;
  const shown = rowOf(outside, {
    ...shownReceipt(receipt),
    who: payer_name ?? 'Unknown payer',
    at: received_at,
    said: saidOf(receipt, why),
  });
  // A manager's decision opens the page with the evidence.
  if (why !== undefined && WORDS[why][0] === 'look' && may(visit.user, 'receipts:assign'))
    return html`<a class="till-one" href="${heldAddress(receipt.receipt_id)}">${shown}</a>`;
  if (why !== undefined) return html`<div class="till-one">${shown}</div>`;
  return html`<form method="post" action="${visit.addressOf('/{till}/take')}" data-till>
${takeFields(visit, receipt, shift, amount_pesewas)}
<button class="till-one">${shown}</button>
</form>`;
}

function saidOf({ proof, reason }: Receipt, why: CannotTake | undefined): readonly [Tone, string] {
  if (why !== undefined) return reason === 'reversed' ? ['bad', 'Taken back'] : WORDS[why];
  return proof?.state === 'proven' ? ['good', 'Verified'] : ['look', NOT_PROVEN];
}

function takenList(visit: MerchantVisit<'till'>, outside: Outside, taken: readonly Charge[]): Html {
  if (taken.length === 0) return html`<p class="hint">Nothing yet in this shift.</p>`;
  const who = { by: visit.user.user_id, mayAssign: may(visit.user, 'receipts:assign') };
  return html`<ul class="till-list" role="list">${taken.map((charge) => {
    const { reference, amount_pesewas, payment } = charge;
    const at = takeOf(charge)?.at ?? charge.created_at;
    return html`<li><a class="till-one" href="${receiptAddress(reference)}">${rowOf(outside, { amount: shownMoney(amount_pesewas), who: payment?.payer_name ?? reference, at, said: takenWords(charge), ...ofPaid(charge) })}</a>
${mayUndo(outside, charge, who) && form(visit, { path: '/{till}/undo', submit: `Undo ${shownMoney(amount_pesewas)}`, isSmall: true, carries: { reference } })}</li>`;
  })}</ul>`;
}

function takenWords(charge: Charge): readonly [Tone, string] {
  const { state, disputed } = charge;
  if (state === 'reversed') return ['bad', 'Taken back'];
  if (state === 'cancelled') return ['plain', 'Undone'];
  if (disputed) return ['look', 'In doubt'];
  return ['good', 'Taken'];
}

/** `scanned` is the customer's charge at the sticker, or `no`. Absent if nobody was asked. */
export const TakeForm = z.object({
  receipt: z.string(),
  shift: z.string(),
  amount: TypedAmount,
  scanned: z.optional(z.string()),
});

/** @throws PublicError `not_found`, `receipt_not_held`, `charge_not_pending`. */
export async function takeThis(visit: MerchantVisit<'till', typeof TakeForm>, outside: Outside): Promise<Going> {
  const { merchant, user, path, form: said, commit } = visit;
  const { receipt: receiptId, amount: amountPesewas, scanned } = said;
  const till = await requireTill(outside, merchant.merchant_id, path.till);
  if (scanned === undefined && (await listOpenAtSticker(outside, till, amountPesewas)).length > 0) {
    const asked = new URLSearchParams({ amount: fieldAmount(amountPesewas), receipt: receiptId });
    return { goTo: `${tillAddress(path.till)}?${asked}` };
  }
  const at = { till_id: path.till, shift_id: said.shift, by: user.user_id };
  const what = { receiptId, amountPesewas, reader: readerOf(user), scanned: scanned === 'no' ? undefined : scanned };
  return takePayment(outside, merchant, { ...at, ...what }, ({ reference, amount_pesewas }, writes) => {
    const goTo = `${tillAddress(path.till)}?taken=${reference}`;
    const entry = {
      action: 'till take',
      about: reference,
      after: { till: path.till, amount: amount_pesewas / 100, ...(what.scanned && { scanned: what.scanned }) },
    };
    return commit(writes, { goTo }, entry);
  });
}

export const HandOutForm = z.object({ reference: z.string() });

/** @throws PublicError `not_found`, `charge_not_pending`, `busy`. */
export function handOutThis(visit: MerchantVisit<'till', typeof HandOutForm>, outside: Outside): Promise<Going> {
  const { merchant, user, path, form: said, commit } = visit;
  const at = { till_id: path.till, by: user.user_id };
  return handOut(outside, merchant, { ...at, reference: said.reference }, (charge, writes) => {
    const going = { goTo: tillAddress(path.till), notice: `Handed out: ${shownPaid(charge).said}.` };
    return commit(writes, going, { action: 'till hand-out', about: charge.reference, after: { till: path.till } });
  });
}

export const UndoForm = z.object({ reference: z.string() });

/** @throws PublicError `not_found`, `charge_not_pending`. */
export async function undoThis(visit: MerchantVisit<'till', typeof UndoForm>, outside: Outside): Promise<Going> {
  const { merchant, user, path, form: said, commit } = visit;
  const who = { by: user.user_id, mayAssign: may(user, 'receipts:assign') };
  // Proof may arrive at the same moment.
  return retryIfChanged(async () => {
    const { charge, writes } = await undoPayment(outside, merchant.merchant_id, said.reference, who);
    const amount = shownMoney(charge.amount_pesewas);
    const notice = `${amount} is undone: the payment waits again. Do not hand out goods for it.`;
    const going = { goTo: tillAddress(path.till), notice };
    return commit(writes, going, {
      action: 'till undo',
      about: charge.reference,
      after: { till: charge.origin.till_id },
    });
  });
}
