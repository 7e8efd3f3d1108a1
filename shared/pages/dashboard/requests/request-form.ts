import { html, raw } from 'hono/html';
import * as z from 'zod/mini';
import { CURRENCY } from '../../../ghana/country.ts';
import {
  MAX_LINE_CHARACTERS,
  MAX_NOTE_CHARACTERS,
  MAX_TITLE_CHARACTERS,
  RequestBody,
} from '../../../money/request/request-body.ts';
import { AMOUNT_PATTERN, daysIn } from '../../../money/request/written.ts';
import { parseBody } from '../../../runtime/http/parse-body.ts';
import { text } from '../../../runtime/values/text.ts';
import { writtenDay } from '../../../runtime/values/written-day.ts';
import type { Html } from '../parts/content.ts';
import { choice, type Filled, field, textField } from '../parts/form.ts';

const Typed = z.optional(z.string());

/** What a person says of a request, as it is typed; the API's own schema decides what of it is right. */
export const RequestForm = z.object({
  title: text(MAX_TITLE_CHARACTERS),
  lines: z.string(),
  customer_name: Typed,
  customer_phone: Typed,
  due: Typed,
  every: Typed,
  until: Typed,
  instalments: Typed,
  reminders: Typed,
  note: Typed,
  merchant_reference: Typed,
});
export type RequestForm = z.infer<typeof RequestForm>;

/** The same as the API takes it. @throws PublicError `invalid_request`. */
export function bodyOf({ lines, every, until, instalments, reminders, ...said }: RequestForm): RequestBody {
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined && value !== ''));
  return parseBody(RequestBody, {
    ...given,
    lines: linesOf(lines).map((line) => lineIn(line)),
    ...(every && { repeat: { every, until: until ?? '' } }),
    ...(instalments && { instalments: linesOf(instalments).map((line) => instalmentIn(line)) }),
    ...(reminders && { reminders: daysIn(reminders) }),
  });
}

function linesOf(written: string): string[] {
  return written
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** A description, then an amount as somebody writes it, with or without its currency. */
const LINE = new RegExp(`^(.*?)[\\s=:;]+${AMOUNT_PATTERN}$`, 'i');

/** `Tuition 750`, `Books = 1,200.50`: what stands last is the amount. A line without one is refused with its rule. */
function lineIn(line: string) {
  const [, description = line, amount = ''] = LINE.exec(line) ?? [];
  return { description: description.slice(0, MAX_LINE_CHARACTERS + 1), amount: amount.replaceAll(',', '') };
}

/** `2026-12-01 425`: the day, then the amount. */
function instalmentIn(line: string) {
  const { description, amount } = lineIn(line);
  return { due: writtenDay(description), amount };
}

export function remindersField(filled: Filled, value?: string): Html {
  return field(filled, {
    name: 'reminders',
    label: 'Remind by text on these days',
    value,
    hint: '-3, 0, 7: three days before, on the day, and a week after. Each text costs 1 credit; none is sent after payment.',
    maxLength: 40,
  });
}

/** The fields of a new request. */
export function requestFields(filled: Filled): Html[] {
  return [
    field(filled, { name: 'title', label: 'Title', maxLength: MAX_TITLE_CHARACTERS, isRequired: true }),
    textField(filled, {
      name: 'lines',
      label: 'What for, and how much',
      hint: `One a line, with its amount in ${CURRENCY} at the end: Tuition 750`,
      rows: 4,
      isRequired: true,
    }),
    field(filled, { name: 'customer_name', label: 'Customer’s name', maxLength: 100 }),
    field(filled, { name: 'customer_phone', label: 'Customer’s number', type: 'tel', inputMode: 'tel', maxLength: 20 }),
    field(filled, { name: 'due', label: 'To be paid by', type: 'date', hint: 'Of what repeats: the first time.' }),
    remindersField(filled),
    html`<details class="more"${filled.wasSent && raw(' open')}><summary>Instalments, repeating, more</summary>
${textField(filled, {
  name: 'instalments',
  label: 'Instalments',
  hint: 'Instead of one day: a line for each, with its day and amount: 2026-12-01 425',
  rows: 3,
})}
<div class="fields">
${choice(filled, {
  name: 'every',
  label: 'Repeats',
  options: [
    ['', 'No'],
    ['month', 'Each month'],
    ['week', 'Each week'],
  ],
})}
${field(filled, { name: 'until', label: 'Repeats until', type: 'date' })}
${field(filled, { name: 'merchant_reference', label: 'Your own number', maxLength: 100 })}
</div>
${textField(filled, { name: 'note', label: 'More about it', hint: `At most ${MAX_NOTE_CHARACTERS} characters.`, rows: 3 })}
</details>`,
  ];
}
