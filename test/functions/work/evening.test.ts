import { beforeEach, describe, expect, test } from 'vitest';
import { changeRole } from '../../../shared/merchants/user/user.table.ts';
import { eveningWords } from '../../../shared/push/evening.ts';
import { dayOf, HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { TestBrowser } from '../../support/push-service.ts';
import { drainJobs, heardBy, switchOn, ticked, work } from '../../support/pushed.ts';
import { mtn, reversal } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';

let world: Scene;
let shop: Shop;
let owner: Person;
let browser: TestBrowser;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  owner = await shop.signIn('owner');
  browser = new TestBrowser();
  await switchOn(world, owner, browser);
  goTo(17);
});

function goTo(hour: number): void {
  const dayMs = Math.floor(world.clock.nowMs / (24 * HOUR_MS)) * 24 * HOUR_MS;
  const atMs = dayMs + hour * HOUR_MS + MINUTE_MS;
  world.clock.nowMs = atMs > world.clock.nowMs ? atMs : atMs + 24 * HOUR_MS;
}

async function choose(evening: string, by = owner, details = false) {
  return (await world.signInAgain(by.user)).visit('/dashboard/app/device/1', {
    form: { ...ticked({ details }), evening },
  });
}

async function keepHouse(): Promise<object[]> {
  await world.followChanges();
  drainJobs(world);
  await world.housekeeping();
  const jobs = drainJobs(world).map(({ body }) => body);
  const summaries = jobs.filter((body) => 'kind' in body && body.kind === 'evening');
  await work(world, summaries);
  return summaries;
}

const heard = () => heardBy(world, browser).filter(({ kind }) => kind === 'evening');

async function payCharge(amount: number): Promise<string> {
  const reference = await shop.charge({ amount });
  const text = mtn({ amount: amount.toFixed(2), reference });
  await shop.pay(text);
  await world.followChanges();
  return text.id;
}

describe('the daily summary', () => {
  test.each([
    [1, '1 waits.'],
    [2, '2 wait.'],
    [49, '49 wait.'],
    [50, '50 or more wait.'],
  ])('says how many payments are held if there are %i', async (count, words) => {
    for (let n = 0; n < count; n++) await shop.pay(mtn());
    const day = dayOf(world.clock.nowMs);
    const { body } = await eveningWords(world.outside, { merchant_id: shop.id, day }, true);
    expect(body).toContain(words);
  });

  test.each([
    [1, '1 message not understood.'],
    [50, '50 or more messages not understood.'],
  ])('says how many messages were not understood if there are %i', async (count, body) => {
    for (let n = 0; n < count; n++)
      await shop.arrive({
        ...mtn(),
        text: `Ama ${String.fromCharCode(97 + n / 10, 97 + (n % 10))} don send you GHS 77.00.`,
      });
    const day = dayOf(world.clock.nowMs);
    expect(await eveningWords(world.outside, { merchant_id: shop.id, day }, true)).toMatchObject({ body });
  });

  test('is sent once a day at the owner’s chosen hour', async () => {
    for (let hour = 18; hour < 24; hour++) {
      goTo(hour);
      expect(await keepHouse()).toEqual([]);
    }
    expect((await choose('19')).status).toBe(303);
    goTo(18);
    expect(await keepHouse()).toEqual([]);
    goTo(19);
    expect(await keepHouse()).toHaveLength(1);
    world.clock.nowMs += MINUTE_MS;
    expect(await keepHouse()).toEqual([]);
    goTo(19);
    expect(await keepHouse()).toHaveLength(1);
    expect(await choose('')).toMatchObject({ status: 303 });
    goTo(19);
    expect(await keepHouse()).toEqual([]);
    expect(heard()).toHaveLength(2);
  });

  test('counts received, held and reversed payments without amounts', async () => {
    await choose('19');
    await payCharge(1_000);
    await payCharge(240);
    const undone = await payCharge(50);
    await verifyMoney(world);
    await world.followChanges();
    await shop.arrive(reversal(undone, '50.00'));
    await world.followChanges();
    await shop.pay(mtn({ amount: '7.00' }));
    world.clock.nowMs += 5 * MINUTE_MS;
    goTo(19);
    await keepHouse();
    expect(heard()).toMatchObject([
      { title: '3 payments today', body: '2 wait, 1 reversed.', path: '/dashboard/today' },
    ]);
    await choose('20', owner, true);
    goTo(20);
    await keepHouse();
    expect(heard()[1]).toMatchObject({ title: 'GHS 1,240.00 in 3 payments', body: '2 wait, 1 reversed.' });
  });

  test('is of the day that has just ended if it is sent at midnight', async () => {
    await choose('0');
    await payCharge(100);
    goTo(0);
    await keepHouse();
    expect(heard()).toMatchObject([{ title: '1 payment yesterday' }]);
    await choose('0', owner, true);
    await payCharge(36);
    goTo(0);
    await keepHouse();
    expect(heard()[1]).toMatchObject({ title: 'GHS 36.00 in 1 payment yesterday' });
  });

  test('includes today’s unverified payments', async () => {
    await choose('19', owner, true);
    await payCharge(36);
    goTo(19);
    await keepHouse();
    expect(heard()).toMatchObject([
      { title: 'GHS 36.00 in 1 payment', body: 'GHS 36.00 is not verified. Nothing is waiting.' },
    ]);
  });

  test('includes today’s unverified payments along with newly verified ones', async () => {
    await choose('19', owner, true);
    await payCharge(500);
    goTo(9);
    await verifyMoney(world);
    await world.followChanges();
    await payCharge(400);
    goTo(19);
    await keepHouse();
    expect(heard().at(-1)).toMatchObject({
      title: 'GHS 400.00 in 1 payment',
      body: 'GHS 400.00 is not verified. Nothing is waiting.',
    });
  });

  test('is not sent if the owner turns it off after it was queued', async () => {
    await choose('19');
    goTo(19);
    await world.followChanges();
    drainJobs(world);
    await world.housekeeping();
    await choose('');
    const queued = drainJobs(world).map(({ body }) => body);
    expect(queued).toContainEqual(expect.objectContaining({ kind: 'evening' }));
    await work(world, queued);
    expect(heard()).toEqual([]);
  });

  test('is sent only to owners', async () => {
    const manager = await shop.signIn('manager');
    await switchOn(world, manager, new TestBrowser());
    await choose('19', manager);
    goTo(19);
    expect(await keepHouse()).toEqual([]);
    await choose('20');
    await shop.signIn('owner');
    await world.outside.table.write(changeRole(owner.user, 'cashier'));
    goTo(20);
    expect(await keepHouse()).toHaveLength(1);
    expect(heard()).toEqual([]);
  });
});
