import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { nowIso, type Outside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { Page, TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { setGoods } from '../charge/change-charge.table.ts';
import { type Charge, getCharge, madeBetween } from '../charge/charge.table.ts';
import { statusOf } from '../charge/charge.ts';
import { findCharges } from '../charge/lookup.table.ts';
import { decideRelease } from '../goods/decide-release.ts';
import { UnprovenLimitReached } from '../goods/unproven.table.ts';
import { findLink } from '../link/link.table.ts';
import { hasEnded } from '../link/link.ts';
import { makeLink } from '../link/make-link.ts';
import { CLOCK_TOLERANCE_MS } from '../matching/match.ts';
import { paymentsOf } from '../payment/payment.ts';
import { isHandedOut, mayBeHandedOut } from './green.ts';
import { isOfSticker, listOfAmount, MAX_OPENED, stickerLiveSince } from './scanned.ts';
import { requireOpen } from './shift.ts';
import { type AtTill, cannotTake } from './take.ts';
import { ShiftChanged, setSticker, stickersOf, type Till, whileShiftIs } from './till.table.ts';

/**
 * Creates a till's sticker: a payment link, printed as a QR code, where the customer types the amount. Its charges are
 * never matched by name, because strangers open them. Returns no writes if the till already has an active sticker. A
 * new sticker keeps the previous minimum amount.
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
    const last = till.sticker === undefined ? undefined : await findLink(outside, till.sticker);
    if (last && !hasEnded(outside, last)) return commit(last.slug, till, []);
    const min_amount = last?.min_pesewas ?? MIN_STICKER_PESEWAS;
    const asked = { title: till.name, description: 'Type the amount that the cashier tells you.', min_amount };
    return makeLink(outside, merchant, { ...asked, till: till.till_id }, ({ slug }, writes) =>
      commit(slug, till, [...writes, setSticker(till, slug)]),
    );
  });
}

const MIN_STICKER_PESEWAS = 100;

/** Returns the slug of a till's active sticker, or undefined once its link has ended. */
export async function liveSticker(outside: Outside, { sticker }: Pick<Till, 'sticker'>): Promise<string | undefined> {
  const link = sticker === undefined ? undefined : await findLink(outside, sticker);
  return link && !hasEnded(outside, link) ? sticker : undefined;
}

const MAX_PAID = 40;

/**
 * Lists a shift's charges at a till's stickers, newest first: all paid charges, the last few opened ones, and those for
 * a given amount. A flood of opened charges cannot hide paid ones. Eventually consistent.
 */
export async function listStickerCharges(
  outside: Outside,
  till: Till,
  { since = stickerLiveSince(outside), amountPesewas }: { since?: string; amountPesewas?: number | undefined } = {},
): Promise<Charge[]> {
  const live = stickerLiveSince(outside);
  const between = madeBetween({
    fromMs: Date.parse(since < live ? since : live),
    toMs: outside.now() + CLOCK_TOLERANCE_MS,
  });
  const newest = { between, newestFirst: true } as const;
  const pages = await Promise.all(
    stickersOf(till)
      .slice(-2)
      .flatMap((slug) => [
        listPaidAtSticker(outside, till.merchant_id, slug, { ...newest, limit: MAX_PAID }),
        findCharges(outside, till.merchant_id, [`link:${slug}`], { ...newest, limit: MAX_OPENED }),
      ]),
  );
  const ofAmount = amountPesewas === undefined ? [] : await listOfAmount(outside, till, amountPesewas);
  const all = [...ofAmount, ...pages.flatMap(({ entries }) => entries)];
  return [...new Map(all.map((charge) => [charge.reference, charge])).values()]
    .filter((charge) => (charge.paid_at ?? charge.created_at) >= since || statusOf(outside, charge) === 'pending')
    .toSorted((one, other) => (lastOf(one) < lastOf(other) ? 1 : -1));
}

function lastOf(charge: Charge): string {
  return paymentsOf(charge).at(-1)?.received_at ?? charge.created_at;
}

export function listPaidAtSticker(outside: Outside, merchantId: string, sticker: string, page: Page) {
  return findCharges(outside, merchantId, [`paid_at_link:${sticker}`], page);
}

/**
 * Records that the cashier on shift handed over the goods for a sticker's charge. Possible once per charge. An
 * unverified payment counts towards the daily limit.
 * @throws PublicError `not_found`, `charge_not_pending`, `receipt_not_held` with a reason from `cannotTake`, `busy`,
 * ShiftChanged.
 */
export function handOut<Result>(
  outside: Outside,
  merchant: Merchant,
  { till_id, by, reference }: Pick<AtTill, 'till_id' | 'by'> & Pick<Charge, 'reference'>,
  commit: (charge: Charge, writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  return retryIfChanged(async () => {
    const till = await requireOpen(outside, merchant.merchant_id, till_id);
    if (till.shift?.by !== by) throw new ShiftChanged();
    const charge = await getCharge(outside, reference, merchant.merchant_id);
    const goods = charge?.goods;
    if (!charge || !isOfSticker(till, charge) || goods?.kind !== 'counter')
      throw new PublicError('not_found', 'This bill was not paid using this till’s sticker.');
    if (!mayBeHandedOut(charge))
      throw new PublicError(
        'charge_not_pending',
        isHandedOut(charge)
          ? 'The goods for this payment have been handed over. Do not hand over goods for it again.'
          : 'This bill is unpaid, in doubt or being refunded. Do not hand over goods for it.',
      );
    const leaving = decideRelease(outside, merchant, charge, 'till');
    if (typeof leaving === 'string') throw new PublicError('receipt_not_held', cannotTake.not_proven);
    const given = { ...goods, state: 'given', by, at: nowIso(outside) } as const;
    const counts = await leaving.count(outside);
    const writes = [setGoods({ ...charge, goods }, given, leaving.counted), whileShiftIs(till), ...counts];
    return commit(charge, writes).catch((error) => {
      throw error instanceof UnprovenLimitReached ? new PublicError('receipt_not_held', cannotTake.limit) : error;
    });
  });
}
