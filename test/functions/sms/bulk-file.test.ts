import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, test } from 'vitest';
import { eraseCustomer } from '../../../infra/admin/erase-customer.ts';
import { requireMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import { retryBulk } from '../../../shared/texts/bulk/retry-bulk.ts';
import { removeContact } from '../../../shared/texts/contact/contact.table.ts';
import { ERASED_NUMBER } from '../../../shared/texts/sms/erased.ts';
import { partIds } from '../../../shared/texts/sms/message-id.ts';
import { sendRows } from '../../../shared/texts/sms/send.table.ts';
import { failMessage } from '../../../shared/texts/sms/text-outcome.ts';
import { agree } from '../../support/contacts.ts';
import { deploymentOf } from '../../support/deployment.ts';
import { expectFailure } from '../../support/envelope.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';

const MESSAGE = 'Hello {name}, your order {order} is ready';

let world: Scene;
let merchant: Merchant;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  await world.createSender('+233241234567', 'device-1');
  merchant = await world.createMerchant({ credits: 2_000 });
});

describe('a CSV file of recipients', () => {
  test.each([
    [
      'contains commas and quotes',
      'to,name,order\r\n0551112223,"Ama ""A"", Accra",A-1\r\n+233 20 111 2223,Kofi,A-2\r\n',
    ],
    [
      'uses semicolons, as Excel does',
      '\ufeffOrder;Phone;Name\r\nA-1;0551112223;"Ama ""A"", Accra"\r\n;;\r\nA-2;0201112223;Kofi\r\n',
    ],
    [
      'uses tabs and Unix line breaks',
      'mobile\tNAME\tORDER\n0551112223\t"Ama ""A"", Accra"\tA-1\n0201112223\tKofi\tA-2',
    ],
  ])('is accepted if it %s', async (_, csv) => {
    const { status, json } = await ask({ message: MESSAGE, csv });
    expect({ status, count: json.data.count }).toEqual({ status: 200, count: 2 });
    const [send] = await merchant.sends();
    expect(send).toMatchObject({
      to: ['+233551112223', '+233201112223'],
      words: [
        ['Ama "A", Accra', 'A-1'],
        ['Kofi', 'A-2'],
      ],
    });
  });

  test('maps a two-word column name to one placeholder', async () => {
    const { status } = await ask({ message: 'Order {Order_no}', csv: 'to,Order no\n0551112223,7\n' });
    expect({ status, words: (await merchant.sends())[0]?.words }).toEqual({ status: 200, words: [['7']] });
  });

  test.each([
    [
      'an empty cell for a placeholder',
      'to,name,order\n0551112223,Ama,A-1\n0201112223,,A-2',
      ['line 3: name is missing, but the text contains {name}'],
    ],
    [
      'invalid numbers',
      'to,name,order\n\n12,Ama,A-1\n0201112223,Kofi,A-2\n13,Yaw,A-3',
      ['line 3: "12" is not', 'line 5: "13" is not'],
    ],
    [
      'no column for a placeholder',
      'to,name\n0551112223,Ama',
      ['has no column "order", but the text contains {order}'],
    ],
    ['no column of phone numbers', 'name,order\nAma,A-1', ['has no column "to"']],
    ['a line with too many cells', 'to,name,order\n0551112223,Ama,A-1,7', ['line 2: has 4 cells']],
    ['an unclosed quote', 'to,name,order\n0551112223,"Ama,A-1', ['line 2 has a misplaced or unclosed quotation mark']],
    ['too long a cell', `to,name,order\n0551112223,${'x'.repeat(201)},A-1`, ['line 2: name must be at most 200']],
    ['only a header', 'to,name,order\n', ['has no recipient']],
    ['no content', '', ['is empty']],
    [
      'too many recipients',
      `to,name,order\n${'0551112223,Ama,A-1\n'.repeat(1_001)}`,
      ['has more than 1000 recipients. Split the file.'],
    ],
  ])('is rejected without a debit if it has %s', async (_, csv, told) => {
    const answer = await ask({ message: MESSAGE, csv });
    expectFailure(answer, 400, 'invalid_request');
    const errors = told.map((message) => ({ field: 'csv', message: expect.stringContaining(message) }));
    expect(answer.json.errors).toMatchObject(errors);
    expect(answer.json.errors).toHaveLength(told.length);
    expect({ sends: await merchant.sends(), balance: await merchant.balance() }).toEqual({ sends: [], balance: 2_000 });
  });

  test('reports at most a hundred errors', async () => {
    const answer = await ask({ message: 'Hello', csv: `to\n${'12\n'.repeat(150)}` });
    expect(answer.json.errors).toHaveLength(100);
    expect(answer.json.message).toContain('(and 149 more, see errors)');
  });

  test('cannot be combined with a list of recipients', async () => {
    const recipients = [{ to: '0551112223' }];
    for (const body of [{ recipients, csv: 'to\n0551112223' }, {}])
      expectFailure(await ask({ message: 'Hello', ...body }), 400, 'invalid_request');
  });

  test('is rejected if a recipient has not consented to marketing', async () => {
    const answer = await ask({ message: 'Half price', csv: 'to\n0551112223', purpose: 'marketing' });
    expectFailure(answer, 409, 'consent_missing');
    expect(answer.json.errors).toEqual([{ field: 'csv', message: 'line 2: +233551112223 has no stored consent' }]);
  });
});

describe('resending the failed texts of a bulk send', () => {
  test('sends each text once with a new debit', async () => {
    const id = await sent(60);
    const [first = '', second = ''] = partIds(id, 2);
    await fail(first, [3, 7]);
    await fail(second, [1]);
    expect(await merchant.balance()).toBe(1_943);
    const { status, json } = await retried(id);
    expect({ status, message: json.message }).toEqual({
      status: 200,
      message: 'Requeued 3 texts from +233241234567',
    });
    expect(json.data).toMatchObject({ count: 3, merged: 0, left_out: 0 });
    expect(await merchant.balance()).toBe(1_940);
    const again = await world.sendRow(json.data.id);
    expect(again).toMatchObject({
      message: MESSAGE,
      to: ['+233550000003', '+233550000007', '+233550000051'],
      words: [
        ['Ama 3', 'A-3'],
        ['Ama 7', 'A-7'],
        ['Ama 51', 'A-51'],
      ],
      any_sender: true,
    });
    expectFailure(await retried(id), 409, 'nothing_to_retry');
    // A later retry resends only texts that have failed since.
    await fail(first, [4]);
    expect((await retried(id)).json.data.count).toBe(1);
    await fail(json.data.id, [0]);
    expect((await retried(json.data.id)).json.data.count).toBe(1);
    expect((await merchant.call('sms/show-bulk', { parameters: { id } })).json.data.count).toBe(60);
  });

  test('uses the sender that the original send named', async () => {
    const from = '+233241234567';
    await world.createSender('+233201234567', 'device-2');
    const id = await sent(2, { from });
    await fail(id, [1]);
    const { json } = await retried(id);
    const again = await world.sendRow(json.data.id);
    expect({ from: again?.from, any_sender: again?.any_sender }).toEqual({ from, any_sender: undefined });
  });

  test('uses a different sender if the original has a new owner', async () => {
    const from = '+233241234567';
    await world.createSender('+233201234567', 'device-2');
    world.clock.nowMs += 3_000;
    await merchant.giveSender(from);
    const id = await sent(2, { from });
    await fail(id, [1]);
    await (await world.createMerchant()).giveSender(from);
    world.clock.nowMs += 3_000;
    expect((await retried(id)).json.message).toBe('Requeued 1 text from +233201234567');
  });

  test('sends each text once for two simultaneous requests', async () => {
    const id = await sent(60);
    await fail(id, [1, 2]);
    const [, second = ''] = partIds(id, 2);
    const untouched = await world.sendRow(second);
    const answers = await Promise.all([retried(id), retried(id), retried(id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(await merchant.balance()).toBe(1_940);
    expect(await world.sendRow(second)).toEqual(untouched);
    await fail(id, [3]);
    const headers = { 'idempotency-key': 'retry-1' };
    const same = await Promise.all([retried(id, merchant.smsKey, headers), retried(id, merchant.smsKey, headers)]);
    same.push(await retried(id, merchant.smsKey, headers));
    expect(new Set(same.map(({ json }) => json.data.id)).size).toBe(1);
  });

  test('returns busy if the texts have just been resent', async () => {
    const id = await sent(3);
    await fail(id, [0]);
    const shop = await requireMerchant(world.outside, merchant.id);
    await retryBulk(world.outside, shop, { id }, async ({ writes }) => {
      const note = writes.slice(-1);
      await world.outside.table.write(note);
      const again = world.outside.table.write(note);
      await expect(again).rejects.toMatchObject({ code: 'busy', message: expect.stringContaining('being resent') });
    });
  });

  test('skips people who have withdrawn consent', async () => {
    await agree(world, merchant.id, ['+233550000000', '+233550000001', '+233550000002']);
    const id = await sent(3, { purpose: 'marketing', valid_for: 172_800 });
    await fail(id, [0, 1, 2]);
    await world.outside.table.write([removeContact(merchant.id, '+233550000001')]);
    const { json } = await retried(id);
    expect(json.data).toMatchObject({ count: 2, left_out: 1, expires_at: expect.any(String) });
    expect(await world.sendRow(json.data.id)).toMatchObject({ category: 'marketing' });
    const left = await retried(id);
    expectFailure(left, 409, 'nothing_to_retry');
    expect(left.json.message).toContain('no longer want such texts');
  });

  test('fails if consent is withdrawn during the request', async () => {
    await agree(world, merchant.id, ['+233550000000', '+233550000001']);
    const id = await sent(2, { purpose: 'marketing' });
    await fail(id, [0, 1]);
    const { getMany } = world.outside.table;
    let reads = 0;
    world.outside.table.getMany = async (keys) => {
      const isAfter = keys.some(({ pk }) => pk.startsWith('CONTACT#')) && ++reads > 1;
      return (await getMany(keys)).filter(({ sk }) => !isAfter || sk !== '+233550000001');
    };
    const { json } = await retried(id);
    expect(json.errors).toEqual([{ field: 'id', message: '+233550000001 has no stored consent' }]);
  });

  test('marks no text as resent if credits are insufficient', async () => {
    merchant = await world.createMerchant({ credits: 3 });
    const id = await sent(3);
    await fail(id, [0, 1, 2]);
    await sent(2);
    expectFailure(await retried(id), 402, 'insufficient_credits');
    expect(await merchant.balance()).toBe(1);
    expect((await world.sendRow(id))?.retried).toBeUndefined();
  });

  test.each([
    ['a text without placeholders', 'Half price today', undefined],
    ['a text with placeholders', MESSAGE, 'Ama 4'],
  ])('skips erased recipients: %s', async (_, message, word) => {
    const id = await sent(60, { message });
    const [, second = ''] = partIds(id, 2);
    for (let n = 0; n < 50; n++) await fail(id, [n]);
    for (let n = 0; n < 10; n++) await fail(second, [n]);
    await erase('+233550000003');
    const { json } = await retried(id);
    const again = await sendRows.find(world.outside, { send_id: json.data.id });
    expect({ count: json.data.count, message: again?.message, word: again?.words?.[3]?.[0] }).toEqual({
      count: 59,
      message,
      word,
    });
    const sends = await Promise.all(partIds(json.data.id, 2).map((one) => world.sendRow(one)));
    expect(sends.flatMap((one) => one?.to)).not.toContain(ERASED_NUMBER);
  });

  test('keeps the metadata, the quiet hours and the time limit', async () => {
    // Marketing is not sent at night.
    world.goToNoon();
    const asked = { metadata: { order: 'A-1' }, quiet_hours: '21:00-06:00', valid_for: 172_800 };
    const id = await sent(3, asked);
    expectFailure(await retried(id), 409, 'nothing_to_retry');
    expect((await retried(id)).json.message).toBe(
      'Every failed text in this bulk send has already been resent. Nothing was sent.',
    );
    await fail(id, [1]);
    const [before, after] = [await world.sendRow(id), await world.sendRow((await retried(id)).json.data.id)];
    expect(after).toMatchObject({ metadata: '{"order":"A-1"}', quiet_hours: '21:00-06:00' });
    expect(after?.useless_at).toBe(before?.useless_at);
  });

  test.each([
    ['sent now', undefined],
    ['scheduled for the night', '2026-11-25T22:00:00.000Z'],
  ])('does not shorten the lifetime of texts delayed by quiet hours: %s', async (_, send_at) => {
    world.clock.nowMs = Date.parse('2026-11-23T03:08:00.000Z');
    const id = await sent(3, { quiet_hours: '21:00-06:00', valid_for: 172_800, ...(send_at && { send_at }) });
    await fail(id, [1]);
    expect((await world.sendRow((await retried(id)).json.data.id))?.useless_at).toBe('2026-11-25T03:08:00.000Z');
  });

  test('returns a 409 after the text has been erased', async () => {
    const id = await sent(3, { message: 'Half price today' });
    await fail(id, [0, 1, 2]);
    await erase('+233550000000');
    const refused = await retried(id);
    expectFailure(refused, 409, 'nothing_to_retry');
    expect(refused.json.message).toContain('The text was erased');
    expect(await merchant.balance()).toBe(2_000);
  });

  test('returns a 404 for another merchant’s bulk send', async () => {
    const id = await sent(3);
    await fail(id, [0]);
    const other = await world.createMerchant({ credits: 10 });
    for (const key of [other.smsKey, merchant.smsTestKey]) {
      expectFailure(await retried(id, key), 404, 'not_found');
      expectFailure(await results(id, key), 404, 'not_found');
    }
  });
});

test('the results file has one line per text', async () => {
  const recipients = [{ to: '0551112223', name: '=1+1', order: 'A,"1"' }];
  const { json } = await ask({ message: MESSAGE, recipients });
  await failMessage(world.outside, { send_id: json.data.id, merchant_id: merchant.id }, 0, { reason: '@SUM(A1)' });
  const file = await results(json.data.id);
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(parse(file.text, { bom: true })).toEqual([
    ['id', 'to', 'status', 'failure_reason', 'sent_at', 'delivered_at', '{name}', '{order}'],
    [json.data.id, "'+233551112223", 'failed', "'@SUM(A1)", '', '', "'=1+1", 'A,"1"'],
  ]);
  expect(parse((await results(await sent(120))).text, { bom: true })).toHaveLength(121);
});

async function sent(count: number, more: object = {}): Promise<string> {
  const recipients = Array.from({ length: count }, (_, n) => ({
    to: `055${String(n).padStart(7, '0')}`,
    name: `Ama ${n}`,
    order: `A-${n}`,
  }));
  return (await ask({ message: MESSAGE, recipients, ...more })).json.data.id;
}

/** Fails the texts as a phone's report would, so their credits are refunded. */
async function fail(send_id: string, indexes: readonly number[]): Promise<void> {
  for (const index of indexes)
    await failMessage(world.outside, { send_id, merchant_id: merchant.id }, index, {
      reason: 'The network refused it',
    });
}

/** Erases a person after the failures have been processed. */
async function erase(phone: string): Promise<void> {
  world.clock.nowMs += 24 * 60 * 60 * 1000;
  const { leftOut } = await eraseCustomer(deploymentOf(world), { phone }, { isForReal: true });
  expect(leftOut).toEqual([]);
}

function ask(body: object) {
  return merchant.call('sms/bulk', { body });
}

function retried(id: string, key = merchant.smsKey, headers = {}) {
  return world.call('sms/retry-bulk', { key, headers, parameters: { id } });
}

function results(id: string, key = merchant.smsKey) {
  return world.call('sms/bulk-results', { key, parameters: { id } });
}
