import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler as cancel } from '../../../functions/transaction/cancel.ts';
import { handler as refund } from '../../../functions/transaction/refund.ts';
import type { Customer } from '../../../infra/admin/customer.ts';
import { eraseCustomer } from '../../../infra/admin/erase-customer.ts';
import { erasureOf } from '../../../infra/admin/personal-data.ts';
import { addNote } from '../../../shared/money/charge/change-charge.table.ts';
import { chargeFields } from '../../../shared/money/charge/stored-fields.ts';
import { receiptFields } from '../../../shared/money/receipt/stored-fields.ts';
import { setAside } from '../../../shared/money/settling/assign-receipt.ts';
import type { HttpHandler } from '../../../shared/runtime/http/http.ts';
import type { Item } from '../../../shared/runtime/table/table.ts';
import { fieldsWhere } from '../../../shared/runtime/values/stored-field.ts';
import { changeOptOut } from '../../../shared/texts/conversation/opt-out.table.ts';
import { deploymentOf } from '../../support/deployment.ts';
import { arrive, fromTelecel, pay, telecel } from '../../support/receipts.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { call, databaseOf } from '../../support/world.ts';

const TELECEL = { number: '+233209000001' };
const MTN = { number: '+233241234567' };
/** Kofi's number in several formats. */
const PHONE = '+233207712345';
const EMAIL = 'kofi.mensah@example.com';
const KOFI = /20\W{0,3}7\W?7\W?1\W{0,3}2\W?3\W?4\W?5|kofi|mensah|kente/i;
const AMA_PHONE = '+233208845678';

let world: Scene;
let merchant: Merchant;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  await world.createSender('+233240001111');
  merchant = await world.createMerchant({ credits: 100 });
  const accountOf = (number: string, network: 'MTN' | 'TELECEL') => ({ number, network, account_name: 'AMA STORES' });
  const momo_accounts = [accountOf(MTN.number, 'MTN'), accountOf(TELECEL.number, 'TELECEL')];
  await merchant.change({ momo_accounts });
  await merchant.setWebhook();
});

describe('erasing a customer’s phone number and email address', () => {
  test('removes them from every row', async () => {
    const reference = await kofisTraces();
    await amasTraces();
    expect((await kofisRows()).length).toBeGreaterThan(10);
    const amas = await amasRows();
    const paid = await one('TRANSACTION', reference);

    const byPhone = await erase({ phone: PHONE });
    const byEmail = await erase({ email: EMAIL.toUpperCase() });

    expect(byPhone).toEqual({
      counts: {
        charges: 1,
        payments: 3,
        texts: 5,
        'failure reasons': 1,
        'webhook events': 1,
        'webhook attempts': 1,
        codes: 1,
        'rate limits': 3,
        'stored responses': 1,
      },
      leftOut: [],
    });
    expect(byEmail).toEqual({ counts: { charges: 1, payments: 1 }, leftOut: [] });
    expect(await kofisRows()).toEqual([]);
    expect(await amasRows()).toEqual(amas);
    // The stream worker removes five of the eight search rows.
    await world.relayChanges({ before: paid, after: await one('TRANSACTION', reference) });
    expect(await lookupsOf(reference)).toHaveLength(3);
    for (const customer of [{ phone: PHONE }, { email: EMAIL }])
      expect(await erase(customer)).toEqual({ counts: {}, leftOut: [] });
    const payment = { amount: 36, payer_name: null, transaction_id: expect.any(String) };
    const kept = { status: 'success', amount_paid: 36, customer_phone: null, payment };
    expect(await merchant.verified(reference)).toMatchObject(kept);
  });

  test('removes them from the customer’s note on a link', async () => {
    const note = `Call me, Kofi, on ${PHONE}`;
    const origin = { kind: 'link', slug: 'k7m2q9x4', note };
    for (const [customer_name, customer_phone] of [
      ['Kofi Mensah', PHONE],
      ['Ama Owusu', AMA_PHONE],
    ]) {
      const reference = await charge({ customer_name, customer_phone });
      await put({ ...(await one('TRANSACTION', reference)), origin });
      await world.call('transaction/cancel', { key: merchant.liveKey, parameters: { reference } });
    }
    await erase({ phone: PHONE });
    const left = (await world.rows('TRANSACTION')).map((row) => row.origin);
    expect(left).toHaveLength(2);
    expect(left).toContainEqual({ kind: 'link', slug: 'k7m2q9x4' });
    expect(left).toContainEqual({ ...origin, note: 'Call me, Kofi, on 0' });
  });

  test('removes them from refund notes and stored API responses', async () => {
    const reference = await charge({ customer_name: 'Ama Owusu', customer_phone: AMA_PHONE });
    await pay(world, TELECEL, telecel({ from: 'AMA OWUSU', phone: AMA_PHONE.slice(1), reference }));
    await post(refund, reference, { reason: `Sent to Kofi, 020 771 2345`, amount: 1 });
    const cancelled = await charge({ customer_name: 'Kofi Mensah', customer_phone: PHONE, metadata: { to: 'Mensah' } });
    await post(cancel, cancelled);
    expect(await kofisRows()).not.toEqual([]);
    await erase({ phone: PHONE });
    expect(await kofisRows()).toEqual([]);
    const refunds = [{ amount: 1, reason: null }];
    expect(await merchant.verified(reference)).toMatchObject({ customer_name: 'Ama Owusu', refunds });
    const again = await post(cancel, cancelled);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.json.data).toEqual(await merchant.verified(cancelled));
  });

  test('removes them from the audit log', async () => {
    await kofisTraces();
    await erase({ phone: PHONE });
    const lines = (await world.scan()).filter(({ pk }) => pk === 'AUDIT');
    expect(lines).toEqual([
      expect.objectContaining({
        at: world.iso(),
        action: 'customer erase',
        by: 'phone',
        counts: expect.objectContaining({ charges: 1 }),
        term_hash: expect.stringMatching(/^.{44}$/),
      }),
    ]);
    expect(JSON.stringify(lines)).not.toMatch(KOFI);
  });

  test('only counts the matching rows in a dry run', async () => {
    await kofisTraces();
    const before = await world.scan();
    const lines: string[] = [];
    const progress = (line: string) => void lines.push(line);
    const { counts } = await eraseCustomer(deploymentOf(world), { phone: PHONE }, { isForReal: false, progress });
    expect(counts).toMatchObject({ charges: 1, payments: 3 });
    expect(lines.at(-1)).toBe(`Read ${before.length} rows`);
    expect(await world.scan()).toEqual(before);
  });
});

describe('erasing data that is still in use', () => {
  test('skips a pending charge', async () => {
    const reference = await charge({ customer_phone: PHONE });
    expect(await erase({ phone: PHONE })).toEqual({ counts: {}, leftOut: [{ kind: 'charges', id: reference }] });
    expect(await merchant.verified(reference)).toMatchObject({ customer_phone: PHONE });
    world.clock.nowMs += 25 * 3_600_000;
    expect(await erase({ phone: PHONE })).toEqual({ counts: { charges: 1 }, leftOut: [] });
  });

  test.each(['pending', 'sending'])('skips a text in the %s state', async (state) => {
    const id = await text([PHONE]);
    if (state !== 'pending') await world.writeMessageState(id, state);
    expect(await erase({ phone: PHONE })).toEqual({ counts: {}, leftOut: [{ kind: 'texts', id }] });
    expect(await world.rows('SEND')).toMatchObject([{ to: [PHONE], message: 'Your kente is ready' }]);
  });

  test('skips an undelivered event', async () => {
    await world.relayChanges({ after: await pay(world, TELECEL, telecel({ phone: PHONE.slice(1) })) });
    const [event] = await world.rows('EVENT');
    const { leftOut } = await erase({ phone: PHONE });
    expect(leftOut).toEqual([{ kind: 'webhook events', id: event?.event_id }]);
    expect(await world.rows('EVENT')).toEqual([event]);
  });

  test('skips a row that changes concurrently', async () => {
    const id = await text([PHONE]);
    await world.writeMessageState(id, 'delivered');
    const [row] = await world.rows('SEND');
    let isFirst = true;
    world.dynamoDb = async ({ command }, go) => {
      if (command === 'TransactWriteItems' || command === 'TransactWrite') {
        if (isFirst) await put({ ...row, message: 'Another message' });
        isFirst = false;
      }
      return go();
    };
    const { leftOut } = await erase({ phone: PHONE });
    expect(isFirst).toBe(false);
    expect(leftOut).toEqual([{ kind: 'texts', id: `SEND#${id}` }]);
    expect(await world.rows('SEND')).toMatchObject([{ message: 'Another message', to: [PHONE] }]);
  });

  test.each([
    ['is pending again', { state: 'pending' }],
    ['has been sent again in the meantime', { round: 1 }],
  ])('skips an event that %s', async (_, changed) => {
    await world.relayChanges({ after: await pay(world, TELECEL, telecel({ phone: PHONE.slice(1) })) });
    const [event] = await world.rows('EVENT');
    const sent = { ...event, state: 'delivered', round: 0 };
    await put(sent);
    beforeDelete(() => put({ ...sent, ...changed }));
    const { leftOut } = await erase({ phone: PHONE });
    expect(leftOut).toEqual([{ kind: 'webhook events', id: event?.pk }]);
    expect(await world.rows('EVENT')).toEqual([{ ...sent, ...changed }]);
  });

  test('skips a row that is deleted concurrently', async () => {
    const key = { pk: `CODE#${PHONE}`, sk: 'NUMBER' };
    await put(key);
    beforeDelete(() => world.outside.table.write([{ delete: { Key: key }, refused: () => new Error('moved') }]));
    expect(await erase({ phone: PHONE })).toEqual({
      counts: {},
      leftOut: [{ kind: 'rate limits', id: key.pk }],
    });
  });
});

test('a text can still be listed after an erasure', async () => {
  const id = await text([AMA_PHONE, PHONE, '+233551112222']);
  for (const index of [0, 1, 2]) await world.writeMessageState(id, 'delivered', index);
  await erase({ phone: PHONE });
  const { json } = await world.call('sms/list', { key: merchant.smsKey });
  expect(json.data.sends).toMatchObject([
    { id, to: [AMA_PHONE, '+233000000000', '+233551112222'], message: 'erased', count: 3, metadata: null },
  ]);
});

test('a bulk send loses only the erased customer’s message', async () => {
  const recipients = [
    { to: AMA_PHONE, name: 'Ama', friend: PHONE },
    { to: PHONE, name: 'Kofi', friend: 'Ama' },
  ];
  const body = { message: 'Hello {name}, from {friend}', recipients };
  const { id } = (await world.call('sms/bulk', { key: merchant.smsKey, body })).json.data;
  for (const index of [0, 1]) await world.writeMessageState(id, 'delivered', index);
  await erase({ phone: PHONE });
  const [sent] = await merchant.sends();
  expect(sent).toMatchObject({
    to: [AMA_PHONE, '+233000000000'],
    message: 'Hello {name}, from {friend}',
    words: [
      ['Ama', expect.not.stringMatching(KOFI)],
      ['erased', 'erased'],
    ],
  });
});

test('an erased contact’s opt-out is kept', async () => {
  const contacts = [PHONE, AMA_PHONE].map((number) => ({ number, consent: { at: '2026-01-01', how: 'In the shop' } }));
  await world.call('contact/store', { key: merchant.smsKey, body: { contacts } });
  const said = { merchant_id: merchant.id, number: PHONE, opted_out: true, at: '2026-01-02T00:00:00Z', word: 'STOP' };
  await world.outside.table.write([changeOptOut(undefined, said, () => new Error('moved'))]);
  await erase({ phone: PHONE });
  const left = (await world.scan()).filter(({ pk }) => /^(?:CONTACT|OPT_OUT)#/.test(String(pk)));
  const kept = left.map(({ pk, sk }) => `${String(pk).replace(/#.*/, '')} ${sk}`);
  expect(kept).toEqual([`CONTACT ${AMA_PHONE}`, `OPT_OUT ${PHONE}`]);
});

test('a copy of an erased payment’s text causes no dispute', async () => {
  const reference = await charge({});
  const receipt = telecel({ phone: PHONE.slice(1), reference });
  await pay(world, TELECEL, receipt);
  await erase({ phone: PHONE });
  const before = await world.rows('RECEIPT');
  await arrive(world, TELECEL, { ...receipt, eventId: 'from-another-phone' });
  expect(await world.rows('RECEIPT')).toEqual(before);
  expect(await merchant.verified(reference)).toMatchObject({ status: 'success', disputed: null });
});

test('another customer’s charge keeps that customer’s details', async () => {
  const reference = await charge({ customer_phone: AMA_PHONE, description: `For ${PHONE}, in blue` });
  await pay(world, TELECEL, telecel({ phone: PHONE.slice(1), reference }));
  await erase({ phone: PHONE });
  const payment = { payer_name: null, payer_phone: null };
  const kept = { customer_phone: AMA_PHONE, description: 'For 0, in blue', payment };
  expect(await merchant.verified(reference)).toMatchObject(kept);
});

test('a payment by another customer keeps that payer’s details', async () => {
  const reference = await charge({ customer_phone: PHONE, customer_name: 'Kofi Mensah' });
  const of = (from: string, phone: string, amount: string) =>
    pay(world, TELECEL, telecel({ from, phone: phone.slice(1), reference, amount }));
  await of('KOFI MENSAH', PHONE, '10.00');
  await of('AMA OWUSU', AMA_PHONE, '12.00');
  await of('AMA OWUSU', AMA_PHONE, '14.00');
  const amas = { payer_name: 'AMA OWUSU', payer_phone: AMA_PHONE };
  await erase({ phone: PHONE });
  const { parts, payment } = await one('TRANSACTION', reference);
  expect({ parts, payment }).toMatchObject({
    parts: [expect.not.objectContaining({ payer_phone: PHONE }), amas],
    payment: amas,
  });
  expect(await merchant.verified(reference)).toMatchObject({ customer_name: null, customer_phone: null });
  expect((await world.rows('RECEIPT')).filter(({ payer_phone }) => payer_phone === AMA_PHONE)).toHaveLength(2);
  expect(await kofisRows()).toEqual([]);
});

test.each([MTN.number, TELECEL.number, '+233240001111'])(
  'the service’s own numbers cannot be erased: %s',
  async (phone) => {
    await expect(erase({ phone })).rejects.toThrow('belongs to the service');
  },
);

test('the service’s second sender cannot be erased', async () => {
  await world.createSender('+233240002222');
  await expect(erase({ phone: '+233240002222' })).rejects.toThrow('belongs to the service');
});

test('an erasure fails if the database refuses a row for another reason than a change', async () => {
  await world.writeMessageState(await text([PHONE]), 'delivered');
  let isFirst = true;
  world.dynamoDb = async ({ command }, go) => {
    const isWrite = /^TransactWrite|^Put|^Update/.test(command);
    if (isWrite && isFirst) {
      isFirst = false;
      throw new Error('The table fails');
    }
    return go();
  };
  await expect(erase({ phone: PHONE })).rejects.toThrow('The table fails');
});

test('a text to another customer keeps its metadata', async () => {
  const id = await text([AMA_PHONE], {}, `Call ${PHONE}`);
  await world.writeMessageState(id, 'delivered');
  const [before] = await world.rows('SEND');
  await erase({ phone: PHONE });
  expect(await world.rows('SEND')).toMatchObject([{ message: 'Call 0', metadata: before?.metadata }]);
  expect(before?.metadata).toBeDefined();
});

test('the service’s own text to another customer, without metadata, loses a mentioned number', async () => {
  const id = await text([AMA_PHONE], {}, `Call ${PHONE}`);
  await world.writeMessageState(id, 'delivered');
  const [{ metadata: _, ...row } = {}] = await world.rows('SEND');
  await put(row);
  await erase({ phone: PHONE });
  expect(await world.rows('SEND')).toEqual([{ ...row, message: 'Call 0' }]);
});

test('the payer of an erased email address’s charge is erased, too', async () => {
  const reference = await charge({ email: EMAIL });
  await pay(world, TELECEL, telecel({ from: 'KOFI MENSAH', phone: PHONE.slice(1), reference }));
  await erase({ email: EMAIL });
  const { payment } = await merchant.verified(reference);
  expect(payment).toMatchObject({ payer_name: null, payer_phone: null });
});

describe('erasure rules', () => {
  test.each([
    ['INBOX#shop', `ANSWER#${PHONE}`, { number: PHONE, from: PHONE, to: PHONE }, 'answers'],
    [`INBOX#shop#${PHONE}`, 'REPLY#1', {}, 'replies'],
    ['KEYWORD#1', 'HEARD', { number: PHONE }, 'keywords'],
    [`CODE#${PHONE}`, 'NUMBER', {}, 'rate limits'],
    [`INVITATION#${PHONE}`, 'NUMBER', {}, 'rate limits'],
    [`PAY_TEXT#${PHONE}`, 'NUMBER', {}, 'rate limits'],
    [`SENT_CODE#${PHONE}`, 'CODE', {}, 'rate limits'],
    [`VERIFICATION_NUMBER#${PHONE}`, 'NUMBER', {}, 'rate limits'],
  ])('delete the row %s / %s', async (pk, sk, fields, kind) => {
    const { outside } = deploymentOf(world);
    const planned = await erasureOf(outside, { phone: PHONE }, { pk, sk, ...fields });
    expect(planned).toMatchObject({ kind, write: { delete: { Key: { pk, sk } } } });
  });

  test('leave out an arrived text that has not been settled', async () => {
    const row = { pk: 'PHONE_EVENT#1', sk: 'PHONE_EVENT', event: `from ${PHONE}` };
    const planned = await erasureOf(deploymentOf(world).outside, { phone: PHONE }, row);
    expect(planned).toEqual({ kind: 'arrived texts', leftOut: 'PHONE_EVENT#1' });
  });

  test('refuse an unknown kind of row', async () => {
    const unknown = erasureOf(deploymentOf(world).outside, { phone: PHONE }, { pk: 'BASKET#1', sk: 'BASKET' });
    await expect(unknown).rejects.toThrow('no rule for rows of kind BASKET');
  });

  test.each([
    ['TRANSACTION', chargeFields],
    ['RECEIPT', receiptFields],
  ])('cover the documented fields of a %s', async (kind, fields) => {
    const reference = await charge({ amount: 36 });
    await pay(world, TELECEL, telecel({ reference, phone: AMA_PHONE.slice(1) }));
    const [row] = await world.rows(kind);
    const names = fieldsWhere<string>(fields, ({ erasure }) => erasure === 'goes');
    const filled = Object.fromEntries(names.map((name) => [name, name.endsWith('phone') ? PHONE : `To ${PHONE}`]));
    await put({ ...row, ...filled });
    await erase({ phone: PHONE });
    const [after] = await world.rows(kind);
    expect(names.filter((name) => after?.[name] !== undefined)).toEqual([]);
  });
});

/** Creates every kind of data about Kofi. */
async function kofisTraces(): Promise<string> {
  await merchant.change({ pay_texts_per_day: 5 });
  const reference = await charge({
    customer_name: 'Kofi Mensah',
    customer_phone: '020 771 2345',
    email: EMAIL,
    description: 'Two yards of kente',
    metadata: { phone: 233207712345, note: 'Kofi calls from 020-771-2345' },
    callback_url: `https://shop.example.com/done?who=${encodeURIComponent(EMAIL)}`,
  });
  const phone = PHONE.slice(1);
  await pay(world, TELECEL, telecel({ phone, reference }));
  const paid = await one('TRANSACTION', reference);
  const pending = { ...paid, state: 'pending' };
  await world.relayChanges({ after: pending }, { before: pending, after: paid });
  expect(await lookupsOf(reference)).toHaveLength(8);
  const [event] = await world.rows('EVENT');
  for (const [tries, statusCode] of [503, 200].entries()) {
    world.receiver = async () => ({ statusCode, headers: {}, text: `thanks, (020) 771 2345` });
    world.clock.nowMs += 10_000;
    await world.makeTry(String(event?.event_id), tries);
  }
  // This customer is identified only by the email address.
  const other = await charge({ customer_name: 'Kofi Mensah', email: EMAIL, amount: 40 });
  await pay(world, MTN, fromTelecelWithoutNumber(other));
  const held = await pay(world, TELECEL, telecel({ phone, reference: 'kente' }));
  const why = { by: 'somebody', why: 'Kofi is a friend' };
  const { outside } = world;
  await outside.table.write(await setAside(outside, merchant.id, String(held?.receipt_id), why));
  const note = { at: new Date(outside.now()).toISOString(), by: 'somebody', text: 'Kofi calls on Monday' };
  await outside.table.write([addNote({ reference }, note)]);
  await pay(world, MTN, fromTelecel({ phone, amount: '77.00' }));
  const third = await charge({ amount: 77 });
  const [{ access_code } = {}] = (await world.rows('TRANSACTION')).filter(({ reference }) => reference === third);
  const parameters = { access_code: String(access_code) };
  await world.call('checkout/ask-for-code', { parameters, body: { phone: PHONE } });
  const [code] = await world.rows('SEND');
  const ofCode = { send_id: code?.send_id, index: 0, state: 'delivered' };
  await put({ pk: code?.pk, sk: 'MESSAGE#00', ...ofCode });
  await world.call('checkout/text', { parameters: { access_code: String(access_code) }, body: { phone: PHONE } });
  const [toPay] = (await world.rows('SEND')).filter(({ reference }) => reference === third);
  await world.writeMessageState(String(toPay?.send_id), 'delivered');
  const id = await text([AMA_PHONE, PHONE], { 'idempotency-key': 'one' });
  await world.writeMessageState(id, 'delivered', 0);
  await world.writeMessageState(id, 'failed', 1);
  const failed = await one('MESSAGE#01', id);
  await put({ ...failed, failure_reason: 'no route to 0207712345' });
  await world.writeMessageState(await text([AMA_PHONE], {}, 'Call 00233 20 771 2345'), 'delivered');
  const { json } = await world.call('verify/start', { key: merchant.smsKey, body: { to: PHONE } });
  await world.writeMessageState(json.data.id, 'delivered');
  return reference;
}

/** Creates another customer's data, and an order whose number contains Kofi's digits. */
async function amasTraces(): Promise<void> {
  const metadata = { order: '1233207712345678', phone: AMA_PHONE };
  const ama = { customer_name: 'Ama Owusu', customer_phone: AMA_PHONE, email: 'ama@example.com' };
  const reference = await charge({ ...ama, metadata });
  await pay(world, TELECEL, telecel({ from: 'AMA OWUSU', phone: AMA_PHONE.slice(1), reference }));
  await world.writeMessageState(await text([AMA_PHONE], {}, 'Your cloth is ready'), 'delivered');
}

/** MTN reports payers on other networks without a number. */
function fromTelecelWithoutNumber(reference: string) {
  const { sender, ...rest } = fromTelecel();
  const text = rest.text.replace(/Reference: .*? from VODAFONE/, `Reference: ${reference}`).replace('36.00', '40.00');
  return { sender, ...rest, text };
}

async function charge(said: object): Promise<string> {
  const { json } = await world.call('transaction/initialize', { key: merchant.liveKey, body: { amount: 36, ...said } });
  return json.data.reference;
}

function post(handler: HttpHandler, reference: string, body?: object) {
  const headers = { 'idempotency-key': 'one' };
  return call(world, handler, { method: 'POST', key: merchant.liveKey, parameters: { reference }, headers, body });
}

async function text(to: string[], headers: Record<string, string> = {}, message = 'Your kente is ready') {
  const body = { to, message, metadata: { order: to.includes(PHONE) ? 'kente' : 'cloth' } };
  const { json } = await world.call('sms/send', { key: merchant.smsKey, headers, body });
  return String(json.data.id);
}

async function lookupsOf(reference: string): Promise<Item[]> {
  return (await world.scan()).filter(
    ({ pk, ...item }) => String(pk).startsWith('LOOKUP#') && item.reference === reference,
  );
}

/** Changes the table before the first row is deleted. */
function beforeDelete(change: () => Promise<unknown>): void {
  world.dynamoDb = async ({ command }, go) => {
    if (!/^(?:TransactWrite|Delete)/.test(command)) return go();
    world.dynamoDb = (_request, send) => send();
    await change();
    return go();
  };
}

function erase(customer: Customer) {
  return eraseCustomer(deploymentOf(world), customer, { isForReal: true });
}

async function one(sk: string, id: string): Promise<Item> {
  const [row] = (await world.rows(sk)).filter(({ pk }) => String(pk).endsWith(id));
  if (!row) throw new Error(`There is no ${sk} ${id}`);
  return row;
}

const AMAS = /ama owusu|your cloth/i;

async function amasRows(): Promise<Item[]> {
  return (await world.scan()).filter((row) => AMAS.test(JSON.stringify(row)));
}

async function kofisRows(): Promise<Item[]> {
  const others = (await world.scan()).filter((row) => !AMAS.test(JSON.stringify(row)));
  return others.filter((row) => KOFI.test(JSON.stringify(row)));
}

async function put(Item: Item): Promise<void> {
  const { client, tableName } = databaseOf(world);
  await client.send(new PutCommand({ TableName: tableName, Item }));
}
