import type { Merchant } from '../../merchants/merchant/merchant.ts';
import type { Outside, TimedOutside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { Page, TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { mayLeave } from '../goods/may-leave.ts';
import { UnprovenLimitReached } from '../goods/unproven.table.ts';
import { findLink } from '../link/link.table.ts';
import { hasEnded } from '../link/link.ts';
import { makeLink } from '../link/make-link.ts';
import { OPENED_LIFETIME_SECONDS } from '../link/open-charge.ts';
import { markHandedOut } from '../transaction/change-transaction.table.ts';
import { findTransactions } from '../transaction/lookup.table.ts';
import type { HandOut } from '../transaction/payment.ts';
import { getTransaction, madeBetween, type Transaction } from '../transaction/transaction.table.ts';
import { statusOf } from '../transaction/transaction.ts';
import { mayBeHandedOut } from './green.ts';
import { requireOpen } from './shift.ts';
import { cannotTake } from './take.ts';
import { ShiftChanged, setSticker, stickersOf, type Till, whileShiftIs } from './till.table.ts';

/**
 * The sticker of a till: a payment link of its own, printed as a QR code, where a customer types the amount that the cashier says. What is
 * opened there a stranger opened, and no name pays it. A till has one: the writes are none where it has one that has not ended.
 * @throws PublicError `not_found`, `busy`.
 */
export function makeSticker<Result>(
  outside: Outside,
  merchant: Merchant,
  tillId: string,
  commit: (slug: string, till: Till, writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  return retryIfChanged(async () => {
    const till = await requireOpen(outside, merchant.merchant_id, tillId);
    const sticker = await liveSticker(outside, till);
    if (sticker !== undefined) return commit(sticker, till, []);
    const request = { title: till.name, description: 'Type the amount that the cashier says.' };
    return makeLink(
      outside,
      merchant,
      request,
      ({ slug }, writes) => commit(slug, till, [...writes, setSticker(till, slug)]),
      { till: till.till_id },
    );
  });
}

/** The slug of a till's sticker; undefined where it has none, or somebody has ended its link, as where a printed one was lost. */
export async function liveSticker(outside: Outside, { sticker }: Pick<Till, 'sticker'>): Promise<string | undefined> {
  const link = sticker === undefined ? undefined : await findLink(outside, sticker);
  return link && !hasEnded(outside, link) ? sticker : undefined;
}

/** More than customers at one counter pay in half an hour. */
const MAX_PAID = 40;
/** Who scans stands there: the newest are meant, and a flood of them costs no more. */
const MAX_OPENED = 8;

/**
 * The charges of a till's sticker, and of the one before it, the newest first: those that somebody has paid for, and the last few that were
 * opened; of a shift's beginning (ISO) on, and those from before it that may still be paid, or were paid in it. However many a stranger
 * opens, what was paid shows. From rows that are a second behind.
 */
export async function listStickerCharges(
  outside: Outside,
  till: Till,
  since = stickerLiveSince(outside),
): Promise<Transaction[]> {
  const live = stickerLiveSince(outside);
  const between = madeBetween({ fromMs: Date.parse(since < live ? since : live), toMs: outside.now() });
  const newest = { between, newestFirst: true } as const;
  const pages = await Promise.all(
    stickersOf(till)
      .slice(-2)
      .flatMap((slug) => [
        listPaidAtSticker(outside, till.merchant_id, slug, { ...newest, limit: MAX_PAID }),
        findTransactions(outside, till.merchant_id, [`link:${slug}`], { ...newest, limit: MAX_OPENED }),
      ]),
  );
  const charges = new Map(pages.flatMap(({ entries }) => entries.map((charge) => [charge.reference, charge])));
  return [...charges.values()]
    .filter((charge) => (charge.paid_at ?? charge.created_at) >= since || statusOf(outside, charge) === 'pending')
    .toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1));
}

/** Of the charges of an amount that were made in the last half hour, so many are looked through for those of a sticker. */
const MAX_OF_AMOUNT = 100;

/** The charges of an amount that wait to be paid at a till's sticker, the newest first: any of them may be the customer's who paid without its reference. */
export async function listOpenAtSticker(outside: Outside, till: Till, amountPesewas: number): Promise<Transaction[]> {
  if (stickersOf(till).length === 0) return [];
  const between = madeBetween({ fromMs: Date.parse(stickerLiveSince(outside)), toMs: outside.now() });
  const page = { between, newestFirst: true, limit: MAX_OF_AMOUNT } as const;
  const { entries } = await findTransactions(outside, till.merchant_id, [`amount:${amountPesewas}`], page);
  return entries.filter((charge) => isOpenAt(outside, till, charge, amountPesewas)).slice(0, MAX_OPENED);
}

/** Whether a charge of an amount was opened at a till's sticker, and nobody has paid for it yet. */
export function isOpenAt(outside: Outside, till: Till, charge: Transaction, amountPesewas: number): boolean {
  const isOfTill = charge.link !== undefined && stickersOf(till).includes(charge.link);
  const isUnpaid = statusOf(outside, charge) === 'pending' && !charge.parts?.length && !charge.disputed;
  return isOfTill && isUnpaid && charge.amount_pesewas === amountPesewas;
}

/** A page of the charges of a sticker that somebody has paid for, in the order in which they were opened. */
export function listPaidAtSticker(outside: Outside, merchantId: string, sticker: string, page: Page) {
  return findTransactions(outside, merchantId, [`paid_at_link:${sticker}`], page);
}

/** From when on (ISO) a charge that was opened may still change by being paid: its life, and time for the text of its payment. */
function stickerLiveSince({ now }: Pick<TimedOutside, 'now'>): string {
  return new Date(now() - (OPENED_LIFETIME_SECONDS + 10 * 60) * 1000).toISOString();
}

/**
 * Notes that a cashier handed out the goods for a charge of the till's sticker, in the cashier's shift: once, whoever taps, so that no
 * payment is shown to a cashier for two customers. Where the payment is proven nothing is missing without the tap; where it is not, the tap counts
 * it in the day's limit.
 * @throws PublicError `not_found`, `charge_not_pending`, `receipt_not_held` with the words of `cannotTake`, `busy`, ShiftChanged.
 */
export function handOut<Result>(
  outside: Outside,
  merchant: Merchant,
  { till_id, by }: Pick<HandOut, 'till_id' | 'by'>,
  reference: string,
  commit: (charge: Transaction, writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  return retryIfChanged(async () => {
    const till = await requireOpen(outside, merchant.merchant_id, till_id);
    if (till.shift?.by !== by) throw new ShiftChanged();
    const charge = await getTransaction(outside, reference, merchant.merchant_id);
    if (charge?.link === undefined || !stickersOf(till).includes(charge.link))
      throw new PublicError('not_found', 'This was not paid at this till’s sticker.');
    if (!mayBeHandedOut(charge))
      throw new PublicError(
        'charge_not_pending',
        charge.handed_out
          ? 'The goods for this payment have been handed out. Do not hand out goods for it again.'
          : 'This is not paid, is in doubt, or goes back. Do not hand out goods for it.',
      );
    const leaving = mayLeave(outside, merchant, charge);
    if (typeof leaving === 'string') throw new PublicError('receipt_not_held', cannotTake.not_proven);
    const handedOut = { till_id, by, at: new Date(outside.now()).toISOString() };
    const writes = [markHandedOut(charge, handedOut, leaving.counted), whileShiftIs(till), ...leaving.writes];
    return commit(charge, writes).catch((error) => {
      throw error instanceof UnprovenLimitReached ? new PublicError('receipt_not_held', cannotTake.limit) : error;
    });
  });
}
