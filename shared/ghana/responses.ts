import * as z from 'zod/mini';
import { COUNTRY_CODE, CURRENCY } from './country.ts';

// What the answers of several routes have of the country.

export function amountGhs(description: string) {
  return z.number().check(z.meta({ description, examples: [36] }));
}

export const Currency = z.literal(CURRENCY).check(z.describe(`Always \`${CURRENCY}\`, the Ghana cedi.`));

export function phoneNumber(description: string) {
  return z
    .string()
    .check(z.meta({ description, pattern: `^\\${COUNTRY_CODE}\\d{9}$`, examples: [`${COUNTRY_CODE}241234567`] }));
}
