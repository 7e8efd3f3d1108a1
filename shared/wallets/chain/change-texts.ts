import type { RetryOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { chainRows, replaceChain, type Wallet } from './chain.table.ts';
import type { Chain, Movement } from './chain.ts';
import { retryIfChainChanged } from './link-texts.ts';

interface TextChange<Text extends Movement> {
  /** Finds the texts to change. Must not find a changed text again. */
  readonly find: (chain: Chain) => Promise<readonly Text[]>;
  readonly change: (text: Text) => readonly TableWrite[];
  readonly chainAfter?: (chain: Chain, changed: readonly Text[]) => Chain;
}

/** Changes a wallet's texts, some per transaction, and returns them. */
export async function changeTexts<Text extends Movement>(
  outside: RetryOutside,
  wallet: Wallet,
  { find, change, chainAfter = (chain) => chain }: TextChange<Text>,
): Promise<Text[]> {
  const all: Text[] = [];
  for (let some: readonly Text[] = []; ; all.push(...some)) {
    some = await retryIfChainChanged(outside, async () => {
      const chain = await chainRows.find(outside, wallet);
      if (!chain) return [];
      const next = (await find(chain)).slice(0, CHANGED_AT_ONCE);
      if (next.length > 0)
        await outside.table.write([replaceChain(chain, chainAfter(chain, next)), ...next.flatMap(change)]);
      return next;
    });
    if (some.length === 0) return all;
  }
}

/** Texts per transaction. Each takes up to two writes (DynamoDB allows 100). */
const CHANGED_AT_ONCE = 40;
