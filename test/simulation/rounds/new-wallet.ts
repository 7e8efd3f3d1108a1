import { handler as housekeeping } from '../../../functions/work/housekeeping.ts';
import { arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import { changeMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import {
  DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS,
  DEFAULT_NEW_WALLET_DAILY_LIMIT_PESEWAS,
  type Merchant,
} from '../../../shared/merchants/merchant/merchant.ts';
import { decideRelease } from '../../../shared/money/goods/decide-release.ts';
import { UnprovenLimitReached } from '../../../shared/money/goods/unproven.table.ts';
import type { Payment } from '../../../shared/money/payment/payment.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { shopOf } from '../../chain/shop.ts';
import { arrive, createShop, pay } from '../../support/receipts.ts';
import { WalletBook } from '../../support/wallet-book.ts';
import { callWorker, createWorld } from '../../support/world.ts';
import { chanceFrom } from '../random.ts';
import { openTills, tapAt } from '../till-queues.ts';

/** A wallet's first five weeks: how many honest sales wait for a manager, and what forgers gain. */

const DAYS = 35;

/** Daily limits to test, in pesewas. */
export const DAILY_LIMITS = [300_00, 500_00, DEFAULT_NEW_WALLET_DAILY_LIMIT_PESEWAS, 2_000_00] as const;

/** Larger amounts are deposits from the owner's bank. */
const isSale = (pesewas: number) => pesewas < 500_00;

export interface FirstWeeks {
  readonly paymentsADay: number;
  readonly limitPesewas: number;
  /** All payments in pesewas. */
  readonly amounts: readonly number[];
  /** Payments above the single limit, and those beyond the daily limit. */
  readonly tooLarge: readonly number[];
  readonly beyondTheDay: readonly number[];
}

/** Simulates a shop whose payments are all unverified. */
export async function playFirstWeeks(
  seed: number,
  paymentsADay: number,
  limitPesewas: number = DEFAULT_NEW_WALLET_DAILY_LIMIT_PESEWAS,
): Promise<FirstWeeks> {
  const { outside, clock } = await createWorld({ inMemory: true });
  const merchant: Merchant = {
    merchant_id: 'shop',
    name: 'Shop',
    momo_accounts: [],
    created_at: '',
    new_wallet_daily_limit_pesewas: limitPesewas,
  };
  const { movements } = shopOf(chanceFrom(seed), { payments: DAYS * paymentsADay, paymentsADay });
  const amounts = movements
    .flatMap(({ before, after, receipt_id }) => (receipt_id ? [after - before] : []))
    .filter(isSale);
  const startMs = Math.ceil(clock.nowMs / DAY_MS) * DAY_MS;
  const tooLarge: number[] = [];
  const beyondTheDay: number[] = [];
  for (const [n, amount_pesewas] of amounts.entries()) {
    clock.nowMs = startMs + Math.floor((n / paymentsADay) * DAY_MS);
    const payment: Payment = {
      receipt_id: `r${n}`,
      network: 'MTN',
      transaction_id: `${n}`,
      amount_pesewas: arrivedPesewas(amount_pesewas),
      received_at: '',
      counted_at: '',
      matched_by: 'till',
      proof: { state: 'unproven', why: 'not_established' },
    };
    const leaving = decideRelease(outside, merchant, {
      reference: `MK-${n}`,
      merchant_id: 'shop',
      amount_pesewas,
      origin: { kind: 'till', till_id: 'till' },
      state: 'success',
      payment,
    });
    if (typeof leaving === 'string') tooLarge.push(amount_pesewas);
    else
      await leaving
        .count(outside)
        .then((writes) => outside.table.write(writes))
        .catch((error) => {
          if (!(error instanceof UnprovenLimitReached)) throw error;
          beyondTheDay.push(amount_pesewas);
        });
  }
  return { paymentsADay, limitPesewas, amounts, tooLarge, beyondTheDay };
}

export interface NewWalletForgers {
  readonly limitPesewas: number;
  /** Value of goods obtained in a day with unlinked texts, in pesewas, and whether GHS 4,901 was accepted. */
  readonly gained: number;
  readonly isLargeTapped: boolean;
  /** The same figures for a forger who sends the wallet's first text, with linked texts. */
  readonly gainedFirst: number;
  readonly isLargeTappedAfter: boolean;
  /** True if GHS 4,901 is accepted after eight days with one payment each. */
  readonly isLargeTappedLater: boolean;
}

/** Simulates forgers at a shop with a new wallet. */
export async function playNewWalletForgers(
  seed: number,
  limitPesewas: number = DEFAULT_NEW_WALLET_DAILY_LIMIT_PESEWAS,
): Promise<NewWalletForgers> {
  const chance = chanceFrom(seed);
  const linking = (book: WalletBook, n: number) => (n % 6 === 5 ? book.spent(50) : book.paid(45, named(n)));
  const [alone, first, later] = [
    await playForger(limitPesewas, (book, n) => book.receipt(45, named(n, chance.between(5_000, 900_000)))),
    await playForger(limitPesewas, linking),
    await playForger(limitPesewas, linking, 8),
  ];
  return {
    limitPesewas,
    gained: alone.gained,
    isLargeTapped: alone.isLargeTapped,
    gainedFirst: first.gained,
    isLargeTappedAfter: first.isLargeTapped,
    isLargeTappedLater: later.isLargeTapped,
  };
}

const named = (n: number, balance = 0) => ({ from: `EVE MENSAH ${n}`, balance });

/** Number of texts, enough to exceed all limits. */
const TEXTS = 60;

async function playForger(
  limitPesewas: number,
  forge: (book: WalletBook, n: number) => ReturnType<WalletBook['paid']>,
  patientDays = 0,
) {
  const world = await createWorld({ inMemory: true });
  const shop = await createShop(world);
  await changeMerchant(world.outside, shop.id, { new_wallet_daily_limit_pesewas: limitPesewas });
  world.clock.nowMs = Math.ceil(world.clock.nowMs / DAY_MS) * DAY_MS + 60 * MINUTE_MS;
  const [till] = await openTills(world, shop, ['Counter 1']);
  if (!till) throw new Error('There is a till');
  const book = new WalletBook(() => world.clock.nowMs);
  let gained = 0;
  for (let n = 0; n < TEXTS; n++) {
    await arrive(world, shop, forge(book, n));
    world.clock.nowMs += 5 * MINUTE_MS;
    if (await tapAt(world, till, { amount: 45, from: `EVE MENSAH ${n}` })) gained += 45_00;
  }
  const genuine = new WalletBook(() => world.clock.nowMs);
  for (let day = 0; day < patientDays; day++) {
    world.clock.nowMs += DAY_MS;
    await arrive(world, shop, genuine.paid(20));
    await callWorker(world, housekeeping, undefined);
    await arrive(world, shop, book.paid(1, named(TEXTS + day)));
  }
  await pay(world, shop, book.paid(4_901, { from: 'EVE LARGE' }));
  world.clock.nowMs += 5 * MINUTE_MS;
  const isLargeTapped = (await tapAt(world, till, { amount: 4_901, from: 'EVE LARGE' })) !== undefined;
  return { gained, isLargeTapped };
}

/** Returns unacceptable results. */
export function missesOfNewWallet(score: NewWalletForgers): string[] {
  const { limitPesewas, gained, gainedFirst, isLargeTapped, isLargeTappedAfter, isLargeTappedLater } = score;
  const isAnyTapped = isLargeTapped || isLargeTappedAfter || isLargeTappedLater;
  return [
    ...(Math.max(gained, gainedFirst) > limitPesewas ? ['a forger gained more in a day than the limit'] : []),
    ...(isAnyTapped ? ['a forged payment above the limit for each was tapped'] : []),
  ];
}

/** Describes the number and the total of the payments. */
export function sayFirstWeeks({ paymentsADay, limitPesewas, amounts, tooLarge, beyondTheDay }: FirstWeeks): string {
  const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
  const share = (some: readonly number[]) =>
    `${percent(some.length, amounts.length)} (${percent(sum(some), sum(amounts))} of the money)`;
  return `a new wallet's first five weeks, ${paymentsADay} payments a day, GHS ${limitPesewas / 100} a day unproven: of ${amounts.length} payments wait for a manager ${share(tooLarge)} because they are above GHS ${DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS / 100}, ${share(beyondTheDay)} because of the day's limit`;
}

export function sayNewWallet(score: NewWalletForgers): string {
  const { limitPesewas, gained, isLargeTapped, gainedFirst, isLargeTappedAfter, isLargeTappedLater } = score;
  const large = (is: boolean) => (is ? 'was tapped' : 'was not tapped');
  return `forgers at the counter of a new wallet, GHS ${limitPesewas / 100} a day unproven: GHS ${gained / 100} in a day by ${TEXTS} texts of 45, and one of 4,901 ${large(isLargeTapped)}; who texts first, ${TEXTS} that link among each other and one in six of them outgoing: GHS ${gainedFirst / 100}, then one of 4,901 that links ${large(isLargeTappedAfter)}, and one after eight days with a genuine payment each ${large(isLargeTappedLater)}`;
}
