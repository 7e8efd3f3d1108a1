import * as z from 'zod/mini';
import { PhoneNumber } from '../../ghana/phone-number-schema.ts';
import { described, requestBody } from '../../runtime/values/described.ts';
import { longText, text } from '../../runtime/values/text.ts';
import { MAX_RECIPIENTS, SendRequest } from '../sms/send-request.ts';

/** Maximum number of recipients of a bulk send. All of its sends are written in one transaction. */
export const MAX_BULK_RECIPIENTS = 20 * MAX_RECIPIENTS;
const MAX_WORD_CHARACTERS = 200;

const Word = described(text(MAX_WORD_CHARACTERS), 'The placeholder’s value.');

export const Recipient = z.catchall(z.object({ to: PhoneNumber }, 'must be an object with the number as "to"'), Word);
export type Recipient = z.infer<typeof Recipient>;

const Recipients = described(
  z
    .array(Recipient, 'must be a list')
    .check(
      z.minLength(1, 'must have at least one recipient'),
      z.maxLength(MAX_BULK_RECIPIENTS, `must have at most ${MAX_BULK_RECIPIENTS} recipients`),
    ),
  `Up to ${MAX_BULK_RECIPIENTS} recipients: each a number (\`to\`) and placeholder values, by name. Unused values are ignored. The same text to the same number is sent once.`,
  { examples: [[{ to: '0241234567', name: 'Ama', order: 'A-1007' }]] },
);

const { message, from, send_at, valid_for, quiet_hours, encoding, purpose, metadata } = SendRequest.shape;

export const BulkRequest = requestBody('BulkRequest', {
  message: described(
    message,
    'The text. `{name}` stands for each recipient’s value `name`: a letter, then up to 39 letters, digits and underscores.',
    { minLength: 1, examples: ['Hello {name}, your order {order} is ready'] },
  ),
  allow_braces: z.optional(
    described(z.boolean('must be true or false'), 'Sends other braces unchanged. Without it, they are refused.'),
  ),
  recipients: z.optional(Recipients),
  csv: longText(
    z.optional(
      described(
        z.string('must be the text of a CSV file'),
        `The text of a CSV file instead of \`recipients\`. The first line names the columns: \`to\` (or \`number\`, \`phone\`) is the number, the others are values (\`Order no\` for \`{order_no}\`). Commas, semicolons or tabs, quoted as in spreadsheets.`,
        { examples: ['to,name,order\n0241234567,Ama,A-1007\n'] },
      ),
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
