import { beforeEach, describe, expect, test } from 'vitest';
import { listSenders } from '../../../shared/phones/sender/sender.table.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectFailure } from '../../support/envelope.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';

const MTN = '+233241234567';

let world: Scene;
let merchant: Merchant;
let devices: object[];
let gateway: Scene['gateway'];

beforeEach(async () => {
  world = await scene({ inMemory: true });
  await world.createSender(MTN);
  merchant = await world.createMerchant({ credits: 100 });
  devices = [phone('device-1', 1, 2)];
  gateway = async ({ method }) =>
    method === 'POST'
      ? Response.json({ state: 'Pending' }, { status: 202 })
      : Response.json(devices.map((device) => ({ ...device, lastSeen: world.iso() })));
  world.gateway = (request) => gateway(request);
});

/** Faults that stop a sender, with the stored reason and the minutes until it is held back. */
const faults: [what: string, reason: string, minutes: number, breakIt: () => unknown][] = [
  ['a gateway that returns 401', 'gateway_rejects', 6, () => (gateway = answering(401))],
  ['a gateway that returns 403', 'gateway_rejects', 6, () => (gateway = answering(403))],
  ['a gateway that hangs', 'gateway_silent', 6, () => (gateway = failing(new DOMException('', 'TimeoutError')))],
  ['a gateway that cannot be reached', 'gateway_silent', 6, () => (gateway = failing(new TypeError('fetch failed')))],
  ['a gateway that returns 502', 'gateway_silent', 6, () => (gateway = answering(502))],
  ['an address without a gateway', 'gateway_silent', 6, () => (gateway = answering(404))],
  ['a gateway without an account', 'no_account', 6, () => (world.outside.secret = async () => '{}')],
  ['a phone that the gateway does not list', 'not_listed', 1, () => (devices = [])],
  ['a new device id (reinstalled app)', 'not_listed', 1, () => (devices = [phone('device-new', 1)])],
  ['a SIM that the phone does not have', 'not_listed', 1, () => (devices = [phone('device-1', 2)])],
];

describe('a sender that cannot send', () => {
  test.each(faults)('is held back because of %s (%s) after %i minutes', async (_, reason, minutes, breakIt) => {
    await breakIt();
    await run(minutes);
    expect((await text()).status).toBe(200);
    const balance = await merchant.balance();
    await run(1);
    const answer = await text();
    expectFailure(answer, 503, 'no_sender_available');
    expect(answer.headers['retry-after']).toBe('60');
    expect(await merchant.balance()).toBe(balance);
    expect(await merchant.sends()).toHaveLength(1);
    expectHeldBack(reason);
  });

  test.each(faults)('is released when the failure ends: %s', async (_what, _reason, _minutes, breakIt) => {
    const repair = toRepair();
    await breakIt();
    await run(10);
    expectFailure(await text(), 503, 'no_sender_available');
    repair();
    // A new account is used at once, a changed one within five minutes.
    await run(1);
    expect((await text()).status).toBe(200);
    expect(world.counted.senders_held_back).toBe(0);
    const [sender] = await listSenders(world.outside);
    expect(sender).not.toHaveProperty('held_back');
    expect(sender).not.toHaveProperty('fault');
  });
});

describe('a brief gateway or phone failure', () => {
  test.each(faults)(
    'does not hold the sender back after a single run: %s',
    async (_what, _reason, _minutes, breakIt) => {
      const repair = toRepair();
      for (let n = 0; n < 10; n++) {
        await breakIt();
        await run(1);
        expect((await text()).status).toBe(200);
        repair();
        await run(1);
      }
      expect(world.counted.senders_held_back).toBe(0);
    },
  );

  test.each<[string, () => unknown]>([
    ['the response is not JSON', () => (gateway = async () => new Response('<html>'))],
    ['the response has other fields', () => (gateway = async () => Response.json({ devices: [] }))],
    ['the gateway returns 429', () => (gateway = answering(429))],
    ['the phone does not report its SIMs', () => (devices = [phone('device-1')])],
    ['the server does not list SIMs', () => (devices = [{ id: 'device-1' }])],
    ['the server lists SIMs in another format', () => (devices = [{ id: 'device-1', simCards: [{ slot: 0 }] }])],
  ])('does not hold the sender back if %s', async (_, change) => {
    await change();
    await run(20);
    expect((await text()).status).toBe(200);
    expect(world.counted.senders_held_back).toBe(0);
  });
});

describe('a held-back sender', () => {
  test('sends its accepted texts exactly once after its release', async () => {
    const { json } = await text();
    const works = gateway;
    gateway = answering(401);
    const job = { send_id: json.data.id, index: 0 };
    await world.work('deliver-sms', [job]);
    await run(7);
    expectFailure(await text(), 503, 'no_sender_available');
    gateway = works;
    world.fetched.length = 0;
    // The rejected account stays unused until housekeeping finds that it works.
    const early = await world.work('deliver-sms', [job], 2);
    expect({ batchItemFailures: early.batchItemFailures.length, fetched: world.fetched.length }).toEqual({
      batchItemFailures: 1,
      fetched: 0,
    });
    await run(1);
    world.fetched.length = 0;
    expect(await world.work('deliver-sms', [job], 3)).toEqual({ batchItemFailures: [] });
    expect(world.fetched).toMatchObject([{ body: { id: json.data.id, deviceId: 'device-1' } }]);
  });

  test('does not affect senders on other gateways or phones', async () => {
    await world.createSender('+233201234567', 'device-2');
    devices = [phone('device-2', 1)];
    await run(3);
    for (let n = 0; n < 10; n++) expect((await text()).json.data.from).toBe('+233201234567');
    expect(world.counted.senders_held_back).toBe(1);
  });

  test('can send immediately after the operator moves it to another phone', async () => {
    devices = [phone('device-new', 1)];
    await run(3);
    expectFailure(await text(), 503, 'no_sender_available');
    await world.createSender(MTN, 'device-new');
    world.clock.nowMs += 2_000;
    expect((await text()).status).toBe(200);
    await run(1);
    expect((await text()).status).toBe(200);
  });

  test('triggers no alarm after it is disabled', async () => {
    devices = [];
    await run(3);
    await world.switchSender(MTN, false);
    await run(1);
    expect(world.counted.senders_held_back).toBe(0);
  });

  test('keeps its original reason if its gateway fails, too', async () => {
    devices = [];
    await run(3);
    gateway = async () => new Response('<html>');
    await run(3);
    expectFailure(await text(), 503, 'no_sender_available');
    expectHeldBack('not_listed');
  });
});

/** Runs housekeeping for this many minutes. Keeps the last run's metrics in `counted`. */
async function run(minutes: number): Promise<void> {
  for (let n = 0; n < minutes; n++) {
    for (const name of Object.keys(world.counted)) Reflect.deleteProperty(world.counted, name);
    world.logged.length = 0;
    await world.housekeeping();
    world.clock.nowMs += MINUTE_MS;
  }
}

function expectHeldBack(code: string): void {
  expect(world.counted).toMatchObject({ senders_held_back: 1, housekeeping_runs: 1 });
  const fields = { gateway: 'phone', device: 'device-1', sim: 1, code };
  expect(world.logged).toContainEqual({ level: 'warn', event: 'sender_held_back', fields });
}

/** Returns a function that undoes all later faults. */
function toRepair(): () => void {
  const before = { devices, gateway, secret: world.outside.secret };
  return () => {
    ({ devices, gateway } = before);
    world.outside.secret = before.secret;
  };
}

function text() {
  return merchant.call('sms/send', { body: { to: '0551112223', message: 'Hello', from: 'random' } });
}

function phone(id: string, ...sims: number[]) {
  return { id, simCards: sims.map((simNumber) => ({ simNumber })) };
}

function answering(status: number): Scene['gateway'] {
  return async () => Response.json({ message: 'no' }, { status });
}

function failing(error: Error): Scene['gateway'] {
  return () => Promise.reject(error);
}
