import { type FieldError, refuseInvalid } from '../../runtime/values/errors.ts';
import { inGsm7 } from '../sms/gsm7.ts';
import { almostPlaceholders, fillIn, largest, placeholdersOf } from '../sms/personal-text.ts';
import { MAX_SAFE_SEGMENTS, safeSizeOf, type sizeOf } from '../sms/segments.ts';
import type { BulkToMany } from './read-recipients.ts';

export interface PersonalTexts {
  readonly message: string;
  readonly to: string[];
  /** Placeholder values for each recipient. Undefined if the text has no placeholders. */
  readonly words: string[][] | undefined;
  readonly merged: number;
  readonly size: ReturnType<typeof sizeOf>;
}

/**
 * Builds the texts of a bulk send. Identical texts to the same number are merged.
 * @throws PublicError `invalid_request` with a list of the invalid rows.
 */
export function personalTexts({ message: written, recipients, encoding, allow_braces }: BulkToMany): PersonalTexts {
  const { all: given, errorAt } = recipients;
  const errors: FieldError[] = allow_braces ? [] : wrongPlaceholders(written, recipients);
  const converted = (text: string, wrong: (message: string) => FieldError) => {
    if (!encoding) return text;
    const { text: converted, missing } = inGsm7(text);
    if (missing[0] !== undefined)
      errors.push(wrong(`contains ${JSON.stringify(missing[0])}, which has no GSM-7 equivalent`));
    return converted;
  };
  const ofMessage = (message: string): FieldError => ({ field: 'message', message });
  const names = placeholdersOf(written);
  const message = converted(written, ofMessage);
  const texts = new Map<string, { to: string; words: string[]; size: ReturnType<typeof sizeOf> }>();
  for (const [n, recipient] of given.entries()) {
    const words = names.map((name) => {
      const word = Object.hasOwn(recipient, name) ? (recipient[name] ?? '').trim() : '';
      if (word === '') errors.push(errorAt(n, name, `is missing, but the text contains {${name}}`));
      if (SPREADSHEET_ERROR.test(word))
        errors.push(errorAt(n, name, `is ${word}, a spreadsheet error. Correct that cell`));
      return converted(word, (message) => errorAt(n, name, message));
    });
    const text = fillIn(message, words);
    const size = safeSizeOf(text);
    const key = `${recipient.to} ${text}`;
    if (!size) errors.push(names.length > 0 ? errorAt(n, undefined, TOO_LONG) : ofMessage(TOO_LONG));
    else if (!texts.has(key)) texts.set(key, { to: recipient.to, words, size });
  }
  refuseInvalid(errors);
  const all = [...texts.values()];
  return {
    message,
    to: all.map(({ to }) => to),
    words: names.length > 0 ? all.map(({ words }) => words) : undefined,
    merged: given.length - all.length,
    size: largest(all.map(({ size }) => size)),
  };
}

const TOO_LONG = `makes the text longer than ${MAX_SAFE_SEGMENTS} SMS, which phones cannot send. Shorten it`;

/** Error values that spreadsheet programs write for a failed formula. */
const SPREADSHEET_ERROR =
  /^(#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|ERROR!|GETTING_DATA)|Err:\d{3})$/i;

function wrongPlaceholders(message: string, { all, ignored }: BulkToMany['recipients']): FieldError[] {
  const words = [...new Set([...(ignored ?? []), ...Object.keys(all[0] ?? {})])].filter((name) => name !== 'to');
  return almostPlaceholders(message, words).map(({ written, meant }) => {
    const write = meant ? `write ${meant}` : 'write a placeholder as {name}';
    return {
      field: 'message',
      message: `contains ${written}, which is not a placeholder: ${write}, or set allow_braces to true`,
    };
  });
}
