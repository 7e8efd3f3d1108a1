import { beforeEach, describe, expect, test } from 'vitest';
import { testAccountIdOf } from '../../../shared/merchants/merchant/test-account.ts';
import { MAX_KEPT_EVENTS_PER_DAY } from '../../../shared/merchants/merchant/test-limit.table.ts';
import { DAY_SECONDS } from '../../../shared/runtime/values/calendar.ts';
import { disableEndpoint, endpointRows } from '../../../shared/webhook/endpoint.table.ts';
import { expectBadFields } from '../../support/envelope.ts';
import { liveHolder } from '../../support/holders.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';

let world: Scene;
let merchant: Merchant;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.clock.nowMs = Date.UTC(2026, 10, 20, 8, 30, 15, 250);
  merchant = await world.createMerchant();
});

describe('a test event', () => {
  test('is listed but never posted without a webhook', async () => {
    const reference = await pay();
    await passDays(2);
    const [event] = await list();
    expect(event).toMatchObject({ type: 'charge.success', status: 'kept', tries: 0, next_try_at: null });
    expect(event.body).toMatchObject({ livemode: false, data: { reference, status: 'success' } });
    expect(world.posted).toEqual([]);
    expect(world.queued.filter(({ queue }) => queue === 'deliver-webhook')).toEqual([]);
  });

  test('is stored if the webhook is disabled or ignores its type', async () => {
    const hook = { url: 'https://shop.example.com/hooks', events: ['charge.expired'] };
    await world.call('webhook/set', { key: merchant.testKey, body: hook });
    await pay();
    expect((await list()).map(({ status }: Listed) => status)).toEqual(['kept']);
    await world.call('webhook/set', { key: merchant.testKey, body: { url: hook.url } });
    const endpoint = await endpointRows.find(world.outside, holder());
    if (endpoint) await disableEndpoint(world.outside, endpoint, 'gone', world.iso());
    await pay();
    expect((await list()).map(({ status }: Listed) => status)).toEqual(['kept', 'kept']);
  });

  test('is posted if a webhook receives it', async () => {
    await world.call('webhook/set', { key: merchant.testKey, body: { url: 'https://shop.example.com/hooks' } });
    await pay();
    expect((await list()).map(({ status }: Listed) => status)).toEqual(['pending']);
    expect(world.queued.filter(({ queue }) => queue === 'deliver-webhook')).toHaveLength(1);
  });

  test('is stored as delivered and never posted', async () => {
    await pay();
    const [row] = await world.rows('EVENT');
    expect(row).toMatchObject({ state: 'delivered', is_kept: true, tries: 0, round: 0, created_at: row?.next_try_at });
    expect(row?.gsi2pk).toBeUndefined();
    expect(world.counted.webhooks_given_up).toBeUndefined();
  });

  test('cannot be resent from its page', async () => {
    await pay();
    const [{ id }] = await list();
    const owner = await world.signIn('owner', merchant.id);
    await owner.visit('/dashboard/sign-in/test-mode', { form: { mode: 'test' } });
    const { text } = await owner.visit(`/dashboard/developers/events/${id}`);
    expect(text).toContain('None, because no webhook receives this test event.');
    expect(text).not.toContain('Resend it');
  });

  test('cannot be replayed after a webhook is set', async () => {
    await pay();
    const [{ id }] = await list();
    await world.call('webhook/set', { key: merchant.testKey, body: { url: 'https://shop.example.com/hooks' } });
    const answer = await world.call('webhook/replay', { key: merchant.testKey, parameters: { id } });
    expect(answer).toMatchObject({ status: 404, json: { message: expect.stringContaining('will never be sent') } });
    expect((await list()).map(({ status }: Listed) => status)).toEqual(['kept']);
  });

  test('expires after seven days', async () => {
    await pay();
    const [row] = await world.rows('EVENT');
    const seconds = Math.floor(Date.parse(String(row?.created_at)) / 1000);
    expect(row?.expires_at_epoch_seconds).toBe(seconds + 7 * DAY_SECONDS);
    expect(row?.gsi2pk).toBeUndefined();
  });

  test('is listed only for keys of the mode that triggered it', async () => {
    const body = { to: '0241234567', message: 'Ready', send_at: '2026-11-21T09:00:00Z' };
    const { json } = await world.call('sms/send', { key: merchant.smsTestKey, body });
    await world.call('sms/cancel', { key: merchant.smsTestKey, parameters: { id: json.data.id } });
    await pay();
    expect((await list(merchant.smsTestKey)).map(({ type }: Listed) => type)).toEqual(['sms.cancelled']);
    expect((await list()).map(({ type }: Listed) => type)).toEqual(['charge.success']);
  });

  test('is hidden from live keys and other merchants', async () => {
    await pay();
    const other = await world.createMerchant();
    for (const key of [merchant.liveKey, other.liveKey, other.testKey]) expect(await list(key)).toEqual([]);
  });

  test('is dropped above 2,000 a day', async () => {
    const counted = (events_kept: number) =>
      world.outside.table.write([{ put: { Item: { ...dayRow(), events_kept } } }]);
    await counted(MAX_KEPT_EVENTS_PER_DAY - 1);
    const first = await pay();
    const second = await pay();
    const kept = (await list()).map(({ body }: Listed) => body.data.reference);
    expect(kept).toEqual([first]);
    const { json } = await world.call('transaction/verify', {
      key: merchant.testKey,
      parameters: { reference: second },
    });
    expect(json.data.status).toBe('success');
    await passDays(1);
    await pay();
    expect(await list()).toHaveLength(2);
  });

  test('is counted once if the stream delivers it twice', async () => {
    const { before, after } = await changeOfPayment();
    await world.relayChanges({ before, after });
    await world.relayChanges({ before, after });
    expect([(await world.outside.table.get(dayRow()))?.events_kept]).toEqual([1]);
    expect(await list()).toHaveLength(1);
  });
});

test('only test events are stored without a webhook', async () => {
  for (const key of [merchant.liveKey, merchant.testKey]) {
    const { json } = await world.call('transaction/initialize', { key, body: { amount: 1 } });
    await world.call('transaction/cancel', { key, parameters: { reference: json.data.reference } });
  }
  await follow();
  expect((await world.rows('EVENT')).map(({ merchant_id }) => merchant_id)).toEqual([testAccountIdOf(merchant.id)]);
});

describe('the time range of an event list', () => {
  test('applies to the detection time, to the second', async () => {
    const first = await pay();
    const fromFirst = world.iso();
    world.clock.nowMs += 1000;
    const second = await pay();
    const referencesOf = async (query: Record<string, string>) =>
      (await list(merchant.testKey, query)).map(({ body }: Listed) => body.data.reference);
    expect(await referencesOf({ from: fromFirst })).toEqual([second, first]);
    expect(await referencesOf({ from: world.iso() })).toEqual([second]);
    expect(await referencesOf({ to: fromFirst })).toEqual([first]);
    expect(await referencesOf({ from: '2026-11-21' })).toEqual([]);
  });

  test('is rejected if invalid', async () => {
    const answer = await world.call('webhook/list-events', { key: merchant.testKey, query: { from: 'now' } });
    expectBadFields(answer, 'from');
  });
});

const holder = () => liveHolder(testAccountIdOf(merchant.id));
const dayRow = () => ({ pk: `TEST_USE#${merchant.id}_test`, sk: world.iso().slice(0, 10) });

interface Listed {
  readonly type: string;
  readonly status: string;
  readonly body: { readonly data: { readonly reference: string } };
}

async function list(key = merchant.testKey, query: Record<string, string> = {}) {
  const { json } = await world.call('webhook/list-events', { key, query });
  return json.data.events;
}

/** Pays a test charge and relays the changes. @returns its reference. */
async function pay(): Promise<string> {
  const { json } = await world.call('transaction/initialize', { key: merchant.testKey, body: { amount: 1 } });
  const { reference } = json.data;
  await simulate(reference);
  await follow();
  return reference;
}

/** The second pass relays the new events. */
async function follow(): Promise<void> {
  await world.followChanges();
  await world.followChanges();
}

async function simulate(reference: string): Promise<void> {
  await world.call('test/simulate', { key: merchant.testKey, parameters: { reference }, body: { outcome: 'paid' } });
}

async function changeOfPayment() {
  const { json } = await world.call('transaction/initialize', { key: merchant.testKey, body: { amount: 1 } });
  const [before] = await world.rows('TRANSACTION');
  await simulate(json.data.reference);
  const [after] = await world.rows('TRANSACTION');
  if (!before || !after) throw new Error('There is no charge');
  return { before, after };
}

async function passDays(days: number): Promise<void> {
  world.clock.nowMs += days * DAY_SECONDS * 1000;
  await world.housekeeping();
}
