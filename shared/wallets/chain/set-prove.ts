import { Network, networks } from '../../ghana/network.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import type { Wallet } from './chain.table.ts';
import { type Chain, ESTABLISHED, isEstablished, type ProveMode } from './chain.ts';
import { changeChain } from './change-chain.ts';

/**
 * Sets whether a wallet's chain only records, or also decides which payments confirm. Texts that failed to link before are forgotten.
 * @throws PublicError where it cannot decide yet.
 */
export async function setProve(
  outside: Pick<Outside, 'table' | 'now' | 'sleep' | 'randomBytes'>,
  wallet: Wallet,
  mode: ProveMode,
): Promise<void> {
  await changeChain(outside, wallet, (chain) => {
    if (mode === 'enforce') refuseToEnforce(chain);
    return chain.mode === mode ? undefined : { mode, enforced_ms: outside.now(), failed_ms: undefined };
  });
}

function refuseToEnforce(chain: Chain): void {
  const { network, links, outgoing_links, momo_number } = chain;
  if (!networks[network].mayEnforce) {
    const others = Network.options.filter((one) => networks[one].mayEnforce).join(' and ');
    throw new PublicError(
      'invalid_request',
      `The chain of ${momo_number} can only observe: enforce is for ${others}, because no long log of ${network} has shown yet that its texts link.`,
    );
  }
  if (isEstablished(chain)) return;
  throw new PublicError(
    'invalid_request',
    `The chain of ${momo_number} is not established yet: ${links} of ${ESTABLISHED.links} links, ${outgoing_links} of ${ESTABLISHED.outgoing} of money that went out. Let it observe until it is.`,
  );
}
