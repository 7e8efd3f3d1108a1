import { html } from 'hono/html';
import * as z from 'zod/mini';
import { wholeMoney } from '../../../ghana/money.ts';
import { fieldAmount, TypedAmount } from '../../../ghana/typed.ts';
import { type Charge, getCharge, getCharges } from '../../../money/charge/charge.table.ts';
import { statusOf } from '../../../money/charge/charge.ts';
import { isPaidUnproven, isSuspected } from '../../../money/payment/backing.ts';
import { paymentsOf } from '../../../money/payment/payment.ts';
import { shownPaid } from '../../../money/payment/shown-payment.ts';
import {
  type AmountPage,
  listHeldOfAmount,
  listReceipts,
  receivedBetween,
  versionOfArrived,
} from '../../../money/receipt/receipt.table.ts';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import { requireReceipt } from '../../../money/settling/assign-receipt.ts';
import { greenOf, isHandedOut } from '../../../money/till/green.ts';
import { listOpenAtSticker } from '../../../money/till/scanned.ts';
import { handOut, listStickerCharges } from '../../../money/till/sticker.ts';
import { mayUndo, takenSince, takePayment, undoPayment } from '../../../money/till/take.ts';
import { requireTill, type Shift, type Till, takeRows } from '../../../money/till/till.table.ts';
import { redirect } from '../../../runtime/http/answer.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../../runtime/table/contention.ts';
import { MINUTE_MS } from '../../../runtime/values/calendar.ts';
import { hasCode, invalidRequest } from '../../../runtime/values/errors.ts';
import { readerOf } from '../charges/reader.ts';
import { undoerOf } from '../charges/undoer.ts';
import type { Outcome } from '../page.ts';
import { TILL, tillAddress } from '../parts/addresses.ts';
import { pageVersion } from '../parts/page-version.ts';
import type { Going, MerchantVisit, RefusedForm } from '../parts/visit.ts';
import { renderTill } from './till-template.ts';
import { type TillRows, tillView } from './till-view.ts';

/** Maximum number of received payments to show, newest first. */
const MAX_ARRIVED = 12;
const MAX_TAKEN = 10;
/** Number of recently taken payments to watch for disputes, while their customers may still be nearby. */
const MAX_WATCHED = 3;
const WATCHED_MS = 10 * MINUTE_MS;
/** Seconds between reloads without JavaScript. */
const RELOAD_SECONDS = 5;
/**
 * Seconds between refreshes while a payment is expected. Otherwise, the page refreshes every three seconds. Over a
 * shift, this costs no more than refreshing every two seconds.
 */
const SOON_SECONDS = 0.7;

/** Tolerance for a phone whose clock is ahead. */
const AHEAD_MS = MINUTE_MS;

export async function showTill(visit: MerchantVisit<'till'>, outside: Outside): Promise<Outcome> {
  const { merchant, user, path, query, refused } = visit;
  const till = await requireTill(outside, merchant.merchant_id, path.till);
  const { shift } = till;
  if (shift?.by !== user.user_id && !refused) return redirect(TILL, 303);
  // Show the error here if the shift has ended, because no other action is possible.
  if (shift?.by !== user.user_id)
    return { title: till.name, main: html`<p><a class="button" href="${TILL}">Back to the tills</a></p>` };
  const typed = refused?.typed.amount ?? query.amount;
  const amountPesewas = amountIn(typed);
  const [{ arrived, next }, taken, scanned] = await Promise.all([
    listArrived(visit, outside, shift, amountPesewas),
    listTaken(outside, till, shift),
    listStickerCharges(outside, till, { since: takenSince(outside, shift), amountPesewas }),
  ]);
  const question = refused ? undefined : await findQuestion(visit, outside, till, amountPesewas);
  const shown = { typed, amountPesewas, arrived, taken, scanned, question };
  const at = { merchant, user, till, shift, justTaken: query.taken, refused: refused && refusalIn(refused) };
  const view = tillView(outside, { ...at, ...shown });
  return {
    title: till.name,
    main: renderTill(visit, outside, view, next),
    script: 'till.js',
    ...(view.step.kind === 'due' && { reloadSeconds: RELOAD_SECONDS }),
    ...(view.isPaymentExpected && { soonSeconds: SOON_SECONDS }),
  };
}

/** Returns the error of a tap or another form. The page itself shows a tap's error, in place of the amount. */
function refusalIn(refused: RefusedForm): NonNullable<TillRows['refused']> {
  const tapped = refused.path === '/{till}/take' && refused.errors.length === 0 ? refused.typed.receipt : undefined;
  refused.isShown = tapped !== undefined;
  return { tapped, message: refused.message };
}

function amountIn(written: string | undefined): number | undefined {
  return written === undefined ? undefined : z.safeParse(TypedAmount, written).data;
}

/** Lists the newest waiting payments, and a page of payments with the typed amount, verified ones first. */
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

function amountPage(
  { cursor = '0' }: MerchantVisit['query'],
  between: AmountPage['between'],
  amountPesewas: number,
): AmountPage {
  if (!/^\d{1,4}$/.test(cursor))
    throw invalidRequest([{ field: 'cursor', message: 'must be the cursor from a link to the next page' }]);
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

/** Returns a version that changes with the till's payments and sticker charges, and when a tap can no longer be undone. */
export async function versionOfTill(
  { merchant, user, path, query }: MerchantVisit<'till'>,
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
    takeRows.page(outside, till, { newestFirst: true, limit: MAX_WATCHED }),
    listStickerCharges(outside, till, { amountPesewas }),
  ]);
  const watched = takes.filter(({ at }) => Date.parse(at) > outside.now() - WATCHED_MS);
  const references = [...new Set([query.taken ?? [], watched.map(({ reference }) => reference)].flat())];
  const taken = await Promise.all(references.map((reference) => getCharge(outside, reference, merchant_id)));
  const facts = [...scanned, ...taken.flatMap((charge) => charge ?? [])].map((charge) => [
    ...[
      charge.reference,
      statusOf(outside, charge),
      charge.disputed !== undefined,
      isSuspected(charge),
      isPaidUnproven(charge),
    ],
    ...[paymentsOf(charge).length, greenOf(outside, merchant, charge)?.mayLeave, isHandedOut(charge)],
    mayUndo(outside, charge, undoerOf(user)),
  ]);
  return `${arrived}-${Date.parse(takes[0]?.at ?? '') || 0}-${pageVersion(outside, facts)}`;
}

/** Finds the sticker charges that a tapped payment's payer may have opened. Returns undefined if there are none. */
async function findQuestion(
  { merchant, query, user }: MerchantVisit<'till'>,
  outside: Outside,
  till: Till,
  amountPesewas: number | undefined,
): Promise<TillRows['question']> {
  if (query.receipt === undefined || amountPesewas === undefined) return undefined;
  const open = await listOpenAtSticker(outside, till, amountPesewas);
  if (open.length === 0) return undefined;
  const reader = readerOf(user);
  const tapped = await requireReceipt(outside, merchant.merchant_id, query.receipt, reader).catch(unlessTaken);
  return tapped && { tapped, open };
}

/** Ignores a `not_found` error: shortened payment ids work only while the payment is held. */
function unlessTaken(error: unknown): undefined {
  if (!hasCode(error, 'not_found')) throw error;
}

/** `scanned` is the sticker charge that the cashier chose, or `no`. Missing if the cashier was not asked. */
export const TakeForm = z.object({
  receipt: z.string(),
  shift: z.string(),
  amount: TypedAmount,
  scanned: z.optional(z.string()),
});

/** @throws PublicError `not_found`, `receipt_not_held`, `charge_not_pending`. */
export async function takeThis(visit: MerchantVisit<'till', typeof TakeForm>, outside: Outside): Promise<Going> {
  const { merchant, user, path, form: given, commit } = visit;
  const { receipt: receiptId, amount: amountPesewas, scanned } = given;
  const till = await requireTill(outside, merchant.merchant_id, path.till);
  if (scanned === undefined && (await listOpenAtSticker(outside, till, amountPesewas)).length > 0) {
    const asked = new URLSearchParams({ amount: fieldAmount(amountPesewas), receipt: receiptId });
    return { goTo: `${tillAddress(path.till)}?${asked}` };
  }
  const at = { till_id: path.till, shift_id: given.shift, by: user.user_id };
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
  const { merchant, user, path, form: given, commit } = visit;
  const at = { till_id: path.till, by: user.user_id };
  return handOut(outside, merchant, { ...at, reference: given.reference }, (charge, writes) => {
    const going = { goTo: tillAddress(path.till), notice: `Handed over: ${shownPaid(charge).amountText}.` };
    return commit(writes, going, { action: 'till hand-out', about: charge.reference, after: { till: path.till } });
  });
}

export const UndoForm = z.object({ reference: z.string() });

/** @throws PublicError `not_found`, `charge_not_pending`. */
export async function undoThis(visit: MerchantVisit<'till', typeof UndoForm>, outside: Outside): Promise<Going> {
  const { merchant, user, path, form: given, commit } = visit;
  const who = undoerOf(user);
  // The payment may be verified at the same moment.
  return retryIfChanged(async () => {
    const { charge, writes } = await undoPayment(outside, merchant.merchant_id, given.reference, who);
    const amount = wholeMoney(charge.amount_pesewas);
    const notice = `${amount} was undone, and the payment is waiting again. Do not hand over goods for it.`;
    const going = { goTo: tillAddress(path.till), notice };
    return commit(writes, going, {
      action: 'till undo',
      about: charge.reference,
      after: { till: charge.origin.till_id },
    });
  });
}
