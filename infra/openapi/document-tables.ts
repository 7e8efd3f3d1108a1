import {
  chargeFields,
  noteFields,
  originFields,
  paymentFields,
  refundFields,
} from '../../shared/money/charge/stored-fields.ts';
import { receiptFields } from '../../shared/money/receipt/stored-fields.ts';
import { requestFields } from '../../shared/money/request/stored-fields.ts';
import { keyKindsOf } from '../../shared/runtime/triggers/row.ts';
import type { StoredField } from '../../shared/runtime/values/stored-field.ts';
import { contactFields } from '../../shared/texts/contact/stored-fields.ts';
import { answerFields, replyFields } from '../../shared/texts/inbox/stored-fields.ts';
import { messageFields, sendFields } from '../../shared/texts/sms/stored-fields.ts';
import { verificationFields } from '../../shared/texts/verification/stored-fields.ts';
import { type DocumentedRoute, documentedRoutes } from './documented-routes.ts';

/**
 * Documents with a generated table, and the functions that update them. Each function throws if its document does not
 * contain the table.
 */
export const tables: Readonly<Record<string, (markdown: string) => string>> = {
  'docs/internals/architecture.md': (markdown) =>
    withTable(markdown, '| method | path | key | |\n|---|---|---|---|\n', documentedRoutes.map(route)),
  'docs/operate/privacy.md': (markdown) =>
    withTable(markdown, '| stored in | fields | from | erased |\n|---|---|---|---|\n', personalFields()),
};

function withTable(markdown: string, head: string, lines: readonly string[]): string {
  const [before, after, ...more] = markdown.split(head);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`The document needs exactly one table with the head ${head}`);
  const rest = after.slice(after.search(/^(?!\|)/m));
  return `${before}${head}${lines.join('')}${rest}`;
}

function route({ row, operation }: DocumentedRoute): string {
  const what = 'leftOut' in operation ? operation.leftOut : operation.summary;
  return `| ${row.method} | ${row.path} | ${keyKindsOf(row).join(', ')} | ${what} |\n`;
}

const GIVEN_BY = {
  merchant: 'the merchant',
  customer: 'the customer',
  team: "the merchant's team",
  text: 'a text on the phone',
  service: 'us',
};

function personalFields(): string[] {
  const stored: Readonly<Record<string, Readonly<Record<string, StoredField>>>> = {
    'a charge': chargeFields,
    "a charge's origin": originFields,
    "a charge's payments": paymentFields,
    "a charge's refunds": refundFields,
    "a charge's notes": noteFields,
    'a payment': receiptFields,
    'a payment request': requestFields,
    'a text': sendFields,
    'a text to one recipient': messageFields,
    'a code': verificationFields,
    'a reply': answerFields,
    "the merchant's response to a reply": replyFields,
    'a contact': contactFields,
  };
  return Object.entries(stored).flatMap(([what, fields]) => {
    const erased = Object.entries(fields).filter(([, { erasure }]) => erasure !== 'stays');
    const alike = Map.groupBy(erased, ([, { from, erasure }]) => {
      return `${GIVEN_BY[from]} | ${erasure === 'goes' ? 'removed' : "the person's data in it"}`;
    });
    return [...alike].map(
      ([how, named]) => `| ${what} | ${named.map(([name]) => `\`${name}\``).join(', ')} | ${how} |\n`,
    );
  });
}
