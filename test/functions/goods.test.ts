import { beforeEach, describe, expect, test } from 'vitest';
import { handler as settleReceipt } from '../../functions/work/settle-receipt.ts';
import { Charge } from '../../shared/money/charge/charge.table.ts';
import { listExpiries } from '../../shared/money/charge/expiry.table.ts';
import { addUnproven, subtractUnproven, sumName } from '../../shared/money/goods/unproven.table.ts';
import { endCharge } from '../../shared/money/settling/end-charge.ts';
import { cannotTake } from '../../shared/money/till/take.ts';
import { tillRows } from '../../shared/money/till/till.table.ts';
import type { TableWrite } from '../../shared/runtime/table/table.ts';
import { addDays, dayOf, dayStartMs, HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { expectAnswer, expectWords } from '../support/answers.ts';
import { greensIn } from '../support/page-words.ts';
import { mtn, reversal } from '../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../support/scene.ts';
import { type BookedText, provenBook, type WalletBook } from '../support/wallet-book.ts';
import { callWorker, queueEvent } from '../support/world.ts';

/* Goods released for unverified payments to a new wallet. */

const TILL = '/dashboard/till';

let world: Scene;
let shop: Shop;
let ama: Person;
let manager: Person;
let till: string;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  // Avoids midnight, because limits are counted per day.
  world.goToNoon();
  shop = await world.createShop();
  manager = await shop.signIn('manager');
  ama = await shop.signIn('cashier');
  await manager.visit(`${TILL}/new`, { form: { name: 'Counter 1' } });
  till = (await tillRows.list(world.outside, { merchant_id: shop.id }))[0]?.till_id ?? '';
  await ama.visit(`${TILL}/${till}/begin`, { form: {} });
  await manager.visit(`${TILL}/${till}/sticker`, { form: {} });
});

describe('unverified payments to a new wallet', () => {
  test('release stock codes up to the daily limit', async () => {
    const codes = Array.from({ length: 30 }, (_, n) => `CODE-${n}`);
    const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 45, codes } });
    for (const _ of codes) {
      const { reference } = await world.openLink(json.data.slug);
      await shop.pay(mtn({ reference, amount: '45.00' }));
      await world.tell(8);
    }
    const given = (await world.rows('TRANSACTION')).filter(({ goods }) => Object(goods).state === 'given');
    expect(given.length * 45).toBeLessThanOrEqual(1_000);
    expect(given.length).toBeGreaterThan(0);
  });

  test('are rejected at a till above the per-payment limit', async () => {
    await shop.pay(mtn({ amount: '4901.00', reference: 'goods' }));
    expect((await tap('4901')).text).toContain(cannotTake.not_proven);
    expect(await world.rows('TRANSACTION')).toEqual([]);
  });

  test('require a recent passkey sign-in before assignment', async () => {
    const text = mtn({ amount: '4901.00', reference: 'goods' });
    const reference = await openSticker('4901');
    await shop.pay(text);
    world.clock.nowMs += 10 * 60_000;
    await manager.visit(`/dashboard/held/${shop.paymentId(text)}/give`, {
      form: { reference, shown: 'unverified' },
    });
    expect((await ama.visit(`${TILL}/${till}/hand-out`, { form: { reference } })).status).toBe(409);
  });

  test('release no goods above the limit', async () => {
    const reference = await openSticker('4900');
    await shop.pay(mtn({ amount: '4900.00', reference }));
    await world.tell(8);
    const { text } = await see();
    expect(greensIn(text)).toEqual([
      { needsLook: true, words: expect.stringContaining('New wallet: do not hand over') },
    ]);
    expect(text).not.toContain('/hand-out"');
    const { status } = await ama.visit(`${TILL}/${till}/hand-out`, { form: { reference } });
    expect({ status, goods: (await world.rows('TRANSACTION'))[0]?.goods }).toEqual({
      status: 409,
      goods: { kind: 'counter', state: 'unpaid' },
    });
  });
});

describe('goods sold below their price', () => {
  async function openCoded(amount: number): Promise<string> {
    const { json } = await shop.call('link/create', { body: { title: 'Router', amount, codes: ['CODE-1'] } });
    return (await world.openLink(json.data.slug)).reference;
  }
  const mark = async (of: string) =>
    (await manager.visit(`/dashboard/charges/${of}/mark`, { form: { how: 'cash', amount: '0.01', enough: 'on' } }))
      .status;
  const assign = async (of: string) => {
    const text = mtn({ amount: '0.01', reference: 'lunch' });
    await shop.pay(text);
    return (await shop.assign(text, of)).status;
  };
  const stateOf = async (of: string) => {
    await world.tell(8);
    return (await world.chargeRow(of)).goods?.state;
  };

  test.each([
    ['is marked as cash by a manager', 900, mark, 303, 'to_release', []],
    ['is assigned by a key', 900, assign, 200, 'to_release', []],
    ['is marked as cash by a manager', 45, mark, 303, 'given', [45_00]],
    ['is assigned by a key', 45, assign, 200, 'given', [45_00]],
  ])('count at full price if GHS 0.01 %s (price: GHS %i)', async (_, price, pay, status, state, counted) => {
    const of = await openCoded(price);
    expect(await pay(of)).toBe(status);
    expect({ state: await stateOf(of), sums: await sums() }).toEqual({ state, sums: counted });
  });

  test('are released up to the daily limit', async () => {
    const states = [];
    for (let n = 0; n < 4; n++) {
      const of = await openCoded(45);
      await mark(of);
      states.push(await stateOf(of));
    }
    expect(states).toEqual(['given', 'given', 'to_release', 'to_release']);
  });

  test('require a manager’s approval above the limit', async () => {
    const of = await openCoded(900);
    await mark(of);
    expect(await stateOf(of)).toBe('to_release');
    expect((await manager.visit(`/dashboard/charges/${of}/release`, LOOKED)).status).toBe(303);
    expect({ state: await stateOf(of), sums: await sums() }).toEqual({ state: 'given', sums: [] });
  });

  test('count only the unverified part of their price', async () => {
    const book = await provenBook(world, shop, 6);
    const of = await openCoded(900);
    await shop.arrive(book.paid(870, { reference: of }));
    world.clock.nowMs += 3 * MINUTE_MS;
    manager = await shop.signIn('manager');
    await mark(of);
    expect({ state: await stateOf(of), sums: await sums() }).toEqual({ state: 'given', sums: [30_00] });
  });
});

describe('the daily limit for unverified payments to a new wallet', () => {
  /** Buys stock codes with unverified payments of GHS 45. @returns the number of codes given so far. */
  async function buyCodes(count: number): Promise<number> {
    const codes = Array.from({ length: count }, (_, n) => `CODE-${world.clock.nowMs}-${n}`);
    const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 45, codes } });
    for (const _ of codes) {
      const { reference } = await world.openLink(json.data.slug);
      await shop.pay(mtn({ reference, amount: '45.00' }));
      await world.tell(8);
    }
    return (await world.rows('TRANSACTION')).filter(({ goods }) => Object(goods).state === 'given').length;
  }

  test('covers the last 24 hours, even across midnight', async () => {
    world.clock.nowMs = dayStartMs(addDays(dayOf(world.clock.nowMs), 1)) - 30 * MINUTE_MS;
    expect(await buyCodes(18)).toBe(16);
    world.clock.nowMs += 40 * MINUTE_MS;
    expect(await buyCodes(2)).toBe(16);
    world.clock.nowMs += 25 * HOUR_MS;
    expect(await buyCodes(2)).toBe(18);
  });

  describe('at the end of an hour', () => {
    const limit = { pesewas: 750_00, mostPesewas: 1_000_00 };
    const turnMs = () => Math.ceil(world.clock.nowMs / HOUR_MS) * HOUR_MS;
    const count = (atMs: number, pesewas = limit.pesewas) =>
      addUnproven(world.outside, shop.id, { kind: 'new', way: 'alone', atMs }, { ...limit, pesewas });
    const write = async (one: Promise<TableWrite>) => world.outside.table.write([await one]);
    const row = async () => (await world.scan()).find(({ sk }) => sk === 'UNPROVEN#new') ?? {};

    test('rejects a late write from the previous hour', async () => {
      const late = await count(turnMs() - 100);
      await write(count(turnMs() + 10));
      await expect(world.outside.table.write([late])).rejects.toThrow(/limit|same moment/i);
    });

    test('keeps amounts from the next hour if a server’s clock is slow', async () => {
      await write(count(turnMs() + 10));
      const before = await row();
      await expect(write(count(turnMs() - 100, 1))).rejects.toThrow(/limit/i);
      expect(await row()).toEqual(before);
    });

    test('holds across servers with different clocks', async () => {
      await write(count(turnMs() + 10, 300_00));
      await write(count(turnMs() - 100, 300_00));
      await write(count(turnMs() + 20, 150_00));
      await expect(write(count(turnMs() - 50, 1))).rejects.toThrow(/limit/i);
    });

    test('holds if only one of two servers has discarded the hour', async () => {
      const counted = turnMs() + 10;
      const removed = counted + 25 * HOUR_MS;
      await write(count(counted));
      await write(count(removed, 1));
      const behind = { ...world.outside, now: () => turnMs() + 25 * HOUR_MS - 100 };
      const counted_in = sumName({ kind: 'new', way: 'alone', atMs: counted });
      await world.outside.table.write(subtractUnproven(behind, shop.id, [{ counted_in, pesewas: limit.pesewas }]));
      await expect(write(count(behind.now() + 50, limit.mostPesewas + 1))).rejects.toThrow(/limit/i);
    });
  });

  test('reserves a share for till payments', async () => {
    expect(await buyCodes(22)).toBe(16);
    const taken = [];
    for (let n = 0; n < 7; n++) {
      await shop.pay(mtn({ amount: '45.00', reference: 'table' }));
      taken.push((await tap('45')).status);
      world.clock.nowMs += MINUTE_MS;
    }
    expect(taken).toEqual([303, 303, 303, 303, 303, 303, 409]);
    expect(await sums()).toEqual([990_00]);
  });

  test('is shown as used up at the till and on the Today page', async () => {
    await shop.change({ new_wallet_daily_limit_pesewas: 40_00 });
    // Merchants are cached for a minute.
    world.clock.nowMs += 2 * MINUTE_MS;
    await shop.pay(mtn({ amount: '36.00', reference: 'table' }));
    for (let n = 0; n < 2; n++)
      expect((await tap('36')).text).toContain('limit for payments that are not verified is used up');
    expect((await manager.visit('/dashboard/today')).text).toContain('limit is used up');
  });

  test('holds for forty simultaneous payments', async () => {
    const sum = { kind: 'new', way: 'till', atMs: world.clock.nowMs } as const;
    const asked = { pesewas: 20_00, mostPesewas: 1_000_00 };
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const write = await addUnproven(world.outside, shop.id, sum, asked);
        return world.outside.table.write([write]).then(
          () => 'counted',
          (error) => error.code,
        );
      }),
    );
    expect(outcomes.filter((one) => one === 'counted')).toHaveLength(37);
    expect(outcomes.filter((one) => one === 'receipt_not_held')).toHaveLength(3);
  });
});

/** Form of a user who was asked to check the wallet first. */
const LOOKED = { form: { shown: 'unverified' } };

describe('a manager’s approval above the limits', () => {
  test('releases a payment that a cashier cannot release', async () => {
    const text = mtn({ amount: '4901.00', reference: 'goods' });
    await shop.pay(text);
    const path = `/dashboard/held/${shop.paymentId(text)}/release`;
    expect((await ama.visit(path, { form: {} })).status).toBe(403);
    expect((await manager.visit(path, LOOKED)).status).toBe(303);
    expect((await tap('4901')).status).toBe(303);
    expect(await sums()).toEqual([]);
  });

  test('releases a sticker charge that a cashier cannot release', async () => {
    const reference = await openSticker('4900');
    await shop.pay(mtn({ amount: '4900.00', reference }));
    await world.tell(8);
    const path = `/dashboard/charges/${reference}`;
    const { text } = await manager.visit(path);
    expectWords(text, [
      '<summary class="plain button">The money is there<',
      '<summary class="plain button">The money is not there<',
    ]);
    expect((await ama.visit(`${path}/release`, { form: {} })).status).toBe(403);
    expect((await manager.visit(`${path}/release`, LOOKED)).status).toBe(303);
    expect((await ama.visit(`${TILL}/${till}/hand-out`, { form: { reference } })).status).toBe(303);
    expect((await manager.visit(`${path}/release`, LOOKED)).status).toBe(409);
  });

  test('ends once somebody sets the payment aside, also for an open form', async () => {
    const text = mtn({ amount: '4901.00', reference: 'goods' });
    await shop.pay(text);
    const path = `/dashboard/held/${shop.paymentId(text)}`;
    expect((await manager.visit(`${path}/release`, LOOKED)).status).toBe(303);
    await manager.visit(`${path}/set-aside`, { form: { why: 'The money is not there' } });
    const outdated = await manager.visit(`${path}/release`, { form: { ...LOOKED.form, doubts: 'none' } });
    expectAnswer(outdated, 409, 'This payment has changed since the page was loaded');
    await manager.visit(`${path}/take-back`, { form: {} });
    expect((await manager.visit(path)).text).not.toContain('Tills can take it');
    expect((await tap('4901')).text).toContain(cannotTake.not_proven);
  });

  test('requires a recent passkey sign-in', async () => {
    const text = mtn({ amount: '4901.00', reference: 'goods' });
    await shop.pay(text);
    world.clock.nowMs += 6 * 60_000;
    const path = `/dashboard/held/${shop.paymentId(text)}/release`;
    const { headers } = await manager.visit(path, LOOKED);
    expect(headers.location).toContain('confirm');
    expect((await tap('4901')).text).toContain(cannotTake.not_proven);
  });
});

describe('payments to a wallet whose balance is named', () => {
  let book: WalletBook;
  beforeEach(async () => {
    book = await provenBook(world, shop, 6);
    const shift = (await tillRows.list(world.outside, { merchant_id: shop.id }))[0]?.shift?.shift_id ?? '';
    await ama.visit(`${TILL}/${till}/end`, { form: { shift } });
    await ama.visit(`${TILL}/${till}/begin`, { form: {} });
  });

  /** Receives a payment and takes it at the till. */
  const taken = async (text: BookedText, amount = 36) => {
    await shop.arrive(text);
    // The service waits three minutes for earlier texts.
    world.clock.nowMs += 3 * 60_000;
    const { status, headers } = await tap(String(amount));
    return { status, reference: headers.location?.split('taken=')[1] ?? '' };
  };

  test('are accepted in any amount if verified', async () => {
    const { reference } = await taken(book.paid(4_900), 4_900);
    const { text } = await see({ taken: reference });
    expect({ greens: greensIn(text), saysNotVerified: text.includes('Not verified') }).toEqual({
      greens: [{ needsLook: false, words: expect.any(String) }],
      saysNotVerified: false,
    });
    expect(await sums()).toEqual([]);
  });

  test('are limited if they break the balance chain', async () => {
    await shop.change({ confirm_unproven_up_to_pesewas: 36_00 });
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await taken(book.receipt(36, { balance: 700_000 + n * 977 }))).status);
    expect(statuses).toEqual([303, 303, 409, 409]);
    expect((await taken(book.receipt(37, { balance: 800_000 }), 37)).status).toBe(409);
    expect(await sums()).toEqual([72_00]);
  });

  test('no longer count towards the limit once verified', async () => {
    const [late, first] = [book.paid(10), book.paid(36)];
    await taken(first);
    expect(await sums()).toEqual([36_00]);
    await shop.arrive(late);
    const job = { receipt_id: shop.paymentId(first) };
    await Promise.all([1, 2, 3].map(() => world.work('settle-receipt', [job])));
    expect(await sums()).toEqual([0]);
    const [charge] = await world.rows('TRANSACTION');
    expect(charge?.payment).toMatchObject({ proof: { state: 'proven' } });
    expect(charge?.payment).not.toHaveProperty('counted_in');
  });

  test('reduce the counted total only by their own amount once verified', async () => {
    const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 45, codes: ['CODE-1'] } });
    const { reference } = await world.openLink(json.data.slug);
    const [late, first] = [book.paid(10), book.paid(1)];
    await shop.arrive(first);
    world.clock.nowMs += 3 * MINUTE_MS;
    expect((await shop.assign(first, reference)).status).toBe(200);
    await world.tell(8);
    expect(await sums()).toEqual([45_00]);
    await shop.arrive(late);
    await world.work('settle-receipt', [{ receipt_id: shop.paymentId(first) }]);
    expect((await world.chargeRow(reference)).payment).toMatchObject({ counted_pesewas: 44_00 });
    expect(await sums()).toEqual([44_00]);
  });

  test('leave the unpaid part of the price counted once verified', async () => {
    const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 45, codes: ['CODE-1'] } });
    const { reference } = await world.openLink(json.data.slug);
    const [late, first] = [book.paid(10), book.paid(30)];
    await shop.arrive(first);
    world.clock.nowMs += 3 * MINUTE_MS;
    const job = { receipt_id: shop.paymentId(first) };
    await world.work('settle-receipt', [job]);
    const form = { reference, shown: 'unverified', still_due: '1500' };
    const path = `/dashboard/held/${shop.paymentId(first)}/give`;
    expect((await (await shop.signIn('manager')).visit(path, { form })).status).toBe(303);
    await world.tell(8);
    expect(await sums()).toEqual([15_00]);
    await shop.arrive(late);
    await world.work('settle-receipt', [job]);
    const { payment } = await world.chargeRow(reference);
    expect(payment).toMatchObject({ proof: { state: 'proven' }, counted_pesewas: 15_00 });
    expect(await sums()).toEqual([15_00]);
  });

  test.each([
    [900, 'to_release', []],
    [45, 'given', [44_99]],
    [0.01, 'given', []],
  ])(
    'leave the unpaid part of the price counted if GHS 0.01 pays for a GHS %d code',
    async (amount, state, counted) => {
      const { json } = await shop.call('link/create', { body: { title: 'Router', amount, codes: ['CODE-1'] } });
      const { reference } = await world.openLink(json.data.slug);
      const text = book.paid(0.01);
      await shop.arrive(text);
      world.clock.nowMs += 3 * MINUTE_MS;
      expect((await shop.assign(text, reference)).status).toBe(200);
      await world.tell(8);
      const { payment, goods } = await world.chargeRow(reference);
      expect([payment?.proof?.state, goods?.state, await sums()]).toEqual(['proven', state, counted]);
    },
  );

  describe('totalling GHS 3 for a GHS 45 stock code', () => {
    let reference: string;
    let texts: readonly BookedText[];
    beforeEach(async () => {
      const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 45, codes: ['CODE-1'] } });
      ({ reference } = await world.openLink(json.data.slug));
      const [late, first, between, last] = [book.paid(10), book.paid(1), book.paid(11), book.paid(2)];
      texts = [late, first, between, last];
      for (const text of [first, last]) await shop.arrive(text);
      world.clock.nowMs += 3 * MINUTE_MS;
      const parameters = { id: shop.paymentId(first) };
      await shop.call('receipt/assign', { parameters, body: { reference, as_part: true } });
      expect((await shop.assign(last, reference)).status).toBe(200);
      await world.tell(8);
      expect(await sums()).toEqual([45_00]);
    });

    const prove = async (text: BookedText | undefined, by: BookedText | undefined) => {
      if (!text || !by) throw new Error('The book has four texts.');
      await shop.arrive(by);
      await world.work('settle-receipt', [{ receipt_id: shop.paymentId(text) }]);
      return sums();
    };

    test('reduce the counted price as each is verified', async () => {
      const [late, first, between, last] = texts;
      expect(await prove(first, late)).toEqual([44_00]);
      expect(await prove(last, between)).toEqual([42_00]);
      const { parts, payment } = await world.chargeRow(reference);
      expect([parts?.[0]?.counted_in, payment?.counted_pesewas]).toEqual([undefined, 42_00]);
    });
  });

  test('count again if they are retaken after a tap is undone', async () => {
    const { reference } = await taken(book.receipt(36, { balance: 777_700 }));
    expect(await sums()).toEqual([36_00]);
    await ama.visit(`${TILL}/${till}/undo`, { form: { reference } });
    expect(await sums()).toEqual([0]);
    await tap('36');
    expect(await sums()).toEqual([36_00]);
  });

  test('are subtracted from the total only once if the tap is undone during verification', async () => {
    const [late, first] = [book.paid(10), book.paid(36)];
    const { reference } = await taken(first);
    await shop.arrive(late);
    const job = queueEvent([{ receipt_id: shop.paymentId(first) }]);
    world.rightBefore('TransactWriteItems', () => callWorker(world, settleReceipt, job));
    const undo = await ama.visit(`${TILL}/${till}/undo`, { form: { reference } });
    expect({ status: undo.status, state: (await world.rows('TRANSACTION'))[0]?.state }).toEqual({
      status: 303,
      state: 'cancelled',
    });
    expect(await sums()).toEqual([0]);
  });

  test('can still be reversed if retaken during verification', async () => {
    const [late, first] = [book.paid(10), book.paid(36)];
    const { reference } = await taken(first);
    await shop.arrive(late);
    // Runs after the job reads the payment and before it reads the charge.
    world.rightBefore(
      'GetItem',
      async () => {
        await ama.visit(`${TILL}/${till}/undo`, { form: { reference } });
        expect((await tap('36')).status).toBe(303);
      },
      `TRANSACTION#${reference}`,
    );
    await world.work('settle-receipt', [{ receipt_id: shop.paymentId(first) }]);
    const second = (await world.rows('TRANSACTION')).find(({ state }) => state === 'success');
    expect(await shop.receipt(first)).toMatchObject({ reference: second?.reference, proof: { state: 'proven' } });
    await shop.arrive(book.reversed(first, 36));
    expect(await world.chargeRow(String(second?.reference))).toMatchObject({ state: 'reversed' });
  });

  describe('counted as parts', () => {
    /** A charge of GHS 80 with two unverified part payments. */
    let reference: string;
    let late: BookedText;
    let parts: [BookedText, BookedText];
    beforeEach(async () => {
      reference = await shop.charge({ amount: 80 });
      late = book.paid(10);
      parts = [book.paid(20, { reference }), book.paid(15, { reference })];
      for (const text of parts) await shop.arrive(text);
      world.clock.nowMs += 3 * 60_000;
      await settleAgain();
      expect(await sums()).toEqual([35_00]);
    });

    const settleAgain = () =>
      Promise.all(parts.map((text) => world.work('settle-receipt', [{ receipt_id: shop.paymentId(text) }])));
    const partsNow = async () =>
      Charge.parse((await world.rows('TRANSACTION')).find((one) => one.reference === reference)).parts;
    const cancelled = () => shop.call('transaction/cancel', { parameters: { reference } });
    const expire = async () => {
      for (const due of await listExpiries(world.outside, '~', 10)) await endCharge(world.outside, due);
    };

    test.each([
      ['is cancelled', () => cancelled()],
      ['expires', () => expire()],
    ])('stop counting when their charge %s', async (_, end) => {
      await end();
      const meant = (await world.rows('RECEIPT')).filter((one) => one.suggested_reference === reference);
      expect(meant).toHaveLength(2);
      expect(await sums()).toEqual([0]);
      expect((await partsNow())?.map(({ counted_in }) => counted_in)).toEqual([undefined, undefined]);
    });

    test('are not subtracted twice after a reassignment', async () => {
      await taken(book.receipt(36, { balance: 777_700 }));
      expect(await sums()).toEqual([71_00]);
      await cancelled();
      const [first] = parts;
      expect((await shop.assign(first, reference)).status).toBe(200);
      await shop.arrive(late);
      await settleAgain();
      expect(await partsNow()).toMatchObject([{ proof: { state: 'proven' } }]);
      expect(await sums()).toEqual([36_00]);
    });
  });

  test('stay verified if a cashier takes them during verification', async () => {
    const [late, first] = [book.paid(10), book.paid(36)];
    await shop.arrive(first);
    world.clock.nowMs += 3 * 60_000;
    const job = queueEvent([{ receipt_id: shop.paymentId(first) }]);
    const tapped = fieldsOf((await see({ amount: '36' })).text);
    await shop.arrive(late);
    world.rightBefore('TransactWriteItems', () => callWorker(world, settleReceipt, job));
    expect((await ama.visit(`${TILL}/${till}/take`, { form: { ...tapped, amount: '36' } })).status).toBe(303);
    expect(await shop.receipt(first)).toMatchObject({ state: 'matched', proof: { state: 'proven' } });
    expect(await sums()).toEqual([]);
  });

  test('count once if the goods are handed over twice simultaneously', async () => {
    const reference = await openSticker('36');
    const text = book.receipt(36, { balance: 777_700, reference });
    await shop.arrive(text);
    world.clock.nowMs += 3 * MINUTE_MS;
    await world.work('settle-receipt', [{ receipt_id: shop.paymentId(text) }]);
    await world.tell(8);
    const give = () => ama.visit(`${TILL}/${till}/hand-out`, { form: { reference } });
    expect((await Promise.all([give(), give()])).map(({ status }) => status).toSorted()).toEqual([303, 409]);
    expect(await sums()).toEqual([36_00]);
    expect((await see()).text).toMatch(/>Handed over<.*>Not verified</s);
  });
});

describe('the green payment notice at the till', () => {
  test('disappears after 30 seconds of server time', async () => {
    await shop.pay(mtn({ amount: '36.00', reference: 'table' }));
    const { headers } = await tap('36');
    const reference = headers.location?.split('taken=')[1] ?? '';
    expect(greensIn((await see({ taken: reference })).text)).toMatchObject([{ needsLook: true }]);
    world.clock.nowMs += 30_000;
    expect(greensIn((await see({ taken: reference })).text)).toEqual([]);
  });

  test('disappears immediately when the payment is reversed', async () => {
    const text = mtn({ amount: '36.00', reference: 'table' });
    await shop.pay(text);
    const { headers } = await tap('36');
    const query = { taken: headers.location?.split('taken=')[1] ?? '' };
    const before = versionIn((await see(query)).text);
    await shop.arrive(reversal(text.id));
    const after = await see(query);
    expect({ greens: greensIn(after.text), isSameVersion: versionIn(after.text) === before }).toEqual({
      greens: [],
      isSameVersion: false,
    });
  });

  test.each([
    ['2.00', 'GHS 2.00', 'GHS 38.00 still due'],
    ['50.00', 'GHS 50.00', 'GHS 10.00 (not verified) too much: give no change'],
  ])('shows GHS %s received for a charge of GHS 40', async (amount, arrived, word) => {
    const reference = await openSticker('40');
    const text = mtn({ amount, reference: 'table' });
    await shop.pay(text);
    expect((await shop.assign(text, reference)).status).toBe(200);
    await world.tell(8);
    const [green] = greensIn((await see()).text);
    expect(green?.words.startsWith(`${arrived} `)).toBe(true);
    expect(green?.words).toContain(word);
  });
});

/** Opens a charge at the till's sticker. @returns its reference. */
async function openSticker(amount: string): Promise<string> {
  const [link] = await world.rows('LINK');
  return (await world.openLink(String(link?.slug), { amount })).reference;
}

function versionIn(text: string): string | undefined {
  return /data-version="([\w-]+)"/.exec(text)?.[1];
}

/** Returns the totals counted towards the daily limits, in pesewas. */
async function sums(): Promise<unknown[]> {
  const rows = (await world.scan()).filter(({ sk }) => String(sk).startsWith('UNPROVEN#'));
  return rows.map((row) =>
    Object.entries(row).reduce((sum, [name, value]) => sum + (name.startsWith('all_') ? Number(value) : 0), 0),
  );
}

function see(query: Record<string, string> = {}) {
  return ama.visit(`${TILL}/${till}`, { query });
}

/** Takes the only payment of this amount at the till. */
async function tap(amount: string) {
  const form = { ...fieldsOf((await see({ amount })).text), amount };
  return ama.visit(`${TILL}/${till}/take`, { form });
}

/** Returns the hidden form fields for the payment and the shift. */
function fieldsOf(page: string) {
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? '';
  return { receipt: field('receipt'), shift: field('shift') };
}
