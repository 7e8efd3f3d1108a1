import * as z from 'zod/mini';
import { parsePhoneNumber } from './phone-number.ts';

/** A Ghanaian number in a request; inside it is `+233` and nine digits. */
export const PhoneNumber = z
  .pipe(
    z.string('must be a phone number as a string'),
    z.transform((written: string, { issues }) => {
      const number = parsePhoneNumber(written);
      if (number) return number;
      const message = `${JSON.stringify(written.slice(0, 40))} is not a Ghanaian number: write 0241234567 or +233241234567`;
      issues.push({ code: 'custom', input: written, message });
      return z.NEVER;
    }),
  )
  .check(
    z.meta({
      description:
        'A Ghanaian number: `0` or `+233` and nine digits; spaces, dashes and brackets between them are ignored.',
      override: { examples: ['0241234567'] },
    }),
  );
