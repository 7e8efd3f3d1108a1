import { beforeEach, describe, expect, test } from 'vitest';
import type { TableWrite } from '../../../shared/runtime/table/table.ts';
import { HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import { storeContact } from '../../../shared/texts/contact/store-contacts.ts';
import { messageId, partIds } from '../../../shared/texts/sms/message-id.ts';
import { agree, wrote } from '../../support/contacts.ts';
import { failWrite } from '../../support/disturb.ts';
import { expectBadFields, expectFailure } from '../../support/envelope.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';

const AMA = { to: '0551112223', name: 'Ama', order: 'A-1' };
const KOFI = { to: '0201112223', name: 'Kofi', order: 'A-2' };
const SLOW = '+233241234568';
const MESSAGE = 'Hello {name}, your order {order} is ready';

let world: Scene;
let merchant: Merchant;
let handedOver: { id: string; text: string; to: string }[];
beforeEach(async () => {
  world = await scene({ inMemory: true });
  // Marketing is not sent at night.
  world.goToNoon();
  await world.createSender('+233241234567', 'device-1');
  merchant = await world.createMerchant({ credits: 2_000 });
  handedOver = [];
  world.gateway = async (request) => {
    const { id, textMessage, phoneNumbers } = JSON.parse(await request.text());
    handedOver.push({ id, text: textMessage.text, to: phoneNumbers[0] });
    return Response.json({ state: 'Pending' }, { status: 202 });
  };
});

describe('personalised texts', () => {
  test('contain each recipient’s own values', async () => {
    const { status, json } = await ask({ message: MESSAGE, recipients: [AMA, KOFI] });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      message: 'Queued 2 texts from +233241234567',
      data: { count: 2, merged: 0, status: 'pending', segments: 1, encoding: 'GSM-7', send_at: null, livemode: true },
    });
    expect(await merchant.balance()).toBe(1_998);
    await deliverAll(json.data.id, 2);
    expect(handedOver).toEqual([
      { id: json.data.id, to: '+233551112223', text: 'Hello Ama, your order A-1 is ready' },
      { id: messageId(json.data.id, 1), to: '+233201112223', text: 'Hello Kofi, your order A-2 is ready' },
    ]);
    const { json: second } = await merchant.call('sms/show', { parameters: { id: messageId(json.data.id, 1) } });
    expect(second.data).toMatchObject({ to: '+233201112223', message: 'Hello Kofi, your order A-2 is ready' });
  });

  test('keep braces that are not placeholders', async () => {
    const body = { message: '{name} {1} {} {{name}}', recipients: [{ ...AMA, name: '{order}' }] };
    expectBadFields(await ask(body), 'message', 'message', 'message');
    const { json } = await ask({ ...body, allow_braces: true });
    await deliverAll(json.data.id, 1);
    expect(handedOver.map(({ text }) => text)).toEqual(['{order} {1} {} {{order}}']);
  });

  test('are sent once per number if identical', async () => {
    const again = { ...AMA, to: '+233551112223', unused: 'x' };
    const { json } = await ask({ message: MESSAGE, recipients: [AMA, again, { ...AMA, order: 'A-9' }] });
    expect(json.data).toMatchObject({ count: 2, merged: 1 });
    expect(await merchant.balance()).toBe(1_998);
  });

  test('are converted to GSM-7 on request', async () => {
    const body = { message: '“{name}”', recipients: [{ to: '0551112223', name: 'Ɛsi' }], encoding: 'gsm7' };
    const { json } = await ask(body);
    expect(json.data.encoding).toBe('GSM-7');
    await deliverAll(json.data.id, 1);
    expect(handedOver.map(({ text }) => text)).toEqual(['"Esi"']);
  });
});

describe('an invalid bulk send', () => {
  test.each([
    ['a missing value', [AMA, { to: '0201112223', name: 'Kofi' }], 'recipients[1].order', 'is missing'],
    ['an empty value', [{ ...AMA, name: ' ' }], 'recipients[0].name', 'is missing'],
    ['an undefined value', [{ ...AMA, order: undefined }], 'recipients[0].order', 'is missing'],
    ['an invalid number', [AMA, { ...KOFI, to: '12' }], 'recipients[1].to', 'not a Ghanaian number'],
    ['a number as a value', [{ ...AMA, order: 7 }], 'recipients[0].order', 'must be a string'],
    ['no recipients', [], 'recipients', 'at least one'],
    ['too many recipients', Array.from({ length: 1_001 }, () => AMA), 'recipients', 'at most 1000'],
  ])('is rejected without a debit if it has %s', async (_, recipients, field, message) => {
    const answer = await ask({ message: MESSAGE, recipients });
    expectFailure(answer, 400, 'invalid_request');
    expect(answer.json.errors).toMatchObject([{ field, message: expect.stringContaining(message) }]);
    await expectNothingDone();
  });

  test('is rejected with an error for each invalid recipient', async () => {
    const answer = await ask({ message: MESSAGE, recipients: [{ to: '0551112223' }, AMA, { to: '0201112223' }] });
    expect(answer.json.errors.map(({ field }: { field: string }) => field)).toEqual([
      ...['recipients[0].name', 'recipients[0].order'],
      ...['recipients[2].name', 'recipients[2].order'],
    ]);
  });

  test('is rejected if a value makes its text too long', async () => {
    const message = `${'x'.repeat(990)}{a}${'{b}'.repeat(2)}`;
    const words = { a: 'y'.repeat(200), b: 'z'.repeat(200) };
    const answer = await ask({ message, recipients: [{ to: '0551112223', ...words }] });
    expectFailure(answer, 400, 'invalid_request');
    expect(answer.json.errors[0].field).toBe('recipients[0]');
    await expectNothingDone();
  });

  test('is rejected if it costs more than the balance', async () => {
    merchant = await world.createMerchant({ credits: 1 });
    expectFailure(await ask({ message: MESSAGE, recipients: [AMA, KOFI] }), 402, 'insufficient_credits');
    expect({ sends: await merchant.sends(), balance: await merchant.balance() }).toEqual({ sends: [], balance: 1 });
  });

  test('is rejected if sending it would take more than three days', async () => {
    await addSlowSender(SLOW, 10);
    const answer = await ask({ message: MESSAGE, recipients: many(1_000), from: SLOW });
    expectFailure(answer, 400, 'invalid_request');
    expect(answer.json.errors[0]).toMatchObject({ field: 'recipients' });
    await expectNothingDone();
    // The number can send 720 texts in three days, or 420 with quiet nights.
    expect((await ask({ message: MESSAGE, recipients: many(700), from: SLOW })).status).toBe(200);
    const quiet = { message: MESSAGE, from: SLOW, quiet_hours: '21:00-07:00' };
    const other = await world.createMerchant({ credits: 2_000 });
    expectFailure(await ask({ ...quiet, recipients: many(500) }, other.smsKey), 400, 'invalid_request');
    expect(answer.json.errors[0].message).toMatch(
      /^are too many to send to at once: the last of 1000 texts would be sent from \+233241234568 at about \d.*Z, and texts not sent within 72 hours are dropped. Nothing was debited. Send to fewer recipients$/,
    );
  });
});

describe('a bulk send while other texts are queued', () => {
  const from = '+233241234569';
  beforeEach(() => addSlowSender(from, 1));

  test('returns 429 if it would fit into an empty queue', async () => {
    expect((await ask({ message: MESSAGE, recipients: many(72), from })).status).toBe(200);
    expectFailure(await ask({ message: MESSAGE, recipients: many(73), from }), 400, 'invalid_request');
    const { json } = await ask({ message: MESSAGE, recipients: many(12), from });
    for (let index = 0; index < 12; index++) await queued(json.data.id, index);
    const before = await merchant.balance();
    const full = await ask({ message: MESSAGE, recipients: many(70), from });
    expectFailure(full, 429, 'queue_full');
    expect(full.json.message).toMatch(
      /^Other texts are ahead in the queue: the last of 70 texts would be sent .* Nothing was debited\. Wait, or send to fewer recipients\.$/,
    );
    // Eleven texts are queued behind the one that was sent. The last of 70 more is due after 81 hours, less the minute
    // that a number may run ahead.
    expect(full.headers['retry-after']).toBe(String((81 - 72) * 3_600 - 60 + 1));
    expect(await merchant.balance()).toBe(before);
  });

  test('has an estimated end that counts each text once', async () => {
    const { json } = await ask({ message: MESSAGE, recipients: many(12), from });
    for (const count of [0, 6, 12]) {
      for (let index = 0; index < count; index++) await queued(json.data.id, index);
      const { ends_at } = (await progressOf(json.data.id)).json.data;
      // A number may run a minute ahead of its sending rate.
      expect(Math.abs(Date.parse(ends_at) - Date.parse(json.data.ends_at))).toBeLessThanOrEqual(60_000);
    }
  });
});

test('a bulk send of 1,000 texts costs under three write units per text', async () => {
  const charges: (readonly TableWrite[])[] = [];
  const { write } = world.outside.table;
  world.outside.table.write = (all) => {
    charges.push(all);
    return write(all);
  };
  const { json } = await ask({ message: MESSAGE, recipients: many(1_000) });
  expect(json.data.count).toBe(1_000);
  expect(await merchant.balance()).toBe(1_000);
  // The other write records that the key was used.
  expect(charges.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([1, 21]);
  const sends = await merchant.sends();
  expect(sends.map(({ send_id }) => send_id).toSorted()).toEqual(partIds(json.data.id, 20));
  // A transaction takes two units per kilobyte, and the two indexes store only keys.
  const units = sends.reduce((sum, row) => sum + 2 * Math.ceil(JSON.stringify(row).length / 1024) + 2 * 2, 4);
  expect(units / 1_000).toBeLessThan(0.5);
  const shown = (await progressOf(json.data.id)).json.data;
  expect(shown).toMatchObject({ count: 1_000, progress: { pending: 1_000 } });
  expect(shown.messages[999]).toMatchObject({ to: '+233550000999' });
  const listed = (await merchant.call('sms/credits')).json.data;
  expect(listed.entries.filter(({ type }: { type: string }) => type === 'send')).toHaveLength(20);
});

test('an Idempotency-Key prevents a second bulk send', async () => {
  const headers = { 'idempotency-key': 'bulk-1' };
  const body = { message: MESSAGE, recipients: many(60) };
  const [first, second] = await Promise.all([ask(body, merchant.smsKey, headers), ask(body, merchant.smsKey, headers)]);
  const third = await ask(body, merchant.smsKey, headers);
  expect(new Set([first, second, third].map(({ json }) => json.data.id)).size).toBe(1);
  expect(await merchant.balance()).toBe(1_940);
  expect(await merchant.sends()).toHaveLength(2);
});

describe('GET /sms/bulk/{id}', () => {
  test('counts the texts in each state', async () => {
    const { json } = await ask({ message: MESSAGE, recipients: many(52) });
    await deliverAll(json.data.id, 2);
    const { data } = (await progressOf(json.data.id)).json;
    expect(data).toMatchObject({ id: json.data.id, message: MESSAGE, count: 52 });
    expect(data.progress).toMatchObject({ sending: 2, pending: 50, delivered: 0 });
    expect(Date.parse(data.ends_at)).toBeGreaterThanOrEqual(world.clock.nowMs);
  });

  test('keeps the estimated end time until the last text is sent', async () => {
    await addSlowSender(SLOW, 10);
    for (const more of [{}, { send_at: world.iso(5 * HOUR_MS) }]) {
      const other = await world.createMerchant({ credits: 100 });
      const { data } = (await ask({ message: MESSAGE, recipients: many(60), from: SLOW, ...more }, other.smsKey)).json;
      expect(Date.parse(data.ends_at)).toBeGreaterThan(world.clock.nowMs + 4 * HOUR_MS);
      expect((await progressOf(data.id, other.smsKey)).json.data.ends_at).toBe(data.ends_at);
    }
    const { json } = await ask({ message: MESSAGE, recipients: [AMA, KOFI] });
    await deliverAll(json.data.id, 2);
    expect((await progressOf(json.data.id)).json.data.ends_at).toBeNull();
  });

  test('returns 404 for anything other than the merchant’s own bulk sends', async () => {
    const { json } = await ask({ message: MESSAGE, recipients: many(52) });
    const other = await world.createMerchant();
    const [id = '', part = ''] = partIds(json.data.id, 2);
    expectFailure(await progressOf(id, other.smsKey), 404, 'not_found');
    expectFailure(await progressOf(id, merchant.smsTestKey), 404, 'not_found');
    const text = await merchant.call('sms/send', { body: { to: AMA.to, message: 'Hello' } });
    for (const wrong of [part, messageId(id, 1), text.json.data.id, 'x']) {
      expectFailure(await progressOf(wrong), 404, 'not_found');
      expectFailure(await cancelled(wrong), 404, 'not_found');
    }
    expectFailure(await cancelled(id, other.smsKey), 404, 'not_found');
    expect((await progressOf(id.toUpperCase())).status).toBe(200);
  });
});

describe('DELETE /sms/bulk/{id}', () => {
  test('refunds all scheduled texts once', async () => {
    const send_at = world.iso(HOUR_MS);
    const { json } = await ask({ message: MESSAGE, recipients: many(120), send_at });
    expect(json.data).toMatchObject({ status: 'scheduled', send_at });
    expect((await cancelled(json.data.id)).json).toMatchObject({
      message: 'Cancelled 120 texts',
      data: { progress: { cancelled: 120 }, ends_at: null },
    });
    expect((await cancelled(json.data.id)).json.message).toBe('Cancelled 0 texts');
    expect(await merchant.balance()).toBe(2_000);
    expect((await merchant.refunds()).map((entry) => entry.credits).toSorted()).toEqual([20, 50, 50]);
    world.clock.nowMs += HOUR_MS;
    for (const id of partIds(json.data.id, 3)) await deliverAll(id, 5);
    expect(handedOver).toEqual([]);
  });

  test('returns 409 if all texts have been sent', async () => {
    const { json } = await ask({ message: MESSAGE, recipients: [AMA, KOFI] });
    await deliverAll(json.data.id, 2);
    expectFailure(await cancelled(json.data.id), 409, 'text_not_pending');
    expect(await merchant.balance()).toBe(1_998);
  });

  test('refunds sends that have not gone out only once', async () => {
    const { json } = await ask({ message: MESSAGE, recipients: many(52) });
    await deliverAll(json.data.id, 50);
    expect((await cancelled(json.data.id)).json.message).toBe('Cancelled 2 texts');
    expect(await merchant.balance()).toBe(1_950);
    expect((await cancelled(json.data.id)).json.message).toBe('Cancelled 0 texts');
  });

  test('refunds a send’s unsent texts only once', async () => {
    const { json } = await ask({ message: MESSAGE, recipients: [AMA, KOFI] });
    await deliverAll(json.data.id, 1);
    expect((await cancelled(json.data.id)).json.message).toBe('Cancelled 1 text');
    expect((await cancelled(json.data.id)).json.message).toBe('Cancelled 0 texts');
    expect(await merchant.balance()).toBe(1_999);
  });

  test('can be repeated after a failure', async () => {
    const { json } = await ask({ message: MESSAGE, recipients: many(60) });
    failWrite(world, 2);
    expect((await cancelled(json.data.id)).status).toBe(500);
    expect(await merchant.balance()).toBe(1_990);
    expect((await cancelled(json.data.id)).json.message).toBe('Cancelled 10 texts');
    expect(await merchant.balance()).toBe(2_000);
  });

  test.each(Array.from({ length: 8 }, (_, n) => n * 3))(
    'cancels each text that is not sent at the same moment (%i)',
    async (n) => {
      const { json } = await ask({ message: MESSAGE, recipients: many(54) });
      const [first = '', second = ''] = partIds(json.data.id, 2);
      const jobs = [0, 1, 2, 3].flatMap((index) => [deliverOne(first, index), deliverOne(second, index)]);
      for (let turn = 0; turn < n; turn++) await Promise.resolve();
      await Promise.all([...jobs, cancelled(json.data.id)]);
      await Promise.all([0, 1, 2, 3].map((index) => deliverOne(first, index)));
      const left = new Set(handedOver.map(({ id }) => id)).size;
      const { progress } = (await progressOf(json.data.id)).json.data;
      expect({ all: progress.sending + progress.cancelled, sending: progress.sending }).toEqual({
        all: 54,
        sending: left,
      });
      expect(await merchant.balance()).toBe(2_000 - left);
    },
  );
});

describe('a marketing bulk send', () => {
  const offer = { message: 'Hello {name}', recipients: [AMA, KOFI], purpose: 'marketing' };
  beforeEach(() => agree(world, merchant.id, ['+233551112223', '+233201112223']));

  test('is rejected if a recipient has replied STOP', async () => {
    await wrote(world, 'STOP', merchant.id, '+233201112223');
    const answer = await ask(offer);
    expectFailure(answer, 409, 'recipient_opted_out');
    expect(answer.json.errors).toEqual([{ field: 'recipients[1].to', message: '+233201112223 has opted out' }]);
    await expectNothingDone();
    expect((await ask({ ...offer, purpose: 'transactional' })).status).toBe(200);
  });

  test('skips recipients who reply STOP after it is queued', async () => {
    const recipients = many(52);
    const numbers = recipients.map(({ to }) => `+233${to.slice(1)}`);
    await agree(world, merchant.id, numbers);
    const { json } = await ask({ ...offer, recipients });
    await wrote(world, 'STOP', merchant.id, '+233550000001');
    await wrote(world, 'STOP', merchant.id, '+233550000051');
    const [first = '', second = ''] = partIds(json.data.id, 2);
    await deliverAll(first, 3);
    await deliverAll(second, 2);
    expect(handedOver.map(({ to }) => to)).toEqual(['+233550000000', '+233550000002', '+233550000050']);
    expect(await merchant.balance()).toBe(1_950);
    expect((await progressOf(json.data.id)).json.data.progress).toMatchObject({ failed: 2, sending: 3 });
  });

  test('is rejected if a recipient has not consented', async () => {
    const answer = await ask({ ...offer, recipients: [AMA, { to: '0241112223', name: 'Yaw' }, KOFI] });
    expectFailure(answer, 409, 'consent_missing');
    expect(answer.json.errors).toEqual([{ field: 'recipients[1].to', message: '+233241112223 has no stored consent' }]);
    await expectNothingDone();
  });

  test('refunds the credits for recipients who withdraw consent later', async () => {
    const { json } = await ask(offer);
    await world.outside.table.write(
      storeContact(world.outside, { merchant_id: merchant.id, number: '+233201112223' }, { consent: undefined }),
    );
    await deliverAll(json.data.id, 2);
    expect(handedOver.map(({ to }) => to)).toEqual(['+233551112223']);
    expect(await merchant.balance()).toBe(1_999);
  });

  test('waits until the morning', async () => {
    world.clock.nowMs = Date.UTC(2026, 5, 1, 21, 30);
    expect((await ask(offer)).json.data.send_at).toBe('2026-06-02T07:00:00.000Z');
    expect((await ask({ ...offer, purpose: 'reminder' })).json.data.send_at).toBeNull();
    expect((await ask({ ...offer, quiet_hours: '20:00-08:00' })).json.data.send_at).toBe('2026-06-02T08:00:00.000Z');
    for (const quiet_hours of ['none', '22:00-06:00'])
      expect((await ask({ ...offer, quiet_hours })).json.data.send_at).toBe('2026-06-02T07:00:00.000Z');
    expectFailure(await ask({ ...offer, quiet_hours: '12:00-13:00' }), 400, 'invalid_request');
  });
});

test('a bulk send with a test key is free', async () => {
  const { status, json } = await ask({ message: MESSAGE, recipients: many(51) }, merchant.smsTestKey);
  expect({ status, livemode: json.data.livemode }).toEqual({ status: 200, livemode: false });
  await deliverAll(json.data.id, 1);
  expect(handedOver).toEqual([]);
  const { progress } = (await progressOf(json.data.id, merchant.smsTestKey)).json.data;
  expect(progress).toMatchObject({ delivered: 1, pending: 50 });
  expect(await merchant.balance()).toBe(2_000);
});

function many(count: number): { to: string; name: string; order: string }[] {
  const number = (n: number) => `055${String(n).padStart(7, '0')}`;
  return Array.from({ length: count }, (_, n) => ({ to: number(n), name: `Ama ${n}`, order: `A-${n}` }));
}

function ask(body: object, key = merchant.smsKey, headers: Record<string, string> = {}) {
  return world.call('sms/bulk', { key, body, headers });
}

function progressOf(id: string, key = merchant.smsKey) {
  return world.call('sms/show-bulk', { key, parameters: { id } });
}

function cancelled(id: string, key = merchant.smsKey) {
  return world.call('sms/cancel-bulk', { key, parameters: { id } });
}

async function expectNothingDone(): Promise<void> {
  expect({ sends: await merchant.sends(), balance: await merchant.balance() }).toEqual({ sends: [], balance: 2_000 });
}

async function deliverOne(send_id: string, index: number): Promise<void> {
  await world.work('deliver-sms', [{ send_id, index, has_turn: true }]);
}

/** Delivers a text's job like the queue does. The text is sent if the sending rate allows it, or stays queued. */
async function queued(send_id: string, index: number): Promise<void> {
  await world.work('deliver-sms', [{ send_id, index }]);
}

async function deliverAll(send_id: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await deliverOne(send_id, index);
}

/** Adds a number with this sending rate in its own phone. */
function addSlowSender(number: string, messages_per_hour: number) {
  const place = { gateway: 'phone', device_id: `device-of-${number}`, sim_number: 1 };
  return world.addSender({ number, network: 'MTN', ...place, messages_per_hour });
}
