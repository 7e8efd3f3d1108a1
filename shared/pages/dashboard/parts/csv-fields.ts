import { html } from 'hono/html';
import * as z from 'zod/mini';
import { typed } from '../../../ghana/typed.ts';
import { invalidRequest } from '../../../runtime/values/errors.ts';
import { longText } from '../../../runtime/values/text.ts';
import { type Field, fileField, textField } from './form.ts';

export const csvShape = {
  csv: longText(z.optional(z.string('must be a table'))),
  file: longText(
    z.optional(typed('must be a spreadsheet saved as CSV', (base64) => textOf(Buffer.from(base64, 'base64')))),
  ),
};

export function csvFields({ example, hint }: { example: string; hint: string }, value?: string): Field[] {
  return [
    fileField('file', 'Spreadsheet', {
      accept: '.csv,.txt,text/csv,text/plain',
      hint: `Saved as CSV (in Excel, use “Save as”). ${hint}`,
      isRequired: false,
    }),
    textField('csv', 'Pasted list', {
      value,
      hint: html`Instead of a file, for example: <code class="lines">${example}</code>`,
      rows: 5,
    }),
  ];
}

export function givenCsv({ csv, file }: { csv?: string | undefined; file?: string | undefined }): {
  text: string;
  field: 'csv' | 'file';
} {
  if (csv !== undefined && file !== undefined)
    throw invalidRequest([{ field: 'csv', message: 'cannot be combined with a file: use only one of them' }]);
  if (file !== undefined) return { text: file, field: 'file' };
  if (csv === undefined)
    throw invalidRequest([{ field: 'csv', message: 'is missing: choose a file or paste a table' }]);
  return { text: csv, field: 'csv' };
}

/** Decodes a file in UTF-8 or Excel's default encoding. */
function textOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
