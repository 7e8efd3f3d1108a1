import * as z from 'zod/mini';
import { PhoneNumber } from '../../ghana/phone-number-schema.ts';
import { described, requestBody } from '../../runtime/values/described.ts';
import { text } from '../../runtime/values/text.ts';
import { MAX_RECIPIENTS, SendRequest } from '../sms/send-request.ts';

/** About a day of one sender's texts. All parts are written in one transaction. */
export const MAX_BULK_RECIPIENTS = 20 * MAX_RECIPIENTS;
const MAX_WORD_CHARACTERS = 200;

const Word = described(text(MAX_WORD_CHARACTERS), 'What stands in the text for its name in braces.');

export const Recipient = z.catchall(z.object({ to: PhoneNumber }, 'must be an object with the number as "to"'), Word);
export type Recipient = z.infer<typeof Recipient>;

const Recipients = described(
  z
    .array(Recipient, 'must be a list')
    .check(
      z.minLength(1, 'must have at least one recipient'),
      z.maxLength(MAX_BULK_RECIPIENTS, `must have at most ${MAX_BULK_RECIPIENTS} recipients`),
    ),
  `Up to ${MAX_BULK_RECIPIENTS} recipients: each a number (\`to\`) and the words for its text, by their names. Words that the text does not use are ignored. A number may come several times with different texts; the same text to the same number is sent once.`,
  { examples: [[{ to: '0241234567', name: 'Ama', order: 'A-1007' }]] },
);

const { message, from, send_at, valid_for, quiet_hours, encoding, purpose, metadata } = SendRequest.shape;

export const BulkRequest = requestBody('BulkRequest', {
  message: described(
    message,
    'The text. `{name}` stands for the word `name` of each recipient: a letter, then up to 39 letters, digits and underscores.',
    { minLength: 1, examples: ['Hello {name}, your order {order} is ready'] },
  ),
  allow_braces: z.optional(
    described(
      z.boolean('must be true or false'),
      'Sends braces that are no placeholder as they stand, where they are refused otherwise.',
    ),
  ),
  recipients: z.optional(Recipients),
  csv: z.optional(
    described(
      z.string('must be the text of a CSV file'),
      `The same as the text of a CSV file, in place of \`recipients\`: its first line names the columns, of which \`to\` (or \`number\`, \`phone\`) has the number and the others the words, \`Order no\` those of \`{order_no}\`. Commas, semicolons or tabs, quoted as spreadsheets do. A bad row is refused with its line.`,
      { examples: ['to,name,order\n0241234567,Ama,A-1007\n'] },
    ),
  ),
  from,
  send_at,
  valid_for,
  quiet_hours,
  encoding,
  purpose,
  metadata,
});
export type BulkRequest = z.infer<typeof BulkRequest>;
