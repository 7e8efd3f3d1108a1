import * as z from 'zod/mini';
import { described } from '../runtime/values/described.ts';
import { COUNTRY_CODE, CURRENCY } from './country.ts';

export function amountGhs(description: string) {
  return described(z.number(), description, { examples: [36] });
}

export const Currency = described(z.literal(CURRENCY), `Always \`${CURRENCY}\`.`);

export function phoneNumber(description: string) {
  return described(z.string(), description, {
    pattern: `^\\${COUNTRY_CODE}\\d{9}$`,
    examples: [`${COUNTRY_CODE}241234567`],
  });
}
