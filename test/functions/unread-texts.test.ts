import { beforeEach, describe, expect, test } from 'vitest';
import { UNREAD_PACE_MS } from '../../shared/push/notice-turn.ts';
import { TestBrowser } from '../support/push-service.ts';
import { drainJobs, heardBy, switchOn, ticked, work } from '../support/pushed.ts';
import { type Person, type Scene, type Shop, scene } from '../support/scene.ts';

// A wallet's text that cannot be parsed may be a payment.

const TODAY = '/dashboard/today';
const UNREAD = '/dashboard/held?list=unread';

let world: Scene;
let shop: Shop;
let owner: Person;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  owner = await shop.signIn('owner');
});

let told = 0;
async function arrive(): Promise<void> {
  await shop.arrive({
    sender: 'MobileMoney',
    text: `Ama Sample don send you GHS 77.00 for lunch ${'o'.repeat(++told)}`,
  });
}

/** Returns the path of an unread text that has not this id. */
async function otherPath(id: string): Promise<string> {
  const { text } = await owner.visit('/dashboard/held', { query: { list: 'unread' } });
  const paths = Array.from(text.matchAll(/href="(\/dashboard\/held\/TEXT-[^"/]+)"/g), ([, path = '']) => path);
  return paths.find((path) => !path.endsWith(id)) ?? '';
}

const textPath = async () => {
  const { text } = await owner.visit('/dashboard/held', { query: { list: 'unread' } });
  return /href="(\/dashboard\/held\/TEXT-[^"]+)"/.exec(text)?.[1] ?? '';
};

describe('unread texts on the Today page', () => {
  test('are counted with advice to check the wallet', async () => {
    await arrive();
    await arrive();
    const { text } = await owner.visit(TODAY);
    const line = `<a href="${UNREAD}"><b>2 MoMo messages not understood</b><span class="hint">Check your MoMo balance first.</span>`;
    expect(text).toContain(line);
    expect(text).not.toContain('77.00');
    expect((await (await shop.signIn('developer')).visit(TODAY)).text).not.toContain('not understood');
  });

  test('are not counted while set aside', async () => {
    await arrive();
    const path = await textPath();
    const counts = async () => (await owner.visit(TODAY)).text.includes('1 MoMo message not understood');
    expect(await counts()).toBe(true);
    expect((await owner.visit(`${path}/set-aside`, { form: { why: 'An advert' } })).status).toBe(303);
    expect(await counts()).toBe(false);
    expect(await textPath()).toBe('');
    const { text } = await owner.visit('/dashboard/held', { query: { list: 'decided' } });
    expect(text).toContain('Not a payment');
    expect((await owner.visit(path)).text).toContain('An advert');
    await owner.visit(`${path}/take-back`, { form: {} });
    expect(await counts()).toBe(true);
  });

  test('are counted after many earlier texts were handled', async () => {
    for (let n = 0; n < 50; n++) {
      await arrive();
      world.clock.nowMs += 1000;
      await owner.visit(`${await textPath()}/set-aside`, { form: {} });
    }
    await arrive();
    expect((await owner.visit(TODAY)).text).toContain('1 MoMo message not understood');
    expect(await shop.listed('unread')).toHaveLength(1);
    expect(await shop.listed('decided')).toHaveLength(50);
  });

  test('cannot be handled by a cashier', async () => {
    await arrive();
    const cashier = await shop.signIn('cashier');
    expect((await cashier.visit(await textPath())).text).not.toContain('set-aside');
    expect((await cashier.visit(`${await textPath()}/set-aside`, { form: {} })).status).toBe(403);
  });
});

describe('the notification about an unread text', () => {
  let browser: TestBrowser;
  const heard = () => heardBy(world, browser).filter(({ kind }) => kind === 'unread');
  /** Runs the jobs that become due within `ms`. */
  async function passTime(ms: number, jobs = drainJobs(world)): Promise<void> {
    world.clock.nowMs += ms;
    for (const { body } of jobs) await work(world, [body]);
  }

  beforeEach(async () => {
    browser = new TestBrowser();
    await switchOn(world, owner, browser, { kinds: ['held'], details: true });
    await world.tell();
  });

  test('asks the owner to check the wallet without quoting the text', async () => {
    await arrive();
    await world.tell();
    const body = 'Check your MoMo balance first. If it is a payment, mark its bill as paid.';
    const title = 'A MoMo message was not understood';
    expect(heard()).toMatchObject([{ title, body, path: UNREAD, look_first: 'Check your MoMo balance first.' }]);
  });

  test('is sent at most once an hour', async () => {
    await arrive();
    await world.tell();
    for (let n = 0; n < 5; n++) {
      await arrive();
      await world.followChanges();
    }
    await passTime(0);
    expect(heard()).toHaveLength(1);
    const [late, ...others] = drainJobs(world);
    expect({ delaySeconds: late?.delaySeconds, others }).toEqual({ delaySeconds: 900, others: [] });
    expect(await work(world, [late?.body ?? {}])).toBe(1);
    expect(heard()).toHaveLength(1);
    await passTime(UNREAD_PACE_MS, late ? [late] : []);
    expect(heard()).toHaveLength(2);
  });

  test.each([
    ['is sent late if another text still needs a decision', 1, 2],
    ['is not sent late if all texts were handled in the meantime', 2, 1],
  ])('%s', async (_, handled, notices) => {
    await arrive();
    await world.tell();
    await arrive();
    await world.followChanges();
    await passTime(0);
    const [late] = drainJobs(world);
    const paths = [`/dashboard/held/${Object(late?.body).about}`, await otherPath(Object(late?.body).about)];
    for (const path of paths.slice(0, handled)) await owner.visit(`${path}/set-aside`, { form: {} });
    await passTime(UNREAD_PACE_MS, late ? [late] : []);
    expect(heard()).toHaveLength(notices);
  });

  test('is texted at most once an hour to an owner without a browser', async () => {
    await world.createSender('+233241999999');
    await shop.topUp(100);
    const form = { to: '0551112222', texts_per_day: '3', ...ticked({ kinds: ['held'] }) };
    expect((await (await shop.signIn('owner')).visit('/dashboard/app/text', { form })).status).toBe(303);
    for (let n = 0; n < 2; n++) {
      await arrive();
      await world.tell();
    }
    expect(await world.rows('SEND')).toHaveLength(1);
  });

  test('is not sent for a text that was already handled', async () => {
    await arrive();
    await owner.visit(`${await textPath()}/set-aside`, { form: {} });
    await world.tell();
    expect(heard()).toEqual([]);
  });
});

describe('the receipt.unread event', () => {
  async function events() {
    await world.followChanges();
    const { json } = await world.call('webhook/list-events', { key: shop.liveKey });
    return json.data.events.filter(({ type }: { type: string }) => type === 'receipt.unread');
  }

  test('identifies the text without its content', async () => {
    await shop.setWebhook();
    await arrive();
    const [event, ...others] = await events();
    expect(others).toEqual([]);
    expect(event.body.data).toMatchObject({ status: 'unread', network: 'MTN', text: null, amount: null });
    expect(JSON.stringify(event)).not.toMatch(/Ama Sample|77\.00/);
    expect((await shop.listed('unread'))[0]).toMatchObject({ id: event.body.data.id });
  });

  test('is not sent for a number shared by several merchants', async () => {
    const browser = new TestBrowser();
    await switchOn(world, owner, browser, { kinds: ['held'] });
    await shop.setWebhook();
    await world.createShop({ number: shop.number });
    await arrive();
    await world.tell();
    expect(await events()).toEqual([]);
    expect(heardBy(world, browser).filter(({ kind }) => kind === 'unread')).toEqual([]);
    expect((await owner.visit(TODAY)).text).not.toContain('not understood');
  });
});
