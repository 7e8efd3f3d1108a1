import type { TableOutside } from '../../runtime/outside/outside.ts';
import type { CreditsGoods } from '../transaction/goods.ts';
import type { Origin } from '../transaction/origin.ts';
import { getTransactions, type Transaction } from '../transaction/transaction.table.ts';
import type { Purchases } from './purchase.table.ts';

/** A charge of the seller's by which another merchant buys credits. */
export type Purchase = Transaction & {
  readonly origin: Extract<Origin, { kind: 'bundle' }>;
  readonly goods: CreditsGoods;
};

export function isPurchase(charge: Transaction): charge is Purchase {
  return charge.origin.kind === 'bundle' && charge.goods?.kind === 'credits';
}

/** A merchant's last purchases, in their order. */
export async function lastPurchases(outside: TableOutside, { references }: Pick<Purchases, 'references'>) {
  return (await getTransactions(outside, references)).filter(isPurchase);
}

/** Whether it is paid, and its credits wait: for their job, or for the operator. */
export function isWaiting({ state, goods }: Transaction): boolean {
  return state === 'success' && (goods?.state === 'unpaid' || goods?.state === 'to_release');
}
