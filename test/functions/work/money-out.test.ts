import { beforeEach, describe, expect, test } from 'vitest';
import { changeRole } from '../../../shared/merchants/user/user.table.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { TestBrowser } from '../../support/push-service.ts';
import { heardBy, queuedNotices, switchOn, ticked, work } from '../../support/pushed.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { establishedBook, type WalletBook } from '../../support/wallet-book.ts';
import { noticesOf } from '../../support/wallets.ts';

let world: Scene;
let shop: Shop;
let owner: Person;
let browser: TestBrowser;
let book: WalletBook;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  browser = new TestBrowser();
  book = await establishedBook(world, shop);
  const dayMs = Math.ceil(world.clock.nowMs / DAY_MS) * DAY_MS;
  world.clock.nowMs = dayMs + 14 * HOUR_MS + 2 * MINUTE_MS;
  owner = await shop.signIn('owner');
});

async function choose(details = false, by = owner): Promise<void> {
  await switchOn(world, by, browser, { kinds: ['money_out'], details });
  await queuedNotices(world);
}

/** Delivers notifications about outgoing money. Returns their jobs. */
async function deliver(): Promise<object[]> {
  const jobs = await queuedNotices(world, 'money_out');
  await work(world, jobs);
  return jobs;
}

const heard = () => heardBy(world, browser).filter(({ kind }) => kind === 'money_out');
const moneyOut = async () => (await noticesOf(world, shop)).filter(({ kind }) => kind === 'money_out');

describe('a notification about outgoing money', () => {
  test('is not sent until an owner turns it on', async () => {
    const { text } = await owner.visit('/dashboard/app/on');
    expect(text).toMatch(/<input type="checkbox" name="paid"[^>]* checked/);
    expect(text).toMatch(/<input type="checkbox" name="money_out"(?![^>]* checked)/);
    await switchOn(world, owner, browser, { kinds: ['paid', 'wallet'] });
    await shop.arrive(book.spent(400));
    expect([await deliver(), heard(), await moneyOut()]).toEqual([[], [], []]);
  });

  test('shows the amount, time and recipient if details are on', async () => {
    await choose(true);
    await shop.arrive(book.spent(400));
    await deliver();
    expect(heard()).toMatchObject([
      {
        title: 'GHS 400.00 went out at 14:02 to PRISCILLA OWUSU',
        body: 'Verified: your wallet’s other texts confirm it.',
        path: '/dashboard/settings/wallets',
      },
    ]);
    expect(heard()[0]).not.toHaveProperty('look_first');
  });

  test('contains neither the amount nor the name by default', async () => {
    await choose();
    await shop.arrive(book.spent(4321.07));
    const jobs = await deliver();
    expect(jobs).toHaveLength(1);
    const details = /4,?321\.?07|PRISCILLA/;
    expect(JSON.stringify(jobs)).not.toMatch(details);
    expect(heard()).toMatchObject([{ title: 'Money went out at 14:02' }]);
    expect(JSON.stringify(heard())).not.toMatch(details);
  });

  test('says that a forged text is not verified', async () => {
    await choose(true);
    const { pesewas } = book;
    const forged = book.spent(400);
    book.pesewas = pesewas;
    await shop.arrive({
      ...forged,
      text: forged.text.replace(/Current Balance: GHS [\d.,]+\d/, 'Current Balance: GHS 9.00'),
    });
    await deliver();
    expect(heard()).toMatchObject([
      {
        title: 'GHS 400.00 went out at 14:02 to PRISCILLA OWUSU, not verified',
        body: 'Check your MoMo balance first. Texts can be forged.',
        look_first: 'Check your MoMo balance first.',
      },
    ]);
  });

  test('is sent once despite repeated texts', async () => {
    await choose();
    const text = book.spent(400);
    for (let n = 0; n < 3; n++) {
      // A repeated text has a new time.
      world.clock.nowMs += MINUTE_MS;
      await shop.arrive({ ...text, receivedAt: new Date(world.clock.nowMs).toISOString() });
    }
    expect(await deliver()).toHaveLength(1);
    expect(await moneyOut()).toHaveLength(1);
  });

  test('includes the date if its text arrives two days late', async () => {
    await choose(true);
    const text = book.spent(400);
    const { nowMs } = world.clock;
    world.clock.nowMs = nowMs + 2 * DAY_MS;
    await shop.arrive(text);
    await deliver();
    const day = new Date(nowMs).toUTCString().slice(5, 16).replace(/^0/, '');
    expect(heard()).toMatchObject([{ title: expect.stringContaining(`went out at 14:02 on ${day} to PRISCILLA`) }]);
  });

  test('is sent only to owners', async () => {
    const manager = await shop.signIn('manager');
    expect((await manager.visit('/dashboard/app/on')).text).not.toContain('name="money_out"');
    await choose(true, manager);
    await shop.arrive(book.spent(300));
    await deliver();
    expect(heard()).toEqual([]);
    await choose(true);
    await shop.signIn('owner');
    await world.outside.table.write(changeRole(owner.user, 'manager'));
    await shop.arrive(book.spent(400));
    expect((await deliver()).length).toBeGreaterThan(0);
    expect(heard()).toEqual([]);
  });

  test('is not sent if several merchants share the number', async () => {
    await choose(true);
    await world.createShop({ number: shop.number });
    await shop.arrive(book.spent(400));
    expect([await deliver(), await moneyOut()]).toEqual([[], []]);
  });

  test('is sent by SMS to an owner without a browser', async () => {
    await world.createSender('+233241999999');
    await shop.topUp(10);
    const form = { to: '0551112222', texts_per_day: '3', ...ticked({ kinds: ['money_out'] }) };
    expect((await owner.visit('/dashboard/app/text', { form })).status).toBe(303);
    await queuedNotices(world);
    await shop.arrive(book.spent(400));
    expect(await deliver()).toHaveLength(1);
    expect(await world.rows('SEND')).toMatchObject([
      { to: ['+233551112222'], message: expect.stringContaining(': Money went out at 14:02. ') },
    ]);
  });

  test('is no longer sent after the owner turns it off', async () => {
    await choose();
    const again = await world.signInAgain(owner.user);
    await again.visit('/dashboard/app/device/1', { form: ticked({ kinds: ['paid'] }) });
    await shop.arrive(book.spent(400));
    expect([await deliver(), await moneyOut()]).toEqual([[], []]);
  });
});
