import * as z from 'zod/mini';
import { pesewasOf } from './money.ts';

/** How people write the currency before an amount, in capitals: for a regular expression. */
export const CURRENCY_SIGNS = 'GHS|GH¢|GH₵|¢|₵';

/** Commas stand between thousands: `12,50` is twelve and a half to whoever wrote it, and not 1,250. */
const MISPLACED_COMMA = /,(?!\d{3}(?:[,.]|$))|^,/;

/** The pesewas of what a wallet shows that it holds, as it is shown or as a number: `GHS 3,017.27`. Undefined for anything else. */
export function parseBalance(written: string): number | undefined {
  const shown = written.trim().replace(/^GHS */i, '');
  if (shown === '' || MISPLACED_COMMA.test(shown)) return undefined;
  return pesewasOf(Number(shown.replaceAll(',', '')));
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
