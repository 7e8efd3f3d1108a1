import * as z from 'zod/mini';
import { COUNTRY_CODE } from '../../ghana/country.ts';
import { PhoneNumber } from '../../ghana/phone-number-schema.ts';
import { isQuietHours, QUIET_HOURS_RULE } from '../../ghana/quiet-hours.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import { described, requestBody } from '../../runtime/values/described.ts';
import { Metadata } from '../../runtime/values/metadata.ts';
import { isVisible, text } from '../../runtime/values/text.ts';
import { MAX_AHEAD_DAYS, NO_QUIET_HOURS } from './when-to-leave.ts';

/** Purposes of a text. STOP blocks all except `transactional`. */
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
  'Hours (Ghana time) in which the text waits, such as `21:00-07:00`, or `none`. Default: your setting.',
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
        message: 'must be a list if there are several numbers: ["0241234567", "0201234567"]',
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
  `A number, or a list of up to ${MAX_RECIPIENTS}. A number listed twice gets two texts.`,
  { override: oneOrList },
);

/** Lets the JSON schema also accept a single string, which a zod schema cannot express. */
function oneOrList({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) {
  const { description, ...list } = jsonSchema;
  for (const keyword of Object.keys(list)) delete jsonSchema[keyword];
  Object.assign(jsonSchema, {
    anyOf: [list.items, list],
    examples: ['0241234567', ['0241234567', `${COUNTRY_CODE}201234567`]],
  });
}

/** The request body of `POST /api/v1/sms/send`. A number listed twice in `to` receives two texts. */
export const SendRequest = requestBody('SendRequest', {
  to: Recipients,
  message: described(
    text(MAX_MESSAGE_CHARACTERS).check(
      z.refine(isVisible, 'must not be empty: it contains only spaces and hidden characters'),
    ),
    'The text. Characters are Unicode code points: an emoji is one.',
    { minLength: 1, examples: ['Your order is ready'] },
  ),
  from: z.optional(
    described(
      z.union([z.literal('random'), PhoneNumber], 'must be "random" or a number from GET /api/v1/sms/from'),
      'A number from `GET /api/v1/sms/from`, or `random`: the available number that can send soonest, your own numbers first. Default: your default number, or else `random`.',
      { examples: ['random'] },
    ),
  ),
  send_at: z.optional(
    described(
      z.iso.datetime({ offset: true, error: 'must be a time with a UTC offset, such as 2026-11-20T08:30:00Z' }),
      `Do not send before this ISO 8601 time with a UTC offset, at most ${MAX_AHEAD_DAYS} days ahead.`,
      { examples: ['2026-11-20T08:30:00Z'] },
    ),
  ),
  valid_for: z.optional(
    described(
      z.int(VALID_FOR).check(z.minimum(MIN_VALID_FOR_SECONDS, VALID_FOR), z.maximum(MAX_VALID_FOR_SECONDS, VALID_FOR)),
      'Seconds from `send_at`, or from now, after which an unsent text becomes `expired` and its credit is refunded. A request whose texts cannot all be sent in time is refused. By default a text is given up (`failed`) after 72 hours.',
      { examples: [3600] },
    ),
  ),
  quiet_hours: z.optional(QuietHours),
  encoding: z.optional(
    described(
      z.literal('gsm7', 'must be "gsm7" or omitted'),
      '`gsm7` replaces characters outside GSM-7 by similar ones (see `replaced`). A text with a character that cannot be replaced, such as an emoji, is refused.',
      { examples: ['gsm7'] },
    ),
  ),
  purpose: z.optional(
    described(
      z.enum(purposes, 'must be "transactional", "marketing" or "reminder"'),
      '`transactional`, the default, is for information that the recipient asked for or must know, such as a receipt, a code, or news of an order; it is sent to everybody. `marketing` (offers, news) is refused with `consent_missing` unless consent is stored (`POST /api/v1/contact`), and waits at night (21:00-07:00). `marketing` and `reminder` are refused with `recipient_opted_out` if a recipient has replied `STOP` to you. You are responsible for the purpose: an offer is not transactional.',
    ),
  ),
  metadata: z.optional(Metadata),
});
export type SendRequest = z.infer<typeof SendRequest>;
