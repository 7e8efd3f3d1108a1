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
 * Returns the network that people would mistake this sender for, such as `Mobile Money` or `MobiIeMoney`. Anybody can
 * register such a name, so its texts are not receipts. Returns undefined for a network's own sender names and for all
 * other senders.
 */
export function lookalikeOf(sender: string): Network | undefined {
  return networkOfSender(sender) ? undefined : LOOKALIKES.get(outlineOf(sender));
}

/**
 * Reduces a name to its outline: without spaces, punctuation and case, and with one form for letters and digits that
 * look the same. Other digits are kept, because a name with a different digit is a different name.
 */
function outlineOf(name: string): string {
  return inLatin(name)
    .replaceAll('0', 'o')
    .replace(/[i1|]/g, 'l')
    .replace(/[^\p{L}\p{N}]/gu, '');
}
