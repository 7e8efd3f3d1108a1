import type { Outside } from '../../runtime/outside/outside.ts';
import { differenceOf } from './branches.ts';
import { getChain, listGaps, type Wallet } from './chain.table.ts';
import { headOf } from './chain.ts';

/** What a chain needs of a payment that a text says was reversed. */
interface OfReversed {
  readonly transaction_id?: string | undefined;
  readonly amount_pesewas?: number | undefined;
}

/** Whether a chain shows that a payment was reversed; where `mayTellBalance`, the balance that the reversal's own text tells counts. */
export type ChainShows = (payment: OfReversed, mayTellBalance: boolean) => boolean;

/**
 * What shows a reversal where the chain of its wallet decides: its text's balance continues the chain by exactly what the payment
 * brought, or the wallet fell by exactly that in a known break after it. Undefined where the chain decides nothing.
 */
export async function chainShows(
  outside: Pick<Outside, 'table'>,
  wallet: Wallet,
  toldPesewas: number | null,
): Promise<ChainShows | undefined> {
  const chain = await getChain(outside, wallet);
  if (chain?.mode !== 'enforce') return undefined;
  const gaps = chain.gaps > 0 ? await listGaps(outside, wallet) : [];
  return ({ transaction_id, amount_pesewas = 0 }, mayTellBalance) => {
    if (amount_pesewas <= 0) return false;
    // That a wallet is empty can be guessed.
    const isContinued =
      toldPesewas !== null && toldPesewas > 0 && toldPesewas === headOf(chain).balance - amount_pesewas;
    if (mayTellBalance && isContinued) return true;
    return gaps.some(
      (gap) => !gap.is_push && differenceOf(gap) === -amount_pesewas && gap.to.id > Number(transaction_id),
    );
  };
}
