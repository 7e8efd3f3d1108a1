import { COUNTRY_CODE } from '../../shared/ghana/country.ts';
import { parseReceipt } from '../../shared/money/receipt/receipt.table.ts';
import { type Payment, paymentsOf } from '../../shared/money/transaction/payment.ts';
import { parseTransaction, type Transaction } from '../../shared/money/transaction/transaction.table.ts';
import { statusOf } from '../../shared/money/transaction/transaction.ts';
import type { AdminOutside } from '../../shared/runtime/stage/place.ts';
import type { Item, TableWrite } from '../../shared/runtime/table/table.ts';
import { parseLossless } from '../../shared/runtime/values/json.ts';
import { getSendAndMessages } from '../../shared/texts/sms/message.table.ts';
import { parseSend } from '../../shared/texts/sms/send.table.ts';
import { type Customer, mentionOf, mentions, withoutMentions } from './customer.ts';

/** What is to be done with a row that has the person in it: a write, or nothing yet. `kind` is what the operator calls it. */
export type Erasure =
  | {
      readonly kind: string;
      readonly write: TableWrite;
      readonly receiptIds?: readonly string[];
    }
  | { readonly kind: string; readonly leftOut: string };

/** What a recipient is replaced by: a number in form, which no network gives. The others keep their places, and texts their ids. */
const ERASED_NUMBER = `${COUNTRY_CODE}000000000`;
const ERASED_TEXT = 'erased';

/** What erasing a person does to a row; undefined where nothing in it is theirs. */
export async function erasureOf(outside: AdminOutside, customer: Customer, row: Item): Promise<Erasure | undefined> {
  const mention = mentionOf(customer);
  const has = (...names: readonly string[]) => mentions(pick(row, names), mention);
  switch (String(row.sk).replace(/#.*/, '')) {
    case 'TRANSACTION':
      return has(...OF_CUSTOMER, 'payment', 'parts', 'refunds', 'notes') ? charge(outside, customer, row) : undefined;
    case 'RECEIPT':
      return has(...OF_PAYER, 'set_aside') ? payment(row) : undefined;
    case 'SEND':
      return has('to', 'message', 'metadata') ? send(outside, customer, row) : undefined;
    case 'MESSAGE':
      return has('failure_reason') ? redacted('failure reasons', row, 'failure_reason', mention) : undefined;
    case 'EVENT':
      return has('body') ? webhookEvent(row) : undefined;
    case 'ATTEMPT':
      return has('answer', 'error') ? { kind: 'webhook tries', write: removed(row) } : undefined;
    case 'NUMBER':
      return has('pk') ? { kind: 'limits of codes and links', write: removed(row) } : undefined;
    // Not deleted: a request that is repeated would be done again.
    case 'IDEMPOTENCY':
      return has('body') ? answer(row, mention) : undefined;
    case 'PHONE_EVENT':
      return has('event') ? { kind: 'arrived texts', leftOut: String(row.pk) } : undefined;
    default:
      return undefined;
  }
}

const OF_CUSTOMER = [
  'email',
  'customer_name',
  'customer_phone',
  'description',
  'merchant_reference',
  'metadata',
  'callback_url',
] as const;
const OF_PAYER = ['payer_name', 'payer_phone', 'said_phone', 'payer_reference', 'text'] as const;

/** A pending charge is left: its customer's payment may be on its way, and would be recognised by nobody. */
function charge(outside: AdminOutside, customer: Customer, row: Item): Erasure {
  const kind = 'charges';
  const found = parseTransaction(row);
  if (statusOf(outside, found) === 'pending') return { kind, leftOut: found.reference };
  const theirs = paymentsOf(found).filter((one) => !isOthers(customer, one.payer_phone));
  const anonymous = (one: Payment) =>
    theirs.includes(one) ? { ...one, payer_name: undefined, payer_phone: undefined } : one;
  const erased = {
    ...customersFields(customer, found),
    ...(found.payment && { payment: withoutUndefined(anonymous(found.payment)) }),
    ...(found.refunds && { refunds: found.refunds.map((one) => withoutUndefined({ ...one, reason: undefined })) }),
    ...(found.notes && { notes: found.notes.map((one) => withoutUndefined({ ...one, text: ERASED_TEXT })) }),
    ...(found.parts && { parts: found.parts.map((part) => withoutUndefined(anonymous(part))) }),
  };
  return {
    kind,
    receiptIds: theirs.map(({ receipt_id }) => receipt_id),
    // The stream deletes the rows that a search found the charge by.
    write: changed(row, erased),
  };
}

/** Somebody else's charge that has the person in its texts keeps the rest of them. */
function customersFields(customer: Customer, found: Transaction): Record<string, string | undefined> {
  const isOf = 'phone' in customer ? found.customer_phone : found.email;
  if (!isOthers(customer, isOf)) return Object.fromEntries(OF_CUSTOMER.map((name) => [name, undefined]));
  const mention = mentionOf(customer);
  const texts = OF_CUSTOMER.flatMap((name) => (found[name] === undefined ? [] : [[name, found[name]] as const]));
  return Object.fromEntries(texts.map(([name, text]) => [name, withoutMentions(text, mention)]));
}

/** Whether a number or an address is known, and another's. */
function isOthers(customer: Customer, known: string | undefined): boolean {
  if (known === undefined) return false;
  // Of an e-mail address nobody knows which number belongs to it.
  if ('email' in customer && !known.includes('@')) return false;
  return !mentions(known, mentionOf(customer));
}

/** A receipt of the person's payment. What was paid stays, and by which id; a held one can no longer be claimed by a name or a code. */
export function payment(row: Item): Erasure {
  const all = [...OF_PAYER, ...(row.gsi2pk === undefined ? [] : ['gsi2pk', 'gsi2sk'])];
  const { set_aside } = parseReceipt(row);
  return {
    kind: 'payments',
    write: changed(row, {
      ...Object.fromEntries(all.map((name) => [name, undefined])),
      ...(set_aside && { set_aside: { at: set_aside.at, by: set_aside.by } }),
    }),
  };
}

/** Whether a receipt that belongs to a charge of the person's still names the payer. */
export function namesPayer(row: Item): boolean {
  return OF_PAYER.some((name) => row[name] !== undefined);
}

/** A text that is still to leave needs its number and its words. */
async function send(outside: AdminOutside, customer: Customer, row: Item): Promise<Erasure> {
  const kind = 'texts';
  const mention = mentionOf(customer);
  const { send_id, to, message, metadata } = parseSend(row);
  const found = await getSendAndMessages(outside, send_id);
  if (found?.messages.some(({ state }) => state === 'pending' || state === 'sending'))
    return { kind, leftOut: send_id };
  const isTheirs = to.some((number) => mentions(number, mention));
  return {
    kind,
    write: changed(row, {
      to: to.map((number) => (mentions(number, mention) ? ERASED_NUMBER : number)),
      message: isTheirs ? ERASED_TEXT : withoutMentions(message, mention),
      metadata: isTheirs || metadata === undefined ? undefined : withoutMentions(metadata, mention),
    }),
  };
}

/** An event that is still to be delivered is left: its merchant would never learn that a charge was paid. */
function webhookEvent(row: Item): Erasure {
  const kind = 'webhook events';
  if (row.state === 'pending') return { kind, leftOut: String(row.event_id) };
  return { kind, write: removed(row) };
}

/** An answer may hold a whole charge: its customer, its payer and why it was refunded go with the number or the address. */
function answer(row: Item, mention: RegExp): Erasure {
  const body = JSON.stringify(parseLossless(String(row.body)), (name, value) => (NAMING.has(name) ? null : value));
  return { kind: 'remembered answers', write: changed(row, { body: withoutMentions(body, mention) }) };
}

const NAMING: ReadonlySet<string> = new Set([...OF_CUSTOMER, ...OF_PAYER, 'reason']);

function redacted(kind: string, row: Item, name: string, mention: RegExp): Erasure {
  return { kind, write: changed(row, { [name]: withoutMentions(String(row[name]), mention) }) };
}

/** Something in the row changed since it was read. */
export class RowMoved extends Error {}
const refused = () => new RowMoved();

/** Sets what is given, and removes what is undefined; only where that is as it was read. */
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

/** Deletes a row that still stands as it was read. */
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

/** Inside a list the table cannot leave out what is undefined by itself. */
function withoutUndefined<Fields extends object>(fields: Fields): Fields {
  const given = { ...fields };
  for (const name of Object.keys(given) as (keyof Fields)[]) if (given[name] === undefined) delete given[name];
  return given;
}
