import * as z from 'zod/mini';
import { CURRENCY_SIGNS } from './balance.ts';
import { MAX_AMOUNT_GHS, MIN_AMOUNT_GHS, pesewasOf, shownAmount, shownCount } from './money.ts';
import { plainCharacters } from './phone-number.ts';

/**
 * Parses the text of an input field with `read`, which calls `refuse` to report an error. The default message is
 * `rule`.
 */
export function typed<Value>(rule: string, read: (written: string, refuse: (message?: string) => never) => Value) {
  return z.pipe(
    z.string(rule),
    z.transform((written: string, { issues }): Value => {
      return read(written, (message = rule) => {
        issues.push({ code: 'custom', input: written, message });
        return z.NEVER;
      });
    }),
  );
}

export function wholeNumber(min: number, max = 1_000_000) {
  return typed(`must be a whole number from ${min} to ${max}`, (written, refuse) => {
    const number = /^\d{1,7}$/.test(written.trim()) ? Number(written) : Number.NaN;
    return number >= min && number <= max ? number : refuse();
  });
}

/** A typed amount in cedis, parsed to pesewas. Accepts `50`, `20,50`, `GH¢ 20` and `GHS 3,017.27`. */
export const TypedAmount = amountFrom(MIN_AMOUNT_GHS);

/** Returns a typed amount in pesewas, or undefined if the text is no amount. */
export function pesewasIn(written: string): number | undefined {
  return z.safeParse(TypedAmount, written).data;
}

const SIGN = `${CURRENCY_SIGNS}|GHC`;
const CEDIS = new RegExp(`^(?:${SIGN})|(?:${SIGN}|cedis?)$`, 'i');

/** Like `TypedAmount`, but also accepts 0. */
export const AmountFromZero = amountFrom(0);

function amountFrom(minGhs: number) {
  const rule = `must be from ${minGhs} to ${shownCount(MAX_AMOUNT_GHS)} cedis, such as 50 or 49.99`;
  return typed(rule, (written, refuse) => {
    const plain = plainCharacters(written).trim().replace(CEDIS, '').trim();
    // A comma before three digits is a thousands separator, otherwise a decimal separator.
    const grouped = /^\d{1,3},\d{3}(\.\d{1,2})?$/.test(plain) ? plain.replace(',', '') : plain;
    const ghs = /^\d{1,6}([.,]\d{1,2})?$/.test(grouped) ? Number(grouped.replace(',', '.')) : Number.NaN;
    const pesewas = ghs >= minGhs && ghs <= MAX_AMOUNT_GHS ? pesewasOf(ghs) : undefined;
    return pesewas ?? refuse();
  });
}

/** Formats an amount for an input field, such as `50` or `49.99`. */
export function fieldAmount(pesewas: number): string {
  return shownAmount(pesewas).replaceAll(',', '').replace(/\.00$/, '');
}
