import { numberHint } from '../../merchants/audit/audit.table.ts';
import type { TimedOutside } from '../../runtime/outside/outside.ts';
import type { Wallet } from '../chain/chain.table.ts';
import { hearingOf, setCanary } from './hearing.table.ts';

/** Returns the writes that turn a wallet's reception test on or off, and their audit entry. */
export async function prepareWallet(outside: TimedOutside, wallet: Wallet, canary: 'on' | 'off') {
  const { network, momo_number } = wallet;
  const [hearing] = await hearingOf(outside, [momo_number]);
  const tested = hearing?.canary ? 'on' : 'off';
  const isSet = canary !== tested;
  return {
    writes: isSet ? [setCanary(outside, momo_number, canary === 'on')] : [],
    entry: {
      action: 'wallet set',
      about: `${network} ${numberHint(momo_number)}`,
      before: { ...(isSet && { canary: tested }) },
      after: { ...(isSet && { canary }) },
    },
  };
}
