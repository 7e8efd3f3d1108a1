import * as z from 'zod/mini';
import { Amount } from '../../ghana/amount-schema.ts';
import { CURRENCY } from '../../ghana/country.ts';
import { PhoneNumber } from '../../ghana/phone-number-schema.ts';
import { dayOf, isDay } from '../../runtime/values/calendar.ts';
import { described, requestBody } from '../../runtime/values/described.ts';
import { Metadata } from '../../runtime/values/metadata.ts';
import { filled, longText } from '../../runtime/values/text.ts';
import { MAX_INSTALMENTS } from './schedule.ts';

export const MAX_TITLE_CHARACTERS = 80;
export const MAX_NOTE_CHARACTERS = 500;
export const MAX_LINE_CHARACTERS = 200;
const MAX_LINES = 50;
const MAX_REMINDERS = 5;
/** Permitted days before (negative) or after the due date. */
const REMINDER_DAYS = { least: -30, most: 60 } as const;

const DAY = 'must be a date from 2020 to 2099, such as 2026-12-24';

/** A day in Accra. Times are converted to their day in Accra. */
const Day = z
  .pipe(
    z.string(DAY),
    z.transform((written: string, { issues }) => {
      const [, day = ''] = /^(20[2-9]\d-\d\d-\d\d)(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.exec(written) ?? [];
      const ms = Date.parse(written);
      if (isDay(day) && !Number.isNaN(ms)) return dayOf(ms);
      issues.push({ code: 'custom', input: written, message: DAY });
      return z.NEVER;
    }),
  )
  .check(z.meta({ override: { type: 'string', format: 'date', examples: ['2026-12-24'] } }));

const QUANTITY = 'must be a whole number from 1 to 10000';

const LineBody = z
  .strictObject(
    {
      description: described(filled(MAX_LINE_CHARACTERS), 'The item.', {
        minLength: 1,
        examples: ['Tuition, term 2'],
      }),
      quantity: z.optional(
        described(z.int(QUANTITY).check(z.minimum(1, QUANTITY), z.maximum(10_000, QUANTITY)), '1 by default.'),
      ),
      amount: described(Amount, `The price per unit, in ${CURRENCY}.`, { examples: [850] }),
    },
    'must be a JSON object with description and amount',
  )
  .check(z.meta({ id: 'RequestLineBody' }));

const InstalmentBody = z
  .strictObject(
    {
      due: described(Day, 'The due date.'),
      amount: described(Amount, `In ${CURRENCY}.`, { examples: [425] }),
    },
    'must be a JSON object with due and amount',
  )
  .check(z.meta({ id: 'InstalmentBody' }));

const REMIND = `must be a whole number of days from ${REMINDER_DAYS.least} (before the day) to ${REMINDER_DAYS.most} (after it)`;

const fields = {
  title: described(filled(MAX_TITLE_CHARACTERS), 'The title of the page.', {
    minLength: 1,
    examples: ['School fees, term 2'],
  }),
  lines: described(
    z
      .array(LineBody, 'must be a list of lines')
      .check(
        z.minLength(1, 'must have at least one line'),
        z.maxLength(MAX_LINES, `must have at most ${MAX_LINES} lines`),
      ),
    'The items of the total, or of each repetition.',
  ),
  note: z.optional(described(filled(MAX_NOTE_CHARACTERS), 'Shown below the title.', { minLength: 1 })),
  customer_name: z.optional(
    described(filled(100), 'Shown on the page; never matched with payers’ names.', {
      minLength: 1,
      examples: ['Kofi Mensah'],
    }),
  ),
  customer_phone: z.optional(PhoneNumber),
  due: z.optional(described(Day, 'The due date, or the first due date of a repetition.')),
  instalments: z.optional(
    described(
      z
        .array(InstalmentBody, 'must be a list of instalments')
        .check(
          z.minLength(1, 'must have at least one instalment'),
          z.maxLength(MAX_INSTALMENTS, `must have at most ${MAX_INSTALMENTS} instalments`),
        ),
      'Parts with their own due dates, instead of `due`, which add up to the total.',
    ),
  ),
  repeat: z.optional(
    z
      .strictObject(
        {
          every: described(z.enum(['week', 'month'], 'must be "week" or "month"'), 'The interval.'),
          until: described(Day, 'The last possible due date.'),
        },
        'must be a JSON object with every and until',
      )
      .check(
        z.meta({
          id: 'RepeatBody',
          description: `Repeats the same amount from \`due\` on, at most ${MAX_INSTALMENTS} times: rent, school fees, internet. In a shorter month, the 31st becomes the last day.`,
        }),
      ),
  ),
  reminders: z.optional(
    described(
      z
        .array(
          z.int(REMIND).check(z.minimum(REMINDER_DAYS.least, REMIND), z.maximum(REMINDER_DAYS.most, REMIND)),
          'must be a list of days, such as [-3, 0, 7]',
        )
        .check(z.maxLength(MAX_REMINDERS, `must have at most ${MAX_REMINDERS} days`)),
      'Days of reminders to `customer_phone`, counted from each due day: `-3` is three days before. Each text costs a credit.',
      { examples: [[-3, 0, 7]] },
    ),
  ),
  merchant_reference: z.optional(
    described(filled(100), 'Your own number, such as an invoice’s.', {
      minLength: 1,
      examples: ['INV-2026-104'],
    }),
  ),
  metadata: z.optional(Metadata),
} as const;

/**
 * Maximum number of payment requests per call, enough for a school's list. The idempotency record contains all of their
 * slugs.
 */
export const MAX_REQUESTS = 1_000;

export const RequestBody = requestBody('PaymentRequestBody', fields);
export type RequestBody = z.infer<typeof RequestBody>;

export const ManyRequestsBody = requestBody('PaymentRequestsBody', {
  requests: z.optional(
    described(
      z
        .array(RequestBody, 'must be a list of requests')
        .check(
          z.minLength(1, 'must have at least one request'),
          z.maxLength(MAX_REQUESTS, `must have at most ${MAX_REQUESTS} requests`),
        ),
      `Up to ${MAX_REQUESTS} requests.`,
    ),
  ),
  csv: longText(
    z.optional(
      described(
        z.string('must be the text of a CSV file'),
        'The text of a CSV file instead of `requests`, one request a line. The first line names the columns: `title` and `amount`, and optionally `description`, `quantity`, `customer_name`, `customer_phone`, `due`, `reminders`, `note` and `merchant_reference`. Other columns are ignored. Commas, semicolons or tabs, quoted as in spreadsheets.',
        { examples: ['title,amount,customer_name,due\nSchool fees,850,Kofi Mensah,2026-12-24\n'] },
      ),
    ),
  ),
});
export type ManyRequestsBody = z.infer<typeof ManyRequestsBody>;
