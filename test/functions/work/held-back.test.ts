import { beforeEach, describe, expect, test } from 'vitest';
import { listSenders } from '../../../shared/phones/sender/sender.table.ts';
import { expectFailure } from '../../support/envelope.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';

const MTN = '+233241234567';
const MINUTE_MS = 60 * 1000;

let world: Scene;
let merchant: Merchant;
let devices: object[];
let gateway: Scene['gateway'];

beforeEach(async () => {
  world = await scene({ inMemory: true });
  await addPhone('device-1', 1);
  merchant = await world.createMerchant({ credits: 100 });
  devices = [{ id: 'device-1', name: 'Desk', simCards: [{ simNumber: 1 }, { simNumber: 2 }] }];
  gateway = async ({ method }) =>
    method === 'POST'
      ? Response.json({ state: 'Pending' }, { status: 202 })
      : Response.json(devices.map((device) => ({ ...device, lastSeen: world.iso() })));
  world.gateway = (request) => gateway(request);
});

type Fault = [what: string, reason: string, breakIt: () => unknown];

const lasting: Fault[] = [
  ['a gateway that answers 401', 'gateway_rejects', () => (gateway = answering(401))],
  ['a gateway that answers 403', 'gateway_rejects', () => (gateway = answering(403))],
  ['a gateway that hangs', 'gateway_silent', () => (gateway = hanging)],
  ['a gateway that cannot be reached', 'gateway_silent', () => (gateway = unreachable)],
  ['a gateway that answers 502', 'gateway_silent', () => (gateway = answering(502))],
  ['an address that is no gateway’s', 'gateway_silent', () => (gateway = answering(404))],
  ['a gateway without an account here', 'no_account', () => (world.outside.secret = async () => '{}')],
];
const unlisted: Fault[] = [
  ['a phone that the gateway does not list', 'not_listed', () => (devices = [])],
  [
    'another phone in its place: a reinstalled app',
    'not_listed',
    () => (devices = [{ id: 'device-new', simCards: [{ simNumber: 1 }] }]),
  ],
  [
    'a SIM that the phone does not have',
    'not_listed',
    () => (devices = [{ id: 'device-1', simCards: [{ simNumber: 2 }] }]),
  ],
];

describe('a sender that cannot send is held back: 503, and nothing is debited', () => {
  test.each(lasting)('%s, when it has lasted six minutes', async (_, reason, breakIt) => {
    await breakIt();
    await run(6);
    expectSends(await text());
    const balance = await merchant.balance();
    await run(1);
    const answer = await text();
    expectFailure(answer, 503, 'no_sender_available');
    expect(answer.headers['retry-after']).toBe('60');
    expect(await merchant.balance()).toBe(balance);
    expect(await merchant.sends()).toHaveLength(1);
    expectHeldBack(reason);
  });

  test.each(unlisted)('%s, at the second look', async (_, reason, breakIt) => {
    await breakIt();
    await run(1);
    expectSends(await text());
    const balance = await merchant.balance();
    await run(1);
    expectFailure(await text(), 503, 'no_sender_available');
    expect(await merchant.balance()).toBe(balance);
    expectHeldBack(reason);
  });

  test.each([...lasting, ...unlisted])('%s: it is released when that is over', async (_what, _reason, breakIt) => {
    const before = { devices, gateway, secret: world.outside.secret };
    await breakIt();
    await run(10);
    expectFailure(await text(), 503, 'no_sender_available');
    ({ devices, gateway } = before);
    world.outside.secret = before.secret;
    // An account is remembered for five minutes; one that there is not, for no time.
    await run(1);
    expectSends(await text());
    expect(world.counted.senders_held_back).toBe(0);
    const [sender] = await listSenders(world.outside);
    expect(sender).not.toHaveProperty('held_back');
    expect(sender).not.toHaveProperty('fault');
  });
});

test('a release that is rolled back can read its senders: what it does not know stands in a field of its own', async () => {
  devices = [];
  await run(3);
  expectHeldBack('not_listed');
  const [row] = await world.outside.table.list('SENDER');
  expect(row).toMatchObject({ fault: { reason: 'not_listed', is_lasting: true } });
  expect(row).not.toHaveProperty('held_back');
});

describe('a hiccup holds nobody back', () => {
  test.each([...lasting, ...unlisted])('%s, once', async (_what, _reason, breakIt) => {
    const before = { devices, gateway, secret: world.outside.secret };
    for (let n = 0; n < 10; n++) {
      await breakIt();
      await run(1);
      expectSends(await text());
      ({ devices, gateway } = before);
      world.outside.secret = before.secret;
      await run(1);
    }
    expect(world.counted.senders_held_back).toBe(0);
  });

  test.each<[string, () => unknown]>([
    ['an answer that is no JSON', () => (gateway = async () => new Response('<html>'))],
    ['an answer of another kind', () => (gateway = async () => Response.json({ devices: [] }))],
    ['too many requests', () => (gateway = answering(429))],
    ['a phone that does not tell its SIMs', () => (devices = [{ id: 'device-1', simCards: [] }])],
    ['a server that does not list SIMs', () => (devices = [{ id: 'device-1' }])],
    ['a server that lists them otherwise', () => (devices = [{ id: 'device-1', simCards: [{ slot: 0 }] }])],
  ])('nor does what says nothing about texts: %s', async (_, change) => {
    await change();
    await run(20);
    expectSends(await text());
    expect(world.counted.senders_held_back).toBe(0);
  });
});

describe('a sender that is held back', () => {
  test('still hands over what was accepted before, once', async () => {
    const { json } = await text();
    const works = gateway;
    gateway = answering(401);
    const job = { send_id: json.data.id, index: 0 };
    await world.work('deliver-sms', [job]);
    await run(7);
    expectFailure(await text(), 503, 'no_sender_available');
    gateway = works;
    world.fetched.length = 0;
    // The account is not tried before housekeeping finds that it is taken again.
    const early = await world.work('deliver-sms', [job], 2);
    expect([early.batchItemFailures.length, world.fetched.length]).toEqual([1, 0]);
    await run(1);
    world.fetched.length = 0;
    const { batchItemFailures } = await world.work('deliver-sms', [job], 3);
    expect(batchItemFailures).toEqual([]);
    expect(world.fetched).toMatchObject([{ body: { id: json.data.id, deviceId: 'device-1' } }]);
  });

  test('does not hold back the senders of other gateways, or of other phones', async () => {
    await addPhone('device-2', 1, '+233201234567');
    devices = [{ id: 'device-2', simCards: [{ simNumber: 1 }] }];
    await run(3);
    for (let n = 0; n < 10; n++) expect((await text()).json.data.from).toBe('+233201234567');
    expect(world.counted.senders_held_back).toBe(1);
  });

  test('is free at once where the operator moves it to another phone', async () => {
    devices = [{ id: 'device-new', simCards: [{ simNumber: 1 }] }];
    await run(3);
    expectFailure(await text(), 503, 'no_sender_available');
    await addPhone('device-new', 1);
    world.clock.nowMs += 2_000;
    expectSends(await text());
    await run(1);
    expectSends(await text());
  });

  test('rings nobody once it is disabled', async () => {
    devices = [];
    await run(3);
    await world.switchSender(MTN, false);
    await run(1);
    expect(world.counted.senders_held_back).toBe(0);
  });

  test('stays so while its gateway says nothing, and for what it was', async () => {
    devices = [];
    await run(3);
    gateway = async () => new Response('<html>');
    await run(3);
    expectFailure(await text(), 503, 'no_sender_available');
    expectHeldBack('not_listed');
  });
});

/** Housekeeping runs, so many minutes long. `counted` is what the last run measured. */
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

function expectSends({ status }: { status: number }): void {
  expect(status).toBe(200);
}

function text() {
  return merchant.call('sms/send', { body: { to: '0551112223', message: 'Hello', from: 'random' } });
}

function addPhone(device_id: string, sim_number: number, number = MTN) {
  const place = { gateway: 'phone', device_id, sim_number, messages_per_hour: 100_000 };
  return world.addSender({ number, network: 'MTN', ...place });
}

function answering(status: number): Scene['gateway'] {
  return async () => Response.json({ message: 'no' }, { status });
}

async function hanging(): Promise<Response> {
  throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
}

async function unreachable(): Promise<Response> {
  throw new TypeError('fetch failed');
}
