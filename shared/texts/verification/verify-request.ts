import * as z from 'zod/mini';
import { PhoneNumber } from '../../ghana/phone-number-schema.ts';
import { HOUR_SECONDS } from '../../runtime/values/calendar.ts';
import { described, requestBody } from '../../runtime/values/described.ts';
import { text } from '../../runtime/values/text.ts';
import { SendRequest } from '../sms/send-request.ts';

const MIN_CODE_DIGITS = 6;
const MAX_CODE_DIGITS = 8;
const LENGTH = `must be a whole number from ${MIN_CODE_DIGITS} to ${MAX_CODE_DIGITS}`;

const DEFAULT_EXPIRES_IN_SECONDS = 10 * 60;
/** Minimum validity of a code. Some texts take almost this long to arrive. */
const MIN_EXPIRES_IN_SECONDS = 2 * 60;
/** Maximum validity of a code. A longer validity would give fraudsters more time to obtain the code. */
const MAX_EXPIRES_IN_SECONDS = HOUR_SECONDS;
const EXPIRES_IN = `must be a whole number of seconds from ${MIN_EXPIRES_IN_SECONDS} (2 minutes) to ${MAX_EXPIRES_IN_SECONDS} (an hour)`;

const MAX_TEMPLATE_CHARACTERS = 300;
const DEFAULT_TEMPLATE = '{name}: {code} is your code. It expires in {life}. Do not share it with anyone.';
const PLACES = ['{code}', '{name}', '{life}'];

export const VerifyRequest = requestBody('VerifyRequest', {
  to: PhoneNumber,
  length: z._default(
    described(
      z.int(LENGTH).check(z.minimum(MIN_CODE_DIGITS, LENGTH), z.maximum(MAX_CODE_DIGITS, LENGTH)),
      'Digits of the code.',
      { examples: [6] },
    ),
    MIN_CODE_DIGITS,
  ),
  expires_in: z._default(
    described(
      z
        .int(EXPIRES_IN)
        .check(z.minimum(MIN_EXPIRES_IN_SECONDS, EXPIRES_IN), z.maximum(MAX_EXPIRES_IN_SECONDS, EXPIRES_IN)),
      'The time until the code expires, in seconds.',
      { examples: [300] },
    ),
    DEFAULT_EXPIRES_IN_SECONDS,
  ),
  message: z._default(
    described(
      text(MAX_TEMPLATE_CHARACTERS).check(
        z.refine((value) => value.split('{code}').length === 2, 'must contain {code} exactly once'),
        z.refine(
          (value) => (value.match(/\{[^{}]*\}/g) ?? []).every((place) => PLACES.includes(place)),
          'must not contain anything in braces except {code}, {name} and {life}',
        ),
      ),
      'The text, with `{code}`, your name (`{name}`) and the code’s validity (`{life}`), such as `10 minutes`.',
      { examples: ['{code} is your code at {name}, for {life}.'] },
    ),
    DEFAULT_TEMPLATE,
  ),
  from: SendRequest.shape.from,
});
export type VerifyRequest = z.infer<typeof VerifyRequest>;

export const CheckRequest = requestBody('VerifyCheckRequest', {
  id: described(text(100), 'The `id` that `POST /api/v1/verify` returned.', {
    examples: ['019a9f6e-4b1c-7d3a-9c52-1f0e8a6b4d00'],
  }),
  code: described(
    z.pipe(
      z.string('must be a string, because a code may begin with 0'),
      z.transform((typed: string, { issues }) => {
        const digits = typed.replace(/[\s-]/g, '');
        if (/^\d{6,8}$/.test(digits)) return digits;
        issues.push({
          code: 'custom',
          input: typed,
          message: `must be a code of ${MIN_CODE_DIGITS} to ${MAX_CODE_DIGITS} digits`,
        });
        return z.NEVER;
      }),
    ),
    'The customer’s input. Spaces and hyphens are ignored.',
    { examples: ['402716'] },
  ),
});
export type CheckRequest = z.infer<typeof CheckRequest>;
