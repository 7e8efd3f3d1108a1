import { beforeEach, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { hearingOf, noteWalletHeard } from '../../../shared/wallets/wallet/hearing.table.ts';
import { type Arrival, mtn, post, telecel } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
});

test('the phone that received a text is recorded with the time', async () => {
  const receivedAt = world.iso(-3 * MINUTE_MS);
  await shop.pay({ ...mtn(), receivedAt });
  expect(await phones()).toEqual([heardBy('device-1', receivedAt)]);
});

test('an unparsed text’s phone is recorded', async () => {
  await world.settle(await post(world, { sender: 'MobileMoney', text: 'A new wording', recipient: shop.number }));
  expect(await phones()).toHaveLength(1);
  const other = await world.createShop();
  await other.pay({ ...mtn(), sender: '+233201112222' });
  expect(await phones(other)).toEqual([]);
});

test('a wallet’s phone is recorded at most once per 15 minutes', async () => {
  const [first, ...rest] = await Promise.all(Array.from({ length: 6 }, () => post(world, arrivalOf())));
  await world.settle(first ?? {});
  expect(await writesOf(rest[0] ?? {})).toBe(0);
  expect(await writesOf(rest[1] ?? {})).toBe(0);
  world.clock.nowMs += 16 * MINUTE_MS;
  expect(await writesOf(await post(world, arrivalOf()))).toBe(1);
  expect(await phones()).toEqual([heardBy('device-1', world.iso())]);
});

test('the recorded time never moves backwards', async () => {
  await note('device-1', world.iso());
  for (const ms of [-DAY_MS, -MINUTE_MS, 14 * MINUTE_MS]) await note('device-1', world.iso(ms));
  expect(await phones()).toEqual([heardBy('device-1', world.iso())]);
  await note('device-1', world.iso(15 * MINUTE_MS));
  expect(await phones()).toEqual([heardBy('device-1', world.iso(15 * MINUTE_MS))]);
});

test('a newer text replaces the recorded time of an older text', async () => {
  await shop.pay({ ...mtn(), receivedAt: world.iso(-DAY_MS) });
  await shop.pay({ ...mtn(), receivedAt: world.iso() });
  expect(await phones()).toEqual([heardBy('device-1', world.iso())]);
});

test('the four latest phones of a wallet are remembered for thirty days', async () => {
  const devices = ['device-1', 'device-2', 'device-3', 'device-4', 'device-5'];
  for (const [n, device] of devices.entries()) await note(device, world.iso(n * MINUTE_MS));
  expect((await phones()).map(({ device_id }) => device_id)).toEqual(devices.toReversed().slice(0, 4));
  world.clock.nowMs += 30 * DAY_MS + 3 * MINUTE_MS;
  expect((await phones()).map(({ device_id }) => device_id)).toEqual(['device-5']);
});

test('two phones recorded at the same moment are both remembered', async () => {
  await Promise.all(['device-1', 'device-2'].map((device) => note(device, world.iso())));
  expect(await phones()).toHaveLength(2);
});

test('no phone is recorded for a text to an unknown number', async () => {
  await world.settle(await post(world, { ...mtn() }));
  await world.addSender({ number: shop.number, device_id: 'device-2' });
  world.clock.nowMs += 5_000;
  await world.settle(await post(world, arrivalOf()));
  expect(await phones()).toEqual([]);
});

test('wallets are returned in the requested order', async () => {
  const other = await world.createShop({ network: 'TELECEL' });
  await other.pay(telecel());
  const hearings = await hearingOf(world.outside, ['+233200000000', other.number, shop.number]);
  expect(hearings.map(({ number, phones }) => ({ number, phones: phones.length }))).toEqual([
    { number: '+233200000000', phones: 0 },
    { number: other.number, phones: 1 },
    { number: shop.number, phones: 0 },
  ]);
  for (const { canary, test } of hearings) expect({ canary, test }).toEqual({ canary: true, test: undefined });
});

test('a payment is settled even if its phone cannot be recorded', async () => {
  const { update } = world.outside.table;
  world.outside.table.update = (write) =>
    write.update?.Key?.pk === 'HEARING' ? Promise.reject(new Error('no')) : update(write);
  expect(await shop.pay(mtn())).toMatchObject({ state: 'held' });
  expect(world.logged).toMatchObject([{ level: 'warn', event: 'wallet_not_noted' }]);
});

function arrivalOf(): Arrival {
  return { ...mtn(), recipient: shop.number };
}

async function phones({ number } = shop) {
  return (await hearingOf(world.outside, [number]))[0]?.phones ?? [];
}

function heardBy(device_id: string, heard_at: string) {
  return { number: shop.number, gateway: 'phone', device_id, heard_at };
}

/** Records the phone with an empty cache. */
function note(device_id: string, heardAt: string): Promise<void> {
  return noteWalletHeard({ ...world.outside }, shop.number, { gateway: 'phone', device_id }, heardAt);
}

/** Settles a job. Returns the number of updates to the hearing row. */
async function writesOf(job: object): Promise<number> {
  let writes = 0;
  world.dynamoDb = async (request, send) => {
    if (JSON.stringify(request.input).includes('"HEARING"')) writes += 1;
    await send();
  };
  await world.settle(job);
  return writes;
}
