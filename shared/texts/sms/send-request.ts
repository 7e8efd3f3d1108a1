import * as z from 'zod/mini';
import { COUNTRY_CODE } from '../../ghana/country.ts';
import { PhoneNumber } from '../../ghana/phone-number-schema.ts';
import { isQuietHours, QUIET_HOURS_RULE } from '../../ghana/quiet-hours.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import { described, requestBody } from '../../runtime/values/described.ts';
import { Metadata } from '../../runtime/values/metadata.ts';
import { isVisible, text } from '../../runtime/values/text.ts';
import { MAX_AHEAD_DAYS, NO_QUIET_HOURS } from './when-to-leave.ts';

/** Purposes of a text. STOP ends all except the first. */
export const purposes = ['transactional', 'marketing', 'reminder'] as const;

export const MAX_RECIPIENTS = 50;
export const MAX_MESSAGE_CHARACTERS = 1000;

const MIN_VALID_FOR_SECONDS = 60;
const MAX_VALID_FOR_SECONDS = MAX_AHEAD_DAYS * DAY_SECONDS;
const VALID_FOR = `must be a whole number of seconds from ${MIN_VALID_FOR_SECONDS} to ${MAX_VALID_FOR_SECONDS} (${MAX_AHEAD_DAYS} days)`;

const QuietHours = described(
  z
    .string(QUIET_HOURS_RULE)
    .check(z.refine((written) => written === NO_QUIET_HOURS || isQuietHours(written), QUIET_HOURS_RULE)),
  'The hours in Ghana in which it does not leave, from one time of the day to another: what would leave then waits until they end. `none` for a text that may leave at any hour. Without it, your setting.',
  { examples: ['21:00-07:00'] },
);

const Recipients = described(
  z.pipe(
    z.transform((to: unknown, { issues }) => {
      if (typeof to !== 'string') return to;
      if (!/[,;\n]/.test(to)) return [to];
      issues.push({
        code: 'custom',
        input: to,
        message: 'must be a list for several numbers: ["0241234567", "0201234567"]',
      });
      return z.NEVER;
    }),
    z
      .array(PhoneNumber, 'must be a phone number or a list of phone numbers')
      .check(
        z.minLength(1, 'must contain at least one phone number'),
        z.maxLength(MAX_RECIPIENTS, `must contain at most ${MAX_RECIPIENTS} phone numbers`),
      ),
  ),
  `A number, or a list of up to ${MAX_RECIPIENTS}. A number that is listed twice gets two texts.`,
  { override: oneOrList },
);

/** Documents `to` by hand: the schema cannot express that a single string is accepted too. */
function oneOrList({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) {
  const { description, ...list } = jsonSchema;
  for (const keyword of Object.keys(list)) delete jsonSchema[keyword];
  Object.assign(jsonSchema, {
    anyOf: [list.items, list],
    examples: ['0241234567', ['0241234567', `${COUNTRY_CODE}201234567`]],
  });
}

/** The body of `POST /api/v1/sms/send`. A number listed twice in `to` gets two texts. */
export const SendRequest = requestBody('SendRequest', {
  to: Recipients,
  message: described(
    text(MAX_MESSAGE_CHARACTERS).check(
      z.refine(isVisible, 'must not be empty: it has only spaces and hidden characters'),
    ),
    'The text. Characters are counted as Unicode code points: an emoji is one.',
    { minLength: 1, examples: ['Your order is ready'] },
  ),
  from: z.optional(
    described(
      z.union([z.literal('random'), PhoneNumber], 'must be "random" or a number from GET /api/v1/sms/from'),
      'A number of `GET /api/v1/sms/from`, or `random` for the one of those available at which it leaves soonest. Your own numbers are taken first. Without it, your default number; without one, as with `random`.',
      { examples: ['random'] },
    ),
  ),
  send_at: z.optional(
    described(
      z.iso.datetime({ offset: true, error: 'must be a time with a zone, such as 2026-11-20T08:30:00Z' }),
      `When it is to leave: an ISO 8601 time with a zone, at most ${MAX_AHEAD_DAYS} days ahead. It never leaves earlier.`,
      { examples: ['2026-11-20T08:30:00Z'] },
    ),
  ),
  valid_for: z.optional(
    described(
      z.int(VALID_FOR).check(z.minimum(MIN_VALID_FOR_SECONDS, VALID_FOR), z.maximum(MAX_VALID_FOR_SECONDS, VALID_FOR)),
      'For how many seconds from `send_at`, or from now, it is of use. What has not left by then becomes `expired`, and its credit is refunded. A request whose texts cannot all leave in time is refused. Without it, a text is given up (`failed`) after 72 hours.',
      { examples: [3600] },
    ),
  ),
  quiet_hours: z.optional(QuietHours),
  encoding: z.optional(
    described(
      z.literal('gsm7', 'must be "gsm7" or omitted'),
      'With `gsm7`, characters outside GSM-7 are replaced by what looks like them or means the same, and the answer says which (`replaced`). A text with characters that nothing stands for, such as an emoji, is refused.',
      { examples: ['gsm7'] },
    ),
  ),
  purpose: z.optional(
    described(
      z.enum(purposes, 'must be "transactional", "marketing" or "reminder"'),
      'What the text is for. `transactional`, the default: what its recipient just asked for or has to know, such as a receipt, a code, or news of their order; it is sent to everybody. `marketing` (offers, news) goes only to people whose consent is stored (`POST /api/v1/contact`), else it is refused with `consent_missing`, and never at night (21:00-07:00): then it waits for the morning. `marketing` and `reminder` are refused with `recipient_opted_out` where a recipient has answered `STOP` to you. You answer for the purpose that you give: an offer is not transactional.',
    ),
  ),
  metadata: z.optional(Metadata),
});
export type SendRequest = z.infer<typeof SendRequest>;
