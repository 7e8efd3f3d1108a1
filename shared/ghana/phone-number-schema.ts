import * as z from 'zod/mini';
import { described } from '../runtime/values/described.ts';
import { damageOf } from '../runtime/values/spreadsheet.ts';
import { isMobileNumber } from './network.ts';
import { parsePhoneNumber } from './phone-number.ts';

/** A Ghanaian mobile number, parsed to `+233` and nine digits. */
export const PhoneNumber = described(
  z.pipe(
    z.string('must be a phone number as a string'),
    z.transform((written: string, { issues }) => {
      const number = parsePhoneNumber(written);
      if (number && isMobileNumber(number)) return number;
      const shown = JSON.stringify(written.slice(0, 40));
      const otherwise = number
        ? `${shown} is a landline or has a prefix that no network uses. Use a mobile number, such as 0241234567.`
        : `${shown} is not a Ghanaian number. Write 0241234567 or +233241234567.`;
      const message = damageOf('', written.trim()) ?? otherwise;
      issues.push({ code: 'custom', input: written, message });
      return z.NEVER;
    }),
  ),
  'A Ghanaian mobile number: `0`, `+233`, `233` or `00233` and nine digits; spaces, dots, dashes and brackets are ignored.',
  { override: { examples: ['0241234567'] } },
);
