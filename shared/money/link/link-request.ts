import * as z from 'zod/mini';
import { Amount } from '../../ghana/amount-schema.ts';
import { CURRENCY } from '../../ghana/country.ts';
import { described, requestBody } from '../../runtime/values/described.ts';
import { Metadata } from '../../runtime/values/metadata.ts';
import { filled, text } from '../../runtime/values/text.ts';

export const MAX_TITLE_CHARACTERS = 80;
export const MAX_DESCRIPTION_CHARACTERS = 500;
export const MAX_NOTE_LABEL_CHARACTERS = 60;
/** Maximum number of codes per request (about 50 KB). */
const MAX_CODES_A_REQUEST = 500;
/** Maximum number of codes per link. A new list of codes is compared with all of them. */
export const MAX_CODES = 20_000;

const LOW_STOCK = 'must be a whole number from 0 to 1000';
const ENDS_AT = 'must be a time with a UTC offset, such as 2026-12-24T18:00:00Z';

const fields = {
  title: described(filled(MAX_TITLE_CHARACTERS), 'The title of the page.', {
    minLength: 1,
    examples: ['Hostel Wi-Fi, one week'],
  }),
  description: described(text(MAX_DESCRIPTION_CHARACTERS), 'Shown below the title.', {
    examples: ['One code for one device, seven days from the first use.'],
  }),
  amount: described(Amount, `The amount each customer pays, in ${CURRENCY}. Without it, the customer types one.`, {
    examples: [25],
  }),
  min_amount: described(Amount, `The lowest amount a customer may type, in ${CURRENCY}; only without \`amount\`.`, {
    examples: [5],
  }),
  max_amount: described(Amount, `The highest amount a customer may type, in ${CURRENCY}; only without \`amount\`.`, {
    examples: [500],
  }),
  note_label: described(
    filled(MAX_NOTE_LABEL_CHARACTERS),
    'The question to the customer, such as a table or a room; the answer is the charge’s `customer_note`.',
    { minLength: 1, examples: ['Your room'] },
  ),
  codes: described(
    z
      .array(
        z.string('must be a string').check(
          z.refine(
            (code) => /^[\x21-\x7e]([\x20-\x7e]{0,98}[\x21-\x7e])?$/.test(code),
            'must be 1 to 100 printable ASCII characters, without leading or trailing spaces',
          ),
          z.meta({ minLength: 1, maxLength: 100 }),
        ),
        'must be a list of strings',
      )
      .check(
        z.minLength(1, 'must not be empty'),
        z.maxLength(
          MAX_CODES_A_REQUEST,
          `must have at most ${MAX_CODES_A_REQUEST} codes per request; add the rest in another request`,
        ),
      ),
    'Vouchers, tickets, licences: each goes to exactly one payer, in this order. Known codes are skipped. Codes need `amount` or `min_amount`; a till’s sticker cannot have codes.',
    { examples: [['WIFI-7QK2-M9XD', 'WIFI-4HN8-T3PC']] },
  ),
  low_stock_at: described(
    z.int(LOW_STOCK).check(z.minimum(0, LOW_STOCK), z.maximum(1_000, LOW_STOCK)),
    '`link.stock_low` is sent when at most this many codes are left; 5 by default.',
    { examples: [10] },
  ),
  text_codes: described(
    z.boolean('must be true or false'),
    'Ask the customer for a number and also text the code, for one of your credits.',
  ),
  metadata: Metadata,
  ends_at: described(z.string(ENDS_AT).check(z.refine(isTime, ENDS_AT)), 'When the link stops opening charges.', {
    format: 'date-time',
    examples: ['2026-12-24T18:00:00.000Z'],
  }),
};

function isTime(written: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(written) &&
    z.iso.datetime({ offset: true, error: ENDS_AT }).safeParse(written).success
  );
}

export const LinkRequest = requestBody('LinkRequest', {
  title: fields.title,
  description: z.optional(fields.description),
  amount: z.optional(fields.amount),
  min_amount: z.optional(fields.min_amount),
  max_amount: z.optional(fields.max_amount),
  note_label: z.optional(fields.note_label),
  codes: z.optional(fields.codes),
  low_stock_at: z.optional(fields.low_stock_at),
  text_codes: z.optional(fields.text_codes),
  metadata: z.optional(fields.metadata),
  ends_at: z.optional(fields.ends_at),
});
export type LinkRequest = z.infer<typeof LinkRequest>;

/** Body of `PUT /api/v1/link/{slug}`. An empty string removes the field. */
export const ChangeLinkRequest = requestBody('ChangeLinkRequest', {
  title: z.optional(fields.title),
  description: z.optional(fields.description),
  amount: z.optional(fields.amount),
  min_amount: z.optional(fields.min_amount),
  max_amount: z.optional(fields.max_amount),
  note_label: z.optional(described(text(MAX_NOTE_LABEL_CHARACTERS), 'The question to the customer; empty for none.')),
  low_stock_at: z.optional(fields.low_stock_at),
  text_codes: z.optional(fields.text_codes),
  metadata: z.optional(fields.metadata),
  ends_at: z.optional(fields.ends_at),
});
export type ChangeLinkRequest = z.infer<typeof ChangeLinkRequest>;

export const AddCodesRequest = requestBody('AddCodesRequest', { codes: fields.codes });
export type AddCodesRequest = z.infer<typeof AddCodesRequest>;
