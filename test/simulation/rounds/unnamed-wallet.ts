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
import { createShop, pay } from '../../support/receipts.ts';
import { WalletBook } from '../../support/wallet-book.ts';
import { createWorld } from '../../support/world.ts';
import { chanceFrom } from '../random.ts';
import { openTills, tapAt } from '../till-queues.ts';

/** A wallet whose balance nobody has named: how many honest sales wait for a manager, and what a forger gains. */

const DAYS = 35;

/** Daily limits to test, in pesewas. */
export const DAILY_LIMITS = [300_00, 500_00, DEFAULT_NEW_WALLET_DAILY_LIMIT_PESEWAS, 2_000_00] as const;

/** Larger amounts are deposits from the owner's bank. */
const isSale = (pesewas: number) => pesewas < 500_00;

export interface UnnamedWeeks {
  readonly paymentsADay: number;
  readonly limitPesewas: number;
  /** All payments in pesewas. */
  readonly amounts: readonly number[];
  /** Payments above the single limit, and those beyond the daily limit. */
  readonly tooLarge: readonly number[];
  readonly beyondTheDay: readonly number[];
}

/** Simulates a shop whose payments are all unverified. */
export async function playUnnamedWeeks(
  seed: number,
  paymentsADay: number,
  limitPesewas: number = DEFAULT_NEW_WALLET_DAILY_LIMIT_PESEWAS,
): Promise<UnnamedWeeks> {
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
      proof: { state: 'unproven', why: 'not_anchored' },
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

export interface UnnamedWalletForger {
  readonly limitPesewas: number;
  /** Value of goods obtained in a day, in pesewas, and whether GHS 4,901 was accepted. */
  readonly gained: number;
  readonly isLargeTapped: boolean;
}

/** Number of texts, enough to exceed all limits. */
const TEXTS = 60;

/** Simulates a forger at the counter of a shop whose wallet's balance nobody has named. */
export async function playUnnamedWalletForger(
  seed: number,
  limitPesewas: number = DEFAULT_NEW_WALLET_DAILY_LIMIT_PESEWAS,
): Promise<UnnamedWalletForger> {
  const chance = chanceFrom(seed);
  const world = await createWorld({ inMemory: true });
  const shop = await createShop(world);
  await changeMerchant(world.outside, shop.id, { new_wallet_daily_limit_pesewas: limitPesewas });
  world.clock.nowMs = Math.ceil(world.clock.nowMs / DAY_MS) * DAY_MS + 60 * MINUTE_MS;
  const [till] = await openTills(world, shop, ['Counter 1']);
  if (!till) throw new Error('There is a till');
  const book = new WalletBook(() => world.clock.nowMs);
  const forge = async (amount: number, from: string) => {
    await pay(world, shop, book.receipt(amount, { from, balance: chance.between(500_000, 900_000) }));
    world.clock.nowMs += 5 * MINUTE_MS;
    return (await tapAt(world, till, { amount, from })) !== undefined;
  };
  let gained = 0;
  for (let n = 0; n < TEXTS; n++) if (await forge(45, `EVE MENSAH ${n}`)) gained += 45_00;
  return { limitPesewas, gained, isLargeTapped: await forge(4_901, 'EVE LARGE') };
}

/** Returns unacceptable results. */
export function missesOfUnnamedWallet({ limitPesewas, gained, isLargeTapped }: UnnamedWalletForger): string[] {
  return [
    ...(gained > limitPesewas ? ['a forger gained more in a day than the limit'] : []),
    ...(isLargeTapped ? ['a forged payment above the limit for each was tapped'] : []),
  ];
}

/** Describes the number and the total of the payments. */
export function sayUnnamedWeeks({ paymentsADay, limitPesewas, amounts, tooLarge, beyondTheDay }: UnnamedWeeks): string {
  const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
  const share = (some: readonly number[]) =>
    `${percent(some.length, amounts.length)} (${percent(sum(some), sum(amounts))} of the money)`;
  return `five weeks of a wallet without a named balance, ${paymentsADay} payments a day, GHS ${limitPesewas / 100} a day unproven: of ${amounts.length} payments wait for a manager ${share(tooLarge)} because they are above GHS ${DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS / 100}, ${share(beyondTheDay)} because of the day's limit`;
}

export function sayUnnamedWallet({ limitPesewas, gained, isLargeTapped }: UnnamedWalletForger): string {
  return `a forger at the counter of a wallet without a named balance, GHS ${limitPesewas / 100} a day unproven: GHS ${gained / 100} in a day by ${TEXTS} texts of 45, and one of 4,901 ${isLargeTapped ? 'was tapped' : 'was not tapped'}`;
}
