import * as z from 'zod/mini';
import { CURRENCY } from '../../../ghana/country.ts';
import { MAX_AMOUNT_GHS, MIN_AMOUNT_GHS, pesewasOf, shownAmount, shownCount } from '../../../ghana/money.ts';

/** An amount in cedis as somebody types it, or as it is shown: `50`, `GHS 3,017.27`. Inside it is pesewas. */
export const TypedAmount = typedAmount(MIN_AMOUNT_GHS);

/** Also `0`, where that means never. */
export const AmountFromZero = typedAmount(0);

function typedAmount(minGhs: number) {
  const rule = `must be from ${minGhs} to ${shownCount(MAX_AMOUNT_GHS)} cedis, such as 50 or 49.99`;
  return z.pipe(
    z.string(rule),
    z.transform((written: string, { issues }) => {
      const plain = written.trim().replace(new RegExp(`^${CURRENCY} *| *${CURRENCY}$`, 'i'), '');
      const ghs = DECIMAL.test(plain) ? Number(plain.replaceAll(',', '')) : Number.NaN;
      const pesewas = ghs >= minGhs && ghs <= MAX_AMOUNT_GHS ? pesewasOf(ghs) : undefined;
      if (pesewas !== undefined) return pesewas;
      issues.push({ code: 'custom', input: written, message: rule });
      return z.NEVER;
    }),
  );
}

/** A comma stands before three digits only: whoever writes `20,50` means 20.50, and must not be taken to mean 2,050. */
const DECIMAL = /^(\d{1,6}|\d{1,3},\d{3})(\.\d{1,2})?$/;

/** As it stands in a field: `50`, `49.99`. */
export function fieldAmount(pesewas: number): string {
  return shownAmount(pesewas).replaceAll(',', '').replace(/\.00$/, '');
}
