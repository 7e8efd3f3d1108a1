import { html } from 'hono/html';
import { counted } from '../../../runtime/values/counted.ts';
import type { ErrorCode, FieldError } from '../../../runtime/values/errors.ts';
import { ADD_CONTACT, STOPPED, TEXTS } from './addresses.ts';
import type { Html } from './content.ts';

const NAMED = 3;

/**
 * Describes a field's errors, after its label. For a list, returns the number of invalid rows and the first three
 * errors.
 */
export function faultOf(label: string, errors: readonly FieldError[]): string {
  const byRow = Map.groupBy(errors, ({ field, line }) => line ?? field);
  const rows = [...byRow].map(([row, found]) => {
    const messages = firstOf([...new Set(found.map(({ message }) => message))]);
    return typeof row === 'number' ? `line ${row}: ${messages}` : messages;
  });
  const isFile = errors.some(({ line }) => line !== undefined);
  if (rows.length === 1 && !isFile) return `${label} ${rows[0]}`.trim();
  const count = isFile ? counted(rows.length, 'line') : `${rows.length} of them`;
  return `Nothing was done: ${count} cannot be used (${firstOf(rows)}). Correct the list, then send it again.`;
}

function firstOf(all: readonly string[]): string {
  const more = all.length - NAMED;
  return [...all.slice(0, NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** Pages that fix the cause of an error, for all forms. */
const REMEDIES: Readonly<Partial<Record<ErrorCode, { explanation: string; path: string; name: string }>>> = {
  consent_missing: {
    explanation:
      'Offers and news go only to people who agreed to get them. Add those people to your contacts, and say when and how they agreed. Leave out everyone else.',
    path: ADD_CONTACT,
    name: 'Add to contacts',
  },
  recipient_opted_out: {
    explanation: 'People who wrote STOP cannot get offers or reminders from you. Leave them out.',
    path: STOPPED,
    name: 'Who wrote STOP',
  },
  insufficient_credits: {
    explanation: 'Each text costs one credit per number.',
    path: `${TEXTS}/credits`,
    name: 'Your credits',
  },
};

export function remedyOf(code: ErrorCode): Html | undefined {
  const remedy = REMEDIES[code];
  return (
    remedy &&
    html`<p>${remedy.explanation}</p><p class="actions"><a class="plain button" href="${remedy.path}">${remedy.name}</a></p>`
  );
}
