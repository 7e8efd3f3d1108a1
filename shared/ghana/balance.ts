import * as z from 'zod/mini';
import { pesewasOf } from './money.ts';

/** How people write the currency before an amount, in capitals: for a regular expression. */
export const CURRENCY_SIGNS = 'GHS|GH¢|GH₵|¢|₵';

/** The pesewas of what a wallet shows that it holds, as it is shown or as a number: `GHS 3,017.27`. Undefined for anything else. */
export function parseBalance(written: string): number | undefined {
  const digits = written
    .trim()
    .replace(/^GHS */i, '')
    .replaceAll(',', '');
  return digits === '' ? undefined : pesewasOf(Number(digits));
}

/** What is in a wallet, as its owner reads it there; inside it is whole pesewas. */
export const Balance = z.pipe(
  z.string('must be a balance'),
  z.transform((written: string, { issues }) => {
    const pesewas = parseBalance(written);
    if (pesewas !== undefined) return pesewas;
    issues.push({ code: 'custom', input: written, message: 'must be what the wallet shows, in cedis: 3017.27' });
    return z.NEVER;
  }),
);
