import type { PlainPesewas } from '../arrived.ts';
import { MAX_AMOUNT_GHS } from '../money.ts';
import en from './en.json' with { type: 'json' };

export type SpokenWords = typeof en;

export const english: SpokenWords = en;

/**
 * Spells out an amount, such as `thirty-six cedis fifty pesewas`. Returns undefined for 0 and for amounts above the
 * maximum payment.
 */
export function spokenMoney<Pesewas extends number>(
  amountPesewas: PlainPesewas<Pesewas>,
  words: SpokenWords,
): string | undefined {
  const all = Number(amountPesewas);
  if (!Number.isInteger(all) || all <= 0 || all > MAX_AMOUNT_GHS * 100) return undefined;
  const counted = (count: number, one: string, more: string) =>
    count > 0 ? filled(count === 1 ? one : more, { n: spokenNumber(count, words) }) : undefined;
  const cedis = counted(Math.floor(all / 100), words.cedi, words.cedis);
  const pesewas = counted(all % 100, words.pesewa, words.pesewas);
  return cedis && pesewas ? filled(words.cedis_and_pesewas, { cedis, pesewas }) : (cedis ?? pesewas);
}

/** Spells out a number from 1 to 999,999. */
function spokenNumber(count: number, words: SpokenWords): string {
  const named = Object.entries(words.numbers).find(([number]) => Number(number) === count);
  if (named) return named[1];
  const say = (part: number) => spokenNumber(part, words);
  if (count < 100) return filled(words.ten_and_one, { tens: say(count - (count % 10)), ones: say(count % 10) });
  const [size, pattern] = count < 1000 ? [100, words.hundreds] : [1000, words.thousands];
  const larger = filled(pattern, { n: say(Math.floor(count / size)) });
  const rest = count % size;
  if (rest === 0) return larger;
  return filled(rest < 100 ? words.joined_below_hundred : words.joined, { larger, smaller: say(rest) });
}

const MAX_NAME_CHARACTERS = 40;

/** Returns a payer's name for speech, or undefined if the name could sound like an amount. */
export function spokenName(name: string, { confusing_parts, confusing_words }: SpokenWords): string | undefined {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
  if (plain.length > MAX_NAME_CHARACTERS || !/^[a-zɔɛŋ][a-zɔɛŋ'’. -]*$/.test(plain)) return undefined;
  const words = plain.split(/[^a-zɔɛŋ]+/).filter(Boolean);
  const [joined, parts] = [undoubled(words.join('')), confusing_parts.map(undoubled)];
  if (parts.some((part) => joined.includes(part)) || words.some((word) => confusing_words.includes(word)))
    return undefined;
  return words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join(' ');
}

function undoubled(word: string): string {
  return word.replace(/(.)\1+/g, '$1');
}

/** Fills in placeholders such as `{amount}`. Capitalises the first letter if the pattern ends with a full stop. */
export function filled(pattern: string, values: Readonly<Record<string, string>>): string {
  const text = pattern.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  return pattern.endsWith('.') ? `${text[0]?.toUpperCase()}${text.slice(1)}` : text;
}
