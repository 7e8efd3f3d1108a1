import * as z from 'zod/mini';
import { described } from '../runtime/values/described.ts';
import { MAX_AMOUNT_GHS, MIN_AMOUNT_GHS, pesewasOf } from './money.ts';

const RULE = `must be from ${MIN_AMOUNT_GHS} to ${MAX_AMOUNT_GHS} (GHS, not pesewas) with at most two decimals, as a number or a decimal string`;

/**
 * An amount in cedis, parsed to whole pesewas. Strings are accepted too, for callers whose language rounds decimals.
 */
export const Amount = described(
  z.pipe(
    z.union(
      [
        z.number().check(z.meta({ minimum: MIN_AMOUNT_GHS, maximum: MAX_AMOUNT_GHS, examples: [36] })),
        z.string().check(z.meta({ pattern: '^\\d{1,6}(\\.\\d{1,2})?$', examples: ['36.50'] })),
      ],
      RULE,
    ),
    z.transform((written: number | string, { issues }) => {
      const ghs = typeof written === 'number' || DECIMAL.test(written) ? Number(written) : Number.NaN;
      const pesewas = ghs >= MIN_AMOUNT_GHS && ghs <= MAX_AMOUNT_GHS ? pesewasOf(ghs) : undefined;
      if (pesewas !== undefined) return pesewas;
      const message = String(written).includes(',') ? `${RULE}, without a comma` : RULE;
      issues.push({ code: 'custom', input: written, message });
      return z.NEVER;
    }),
  ),
  'The amount to pay in cedis (GHS), with at most two decimals.',
  { override: { examples: [36] } },
);

const DECIMAL = /^\d{1,6}(\.\d{1,2})?$/;
