import * as z from 'zod/mini';
import { wholeMoney } from '../../../ghana/money.ts';
import { fieldAmount, TypedAmount, typed, wholeNumber } from '../../../ghana/typed.ts';
import { confirmsUnprovenUpToPesewas, type Merchant } from '../../../merchants/merchant/merchant.ts';
import { isTestAccount } from '../../../merchants/merchant/test-account.ts';
import type { Link } from '../../../money/link/link.table.ts';
import { boundsOf } from '../../../money/link/link.ts';
import {
  MAX_DESCRIPTION_CHARACTERS,
  MAX_NOTE_LABEL_CHARACTERS,
  MAX_TITLE_CHARACTERS,
} from '../../../money/link/link-request.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { invalidRequest, refuseInvalid } from '../../../runtime/values/errors.ts';
import { longText, text } from '../../../runtime/values/text.ts';
import { type Field, field, fields, type Part, textField, tick, ticks } from '../parts/form.ts';

/** A date field. The link expires at the end of that day, Accra time. */
const TypedDay = typed('must be a date, such as 2026-12-24', (written, refuse) =>
  /^\d{4}-\d\d-\d\d$/.test(written) && !Number.isNaN(Date.parse(written)) ? `${written}T23:59:59.999Z` : refuse(),
);

export const LinkForm = z.object({
  title: text(MAX_TITLE_CHARACTERS),
  description: z.optional(text(MAX_DESCRIPTION_CHARACTERS)),
  amount: z.optional(TypedAmount),
  min_amount: z.optional(TypedAmount),
  max_amount: z.optional(TypedAmount),
  note_label: z.optional(text(MAX_NOTE_LABEL_CHARACTERS)),
  ends_on: z.optional(TypedDay),
  low_stock_at: z.optional(wholeNumber(0, 1_000)),
  ...ticks(['text_codes']),
});
export type LinkForm = z.infer<typeof LinkForm>;
export const NewLinkForm = z.extend(LinkForm, { codes: longText(z.optional(z.string())) });

/** Converts the form to an API request body. Empty fields are explicit, because the body replaces the whole link. */
export function requestOf(form: LinkForm) {
  const { title, description, amount, min_amount, max_amount, note_label, low_stock_at, ends_on, text_codes } = form;
  const words = { title, description, note_label };
  return { ...words, amount, min_amount, max_amount, low_stock_at, ends_at: ends_on, text_codes: text_codes === 'on' };
}

/**
 * Explains why codes up to this amount may be held after payment, or returns undefined. See `decideRelease` in
 * goods/decide-release.ts.
 */
export function codesWait(merchant: Merchant, mostPesewas: number): string | undefined {
  const limit = confirmsUnprovenUpToPesewas(merchant);
  if (isTestAccount(merchant.merchant_id) || mostPesewas <= limit) return undefined;
  const which = limit > 0 ? `A code for a payment above ${wholeMoney(limit)}` : 'A code';
  return `${which} is held until the payment is verified or someone releases it.`;
}

export function linkFields(merchant: Merchant, link?: Link): Part[] {
  const amount = (pesewas: number | undefined) => (pesewas === undefined ? undefined : fieldAmount(pesewas));
  const money = { inputMode: 'decimal', maxLength: 16 } as const;
  // A sticker expires with its till and sells no stock codes.
  const isSticker = link?.till !== undefined;
  return [
    field('title', 'What it is for', { value: link?.title, maxLength: MAX_TITLE_CHARACTERS, isRequired: true }),
    field('amount', 'Amount', {
      ...money,
      value: amount(link?.amount_pesewas),
      hint: 'Leave empty to let the customer choose the amount.',
    }),
    ...(link
      ? []
      : [codesField({ rows: 2, hint: 'If each payer gets a voucher, ticket or licence, type one code per line.' })]),
    fields`<details class="more"><summary>More about it, limits${!isSticker && ', texted codes'}</summary>
${textField('description', 'More about it', { value: link?.description, rows: 3 })}
${!isSticker && codeFields(merchant, link)}
<div class="fields">${field('min_amount', 'Minimum amount', { ...money, value: amount(link?.min_pesewas) })}
${field('max_amount', 'Maximum amount', { ...money, value: amount(link?.max_pesewas) })}
${!isSticker && field('ends_on', 'Last day', { type: 'date', value: link?.ends_at?.slice(0, 10) })}
</div>
${field('note_label', 'What to ask the customer', {
  value: link?.note_label,
  hint: 'One question, such as “Your room”. The bill shows the answer.',
  maxLength: MAX_NOTE_LABEL_CHARACTERS,
})}
</details>`,
  ];
}

export function codesField(facts: Parameters<typeof textField>[2]): Field {
  return textField('codes', 'Codes', facts);
}

function codeFields(merchant: Merchant, link?: Link): Field {
  const [, most] = boundsOf(link ?? {});
  return fields`${field('low_stock_at', 'Notify me when this many codes are left', {
    value: link?.low_stock_at === undefined ? undefined : String(link.low_stock_at),
    inputMode: 'numeric',
    hint: ['Leave empty for 5.', codesWait(merchant, most) ?? []].flat().join(' '),
    maxLength: 4,
  })}
${tick('text_codes', 'Text the codes too. The page asks for a number, and each text costs 1 credit', {
  value: link?.texts_codes ? 'on' : '',
})}`;
}

const MAX_CODES_A_FORM = 500;

/**
 * Parses pasted stock codes, one per line or in a table's first column.
 * @throws PublicError `invalid_request` for `field`.
 */
export function codesIn(written: string, field: string): string[] {
  const lines = written.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  const codes = lines
    .map((text, n) => ({ line: n + 1, code: (text.split(/[,;\t]/)[0] ?? '').trim().replace(/^"(.*)"$/, '$1') }))
    .filter(({ code }) => code !== '');
  const wrong = codes.filter(({ code }) => !/^[\x21-\x7e][\x20-\x7e]{0,99}$/.test(code));
  refuseInvalid(
    wrong.map(({ line, code }) => ({
      field,
      line,
      message: `${JSON.stringify(code.slice(0, 40))} must be at most 100 letters, digits or symbols`,
    })),
  );
  if (codes.length === 0)
    throw invalidRequest([{ field, message: 'must contain at least one code, each on its own line' }]);
  if (codes.length > MAX_CODES_A_FORM)
    throw invalidRequest([
      { field, message: `must contain at most ${MAX_CODES_A_FORM} codes. Add the rest afterwards` },
    ]);
  return codes.map(({ code }) => code);
}

export function addedInWords(codes: readonly string[], added: number): string {
  const twice = codes.length - new Set(codes).size;
  const had = codes.length - added - twice;
  const left = [
    had > 0 && ` ${had} left out: already added to this link before.`,
    twice > 0 && ` ${twice} left out: listed more than once.`,
  ].filter(Boolean);
  return `${counted(added, 'code')} added.${left.join('')}`;
}

export const CodesForm = z.object({ codes: longText(z.string()) });
/** The uploaded file in base64. */
export const CodesFileForm = z.object({
  file: longText(typed('must be a text file', (base64) => Buffer.from(base64, 'base64').toString('utf8'))),
});
