import { Network, networks } from '../network.ts';
import { inLatin } from './latin.ts';
import { networkOfSender } from './read-wallet-text.ts';

const LOOKALIKES = new Map(
  Network.options.flatMap((network) => {
    const { senders, lookalikes } = networks[network];
    return [...senders, ...lookalikes].map((name) => [outlineOf(name), network]);
  }),
);

/**
 * Returns the network that this sender imitates, such as `MobiIeMoney`. Returns undefined for genuine and unrelated
 * senders. Anybody can register a lookalike sender.
 */
export function lookalikeOf(sender: string): Network | undefined {
  return networkOfSender(sender) ? undefined : LOOKALIKES.get(outlineOf(sender));
}

/**
 * Normalises a name for comparison: removes spaces, punctuation and case, and merges letters and digits that look
 * alike.
 */
function outlineOf(name: string): string {
  return inLatin(name)
    .replaceAll('0', 'o')
    .replace(/[i1|]/g, 'l')
    .replace(/[^\p{L}\p{N}]/gu, '');
}
