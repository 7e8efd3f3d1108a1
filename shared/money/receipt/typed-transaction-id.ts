import { type Network, networks } from '../../ghana/network.ts';
import { mayBeNumber, plainCharacters } from '../../ghana/phone-number.ts';
import { spelledId, withoutDecimals } from '../charge/written-id.ts';

export function describeTransactionId(network: Network): string {
  return networks[network].transactionId.description;
}

/**
 * Finds the network's transaction id in typed or pasted text: the id alone, `ID: 70412345678`, or a whole message.
 * Ignores charge references and parts of longer numbers or words. Returns undefined unless exactly one id is possible.
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
  const labelled = [...text.matchAll(new RegExp(`${ID_LABEL}${id}`, 'gu'))].flatMap(([, one]) => one ?? []);
  if (labelled.length > 0) return new Set(labelled).size === 1 ? spelledId(labelled[0] ?? '', network) : undefined;
  const all = [...text.matchAll(new RegExp(`${BEGIN}${id}`, 'gu'))].flatMap(([, one]) => one ?? []);
  const [only, ...others] = new Set(all.filter((one) => !mayBeNumber(one)));
  return only !== undefined && others.length === 0 ? spelledId(only, network) : undefined;
}

const MAX_CHARACTERS = 1000;

const REFERENCE = /\bMK[ :#/.-]*\d(?:[ -]?\d){9}(?!\d)/g;

/** Excludes `External transaction ID`, which is another system's id. */
const ID_LABEL = '(?<!EXTERNAL (?:TRANSACTION )?)\\bID\\b\\.?(?:\\s*[:#-])?\\s*';

/**
 * An id must not follow a letter, digit or decimal point. Only a test id's prefix or the `ID` label may come directly
 * before it.
 */
const BEGIN = '(?<![\\p{L}\\p{N}]|\\d[.,])(?:TEST|ID)?';
const END = '(?:\\.0{1,2})?(?![\\p{L}\\p{N}]|[.,]\\d)';

function withoutWordsAround(text: string): string {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].filter(([word]) => /\d/.test(word));
  const [first, last] = [words[0], words.at(-1)];
  return first && last ? text.slice(first.index, last.index + last[0].length).replace(/^(?:TEST|ID)(?=\d)/, '') : '';
}
