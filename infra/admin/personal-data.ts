import { type Charge, chargeRows } from '../../shared/money/charge/charge.table.ts';
import { statusOf } from '../../shared/money/charge/charge.ts';
import { chargeFields, originFields, paymentFields, refundFields } from '../../shared/money/charge/stored-fields.ts';
import { type Payment, paymentsOf } from '../../shared/money/payment/payment.ts';
import { receiptRows } from '../../shared/money/receipt/receipt.table.ts';
import { receiptFields } from '../../shared/money/receipt/stored-fields.ts';
import { requestRows } from '../../shared/money/request/request.table.ts';
import { requestFields } from '../../shared/money/request/stored-fields.ts';
import type { AdminOutside } from '../../shared/runtime/stage/deployment.ts';
import type { Item, TableWrite } from '../../shared/runtime/table/table.ts';
import { parseLossless } from '../../shared/runtime/values/json.ts';
import { fieldsWhere, type StoredField, type StoredFields } from '../../shared/runtime/values/stored-field.ts';
import { contactFields } from '../../shared/texts/contact/stored-fields.ts';
import { answerFields, replyFields } from '../../shared/texts/inbox/stored-fields.ts';
import { ERASED_NUMBER, ERASED_TEXT } from '../../shared/texts/sms/erased.ts';
import { getSendAndMessages } from '../../shared/texts/sms/message.table.ts';
import { sendRows } from '../../shared/texts/sms/send.table.ts';
import { isUntaken } from '../../shared/texts/sms/states.ts';
import { messageFields, sendFields } from '../../shared/texts/sms/stored-fields.ts';
import { verificationFields } from '../../shared/texts/verification/stored-fields.ts';
import { type Customer, mentionOf, mentions, withoutMentions } from './customer.ts';

/** The write that erases a person from a row, or the id of a row to keep for now. `kind` is shown to the operator. */
export type Erasure =
  | {
      readonly kind: string;
      readonly write: TableWrite;
      readonly receiptIds?: readonly string[];
    }
  | { readonly kind: string; readonly leftOut: string };

/**
 * Plans the erasure of a row. Returns undefined if the row contains no data about the person.
 * @throws Error for an unknown kind of row.
 */
export async function erasureOf(outside: AdminOutside, customer: Customer, row: Item): Promise<Erasure | undefined> {
  const mention = mentionOf(customer);
  const has = (...names: readonly string[]) => mentions(pick(row, names), mention);
  switch (kindOf(row)) {
    case 'TRANSACTION':
      return has(...personal(chargeFields)) ? charge(outside, customer, row) : undefined;
    case 'RECEIPT':
      return has(...personal(receiptFields)) ? payment(row) : undefined;
    case 'REQUEST':
      return has(...personal(requestFields)) ? request(customer, row) : undefined;
    case 'SEND':
      return has(...personal(sendFields)) ? send(outside, customer, row) : undefined;
    case 'SEND MESSAGE':
      return has(...personal(messageFields)) ? redacted('failure reasons', row, 'failure_reason', mention) : undefined;
    case 'EVENT':
      return has('body') ? webhookEvent(row) : undefined;
    case 'EVENT ATTEMPT':
      return has('answer', 'error') ? { kind: 'webhook attempts', write: removed(row) } : undefined;
    case 'INBOX ANSWER':
      return has('pk', ...personal(answerFields)) ? { kind: 'answers', write: removed(row) } : undefined;
    case 'INBOX REPLY':
      return has('pk', ...personal(replyFields)) ? { kind: 'replies', write: removed(row) } : undefined;
    case 'KEYWORD HEARD':
      return has('number') ? { kind: 'keywords', write: removed(row) } : undefined;
    case 'CONVERSATION':
      return has('pk') ? conversation(row) : undefined;
    case 'CODE NUMBER':
    case 'INVITATION NUMBER':
    case 'PAY_TEXT NUMBER':
    case 'SENT_CODE CODE':
    case 'VERIFICATION_NUMBER NUMBER':
      return has('pk') ? { kind: 'rate limits', write: removed(row) } : undefined;
    case 'VERIFICATION':
      return has(...personal(verificationFields)) ? { kind: 'codes', write: removed(row) } : undefined;
    // Keep the row, or a repeated request would take effect twice.
    case 'IDEMPOTENCY':
      return has('body') ? answer(row, mention) : undefined;
    case 'PHONE_EVENT':
      return has('event') ? { kind: 'arrived texts', leftOut: String(row.pk) } : undefined;
    default:
      // The sort key is the phone number. The opt-out is a separate row and is kept.
      if (String(row.pk).startsWith('CONTACT#'))
        return has(...personal(contactFields)) ? { kind: 'contacts', write: removed(row) } : undefined;
      if (nobodys.has(String(row.pk).replace(/#.*/, ''))) return undefined;
      throw new Error(`personal-data.ts has no rule for rows of kind ${kindOf(row)}. Add one.`);
  }
}

/** Returns the first word of each key, such as `SEND MESSAGE`, or only `SEND` if they are the same. */
function kindOf({ pk, sk }: Item): string {
  const [kind, part] = [pk, sk].map((key) => String(key).replace(/#.*/, ''));
  return kind === part ? String(kind) : `${kind} ${part}`;
}

/** Kinds of rows without personal data. `docs/operate/privacy.md` lists the exceptions. */
const nobodys: ReadonlySet<string> = new Set(
  `AUDIT BOOKING BUNDLES CHAIN CHALLENGE CHANGE CLAIM CODE CODE_TEXT CREDITS CREDITS_LOW CREDIT_ENTRY DEVICES EXPIRY FAILED_REQUEST FOLLOW_UP HEARING INVITATION
  KEY KEY_USE LEASE LINK LINK_CODES LINK_OPENED LINK_WAIT LOGO LOOKUP MERCHANT MERCHANT_REFERENCE MOMO OPT_OUT OUTCOME PACE PASSKEY
  PAYMENT PAY_TEXT PHONE PURCHASES PUSH_KEY PUSH_PACE PUSH_TEXT REFUND REFUND_TRANSFER REFUSED_CALLBACK REQUEST_MONEY SENDER SESSION SHARED_PHONE SILENCE STRANGERS
   TAKE TEAM TEST_USE TILL TOTALS UNPROVEN USER VERIFICATION_DAY WALLET WEBHOOK WEBHOOK_CALLS`.split(/\s+/),
);

const personal = (fields: StoredFields<object>) => fieldsWhere(fields, ({ erasure }) => erasure !== 'stays');
const going = <Name extends string>(fields: Readonly<Record<Name, StoredField>>) =>
  fieldsWhere(fields, ({ erasure }) => erasure === 'goes');
const OF_CUSTOMER = going(chargeFields);
const OF_PAYER = going(receiptFields);

function without<Fields extends object>(fields: Fields, names: readonly (keyof Fields)[]): Fields {
  return withoutUndefined({ ...fields, ...Object.fromEntries(names.map((name) => [name, undefined])) });
}

/** Plans the erasure of a charge. A pending charge is kept, so that a late payment can be matched. */
function charge(outside: AdminOutside, customer: Customer, row: Item): Erasure {
  const kind = 'charges';
  const found = chargeRows.parse(row);
  if (statusOf(outside, found) === 'pending') return { kind, leftOut: found.reference };
  const theirs = paymentsOf(found).filter((one) => !isOthers(customer, one.payer_phone));
  const anonymous = (one: Payment) => (theirs.includes(one) ? without(one, going(paymentFields)) : one);
  const erased = {
    ...customersFields(customer, found, row),
    ...(found.payment && { payment: anonymous(found.payment) }),
    ...(found.refunds && { refunds: found.refunds.map((one) => without(one, going(refundFields))) }),
    ...(found.notes && { notes: found.notes.map((one) => ({ ...one, text: ERASED_TEXT })) }),
    ...(found.parts && { parts: found.parts.map(anonymous) }),
  };
  return {
    kind,
    receiptIds: theirs.map(({ receipt_id }) => receipt_id),
    // The stream worker deletes the charge's search rows.
    write: changed(row, erased),
  };
}

/** Erases the customer's fields. In other customers' charges, erases only mentions of the person. */
function customersFields(customer: Customer, found: Charge, row: Item): Item {
  const isTheirs = !isOthers(customer, 'phone' in customer ? found.customer_phone : found.email);
  const mention = mentionOf(customer);
  const origin: Item = Object(row.origin);
  const kept = (text: unknown) => (isTheirs || typeof text !== 'string' ? undefined : withoutMentions(text, mention));
  const erased = (names: readonly string[], of: Item) =>
    Object.fromEntries(names.map((name) => [name, kept(of[name])]));
  return {
    ...erased(OF_CUSTOMER, found),
    // Later releases may have added fields.
    ...(row.origin !== undefined && {
      origin: withoutUndefined({ ...origin, ...erased(going(originFields), origin) }),
    }),
  };
}

function isOthers(customer: Customer, known: string | undefined): boolean {
  if (known === undefined) return false;
  // No row links e-mail addresses to phone numbers, so a stored phone number may belong to this customer.
  if ('email' in customer && !known.includes('@')) return false;
  return !mentions(known, mentionOf(customer));
}

/** Erases a receipt except for its amount and id. The payment can no longer be claimed by name or code. */
export function payment(row: Item): Erasure {
  const all = [...OF_PAYER, ...(row.gsi2pk === undefined ? [] : ['gsi2pk', 'gsi2sk'])];
  const { set_aside } = receiptRows.parse(row);
  return {
    kind: 'payments',
    write: changed(row, {
      ...Object.fromEntries(all.map((name) => [name, undefined])),
      ...(set_aside && { set_aside: withoutUndefined({ ...set_aside, why: undefined }) }),
    }),
  };
}

/** Returns true if the receipts for the person's charges must be searched for the payer's name. */
export function namesPayer(row: Item): boolean {
  return OF_PAYER.some((name) => row[name] !== undefined);
}

/**
 * Plans the erasure of a payment request. An unpaid request is kept. In other customers' requests, only mentions of the
 * person are erased.
 */
function request(customer: Customer, row: Item): Erasure {
  const kind = 'payment requests';
  const found = requestRows.parse(row);
  if (found.state === 'open') return { kind, leftOut: found.slug };
  const mention = mentionOf(customer);
  const isTheirs = !isOthers(customer, found.customer_phone);
  const texts = going(requestFields).map((name) => {
    const text = found[name];
    return [name, isTheirs || typeof text !== 'string' ? undefined : withoutMentions(text, mention)];
  });
  // A request needs a title and lines, which may name their customer.
  const kept = (text: string) => (isTheirs ? ERASED_TEXT : withoutMentions(text, mention));
  const lines = found.lines.map((line) => ({ ...line, description: kept(line.description) }));
  return { kind, write: changed(row, { ...Object.fromEntries(texts), title: kept(found.title), lines }) };
}

/** Plans the erasure of a text. An unsent text is kept. */
async function send(outside: AdminOutside, customer: Customer, row: Item): Promise<Erasure> {
  const kind = 'texts';
  const mention = mentionOf(customer);
  const { send_id, to, message, words, metadata } = sendRows.parse(row);
  const found = await getSendAndMessages(outside, send_id);
  if (found?.messages.some((message) => isUntaken(message) || message.state === 'sending'))
    return { kind, leftOut: send_id };
  const isTheirs = to.some((number) => mentions(number, mention));
  return {
    kind,
    write: changed(row, {
      to: to.map((number) => (mentions(number, mention) ? ERASED_NUMBER : number)),
      // The template of a personalised text contains no personal data.
      message: isTheirs && !words ? ERASED_TEXT : withoutMentions(message, mention),
      words: words?.map((own, index) =>
        own.map((word) => (mentions(to[index], mention) ? ERASED_TEXT : withoutMentions(word, mention))),
      ),
      metadata: isTheirs || metadata === undefined ? undefined : withoutMentions(metadata, mention),
    }),
  };
}

/**
 * Erases a conversation except for its list of marketing senders, which is needed if the person replies STOP. The row
 * expires thirty days after the last text.
 */
function conversation(row: Item): Erasure | undefined {
  const kind = 'conversations';
  if (row.promoters === undefined) return { kind, write: removed(row) };
  const gone = ['wrote_by', 'wrote_at', 'wrote_id', 'operator_at', 'heard'].filter((name) => row[name] !== undefined);
  if (gone.length === 0) return undefined;
  return { kind, write: changed(row, Object.fromEntries(gone.map((name) => [name, undefined]))) };
}

/** Plans the erasure of a webhook event. An undelivered event is kept, because its merchant still needs it. */
function webhookEvent(row: Item): Erasure {
  const kind = 'webhook events';
  if (row.state === 'pending') return { kind, leftOut: String(row.event_id) };
  return { kind, write: removed(row) };
}

/** Erases the customer, the payer, the refund reason and all mentions of the person from a stored response. */
function answer(row: Item, mention: RegExp): Erasure {
  const body = JSON.stringify(parseLossless(String(row.body)), (name, value) => (NAMING.has(name) ? null : value));
  return { kind: 'stored responses', write: changed(row, { body: withoutMentions(body, mention) }) };
}

const NAMING: ReadonlySet<string> = new Set([
  ...[...OF_CUSTOMER, ...OF_PAYER, ...going(refundFields)],
  ...[...going(requestFields), 'title'],
]);

function redacted(kind: string, row: Item, name: string, mention: RegExp): Erasure {
  return { kind, write: changed(row, { [name]: withoutMentions(String(row[name]), mention) }) };
}

/** Thrown if the row has changed since it was read. */
export class RowMoved extends Error {}
const refused = () => new RowMoved();

/**
 * Sets the given fields and removes undefined ones. The write requires that these fields have not changed since they
 * were read.
 */
function changed(row: Item, fields: Readonly<Record<string, unknown>>): TableWrite {
  const changes = Object.entries(fields).filter(([name, value]) => row[name] !== undefined || value !== undefined);
  const set = changes.filter(([, value]) => value !== undefined);
  const remove = changes.filter(([, value]) => value === undefined);
  return {
    update: {
      Key: keyOf(row),
      UpdateExpression: [
        set.length > 0 ? `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}` : '',
        remove.length > 0 ? `REMOVE ${remove.map(([name]) => `#${name}`).join(', ')}` : '',
      ].join(' '),
      ...asRead(
        row,
        changes.map(([name]) => name),
        Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
      ),
    },
    refused,
  };
}

/** Deletes a row if it has not changed since it was read. */
function removed(row: Item): TableWrite {
  const names = ['state', 'round'].filter((name) => row[name] !== undefined);
  const condition = names.length > 0 ? asRead(row, names) : { ConditionExpression: 'attribute_exists(pk)' };
  return { delete: { Key: keyOf(row), ...condition }, refused };
}

function asRead(row: Item, names: readonly string[], values: Readonly<Record<string, unknown>> = {}) {
  return {
    ConditionExpression: names.map((name) => `#${name} = :${name}_read`).join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(names.map((name) => [`:${name}_read`, row[name]])),
      ...values,
    },
  };
}

function keyOf({ pk, sk }: Item) {
  return { pk: String(pk), sk: String(sk) };
}

function pick(row: Item, names: readonly string[]): Item {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

/** Removes undefined fields, which the table client does not omit inside lists. */
function withoutUndefined<Fields extends object>(fields: Fields): Fields {
  const given = { ...fields };
  for (const name of Object.keys(given) as (keyof Fields)[]) if (given[name] === undefined) delete given[name];
  return given;
}
