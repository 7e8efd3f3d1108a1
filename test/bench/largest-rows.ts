import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { MAX_SECOND_RECEIPTS } from '../../shared/money/charge/change-charge.table.ts';
import { chargeRows } from '../../shared/money/charge/charge.table.ts';
import { noteLookups } from '../../shared/money/charge/lookup.table.ts';
import { linkRows } from '../../shared/money/link/link.table.ts';
import { MAX_PART_PAYMENTS } from '../../shared/money/payment/payment.ts';
import { receiptRows } from '../../shared/money/receipt/receipt.table.ts';
import { MAX_CHARGES } from '../../shared/money/request/open-request-charge.ts';
import { findRequest, requestRows } from '../../shared/money/request/request.table.ts';
import { settleRequest } from '../../shared/money/request/settle-request.ts';
import type { Item, Key } from '../../shared/runtime/table/table.ts';
import { MAX_METADATA_BYTES } from '../../shared/runtime/values/metadata.ts';
import { answerRows } from '../../shared/texts/inbox/inbox.table.ts';
import { rowAt } from '../support/rows.ts';
import { databaseOf, type World } from '../support/world.ts';

// Creates rows at every limit. Rows are enlarged directly, because requests would take minutes.

/** Returns a value with this many three-byte characters, the widest that a field accepts. */
export function wide(characters: number): string {
  return '₵'.repeat(characters);
}

const METADATA = JSON.stringify({ note: 'x'.repeat(MAX_METADATA_BYTES - 20) });
const PROOF = { state: 'unproven', why: 'balance_impossible' };
const PERSON = 'usr_01hzy5k7v3q8r9s0t1u2v3w4x5';
const times = <Value>(count: number, made: (n: number) => Value) => Array.from({ length: count }, (_, n) => made(n));

/** Stores a row again with changed fields. */
export async function enlarge(world: World, key: Key, fields: Item | ((row: Item) => Item)): Promise<Item> {
  const row = await rowAt(world, key);
  if (!row) throw new Error(`There is no row ${key.pk} / ${key.sk}`);
  const enlarged = { ...row, ...(typeof fields === 'function' ? fields(row) : fields) };
  await put(world, enlarged);
  return enlarged;
}

async function put(world: World, Item: Item): Promise<void> {
  const { client, tableName } = databaseOf(world);
  await client.send(new PutCommand({ TableName: tableName, Item }));
}

/** Enlarges a charge's fields to their limits and adds the maximum number of second and waiting payments. */
export async function enlargeCharge(world: World, reference: string, { second = MAX_SECOND_RECEIPTS } = {}) {
  const at = world.iso();
  const ids = times(second, (n) => `MTN-233241234567-${reference.slice(3)}${n}`);
  const waiting = times(MAX_SECOND_RECEIPTS, (n) => `MTN-233241234567-${reference.slice(3)}W${n}`);
  const row = await enlarge(world, chargeRows.key({ reference }), ({ merchant_id }) => ({
    email: `${'x'.repeat(240)}@example.com`,
    customer_name: wide(80),
    description: wide(500),
    merchant_reference: wide(100),
    metadata: METADATA,
    callback_url: `https://shop.example.com/${'x'.repeat(2_000)}`,
    parts: times(MAX_PART_PAYMENTS, (n) => payment(n, at)),
    refunds: times(50, (n) => ({
      refund_id: `rf_${n}`.padEnd(30, '0'),
      amount_pesewas: 100,
      reason: wide(200),
      state: 'withdrawn',
      noted_at: at,
      closed_at: at,
      closed_by: 'hand',
    })),
    notes: times(20, () => ({ at, by: PERSON, text: wide(280), send_id: PERSON })),
    second_receipts: ids,
    waiting_receipts: waiting,
    merchant_id,
  }));
  for (const receipt_id of [...ids, ...waiting])
    await put(world, receiptOf(world, { ...row, reference }, receipt_id, 'held'));
  await noteLookups(world.outside, chargeRows.parse(row));
  return row;
}

/** Ends a charge with the maximum number of held partial payments. */
export async function endWithParts(world: World, reference: string): Promise<void> {
  const at = world.iso();
  const row = await enlarge(world, chargeRows.key({ reference }), {
    state: 'expired',
    expired_at: at,
    parts: times(MAX_PART_PAYMENTS, (n) => ({
      ...payment(n, at),
      receipt_id: `MTN-233241234567-${reference.slice(3)}P${n}`,
    })),
  });
  for (const { receipt_id } of chargeRows.parse(row).parts ?? [])
    await put(world, receiptOf(world, { ...row, reference }, receipt_id, 'held'));
}

export function addReceipt(world: World, merchant_id: string, receipt_id: string, state: 'held' | 'matched') {
  return put(world, receiptOf(world, { merchant_id, reference: 'MK-1000000000' }, receipt_id, state));
}

function receiptOf(
  world: World,
  { merchant_id, reference }: { merchant_id?: unknown; reference: string },
  receipt_id: string,
  state: 'held' | 'matched',
): Item {
  const at = world.iso();
  const { matched_by, ...paid } = payment(0, at);
  return {
    ...receiptRows.key({ receipt_id }),
    gsi1pk: `MERCHANT#${merchant_id}#RECEIPT#${state}`,
    gsi1sk: `${at}#${receipt_id}`,
    ...paid,
    receipt_id,
    state,
    ...(state === 'held' ? { reason: 'already_paid', suggested_reference: reference } : { matched_by, reference }),
    merchant_id,
    momo_number: '+233241234567',
    balance_pesewas: 123_456_789,
    payer_reference: wide(80),
    sender: 'MobileMoney',
    // Only the payer's part of a text can have wide characters.
    text: `${'x'.repeat(1_900)}${wide(100)}`,
    expires_at_epoch_seconds: 1_900_000_000,
  };
}

function payment(n: number, at: string) {
  return {
    receipt_id: `MTN-233241234567-${n}`.padEnd(28, '0'),
    network: 'MTN',
    transaction_id: `${n}`.padEnd(11, '0'),
    amount_pesewas: 101,
    payer_name: 'x'.repeat(80),
    payer_phone: '+233241112222',
    received_at: at,
    counted_at: at,
    matched_by: 'reference',
    proof: PROOF,
    counted_in: `UNPROVEN#${PERSON}#2026-11-25`,
  };
}

export function enlargeLink(world: World, slug: string): Promise<Item> {
  const texts = { title: wide(80), description: wide(500), note_label: wide(60), metadata: METADATA };
  return enlarge(world, linkRows.key({ slug }), texts);
}

/** Enlarges a part of a bulk send: long texts, each with a failure row. */
export async function enlargeSend(world: World, send_id: string, { haveFailed = true } = {}): Promise<void> {
  const { merchant_id, to } = await enlarge(world, { pk: `SEND#${send_id}`, sk: 'SEND' }, ({ to }) => ({
    message: '{a}{b}{c}{d}{e}',
    words: times(Array.isArray(to) ? to.length : 0, () => times(5, () => wide(200))),
    metadata: METADATA,
  }));
  const rows = times(Array.isArray(to) ? to.length : 0, (index) => ({
    pk: `SEND#${send_id}`,
    sk: `MESSAGE#${String(index).padStart(2, '0')}`,
    send_id,
    index,
    merchant_id,
    state: 'failed',
    failure_reason: wide(200),
  }));
  if (haveFailed) for (const row of rows) await put(world, row);
}

export function addAnswer(world: World, merchant_id: string, n: number): Promise<void> {
  const at = world.iso();
  const answer = { merchant_id, number: '+233551112223', received_at: at, answer_id: `ans_${n}`.padEnd(36, '0') };
  const listed = { gsi1pk: `MERCHANT#${merchant_id}#INBOX`, gsi1sk: `${at}#${answer.answer_id}` };
  const rest = { to: '+233241234567', message: wide(1_530), created_at: at, expires_at_epoch_seconds: 1_900_000_000 };
  return put(world, { ...answerRows.key(answer), ...listed, ...answer, ...rest });
}

export function enlargeRequest(world: World, slug: string): Promise<Item> {
  return enlarge(world, requestRows.key({ slug }), {
    title: wide(80),
    note: wide(500),
    lines: times(50, () => ({ description: wide(200), quantity: 999_999, amount_pesewas: 101 })),
    customer_name: wide(100),
    merchant_reference: wide(100),
    metadata: METADATA,
  });
}

/** Fills a payment request with its maximum number of charges, each at its limits. */
export async function fillRequest(world: World, slug: string, { paidOf }: { paidOf: (n: number) => boolean }) {
  const [first] = (await findRequest(world.outside, slug))?.charges ?? [];
  const charge = first && (await rowAt(world, chargeRows.key(first)));
  if (!charge) throw new Error('No charge was opened for the request');
  const at = world.iso();
  const charges = times(MAX_CHARGES, (n) => ({ reference: `MK-${2_000_000_000 + n}`, isPaid: paidOf(n) }));
  for (const [n, { reference, isPaid }] of charges.entries()) {
    await put(world, {
      ...charge,
      ...chargeRows.key({ reference }),
      gsi1sk: `${charge.created_at}#${reference}`,
      reference,
      amount_pesewas: 1_000 + n,
      ...(isPaid && { state: 'success', paid_at: at, payment: { ...payment(n, at), amount_pesewas: 1_000 + n } }),
    });
    await enlargeCharge(world, reference, isPaid ? {} : { second: 0 });
    if (!isPaid) await enlarge(world, chargeRows.key({ reference }), { parts: [], refunds: [], second_receipts: [] });
  }
  await enlargeRequest(world, slug);
  const named = charges.map(({ reference }) => ({ reference, paid_pesewas: 0, from: '9f86' }));
  await enlarge(world, requestRows.key({ slug }), { charges: named });
  await settleRequest(world.outside, charges[0]?.reference ?? '');
}
