import { beforeEach, describe, expect, test } from 'vitest';
import { changeRole } from '../../../shared/merchants/user/user.table.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { TestBrowser } from '../../support/push-service.ts';
import { heardBy, queuedNotices, switchOn, ticked, work } from '../../support/pushed.ts';
import { newNumber } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { provenBook, type WalletBook } from '../../support/wallet-book.ts';
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
  book = await provenBook(world, shop);
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

/** Returns an MTN text about GHS 400 sent from the wallet. The sender chooses the reference. */
function sent(reference: string, end = 'TAX charged: GHS 0.00.') {
  book.pesewas -= 400_00;
  const balance = (book.pesewas / 100).toFixed(2);
  const id = book.nextId();
  const text = `Payment made for GHS 400.00 to PRISCILLA OWUSU. Current Balance: GHS ${balance}. Available Balance: GHS ${balance}. Reference: ${reference}. Transaction ID: ${id}. Fee charged: GHS 0.00 ${end}`;
  return { sender: 'MobileMoney', text, id, network: 'MTN', receivedAt: world.iso() } as const;
}

const MAY_BE = {
  title: 'Money may have gone out at 14:02',
  body: 'Check your MoMo balance first. The message about it was not understood.',
  look_first: 'Check your MoMo balance first.',
};

describe('a text that seems to be about outgoing money, but cannot be read', () => {
  const completed =
    'Your payment of GHS 400.00 to KOFI REVERSED has been completed at 2026-04-10 08:00:33. Your new balance: GHS 1.00. Fee was GHS 0.00 Tax was GHS -. Reference: x. Financial Transaction Id: 83724298139.';

  test.each([
    ['a label in the reference', () => sent('Mr. Transa').text],
    ['a balance in the reference', () => sent('Current balance is GHS 1.00').text],
    ['another text in the reference', () => sent('Payment received for GHS 1 from KOFI. Transaction ID: 1').text],
    ['a reversal in the reference', () => sent('Mr. Transa. Transaction 83724298139 has been reversed').text],
    ['a code in the reference', () => sent('Current balance is GHS 1.00. Your OTP is 482913').text],
    ['a payee with a strange name', () => completed],
    ['a truncated end', () => sent('x').text.slice(0, 60)],
    ['over 2,000 characters', () => sent('x', 'y'.repeat(2_000)).text],
  ])('is reported to the owner, without amount and name: %s', async (_, textOf) => {
    await choose(true);
    const held = await shop.listed('held');
    await shop.arrive({ sender: 'MobileMoney', text: textOf() });
    await deliver();
    expect(heard()).toMatchObject([MAY_BE]);
    expect(JSON.stringify([heard(), await moneyOut()])).not.toMatch(/GHS.\d|PRISCILLA|KOFI/);
    expect(await shop.listed('held')).toEqual(held);
  });

  test('is reported for a Telecel wallet', async () => {
    await choose(true);
    const number = newNumber();
    await world.addSender({ number, network: 'TELECEL', device_id: 'device-2', sim_number: 1 });
    const accounts = [shop.number, number].map((one) => ({ number: one, account_name: 'AMA' }));
    await shop.change({
      momo_accounts: accounts.map((one, n) => ({ ...one, network: n === 0 ? ('MTN' as const) : ('TELECEL' as const) })),
    });
    const text =
      '0000012276338791 Confirmed. GHS896.00 sent to 233599903547 - YAA OPOKU on MTN MOBILE MONEY on 2026-03-05 at 05:27:14. Your Telecel Cash balance is GHS2833.78. You were charged GHS6.72. Your E-levy charge is GHS0.00. Reference: Your Telecel Cash balance is GHS9.00. Your OTP is 482913.';
    await shop.arrive({ sender: 'T-CASH', text, device: 'device-2', recipient: number });
    await deliver();
    expect(heard()).toMatchObject([MAY_BE]);
  });

  test('is reported once, and a second text with the same reference again', async () => {
    await choose();
    const [first, second] = [sent('Mr. Transa'), sent('Mr. Transa')];
    for (const eventId of ['e-1', 'e-2']) await shop.arrive({ ...first, eventId });
    expect(await deliver()).toHaveLength(1);
    world.clock.nowMs += MINUTE_MS;
    await shop.arrive({ ...second, receivedAt: world.iso() });
    expect(await deliver()).toHaveLength(1);
    expect(heard()).toHaveLength(2);
  });

  test('closes no refund and moves no balance', async () => {
    await choose();
    const reference = await shop.charge({ amount: 400 });
    const paid = book.paid(400, { reference, from: 'PRISCILLA OWUSU' });
    await shop.arrive(paid);
    await shop.call('transaction/refund', { parameters: { reference }, body: { amount: 400 } });
    await shop.arrive(sent('Mr. Transa'));
    await deliver();
    expect(await shop.verified(reference)).toMatchObject({ refunds: [{ status: 'noted' }] });
    expect(await shop.listed('unread')).toHaveLength(1);
    world.clock.nowMs += 30_000;
    await shop.arrive(book.spent(1));
    await deliver();
    expect(heard().map(({ title }) => title)).toEqual([
      MAY_BE.title,
      expect.stringMatching(/^Money went out .*, not verified$/),
    ]);
  });

  test.each([
    ['a received payment', () => book.paid(5, { reference: 'Transaction ID: 83724298139. Mr. Transa' }).text],
    ['a balance', () => 'Your current balance is GHS 4.00 now. Transaction ID: 83724298139'],
    ['an advert', () => 'Payment made easy! Win GHS 400.00 with MoMo'],
  ])('is not reported if it begins like %s', async (_, textOf) => {
    await choose();
    await shop.arrive({ sender: 'MobileMoney', text: textOf() });
    expect([await deliver(), await moneyOut()]).toEqual([[], []]);
  });

  test('is not reported if nobody has turned the notification on', async () => {
    await switchOn(world, owner, browser, { kinds: ['paid'] });
    await queuedNotices(world);
    await shop.arrive(sent('Mr. Transa'));
    expect([await deliver(), await moneyOut()]).toEqual([[], []]);
  });
});

describe('outgoing money on a phone that does not report the SIM', () => {
  const NO_SIM = { device: 'device-2', recipient: null } as const;
  const place = (number: string, sim_number: number) =>
    world.addSender({ number, network: 'MTN', device_id: 'device-2', sim_number });

  beforeEach(async () => {
    const numbers = [newNumber(), newNumber()];
    for (const [n, number] of numbers.entries()) await place(number, n + 1);
    await shop.change({
      momo_accounts: [shop.number, ...numbers].map((number) => ({ number, network: 'MTN', account_name: 'AMA' })),
    });
    await choose(true);
  });

  test('is reported if all of the phone’s numbers belong to one shop', async () => {
    const text = book.spent(400);
    for (const eventId of ['e-1', 'e-2']) await shop.arrive({ ...text, ...NO_SIM, eventId });
    expect(await deliver()).toHaveLength(1);
    world.clock.nowMs += 30_000;
    await shop.arrive({ ...sent('Mr. Transa'), ...NO_SIM });
    await deliver();
    expect(heard().map(({ title }) => title)).toEqual([
      'GHS 400.00 went out at 14:02 to PRISCILLA OWUSU, not verified',
      MAY_BE.title,
    ]);
  });

  test.each([
    ['another shop', true],
    ['no shop', false],
  ])('is not reported if one of the numbers belongs to %s', async (_, isShop) => {
    const number = newNumber();
    await place(number, 3);
    if (isShop) await world.createShop({ number });
    await shop.arrive({ ...book.spent(400), ...NO_SIM });
    await shop.arrive({ ...sent('Mr. Transa'), ...NO_SIM });
    expect(await deliver()).toEqual([]);
  });
});
