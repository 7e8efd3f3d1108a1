import { getMerchantOrTestAccount } from '../../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import {
  type Clock,
  nowIso,
  type Outside,
  type TableOutside,
  type TimedOutside,
} from '../../runtime/outside/outside.ts';
import { backOff, retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { setGoods } from '../charge/change-charge.table.ts';
import { type Charge, chargeRows } from '../charge/charge.table.ts';
import type { CodeGoods, CreditsGoods } from '../charge/goods.ts';
import { decideRelease, type Leaving } from './decide-release.ts';
import { UnprovenLimitReached } from './unproven.table.ts';

export const HAND_OUT_TRIES = 12;

export class NeedsPerson extends Error {}

export interface GoodsKind<Sold extends Charge> {
  is(charge: Charge): charge is Sold;
  /**
   * Hands over the goods in the transaction that changes the charge. Returns undefined if the goods are waiting for
   * something other than a person's decision.
   * @throws NeedsPerson if a person must decide.
   */
  give(outside: TimedOutside & Outside, charge: Sold, leaving: Leaving): Promise<Sold | undefined>;
  isGone(charge: Sold): boolean;
  hold?(outside: TableOutside, charge: Sold): Promise<readonly TableWrite[]>;
  takeBack(outside: TimedOutside & Outside, charge: Sold): Promise<readonly TableWrite[]>;
}

type Given = Charge & { readonly goods: CodeGoods | CreditsGoods };

export function planHandOut<Sold extends Given>(
  charge: Sold,
  { isGone }: Pick<GoodsKind<Sold>, 'isGone'>,
): 'give' | 'take back' | 'nothing' {
  const { state } = charge.goods;
  if (isGone(charge)) return state === 'unpaid' || state === 'taken_back' ? 'nothing' : 'take back';
  return charge.state === 'success' && (state === 'unpaid' || state === 'to_release') ? 'give' : 'nothing';
}

/**
 * True if a `handOut` job would change nothing. Goods that wait for a person are handed over automatically once their
 * payment is verified, unless a limit applies.
 */
export function isHandedOut<Sold extends Given>(
  outside: Clock,
  merchant: Merchant,
  charge: Sold,
  kind: Pick<GoodsKind<Sold>, 'isGone'>,
): boolean {
  const plan = planHandOut(charge, kind);
  if (plan !== 'give' || charge.goods.state === 'unpaid') return plan === 'nothing';
  const leaving = decideRelease(outside, merchant, charge);
  return typeof leaving === 'string' || leaving.counted !== undefined;
}

/**
 * Advances a charge's goods by one step: hands them over once the charge is paid, leaves them to a person if a decision
 * is needed, or takes them back after a reversal. Idempotent.
 * @returns the charge if its goods have now been handed over.
 */
export function handOut<Sold extends Given>(
  outside: TimedOutside & Outside,
  reference: string,
  kind: GoodsKind<Sold>,
): Promise<Sold | undefined> {
  return retryIfChanged(
    async () => {
      const charge = await chargeRows.find(outside, { reference });
      if (!charge || !kind.is(charge)) return undefined;
      const plan = planHandOut(charge, kind);
      if (plan === 'give') return giveOrHold(outside, charge, kind);
      if (plan === 'nothing') return charge.state === 'success' && charge.goods.state === 'given' ? charge : undefined;
      await outside.table.write(await kind.takeBack(outside, charge));
      return undefined;
    },
    { tries: HAND_OUT_TRIES, pause: (attempt) => backOff(outside, Math.min(attempt, 3)) },
  );
}

async function giveOrHold<Sold extends Given>(
  outside: TimedOutside & Outside,
  charge: Sold,
  kind: GoodsKind<Sold>,
): Promise<Sold | undefined> {
  const merchant = await getMerchantOrTestAccount(outside, charge.merchant_id);
  if (!merchant) throw new Error(`The charge ${charge.reference} has no merchant`);
  const leaving = decideRelease(outside, merchant, charge);
  if (typeof leaving !== 'string') {
    try {
      return await kind.give(outside, charge, leaving);
    } catch (error) {
      if (!(error instanceof UnprovenLimitReached || error instanceof NeedsPerson)) throw error;
    }
  }
  const held = { ...charge.goods, state: 'to_release', at: nowIso(outside) } as const;
  if (charge.goods.state === 'unpaid')
    await outside.table.write([setGoods(charge, held), ...((await kind.hold?.(outside, charge)) ?? [])]);
  return undefined;
}
