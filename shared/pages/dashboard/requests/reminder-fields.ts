import * as z from 'zod/mini';
import { daysIn } from '../../../money/request/written.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { type Field, field, fields, tick, ticks } from '../parts/form.ts';

const boxes = [
  ['remind_before', -3, '3 days before'],
  ['remind_on', 0, 'On the day'],
  ['remind_after', 7, '7 days after'],
] as const;

/** Checkboxes for common reminder days. `reminders` accepts others in the API's format: `-14, 30`. */
export const reminderShape = { ...ticks(boxes.map(([name]) => name)), reminders: z.optional(z.string()) };
const Reminders = z.object(reminderShape);
type Reminders = z.infer<typeof Reminders>;

/** Returns the chosen days in the API's format, or undefined. Keeps invalid days, which the API rejects. */
export function reminderDays(typed: Reminders): (number | string)[] | undefined {
  const ticked = boxes.flatMap(([name, day]) => (typed[name] ? [day] : []));
  const days = [...ticked, ...daysIn(typed.reminders ?? '')];
  return days.length > 0 ? [...new Set(days)] : undefined;
}

export function reminderFields(value: Reminders = {}): Field {
  return fields`<fieldset><legend>Remind by text</legend>
<p class="hint">Each text costs 1 credit. No reminders are sent after payment.</p>
${boxes.map(([name, , label]) => tick(name, label, { value: value[name] }))}
${field('reminders', 'Other days', {
  value: value.reminders,
  hint: 'Days after the due day. A minus means days before it: 14 is two weeks after, -1 is the day before.',
  maxLength: 40,
})}</fieldset>`;
}

/** Formats reminder days like `3 days before`, `on the day` or `7 days after`. */
export function shownReminderDays(days: readonly number[]): string {
  const shown = days.map((day) => {
    if (day === 0) return 'on the day';
    return `${counted(Math.abs(day), 'day')} ${day < 0 ? 'before' : 'after'}`;
  });
  const all = shown.join(', ');
  return `${all.slice(0, 1).toUpperCase()}${all.slice(1)}`;
}
