import * as z from 'zod/mini';
import { Metadata } from '../runtime/metadata.ts';
import { text } from '../runtime/text.ts';
import { parsePhoneNumber } from '../sender/phone-number.ts';

const MOST_RECIPIENTS = 50;
const MOST_MESSAGE_CHARACTERS = 1000;

const PhoneNumber = z.pipe(
  z.string('must be a phone number as a string'),
  z.transform((written: string, { issues }) => {
    const number = parsePhoneNumber(written);
    if (number) return number;
    const message = `${JSON.stringify(written.slice(0, 40))} is not a Ghanaian number: write 0241234567 or +233241234567`;
    issues.push({ code: 'custom', input: written, message });
    return z.NEVER;
  }),
);

const Recipients = z.pipe(
  z.transform((to: unknown) => (typeof to === 'string' ? [to] : to)),
  z
    .array(PhoneNumber, 'must be a phone number or a list of phone numbers')
    .check(
      z.minLength(1, 'must hold at least one phone number'),
      z.maxLength(MOST_RECIPIENTS, `takes ${MOST_RECIPIENTS} phone numbers at most in one request`),
    ),
);

/** The body of `POST /api/v1/sms/send`. Unknown fields are ignored; a number that stands twice in `to` gets two texts. */
export const SendRequest = z.object(
  {
    to: Recipients,
    message: text(MOST_MESSAGE_CHARACTERS).check(z.refine((value) => value.trim() !== '', 'must not be empty')),
    from: z.optional(
      z.union([z.literal('random'), PhoneNumber], 'must be "random" or a number from GET /api/v1/sms/from'),
    ),
    metadata: z.optional(Metadata),
  },
  'must be a JSON object',
);
export type SendRequest = z.infer<typeof SendRequest>;
