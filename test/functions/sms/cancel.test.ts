import { beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import { Kiosk } from '../../simulation/kiosk.ts';
import { chanceFrom } from '../../simulation/random.ts';
import { expectFailure } from '../../support/envelope.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { start } from '../verify/codes.ts';

let world: Scene;
let merchant: Merchant;
let handedOver: string[];
beforeEach(async () => {
  world = await scene({ inMemory: true });
  await world.createSender('+233241234567', 'device-1');
  merchant = await world.createMerchant({ credits: 100 });
  handedOver = [];
  world.gateway = async (request) => {
    handedOver.push(JSON.parse(await request.text()).id);
    return Response.json({ state: 'Pending' }, { status: 202 });
  };
});

describe('a scheduled send', () => {
  test('is cancelled and refunded as a whole', async () => {
    const { id, ids } = await scheduled(3);
    expect(await merchant.balance()).toBe(97);
    const { status, json } = await cancelled(id);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      message: 'Cancelled 3 texts',
      data: { id, messages: ids.map((one) => ({ id: one, status: 'cancelled' })) },
    });
    expect(await merchant.balance()).toBe(100);
    expect(await merchant.refunds()).toMatchObject([{ credits: 3, send_id: id }]);
    world.clock.nowMs += HOUR_MS;
    await deliverAll(id, 3);
    expect(handedOver).toEqual([]);
    const cancelled_at = world.iso(-HOUR_MS);
    expect(await shown(ids[1])).toMatchObject({ status: 'cancelled', cancelled_at, sending_at: null });
  });

  test('loses only the text that is cancelled by id', async () => {
    const { id, ids } = await scheduled(3);
    expect((await cancelled(ids[1] ?? '')).json).toMatchObject({ message: 'Cancelled 1 text' });
    expect(await statesOf(ids)).toEqual(['scheduled', 'cancelled', 'scheduled']);
    world.clock.nowMs += 1_000;
    const { messages } = (await cancelled(id, id)).json.data;
    expect(messages).toMatchObject(['cancelled', 'cancelled', 'scheduled'].map((status) => ({ status })));
    expect(await merchant.balance()).toBe(99);
    const entries = (await merchant.call('sms/credits')).json.data.entries;
    expect(entries.filter(({ type }: { type: string }) => type === 'refund')).toMatchObject([
      { credits: 1, send_id: id, message_id: id },
      { credits: 1, send_id: id, message_id: ids[1] },
    ]);
  });

  test('is not changed by a second cancellation', async () => {
    const { id } = await scheduled(2);
    await cancelled(id);
    const { status, json } = await cancelled(id);
    expect({ status, message: json.message }).toEqual({ status: 200, message: 'Cancelled 0 texts' });
    expect(await merchant.balance()).toBe(100);
  });

  test('costs about two write units per text to cancel', async () => {
    const { id } = await scheduled(50);
    const writes: unknown[] = [];
    const { write } = world.outside.table;
    world.outside.table.write = (all) => {
      writes.push(...all);
      return write(all);
    };
    await cancelled(id);
    // Fifty texts, the balance and its entry. Each is below a kilobyte, which takes two units in a transaction.
    expect(writes).toHaveLength(52);
  });
});

describe('cancelling a send', () => {
  test('refunds only its unsent texts', async () => {
    const { id, ids } = await accepted(3);
    await deliverOne(id, 1);
    const { json } = await cancelled(id);
    expect(json.message).toBe('Cancelled 2 texts');
    expect(await statesOf(ids)).toEqual(['cancelled', 'sending', 'cancelled']);
    await deliverAll(id, 3);
    expect(handedOver).toEqual([ids[1], ids[1]]);
    expect(await merchant.balance()).toBe(99);
  });

  test('returns 409 once all texts have been sent', async () => {
    const { id, ids } = await accepted(2);
    await deliverAll(id, 2);
    expectFailure(await cancelled(id), 409, 'text_not_pending');
    expectFailure(await cancelled(ids[1] ?? ''), 409, 'text_not_pending');
    expect(await merchant.balance()).toBe(98);
  });

  test.each(Array.from({ length: 12 }, (_, n) => n))(
    'refunds each text that is not sent at the same moment (%i)',
    async (n) => {
      const { id, ids } = await accepted(4);
      const workers = ids.map((_, index) => deliverOne(id, index));
      for (let turn = 0; turn < n; turn++) await Promise.resolve();
      await Promise.all([...workers, cancelled(id)]);
      const states = await statesOf(ids);
      expect(states.every((state) => state === 'sending' || state === 'cancelled')).toBe(true);
      expect(handedOver.toSorted()).toEqual(ids.filter((_, index) => states[index] === 'sending'));
      expect(await merchant.balance()).toBe(100 - handedOver.length);
    },
  );
});

describe('cancelling a text', () => {
  test('returns 409 for a verification code', async () => {
    const { json } = await start(merchant);
    expectFailure(await cancelled(json.data.id), 409, 'text_not_pending');
    expect(await world.messageRow(json.data.id)).toBeUndefined();
  });

  test('returns 404 for unknown ids and other merchants’ texts', async () => {
    const other = await world.createMerchant({ credits: 10 });
    const { id, ids } = await scheduled(2);
    const second = await scheduled(1);
    const last = `${id.slice(0, -2)}${(Number.parseInt(id.slice(-2), 16) + 2).toString(16).padStart(2, '0')}`;
    expectFailure(await cancelled(id, undefined, other.smsKey), 404, 'not_found');
    expectFailure(await cancelled('x'), 404, 'not_found');
    expectFailure(await cancelled(last), 404, 'not_found');
    expectFailure(await cancelled(id, second.id), 404, 'not_found');
    expectFailure(await cancelled(ids[1] ?? '', id), 404, 'not_found');
    expect(await statesOf(ids)).toEqual(['scheduled', 'scheduled']);
  });
});

test('cancelling a test text refunds nothing', async () => {
  const kiosk = new Kiosk(chanceFrom(3));
  await kiosk.open(() => 20);
  const key = kiosk.shops[0]?.smsTestKey ?? '';
  const send_at = new Date(kiosk.nowMs + HOUR_MS).toISOString();
  const body = { to: '0551112223', message: 'Hello', send_at };
  const { data } = JSON.parse((await kiosk.request('sms/send', { key, body }))?.body ?? '');
  expect((await kiosk.request('sms/cancel', { key, parameters: { id: data.id } }))?.statusCode).toBe(200);
  expect(kiosk.items().filter(({ pk }) => /^CREDIT.*_test/.test(String(pk)))).toEqual([]);
});

function scheduled(count: number) {
  return accepted(count, { send_at: world.iso(HOUR_MS) });
}

async function accepted(count: number, more: object = {}): Promise<{ id: string; ids: string[] }> {
  const to = Array.from({ length: count }, () => '0551112223');
  const { json } = await merchant.call('sms/send', { body: { to, message: 'Hello', ...more } });
  return json.data;
}

function cancelled(id: string, message_id?: string, key = merchant.smsKey) {
  const query: Record<string, string> = message_id === undefined ? {} : { message_id };
  return world.call('sms/cancel', { key, parameters: { id }, query });
}

async function shown(id = '') {
  return (await merchant.call('sms/show', { parameters: { id } })).json.data;
}

function statesOf(ids: readonly string[]): Promise<string[]> {
  return Promise.all(ids.map(async (id) => (await shown(id)).status));
}

async function deliverOne(send_id: string, index: number): Promise<void> {
  await world.work('deliver-sms', [{ send_id, index, has_turn: true }]);
}

async function deliverAll(send_id: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await deliverOne(send_id, index);
}
