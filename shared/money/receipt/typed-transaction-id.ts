import { type Network, networks } from '../../ghana/network.ts';
import { mayBeNumber, plainCharacters } from '../../ghana/phone-number.ts';
import { spelledId, withoutDecimals } from '../charge/written-id.ts';

/** The message for what is no id of the network; it leaves open what to do then. */
export function describeTransactionId(network: Network): string {
  return networks[network].transactionId.said;
}

/**
 * The network's transaction id in what a customer typed or pasted: the id itself, with spaces and dashes, `ID: 70412345678`,
 * or a whole text of the network's. Undefined if there is none, or if it could be one of several numbers. A part of a longer
 * number or word is never an id, nor is a charge's reference.
 */
export function transactionIdIn(typed: string, network: Network): string | undefined {
  const { digits: usual, pattern, isPadded } = networks[network].transactionId;
  const text = plainCharacters(typed.slice(0, MAX_CHARACTERS)).toUpperCase().replace(REFERENCE, ' ');
  const alone = withoutDecimals(withoutWordsAround(text)).replace(/[ -]/g, '');
  if (/^\d+$/.test(alone)) {
    const whole = isPadded && alone.length >= 10 ? alone.padStart(usual, '0') : alone;
    return mayBeNumber(alone) ? undefined : spelledId(whole, network);
  }
  const id = `(${pattern})${END}`;
  const [, labelled] = new RegExp(`\\bID\\b\\.?\\s*[:#-]?\\s*${id}`, 'u').exec(text) ?? [];
  if (labelled) return spelledId(labelled, network);
  const all = [...text.matchAll(new RegExp(`${BEGIN}${id}`, 'gu'))].flatMap(([, one]) => one ?? []);
  const [only, ...others] = new Set(all.filter((one) => !mayBeNumber(one)));
  return only !== undefined && others.length === 0 ? spelledId(only, network) : undefined;
}

/** Longer than any network's text. */
const MAX_CHARACTERS = 1000;

const REFERENCE = /\bMK[ -]*\d(?:[ -]?\d){9}(?!\d)/g;

/** Before an id stands no letter, digit or decimal point, though our tests' prefix or a label may. */
const BEGIN = '(?<![\\p{L}\\p{N}]|\\d[.,])(?:TEST|ID)?';
const END = '(?:\\.0{1,2})?(?![\\p{L}\\p{N}]|[.,]\\d)';

/** A text from its first word with a digit to its last. Of an id that is glued to its label the label goes, too. */
function withoutWordsAround(text: string): string {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].filter(([word]) => /\d/.test(word));
  const [first, last] = [words[0], words.at(-1)];
  return first && last ? text.slice(first.index, last.index + last[0].length).replace(/^(?:TEST|ID)(?=\d)/, '') : '';
}
