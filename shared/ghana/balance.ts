import * as z from 'zod/mini';
import { pesewasOf } from './money.ts';

export const CURRENCY_SIGNS = 'GHS|GH¢|GH₵|¢|₵';

/** Matches a comma that is not a thousands separator, as in `12,50`. */
const MISPLACED_COMMA = /,(?!\d{3}(?:[,.]|$))|^,/;

/** Parses a balance such as `GHS 3,017.27` to pesewas. Returns undefined for any other text. */
export function parseBalance(written: string): number | undefined {
  const shown = written.trim().replace(/^GHS */i, '');
  if (shown === '' || MISPLACED_COMMA.test(shown)) return undefined;
  return pesewasOf(Number(shown.replaceAll(',', '')));
}

export const Balance = z.pipe(
  z.string('must be a balance'),
  z.transform((written: string, { issues }) => {
    const pesewas = parseBalance(written);
    if (pesewas !== undefined) return pesewas;
    issues.push({
      code: 'custom',
      input: written,
      message: 'must be the balance shown in the wallet, in cedis, such as 3017.27',
    });
    return z.NEVER;
  }),
);
