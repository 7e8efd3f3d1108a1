import type { Outside } from '../runtime/outside/outside.ts';
import { PublicError } from '../runtime/values/errors.ts';
import { replaceChain, type Wallet } from './chain.table.ts';
import { type Chain, ESTABLISHED, isEstablished, type ProveMode } from './chain.ts';
import { requireChain } from './find-wallet.ts';
import { whileChainChanges } from './link-texts.ts';

/**
 * Sets whether a wallet's chain only records, or also decides which payments confirm.
 * @throws PublicError where it cannot decide yet.
 */
export async function setProve(
  outside: Pick<Outside, 'table' | 'now' | 'sleep' | 'randomBytes'>,
  wallet: Wallet,
  mode: ProveMode,
): Promise<void> {
  await whileChainChanges(outside, async () => {
    const chain = await requireChain(outside, wallet);
    if (mode === 'enforce') refuseToEnforce(chain);
    if (chain.mode !== mode) await outside.table.write([replaceChain(chain, { ...chain, mode })]);
  });
}

function refuseToEnforce(chain: Chain): void {
  const { network, links, outgoing_links, momo_number } = chain;
  if (network !== 'MTN') {
    throw new PublicError(
      'invalid_request',
      `The chain of ${momo_number} can only observe: enforce is for MTN, because no long log of ${network} has shown yet that its texts link.`,
    );
  }
  if (isEstablished(chain)) return;
  throw new PublicError(
    'invalid_request',
    `The chain of ${momo_number} is not established yet: ${links} of ${ESTABLISHED.links} links, ${outgoing_links} of ${ESTABLISHED.outgoing} of money that went out. Let it observe until it is.`,
  );
}
