import * as z from 'zod/mini';
import { MAX_AMOUNT_GHS, pesewasOf, shownAmount } from '../../ghana/money.ts';

/** An amount in cedis as somebody types it, or as it is shown: `0`, `50`, `3,017.27`. Inside it is pesewas. */
export const AmountFromZero = z.pipe(
  z.string('must be an amount in cedis, such as 50, or 0'),
  z.transform((written: string, { issues }) => {
    const plain = written
      .trim()
      .replace(/^GHS */i, '')
      .replaceAll(',', '');
    const pesewas = /^\d{1,6}(\.\d{1,2})?$/.test(plain) ? pesewasOf(Number(plain)) : undefined;
    if (pesewas !== undefined && pesewas <= MAX_AMOUNT_GHS * 100) return pesewas;
    const message = `must be from 0 to ${MAX_AMOUNT_GHS} cedis, such as 50 or 49.99`;
    issues.push({ code: 'custom', input: written, message });
    return z.NEVER;
  }),
);

/** As it stands in a field: `50`, `49.99`. */
export function fieldAmount(pesewas: number): string {
  return shownAmount(pesewas).replaceAll(',', '').replace(/\.00$/, '');
}
