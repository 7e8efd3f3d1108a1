import { plainText } from '../../runtime/values/plain-text.ts';
import { Network, networks } from '../network.ts';
import { networkOfSender } from './read-wallet-text.ts';

/** Cyrillic and Greek letters that look like Latin ones, which follow each. */
const FOREIGN = new Map(
  'аaеeоoрpсcуyхxкkмmтtнhвbіi\u03bfo\u03b1a\u03b9i'.match(/../gu)?.map((pair): [string, string] => {
    const [letter = '', latin = ''] = pair;
    return [letter, latin];
  }),
);

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
  return Array.from(plainText(name).toLowerCase(), (letter) => FOREIGN.get(letter) ?? letter)
    .join('')
    .replaceAll('0', 'o')
    .replace(/[i1|]/g, 'l')
    .replace(/[^\p{L}\p{N}]/gu, '');
}
