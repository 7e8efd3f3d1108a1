import { errorTable, introduction } from '../openapi/introduction.ts';
import { comingFrom } from './coming-from.ts';

/** A text of the reference that is about more than one operation. */
export interface Guide {
  readonly id: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** The sections of the document's introduction, without the table of errors, which have a section each; and one for the page alone. */
export const guides: readonly Guide[] = [
  ...introduction
    .replace(errorTable, '')
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      return { id: title.toLowerCase().replaceAll(' ', '-'), title, text: lines.join('\n').trim() };
    }),
  { id: 'coming-from', title: 'Coming from Paystack, Hubtel or Twilio', text: comingFrom },
];
