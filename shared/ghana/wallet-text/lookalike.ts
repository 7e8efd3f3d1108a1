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
 * The network that people would take this sender for, although its texts come from other names: `Mobile Money`, `MobiIeMoney`. Anybody can
 * register such a name, so what it writes is no receipt. Undefined for a network's own names, and for all others.
 */
export function lookalikeOf(sender: string): Network | undefined {
  return networkOfSender(sender) ? undefined : LOOKALIKES.get(outlineOf(sender));
}

/** A name without blanks, signs and case, in which letters that look the same are the same. Other digits stay: they make another name of it. */
function outlineOf(name: string): string {
  return inLatin(name)
    .replaceAll('0', 'o')
    .replace(/[i1|]/g, 'l')
    .replace(/[^\p{L}\p{N}]/gu, '');
}
