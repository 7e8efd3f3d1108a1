import { raw } from 'hono/html';
import * as z from 'zod/mini';
import { CURRENCY } from '../../../ghana/country.ts';
import {
  MAX_LINE_CHARACTERS,
  MAX_NOTE_CHARACTERS,
  MAX_TITLE_CHARACTERS,
  RequestBody,
} from '../../../money/request/request-body.ts';
import { evenParts, type Interval, intervals, MAX_INSTALMENTS } from '../../../money/request/schedule.ts';
import { AMOUNT_PATTERN, amountIn } from '../../../money/request/written.ts';
import { parseBody } from '../../../runtime/http/parse-body.ts';
import { type Clock, todayOf } from '../../../runtime/outside/outside.ts';
import { type FieldError, invalidRequest, PublicError, refuseInvalid } from '../../../runtime/values/errors.ts';
import { text } from '../../../runtime/values/text.ts';
import { writtenDay } from '../../../runtime/values/written-day.ts';
import { choice, field, fields, type Part, textField } from '../parts/form.ts';
import { reminderDays, reminderFields, reminderShape } from './reminder-fields.ts';

const Typed = z.optional(z.string());

export const RequestForm = z.object({
  amount: Typed,
  title: text(MAX_TITLE_CHARACTERS),
  lines: Typed,
  customer_name: Typed,
  customer_phone: Typed,
  due: Typed,
  parts: Typed,
  interval: z.optional(z.enum(intervals, 'must be one of the options listed')),
  every: Typed,
  until: Typed,
  instalments: Typed,
  ...reminderShape,
  note: Typed,
  merchant_reference: Typed,
});
export type RequestForm = z.infer<typeof RequestForm>;

/** Minimum instalment, and minimum part payment if customers choose the amount. */
const MIN_PART_PESEWAS = 100;

/**
 * Converts the form to an API request body. Instalments and repeats start today by default.
 * @throws PublicError `invalid_request`.
 */
export function bodyOf(outside: Clock, typed: RequestForm): RequestBody {
  const { parts, interval = 'month', every, until, instalments } = typed;
  const due = typed.due ?? (parts || every ? todayOf(outside) : undefined);
  const { title, customer_name, customer_phone, note, merchant_reference } = typed;
  refuseInvalid(twoWaysOf(typed));
  const count = partsOf(parts);
  const reminders = reminderDays(typed);
  const given = { title, customer_name, customer_phone, note, merchant_reference, ...(!instalments && { due }) };
  const body = parseBody(RequestBody, {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== '')),
    lines: sumOf(typed),
    ...(every && { repeat: { every, until: until ?? '' } }),
    ...(instalments && { instalments: typedLines(instalments).map(instalmentIn) }),
    ...(reminders && { reminders }),
  });
  return count === undefined ? body : inParts(body, count, interval);
}

function sumOf({ title, amount, lines = '' }: RequestForm) {
  return amount ? [{ description: title, amount: amountIn(amount) }] : typedLines(lines).map(lineIn);
}

/** Rejects alternative fields that are both filled in or both empty. */
function twoWaysOf({ amount, lines, parts, every, instalments }: RequestForm): FieldError[] {
  if (!amount && !lines) return [{ field: 'amount', message: 'is missing' }];
  if (amount && lines)
    return [{ field: 'amount', message: 'cannot be combined with several items below: clear one or the other' }];
  if (parts && instalments)
    return [{ field: 'parts', message: 'cannot be combined with your own plan below: clear one or the other' }];
  if (every && (parts || instalments)) {
    const other = parts ? 'equal parts' : 'your own plan';
    return [
      { field: 'every', message: `cannot be combined with ${other}, because each repeat asks for the full amount` },
    ];
  }
  return [];
}

function partsOf(parts: string | undefined): number | undefined {
  if (!parts) return undefined;
  const count = /^\d{1,3}$/.test(parts.trim()) ? Number(parts) : 0;
  if (count >= 1 && count <= MAX_INSTALMENTS) return count;
  throw invalidRequest([{ field: 'parts', message: `must be a whole number from 1 to ${MAX_INSTALMENTS}` }]);
}

function inParts({ due = '', ...body }: RequestBody, count: number, interval: Interval): RequestBody {
  const total = body.lines.reduce((sum, { quantity = 1, amount }) => sum + quantity * amount, 0);
  if (total < count * MIN_PART_PESEWAS)
    throw invalidRequest([
      { field: 'parts', message: `must be a smaller number: each part must be at least ${CURRENCY} 1` },
    ]);
  const instalments = evenParts(total, count, interval, due).map((one) => ({
    due: String(one.due),
    amount: one.amount_pesewas,
  }));
  return { ...body, instalments };
}

/**
 * Runs `act` and rewords its API errors for the form.
 * @throws PublicError `invalid_request`, and any other error from `act`.
 */
export async function inFormWords<Result>(typed: RequestForm, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof PublicError) || !error.errors) throw error;
    refuseInvalid(error.errors.map((one) => wordsOf(typed, one)));
    throw error;
  }
}

function wordsOf(typed: RequestForm, { field, message }: FieldError): FieldError {
  // A single amount is sent as one line, so its errors refer to that line.
  if (typed.amount && field.startsWith('lines['))
    return { field: field.endsWith('.amount') ? 'amount' : 'title', message };
  const [, box = '', n = '', what = ''] = /^(lines|instalments)\[(\d+)\]\.(\w+)$/.exec(field) ?? [];
  if (box === 'lines' || box === 'instalments') {
    const line = `“${typedLines(typed[box] ?? '')[Number(n)] ?? ''}”`;
    const isAmount = what === 'amount';
    if (box === 'lines' && isAmount)
      return { field: box, message: `contains ${line}, which needs an amount at the end, such as Tuition 750` };
    if (box === 'lines') return { field: box, message: `contains ${line}, which ${message}` };
    const lacks = isAmount ? 'an amount at the end' : 'a date at the start';
    return { field: box, message: `contains ${line}, which needs ${lacks}, such as 24/12/2026 425` };
  }
  if (field === 'repeat.until')
    return { field: 'until', message: typed.until ? message.replace('due', 'the first day') : 'is missing' };
  if (field === 'repeat.every') return { field: 'every', message };
  if (/^reminders\[/.test(field)) return { field: 'reminders', message };
  return { field, message };
}

function typedLines(written: string): string[] {
  return written
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Matches the amount behind a description, with or without a currency. */
const AMOUNT_BEHIND = new RegExp(`(?<![\\s=:;])[\\s=:;]+${AMOUNT_PATTERN}$`, 'i');

/** Parses a line such as `Tuition 750` or `Books = 1,200.50`, which must end in an amount. */
function lineIn(line: string) {
  const found = AMOUNT_BEHIND.exec(line);
  const description = line.slice(0, found?.index).slice(0, MAX_LINE_CHARACTERS + 1);
  return { description, amount: (found?.[1] ?? '').replaceAll(',', '') };
}

/** Parses a day and an amount: `2026-12-01 425`. */
function instalmentIn(line: string) {
  const { description, amount } = lineIn(line);
  return { due: writtenDay(description), amount };
}

export function requestFields(): Part[] {
  return [
    field('amount', 'Amount', { inputMode: 'decimal', maxLength: 16 }),
    field('title', 'What for', { maxLength: MAX_TITLE_CHARACTERS, isRequired: true }),
    field('customer_name', 'Customer’s name', { maxLength: 100 }),
    field('customer_phone', 'Customer’s number', { type: 'tel', inputMode: 'tel', maxLength: 20 }),
    fields`<div class="fields pair">
${field('parts', 'How many parts', { inputMode: 'numeric', maxLength: 3, hint: 'Equal parts. Leave empty to ask for the full amount at once.' })}
${choice('interval', 'One part every', {
  value: 'month',
  options: [
    ['week', 'Week'],
    ['two_weeks', '2 weeks'],
    ['month', 'Month'],
    ['three_months', '3 months'],
  ],
})}
</div>`,
    field('due', 'To be paid by', {
      type: 'date',
      hint: 'For parts or repeats, enter the first date. Leave empty for today.',
    }),
    fields`<details class="more"${({ wasSent }) => wasSent && raw(' open')}><summary>Reminders, several items, repeats and more</summary>
${reminderFields()}
${textField('lines', 'Several items', {
  hint: `Instead of the amount above. One item per line, ending with its amount in ${CURRENCY}: Tuition 750`,
  rows: 3,
})}
${textField('instalments', 'Your own plan', {
  hint: 'For unequal parts. One per line, with its date and amount: 24/12/2026 425. These dates replace the one above.',
  rows: 3,
})}
<div class="fields">
${choice('every', 'Repeats', {
  options: [
    ['', 'No'],
    ['month', 'The full amount each month'],
    ['week', 'The full amount each week'],
  ],
})}
${field('until', 'Repeats until', { type: 'date' })}
${field('merchant_reference', 'Your own reference', { maxLength: 100 })}
</div>
${textField('note', 'More about it', { hint: `At most ${MAX_NOTE_CHARACTERS} characters.`, rows: 3 })}
</details>`,
  ];
}
