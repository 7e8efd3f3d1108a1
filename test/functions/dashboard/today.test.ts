import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Role } from '../../../shared/merchants/user/permissions.ts';
import { book, putTotals } from '../../../shared/money/booking/booking.table.ts';
import { expiryOf } from '../../../shared/money/charge/expiry.table.ts';
import { endCharge } from '../../../shared/money/settling/end-charge.ts';
import { REASONS } from '../../../shared/pages/dashboard/settings/name-balance.ts';
import { ENTRIES_A_FILE } from '../../../shared/pages/dashboard/today/report-files.ts';
import { addDays, DAY_MS, dayOf, HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { keepOnce } from '../../../shared/wallets/wallet/wallet-notice.table.ts';
import { meter } from '../../bench/meter.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { foldsIn, lineOf, plotColumn, sumOf, valuesOf, wordsOf } from '../../support/page-words.ts';
import { mtn } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';
import { type BookedText, provenBook } from '../../support/wallet-book.ts';
import { askAboutLost, BEGUN_MINUTE, begin, link, run, WALLET } from '../../support/wallet-chains.ts';
import { setCharge } from '../checkout/charges.ts';

const TODAY = '/dashboard/today';
const REPORTS = `${TODAY}/reports`;
const MONEY_IN = 'Money in, GHS';

let world: Scene;
let shop: Shop;
let owner: Person;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  owner = await shop.signIn('owner');
});

async function paid(amount: number): Promise<void> {
  await shop.pay(mtn({ amount: amount.toFixed(2), reference: await shop.charge({ amount }) }));
  await world.followChanges();
}

async function open(path: string, by: Person = owner, query: Record<string, string> = {}) {
  return by.visit(path, { query });
}

async function as(role: Role): Promise<string> {
  return (await open(TODAY, await shop.signIn(role))).text;
}

/** Returns which first steps are done, or undefined if the page shows none. */
function stepsIn(text: string) {
  const [, list] = /<ol class="steps"[^>]*>(.*?)<\/ol>/s.exec(text) ?? [];
  return list && [...list.matchAll(/<li( class="done")?>/g)].map(([, done]) => done !== undefined);
}

test('a shop without a number has no wallet card', async () => {
  expect((await open(TODAY)).text).toContain('<h2>Your wallets</h2>');
  await shop.change({ momo_accounts: [] });
  world.clock.nowMs += 60_000;
  expect((await open(TODAY)).text).not.toContain('<h2>Your wallets</h2>');
});

describe('the first steps of a new shop', () => {
  test('are at the top until something is paid', async () => {
    const { status, text } = await open(TODAY);
    expect(status).toBe(200);
    expect(text).toMatch(/First steps.*Nothing is waiting for you/s);
    expectWords(
      text,
      ['No payment yet', '<a href="/dashboard/settings/numbers/new">add another MoMo number</a>'],
      ['Money in today'],
    );
  });

  test('disappear after the last one is done', async () => {
    expect(stepsIn((await open(TODAY)).text)).toEqual([true, false, false, false, false]);
    const book = await provenBook(world, shop, 0);
    const reference = await shop.charge({ amount: 1 });
    // An unpaid charge does not complete the last step.
    expect(stepsIn((await open(TODAY)).text)).toEqual([true, true, false, true, false]);
    await shop.pay(book.paid(1, { reference }));
    await world.followChanges();
    const { text } = await open(TODAY);
    expect(stepsIn(text)).toEqual([true, true, false, true, true]);
    // After the first payment, the steps are shown last.
    expect(text).toMatch(/Nothing is waiting for you.*Money in today.*First steps/s);
    const summary = 'First steps: 4 of 5 done · set how customers can reach you';
    expect(foldsIn(text)).toContainEqual({ summary, isOpen: false });
    await shop.change({ contact: '+233551112222' });
    world.clock.nowMs += 60_000;
    expect(stepsIn((await open(TODAY)).text)).toBeUndefined();
  });

  test('ask the owner for the balance of a wallet that no other shop uses', async () => {
    const link = `href="/dashboard/today/balance/MTN/${shop.number.slice(1)}">Enter the balance`;
    expect((await open(TODAY)).text).toContain(link);
    expectWords(await as('manager'), ['Ask the owner to enter the wallet’s balance.'], [link]);
    await world.createShop({ number: shop.number });
    expect((await open(TODAY)).text).not.toContain(link);
  });

  test('are followed by payment options for two weeks', async () => {
    const WAYS = 'Get paid at a <a href="/dashboard/till">till</a>';
    await shop.nameBalance(1_135_50);
    await shop.change({ contact: '+233551112222' });
    await paid(1);
    const happened = { totals: { payments: 1, payments_pesewas: 1_00 }, disputed: [] };
    await world.outside.table.write([putTotals(shop.id, dayOf(world.clock.nowMs), happened)]);
    const { text } = await open(TODAY);
    expect({ steps: stepsIn(text), showsWays: text.includes(WAYS) }).toEqual({ steps: undefined, showsWays: true });
    for (const role of ['viewer', 'cashier'] as const) expect(await as(role)).not.toContain(WAYS);
    for (const days of [13, 1]) {
      world.clock.nowMs += days * DAY_MS;
      owner = await shop.signIn('owner');
      expect((await open(TODAY)).text.includes(WAYS)).toBe(days === 13);
    }
  });

  test("link to the setting for the shop's contact", async () => {
    expect((await open(TODAY)).text).toContain(
      '<a href="/dashboard/settings/contact">Set how customers can reach you</a>',
    );
    await shop.change({ contact: '+233551112222' });
    world.clock.nowMs += 60_000;
    const { text } = await open(TODAY);
    expect(text).toContain('Customers can reach you at <b>055 111 2222</b>');
    expect(stepsIn(text)).toEqual([true, false, true, false, false]);
  });

  test('stay complete if the first payment is 90 days old', async () => {
    const reference = await shop.charge({ amount: 1 });
    await shop.pay(mtn({ amount: '1.00', reference }));
    world.clock.nowMs += 90 * DAY_MS;
    owner = await shop.signIn('owner');
    const { text } = await open(TODAY);
    expect(stepsIn(text)).toEqual([true, false, false, true, true]);
    expect(text).toContain('Money in today');
  });

  test('are shown to roles that can do one of them', async () => {
    const [charges, settings] = ['href="/dashboard/charges/new"', 'href="/dashboard/settings/contact"'];
    const has = async (role: Role) => {
      const text = await as(role);
      return [stepsIn(text) !== undefined, text.includes(charges), text.includes(settings)];
    };
    expect(await has('manager')).toEqual([true, true, true]);
    expect(await has('cashier')).toEqual([true, true, false]);
    for (const role of ['viewer', 'developer'] as const) expect(await has(role)).toEqual([false, false, false]);
    await paid(1);
    expect(await has('manager')).toEqual([true, true, true]);
    expect(await has('cashier')).toEqual([false, true, false]);
  });
});

describe('the New bill button', () => {
  const action = '<a class="button" href="/dashboard/charges/new">New bill</a>';

  test('is shown to roles that may create bills', async () => {
    const both = async () => {
      for (const role of ['owner', 'manager', 'cashier'] as const)
        expect(await as(role)).toContain(`<h1>Today</h1><div class="actions">${action}`);
      for (const role of ['viewer', 'developer'] as const) expect(await as(role)).not.toContain('/charges/new');
    };
    await both();
    await paid(36);
    await both();
  });

  test('is hidden while the shop is suspended', async () => {
    await shop.suspend();
    world.clock.nowMs += 60_000;
    const { text } = await open(TODAY);
    expect({ offersNewBill: text.includes(action), steps: stepsIn(text) }).toEqual({
      offersNewBill: false,
      steps: undefined,
    });
  });
});

test.each([
  ['are not marked for a usual period', {}, '30 days', []],
  ['are marked as chosen', { from: '2026-01-02', to: '2026-01-05' }, undefined, ['2 Jan 2026 to 5 Jan 2026']],
  ['are marked as a single day', { from: '2026-01-02', to: '2026-01-02' }, undefined, ['2 Jan 2026']],
])('a report’s days %s', async (_, query, tab, days) => {
  const { text } = await open(REPORTS, owner, query);
  const [, chips = ''] = /aria-label="Usual periods">(.*?)<\/nav>/s.exec(text) ?? [];
  expect(/aria-current="page">([^<]*)/.exec(chips)?.[1]).toBe(tab);
  expect([...text.matchAll(/aria-current="true">([^<]*)<\/span><\/summary>/g)].map(([, shown]) => shown)).toEqual(days);
});

test('a report of 30 days is not also marked as this month on the 30th', async () => {
  world.clock.nowMs = Date.UTC(2026, 10, 30, 12);
  const { text } = await open(REPORTS, await shop.signIn('owner'));
  const [, chips = ''] = /aria-label="Usual periods">(.*?)<\/nav>/s.exec(text) ?? [];
  expect([...chips.matchAll(/aria-current="page">([^<]*)/g)].map(([, name]) => name)).toEqual(['30 days']);
});

describe('pages of a shop without payments', () => {
  test('show an empty report and an empty list of files', async () => {
    expect((await open(REPORTS)).text).toContain('Nothing happened in this period');
    expect((await open(`${REPORTS}/files/charges`)).text).toContain('No bills in this period');
  });
});

describe('the “Money in” figure', () => {
  const closed = (days: number, payments_pesewas: number) => {
    const day = addDays(dayOf(world.clock.nowMs), -days);
    return putTotals(shop.id, day, { totals: { payments: 1, payments_pesewas }, disputed: [] });
  };
  const sectionWords = (text: string, heading: string) => {
    const [, found = ''] = new RegExp(`(<h2>${heading}.*?)</section>`, 's').exec(text) ?? [];
    return found
      .replaceAll(/<[^>]+>|\s/g, ' ')
      .replaceAll(/ +/g, ' ')
      .trim();
  };

  beforeEach(async () => {
    const reference = await shop.charge({ amount: 36 });
    await shop.pay(mtn({ amount: '40.00', reference }));
    await world.followChanges();
    await world.outside.table.write([closed(5, 60_00), closed(8, 50_00), closed(20, 100_00), closed(40, 125_00)]);
  });

  test('compares today with the same weekday last week', async () => {
    await world.outside.table.write([closed(7, 70_00)]);
    const text = await as('owner');
    const words = sectionWords(text, 'Money in today');
    expect(words).toMatch(
      /^Money in today GHS 40\.00 Not verified 1 payment on bills, not verified See the bills that are not verified Last \w+day, the whole day: GHS 70\.00 /,
    );
    const weekday = new Date(world.clock.nowMs).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
    expect(words).toContain(`Last ${weekday}, `);
    const marks = [...text.matchAll(/class="mark"[^>]*>([^<]+)/g)].map(([, shown]) => shown);
    expect(marks).toEqual(['70.00', '40.00']);
    expect(text.match(/<g><title>/g)).toHaveLength(14);
  });

  test('compares the last 7 and 30 days with the preceding period', async () => {
    expect(sectionWords(await as('owner'), 'Money in lately')).toBe(
      'Money in lately ' +
        'Last 7 days GHS 100.00 (2) GHS 40.00 of it not verified Last 30 days GHS 250.00 (4) GHS 40.00 of it not verified ' +
        'The last 7 days brought 100% more than the 7 days before. ' +
        'The last 30 days brought 100% more than the 30 days before. ' +
        'Reports and files',
    );
  });

  test.each([
    ['today', [0], ['GHS 50.00 taken off today: GHS 9.00 reversed by the network, GHS 41.00 removed from bills.']],
    [
      'earlier',
      [3],
      ['GHS 50.00 taken off in the last 30 days: GHS 9.00 reversed by the network, GHS 41.00 removed from bills.'],
    ],
    [
      'today and earlier',
      [0, 3],
      [
        'GHS 50.00 taken off today: GHS 9.00 reversed by the network, GHS 41.00 removed from bills.',
        'GHS 100.00 taken off in the last 30 days: GHS 18.00 reversed by the network, GHS 82.00 removed from bills.',
      ],
    ],
  ])('says once how much was taken off %s', async (_, days, lines) => {
    const totals = { payments: 2, payments_pesewas: 90_00, reversed_pesewas: 9_00, released_pesewas: 41_00 };
    for (const ago of days)
      await world.outside.table.write([
        ago === 0
          ? book({ merchant_id: shop.id, at: world.iso(), sequence: '1', totals, disputed: [] })
          : putTotals(shop.id, addDays(dayOf(world.clock.nowMs), -ago), { totals, disputed: [] }),
      ]);
    expect(
      wordsOf(await as('owner'))
        .split('\n')
        .filter((line) => line.includes('taken off')),
    ).toEqual(lines);
  });

  test.each([
    [30, 'Day', '250.00'],
    [90, 'Month', '375.00'],
  ])('equals the total of its chart over %i days', async (count, per, sum) => {
    const today = dayOf(world.clock.nowMs);
    const { text } = await open(REPORTS, owner, { from: addDays(today, 1 - count) });
    expect(wordsOf(text)).toMatch(
      new RegExp(`^Money in\\nGHS ${sum} GHS 40\\.00 of it not verified\\n\\d+ payments?$`, 'm'),
    );
    expect(sumOf(plotColumn(text, MONEY_IN, 'GHS'))).toBe(Number(sum));
    expect(sumOf(plotColumn(text, MONEY_IN, 'Not verified'))).toBe(40);
    expect(plotColumn(text, MONEY_IN, per)).toHaveLength(plotColumn(text, MONEY_IN, 'GHS').length);
  });

  test('is followed by its parts, with a minus sign before subtracted amounts', async () => {
    const totals = {
      payments: 2,
      payments_pesewas: 90_00,
      overpaid_pesewas: 4_00,
      reversed: 1,
      reversed_pesewas: 9_00,
    };
    const first = addDays(dayOf(world.clock.nowMs), -3);
    await world.outside.table.write([putTotals(shop.id, first, { totals, disputed: [] })]);
    const { text } = await open(REPORTS, owner, { from: first, to: first });
    const [, parts = ''] = /<dl>(.*?)<\/dl>/s.exec(text) ?? [];
    const shown = parts.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g);
    expect(Array.from(shown, ([, ...pair]) => pair.map(lineOf))).toEqual([
      ['Payments', 'GHS 90.00 (2)'],
      ['Of which overpaid', 'GHS 4.00'],
      ['Reversed by the network', '− GHS 9.00 (1)'],
    ]);
  });

  test.each([
    [0, 'GHS 4.00'],
    [3_00, 'GHS 4.00 Up to GHS 3.00 not verified'],
    [50_00, 'GHS 4.00 Up to GHS 4.00 not verified'],
    [90_00, 'GHS 4.00 Not verified'],
  ])('says how much of the overpaid money may be unverified if %i pesewas are', async (unverified_pesewas, shown) => {
    const totals = { payments: 2, payments_pesewas: 90_00, overpaid_pesewas: 4_00, unverified_pesewas };
    const first = addDays(dayOf(world.clock.nowMs), -3);
    await world.outside.table.write([putTotals(shop.id, first, { totals, disputed: [] })]);
    const { text } = await open(REPORTS, owner, { from: first, to: first });
    expect(valuesOf(text, 'Of which overpaid')).toEqual([shown]);
  });

  test('is listed by day before the counts, with its unverified share if there is any', async () => {
    const columns = async (days: number, unverified_pesewas: number) => {
      const first = addDays(dayOf(world.clock.nowMs), -days);
      const totals = { charges_paid: 2, payments: 2, payments_pesewas: 90_00, unverified_pesewas };
      await world.outside.table.write([putTotals(shop.id, first, { totals, disputed: [] })]);
      const { text } = await open(REPORTS, owner, { from: first, to: first });
      const [, list = ''] = text.split('What happened on each day</caption>');
      return Array.from(
        list.matchAll(/data-name="([^"]*)"[^>]*>([^<]*)/g),
        ([, name, cell]) => `${name}: ${cell}`,
      ).slice(1);
    };
    const counts = ['Created: 0', 'Paid: 2', 'Expired: 0', 'Texts: 0'];
    expect(await columns(3, 3_00)).toEqual([
      'GHS in: 90.00',
      'GHS not verified: 3.00',
      'GHS reversed: 0.00',
      ...counts,
    ]);
    expect(await columns(4, 0)).toEqual(['GHS in: 90.00', 'GHS reversed: 0.00', ...counts]);
  });

  test('has the same 14-day bars as the report', async () => {
    const { text } = await open(REPORTS, owner, { from: addDays(dayOf(world.clock.nowMs), -13) });
    for (const column of ['GHS', 'Not verified']) {
      const bars = plotColumn(await as('owner'), 'Last 14 days, GHS', column);
      expect(bars).toHaveLength(14);
      expect(bars).toEqual(plotColumn(text, MONEY_IN, column));
    }
  });

  test('is shown only to roles that may see reports', async () => {
    expect(await as('viewer')).toContain('Last 30 days');
    for (const role of ['cashier', 'developer'] as const) expect(await as(role)).not.toMatch(/Money in|GHS/);
  });

  test('has a CSV file that ends with the last complete day', async () => {
    const now = world.iso();
    const booked = { merchant_id: shop.id, at: now, totals: { payments: 1 }, disputed: [] };
    const many = Array.from({ length: 4_000 }, (_, n) => book({ ...booked, sequence: String(n) }));
    for (let n = 0; n < many.length; n += 100) await world.outside.table.write(many.slice(n, n + 100));
    const { text, headers } = await open(`${REPORTS}/days.csv`);
    const last = addDays(dayOf(world.clock.nowMs), -4);
    expect(text.trimEnd().split('\r\n').at(-1)).toContain(`"${last}"`);
    expect(headers['content-disposition']).toContain(`-to-${last}.csv`);
  });

  test('takes a fixed number of reads', async () => {
    const more = async () => {
      const reference = await shop.charge({ amount: 36 });
      await shop.pay(mtn({ reference }));
    };
    const asked = async () => {
      await world.followChanges();
      world.requests.length = 0;
      await open(TODAY);
      return world.requests.toSorted();
    };
    await more();
    const { readUnits, writeUnits } = await meter(world, async () => void (await open(TODAY)));
    expect(writeUnits).toBe(0);
    expect(readUnits).toBeLessThan(23);
    const before = await asked();
    for (let n = 0; n < 5; n++) await more();
    expect(await asked()).toEqual(before);
  });
});

describe('pending tasks', () => {
  test('are shown only to roles that may do them', async () => {
    await shop.pay(mtn({ amount: '12.00', reference: 'shoes' }));
    const reference = await shop.charge({ amount: 5 });
    const happened = { totals: { payments: 1, payments_pesewas: 5_00, texts_failed: 2 }, disputed: [reference] };
    const bill = `href="/dashboard/charges/${reference}"`;
    const at = world.iso();
    await world.outside.table.write([book({ merchant_id: shop.id, at, sequence: '1', ...happened })]);
    expect((await open(TODAY)).text).not.toContain(bill);
    await setCharge(world, { reference }, { disputed: { at, why: 'conflict' } });
    const { text } = await open(TODAY);
    expect(text).toContain(bill);
    expect(wordsOf(text)).toMatch(/^1 payment to check GHS 12\.00, not on a bill yet Not verified$/m);
    expect(text).toMatch(/Waiting for you.*Money in today/s);
    const hrefs = ['/dashboard/held', '/dashboard/texts?status=failed'];
    for (const href of hrefs) expect(text).toContain(`href="${href}"`);
    expect(await as('cashier')).toContain('1 payment to check');
    expect(await as('developer')).not.toContain('to check<');
  });
});

describe('a suspected reversal', () => {
  beforeEach(async () => {
    shop = await world.createShop({ number: WALLET.momo_number });
    await begin(world);
    owner = await shop.signIn('owner');
  });

  const suspect = (...references: (string | undefined)[]) => suspectAfter(0, ...references);
  const suspectAfter = async (quietMs: number, ...references: (string | undefined)[]) => {
    const at = world.iso();
    const payments = references.map((reference, n) => ({ transaction_id: `7000000000${n}`, reference }));
    const times = { from: world.iso(-quietMs), to: at, received_at: at };
    const told = { ...WALLET, merchant_id: shop.id, amount_pesewas: 36_00, ...times, payments };
    await world.outside.table.write([keepOnce(world.outside, { kind: 'reversal_suspected', ...told })]);
  };

  test('links to each possible charge', async () => {
    const references = [await shop.charge({ amount: 36 }), await shop.charge({ amount: 36 })];
    await suspect(...references, undefined);
    const { text } = await open(TODAY);
    for (const reference of references) expect(text).toContain(`href="/dashboard/charges/${reference}"`);
    expectWords(text, ['check your MTN wallet', 'data-waiting="1"']);
    expect(await as('developer')).not.toContain('May have been reversed');
  });

  test('is shown although the wallet was quiet for three weeks before', async () => {
    await suspectAfter(21 * DAY_MS, await shop.charge({ amount: 36 }));
    expect((await open(TODAY)).text).toContain('May have been reversed');
    world.clock.nowMs += 6 * DAY_MS;
    owner = await shop.signIn('owner');
    expect((await open(TODAY)).text).toContain('May have been reversed');
  });

  test('is shown for a week or until the network confirms it', async () => {
    const reference = await shop.charge({ amount: 36 });
    await suspect(reference);
    expect((await open(TODAY)).text).toContain('May have been reversed');
    world.clock.nowMs += 60_000;
    await setCharge(world, { reference }, { state: 'reversed', reversed_at: world.iso() });
    expect((await open(TODAY)).text).not.toContain('May have been reversed');
    await suspect(await shop.charge({ amount: 36 }));
    expect((await open(TODAY)).text).toContain('May have been reversed');
    world.clock.nowMs += 7 * DAY_MS + 1;
    owner = await shop.signIn('owner');
    expect((await open(TODAY)).text).not.toContain('May have been reversed');
  });
});

describe('a wallet on the Today page', () => {
  const cardIn = (text: string) => /<div id="wallets">(.*?)<\/div>/s.exec(text)?.[1] ?? '';

  beforeEach(async () => {
    shop = await world.createShop({ number: WALLET.momo_number });
    await begin(world);
    owner = await shop.signIn('owner');
  });

  test('shows only its last text if it works, and opens its page for those who may see it', async () => {
    await link(world, ...run(BEGUN_MINUTE, 1_000_00, 36_00));
    world.clock.nowMs += 12 * MINUTE_MS;
    const card = cardIn((await open(TODAY)).text);
    expect(wordsOf(card)).toBe('Your wallets\nMTN 024 123 4567 Receives texts Last text: 12 min ago');
    expect(card).toContain('href="/dashboard/settings/wallets/0241234567"');
    expect(cardIn(await as('cashier'))).not.toContain('href');
  });

  test('opens the question about its balance for those who can answer', async () => {
    await askAboutLost(world);
    owner = await shop.signIn('owner');
    const card = cardIn((await open(TODAY)).text);
    expectWords(card, ['href="/dashboard/today/balance/MTN/233241234567"', REASONS.break], ['wallets/']);
    expectWords(cardIn(await as('cashier')), [REASONS.break, 'Only an owner can enter it.'], ['href']);
  });
});

describe('a report', () => {
  test('shows the requested days', async () => {
    const wrong: [Record<string, string>, string][] = [
      [{ from: '2026-02-30' }, 'must be a date'],
      [{ from: 'x' }, 'must be a date'],
      [{ from: '2026-10-02', to: '2026-10-01' }, 'must not be after'],
      [{ from: '2020-01-01' }, 'at most 366 days'],
    ];
    for (const [query, words] of wrong) {
      expectAnswer(await open(REPORTS, owner, query), 400, words);
      expect((await open(`${REPORTS}/days.csv`, owner, query)).status).toBe(400);
    }
    const today = dayOf(world.clock.nowMs);
    const { text } = await open(`${REPORTS}/days.csv`, owner, { from: addDays(today, -365), to: '2999-01-01' });
    const days: string[][] = parse(text, { bom: true });
    const [head, first] = days;
    expect({ days: days.length, heading: head?.[0], firstDay: first?.[0] }).toEqual({
      days: 367,
      heading: 'day',
      firstDay: addDays(today, -365),
    });
    expect(days.at(-1)?.[0]).toBe(today);
  });

  test('counts unverified money on the day it arrived', async () => {
    await paid(500);
    await paid(300);
    world.clock.nowMs += DAY_MS;
    await verifyMoney(world);
    await world.followChanges();
    await paid(400);
    const today = dayOf(world.clock.nowMs);
    const again = await world.signInAgain(owner.user);
    const { text } = await open(`${REPORTS}/days.csv`, again, { from: addDays(today, -1), to: today });
    const days: Record<string, string>[] = parse(text, { bom: true, columns: true });
    expect(days.map(({ not_verified_ghs }) => not_verified_ghs)).toEqual(['0', '400']);
  });

  test('counts a part payment as unverified if disputed after its bill expired', async () => {
    world.goToNoon();
    const book = await provenBook(world, shop, 6);
    const lines = [{ description: 'Tuition', amount: 850 }];
    const reference = await world.openPart(await shop.request({ title: 'School fees', lines }), '850');
    await world.followChanges();
    const part = book.paid(400, { reference });
    await shop.pay(part);
    await world.followChanges();
    const counted = dayOf(world.clock.nowMs);
    world.clock.nowMs += DAY_MS + HOUR_MS;
    await endCharge(world.outside, expiryOf(await world.chargeRow(reference)));
    await world.followChanges();
    world.clock.nowMs += DAY_MS;
    await shop.arrive(mtn({ id: part.id, amount: '1.00' }));
    await world.followChanges();
    expect(await notVerified(counted)).toEqual(['400', '0', '0']);
  });

  test('counts a late assignment as verified once it is verified', async () => {
    const reference = await shop.charge({ amount: 850, expires_in: 7 * 86_400 });
    const part = mtn({ reference: 'fees', amount: '400.00', from: 'EVE ANKRAH' });
    await shop.pay(part);
    await world.followChanges();
    const arrived = dayOf(world.clock.nowMs);
    world.clock.nowMs += DAY_MS;
    await shop.assign(part, reference, { body: { reference, as_part: true } });
    await world.followChanges();
    world.clock.nowMs += DAY_MS;
    await verifyMoney(world);
    await world.followChanges();
    expect(await notVerified(arrived)).toEqual(['0', '0', '0']);
  });

  /** Returns the unverified totals of three days. */
  async function notVerified(from: string): Promise<(string | undefined)[]> {
    const again = await world.signInAgain(owner.user);
    const { text } = await open(`${REPORTS}/days.csv`, again, { from, to: addDays(from, 2) });
    const days: Record<string, string>[] = parse(text, { bom: true, columns: true });
    return days.map(({ not_verified_ghs }) => not_verified_ghs);
  }

  test('shows totals by month for long periods', async () => {
    const day = addDays(dayOf(world.clock.nowMs), -200);
    const payments = { payments: 2, payments_pesewas: 50_00, reversed: 1, reversed_pesewas: 20_00 };
    const totals = { charges_created: 3, charges_paid: 2, ...payments };
    await world.outside.table.write([putTotals(shop.id, day, { totals, disputed: [] })]);
    const { text } = await open(REPORTS, owner, { from: addDays(day, -100) });
    expectWords(text, ['GHS 30.00', 'GHS 20.00 (1)', 'Month by month']);
    expect((text.match(/<rect/g) ?? []).length).toBeLessThan(30);
  });
});

test('today’s money stays unverified when yesterday’s is verified', async () => {
  world.goToNoon();
  const book = await provenBook(world, shop, 0);
  await shop.change({ confirm_unproven_up_to_pesewas: 500_00 });
  const late = book.paid(10);
  const [before, forged] = [
    await shop.charge({ amount: 500 }),
    await shop.charge({ amount: 300, expires_in: 200_000 }),
  ];
  const first = book.paid(500, { reference: before });
  const unproven = async (text: BookedText) => {
    await shop.arrive(text);
    world.clock.nowMs += 3 * MINUTE_MS;
    await world.work('settle-receipt', [{ receipt_id: shop.paymentId(text) }]);
    await world.followChanges();
  };
  await unproven(first);
  world.clock.nowMs += 20 * HOUR_MS;
  await unproven(book.receipt(300, { reference: forged, balance: 777_700 }));
  await shop.arrive(late);
  await world.work('settle-receipt', [{ receipt_id: shop.paymentId(first) }]);
  await world.followChanges();
  expect((await shop.verified(before)).proof).toMatchObject({ state: 'proven' });
  const [reader, today] = [await shop.signIn('owner'), dayOf(world.clock.nowMs)];
  const { text } = await open(TODAY, reader);
  expect(wordsOf(text)).toMatch(/Money in today\s+GHS 300\.00 Not verified\s+1 payment on bills, not verified\s/);
  const report = await open(REPORTS, reader, { from: today, to: today });
  expect(wordsOf(report.text)).toMatch(/GHS 300\.00 Not verified\s+1 payment on bills, not verified\s/);
});

describe('exported files', () => {
  const evil = '=HYPERLINK("http://evil.example","x")';

  beforeEach(async () => {
    const reference = await shop.charge({ amount: 36.5, description: evil, customer_name: '<b>Kofi</b>' });
    await shop.pay(mtn({ amount: '36.50', reference, from: '+CMD CANARY' }));
    await world.followChanges();
  });

  test('escape spreadsheet formulas in charges', async () => {
    const { headers, text } = await open(`${REPORTS}/charges.csv`);
    expect(headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'no-store' });
    expect(headers['content-disposition']).toMatch(/filename="charges-[\d-]+-to-[\d-]+-part-1\.csv"/);
    const [row] = parse(text, { bom: true, columns: true });
    expect(row).toMatchObject({ status: 'success', amount_ghs: '36.5', paid_ghs: '36.5', description: `'${evil}` });
    expect(text).not.toMatch(/(^|,)"?[=+@-]/m);
  });

  test('list payments with their payer, amount and charge', async () => {
    const { text } = await open(`${REPORTS}/payments.csv`);
    const payer_name = expect.stringMatching(/^'\+CMD/);
    const payment = { network: 'MTN', amount_ghs: '36.5', payer_name, matched_by: 'reference' };
    expect(parse(text, { bom: true, columns: true })).toMatchObject([payment]);
  });

  test('contain up to 1,000 entries each', async () => {
    expect((await open(`${REPORTS}/files/charges`)).text.match(/href="[^"]*charges\.csv[^"]*"/g)).toHaveLength(1);
    expect(ENTRIES_A_FILE).toBe(1_000);
    expect((await open(`${REPORTS}/files/texts`)).status).toBe(404);
    expect((await open(`${REPORTS}/files/__proto__`)).status).toBe(404);
  });

  test('mark a contradicted payment as in doubt', async () => {
    const text = mtn({ reference: await shop.charge({ amount: 36 }) });
    await shop.pay(text);
    await shop.arrive(mtn({ id: text.id, amount: '99.00' }));
    await verifyMoney(world);
    const payments: Record<string, string>[] = parse((await open(`${REPORTS}/payments.csv`)).text, {
      bom: true,
      columns: true,
    });
    expect(payments.at(-1)).toMatchObject({ transaction_id: text.id, proof: 'in doubt' });
  });

  test('exclude other merchants’ entries for any cursor', async () => {
    const item = (await world.outside.table.listIndexKeys('gsi1', `MERCHANT#${shop.id}#TRANSACTION`)).keys[0];
    const cursor = Buffer.from(JSON.stringify(item)).toString('base64url');
    const other = await world.signIn('owner', (await world.createShop()).id);
    for (const path of ['charges.csv', 'payments.csv', 'files/charges'])
      expectWords((await open(`${REPORTS}/${path}`, other, { cursor })).text, [], ['MK-', 'CANARY']);
  });

  test('are available only to roles that may see reports', async () => {
    const cashier = await shop.signIn('cashier');
    for (const path of ['', '/days.csv', '/charges.csv', '/payments.csv', '/files/charges'])
      expect((await open(`${REPORTS}${path}`, cashier)).status).toBe(403);
  });
});

test('payer names are escaped', async () => {
  const reference = await shop.charge({ amount: 36, customer_name: '<script>alert(1)</script>' });
  await shop.pay(mtn({ reference, from: '<img src=x onerror=alert(1)>' }));
  await world.followChanges();
  for (const path of [TODAY, REPORTS, `${REPORTS}/files/payments`])
    expect((await open(path)).text).not.toMatch(/<script>alert|<img/);
});
