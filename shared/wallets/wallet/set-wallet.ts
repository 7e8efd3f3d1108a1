import { numberHint } from '../../merchants/audit/audit.table.ts';
import type { TimedOutside } from '../../runtime/outside/outside.ts';
import { Changed } from '../../runtime/table/contention.ts';
import { ChainChanged, replaceChain, type Wallet } from '../chain/chain.table.ts';
import type { ProveMode } from '../chain/chain.ts';
import { inMode, requireChain } from '../chain/change-chain.ts';
import { hearingOf, setCanary } from './hearing.table.ts';

interface WalletSettings {
  readonly prove?: ProveMode | undefined;
  readonly canary?: 'on' | 'off' | undefined;
}

/**
 * Returns the writes that change a wallet's settings. They fail with `Changed` if the wallet has changed.
 * @throws NoSuch if the wallet does not exist, PublicError if the chain cannot be enforced yet.
 */
export async function prepareWallet(outside: TimedOutside, wallet: Wallet, { prove, canary }: WalletSettings) {
  const { network, momo_number } = wallet;
  const [chain, [hearing]] = await Promise.all([requireChain(outside, wallet), hearingOf(outside, [momo_number])]);
  const tested = hearing?.canary ? 'on' : 'off';
  const setsMode = prove !== undefined && prove !== chain.mode;
  const setsTest = canary !== undefined && canary !== tested;
  const writes = [
    ...(setsMode
      ? [{ ...replaceChain(chain, inMode(outside, chain, prove)), refused: changed, contended: changed }]
      : []),
    ...(setsTest ? [setCanary(outside, momo_number, canary === 'on')] : []),
  ];
  const before = { ...(setsMode && { prove: chain.mode }), ...(setsTest && { canary: tested }) };
  const after = { ...(setsMode && { prove }), ...(setsTest && { canary }) };
  const about = `${network} ${numberHint(momo_number)}`;
  return { writes, entry: { action: 'wallet set', about, before, after } };
}

function changed(): Changed {
  return new Changed('busy', new ChainChanged().message);
}
