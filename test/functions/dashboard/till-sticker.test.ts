import { beforeEach, describe, expect, test } from 'vitest';
import { merchantRows } from '../../../shared/merchants/merchant/merchant.table.ts';
import { disputeCharge } from '../../../shared/money/charge/change-charge.table.ts';
import { chargeRows, getCharge } from '../../../shared/money/charge/charge.table.ts';
import { setAside } from '../../../shared/money/settling/assign-receipt.ts';
import { closingOf } from '../../../shared/money/till/closing.ts';
import { greenOf } from '../../../shared/money/till/green.ts';
import { cannotTake } from '../../../shared/money/till/take.ts';
import { tillRows } from '../../../shared/money/till/till.table.ts';
import { changeItem, type PageStart } from '../../../shared/runtime/table/table.ts';
import { DAY_MS, dayOf, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { versionIn } from '../../support/dashboard.ts';
import { greensIn, tillLinesIn, wordsOf } from '../../support/page-words.ts';
import { mtn, type ReceiptText, reversal } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';
import { setCharge } from '../checkout/charges.ts';

const TILL = '/dashboard/till';

let world: Scene;
let shop: Shop;
let manager: Person;
let ama: Person;
let till: string;
let sticker: string;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  [manager, ama] = [await shop.signIn('manager'), await shop.signIn('cashier')];
  till = await newTill('Counter 1');
  await ama.visit(`${TILL}/${till}/begin`, { form: {} });
  await make(manager);
  [sticker = ''] = await stickers();
});

test('a till has only one sticker', async () => {
  const answers = await Promise.all([make(manager), make(manager)] as const);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect((await manager.follow(answers[0])).text).toMatch(
    new RegExp(`role="status">.*is ready\\. <a href="[^"]*/pay/${sticker}/poster">Open it to print</a>`),
  );
  expect(await world.rows('LINK')).toMatchObject([{ title: 'Counter 1', till }]);
  expect(await tills()).toMatchObject([{ sticker, former_stickers: [] }]);
  expect(await shop.audit(/^sticker create$/)).toMatchObject([{ about: sticker }]);
  for (const by of [ama, manager])
    expectWords((await by.visit(TILL)).text, [`/pay/${sticker}/poster`], ['Create a sticker']);
  const sheet = await world.call('pay/poster', { parameters: { slug: sticker } });
  expect(sheet.text).toContain('Type the amount that the cashier tells you.');
  expect((await manager.visit(`/dashboard/links/${sticker}`)).text).toContain('Sticker of');
  expect((await shop.call('link/show', { parameters: { slug: sticker } })).json.data.till).toBe(till);
});

test('a till without an active sticker gets a new one', async () => {
  await endSticker();
  expectWords((await manager.visit(TILL)).text, [], [`/pay/${sticker}/poster`]);
  expect(await atOnce(() => make(manager))).toEqual([303, 303]);
  const open = await stickers();
  expect(await tills()).toMatchObject([{ sticker: open[0], former_stickers: [sticker] }]);
  expect(open).toHaveLength(1);
  expect(await world.rows('LINK')).toHaveLength(2);
});

test('creating a sticker requires the permission to create links', async () => {
  await endSticker();
  const viewer = await shop.signIn('viewer');
  for (const by of [ama, viewer]) expect((await make(by)).status).toBe(403);
  expect((await ama.visit(TILL)).text).not.toContain('Create a sticker');
  expect(await world.rows('LINK')).toHaveLength(1);
});

test('a charge paid by reference turns the till green', async () => {
  expect((await see()).text).toContain('Nobody has scanned the sticker in this shift');
  const { reference } = await scanned('36');
  const waiting = (await see()).text;
  expectWords(waiting, ['Still to pay', 'Waiting']);
  expect(isGreen(waiting)).toBe(false);
  // A payment without a reference is held for the cashier.
  await held();
  expect((await world.rows('TRANSACTION')).map(({ state }) => state)).toEqual(['pending']);
  await shop.pay(mtn({ reference, from: 'ESI OWUSU' }));
  expectGreen((await see()).text, 'ESI OWUSU', '>Not verified<');
  world.clock.nowMs += 2 * MINUTE_MS;
  const later = (await see()).text;
  expectWords(later, ['>Not verified<']);
  expect(isGreen(later)).toBe(false);
});

describe('a tap that matches a scanned charge’s amount', () => {
  let form: Record<string, string>;
  let opened: Awaited<ReturnType<typeof scanned>>;
  let receipt: ReceiptText;
  beforeEach(async () => {
    await changeLink({ note_label: 'Your table' });
    opened = await scanned('36', 'Table 4');
    await scanned('35', 'Table 5');
    world.clock.nowMs += 1_000;
    receipt = await held();
    form = await takeForm('36');
  });

  const take = (more: Record<string, string> = {}) => ama.visit(`${TILL}/${till}/take`, { form: { ...form, ...more } });
  const takenNow = async () => (await world.rows('TRANSACTION')).find((one) => Object(one.goods).kind === 'take');
  const chargePage = () => manager.visit(`/dashboard/charges/${opened.reference}`);
  const undo = async () => undoAt((await lastTake()).reference);
  const expectUnpaid = async () => expect(await world.chargeRow(opened.reference)).not.toHaveProperty('paid_as');
  const wrongClaims = async () =>
    (await world.scan()).filter(({ sk }) => String(sk).startsWith('CLAIM_HOUR#')).map(({ wrong }) => wrong);
  const seeCheckout = ({ access_code }: { access_code: string }) =>
    world.call('checkout/page', { parameters: { access_code } });
  const claimIt = (transaction_id = receipt.id, name = 'Kofi Mensah') =>
    world.call('checkout/claim', {
      parameters: { access_code: opened.access_code },
      headers: { accept: 'application/json' },
      body: { transaction_id, name },
    });

  test('asks whether the customer scanned the sticker, without a default answer', async () => {
    const answer = await take();
    expect(answer.status).toBe(303);
    expect(await takenNow()).toBeUndefined();
    const [text = ''] =
      /<legend>Did this customer scan the sticker\?[\s\S]*?<\/fieldset>/.exec((await ama.follow(answer)).text) ?? [];
    expect(wordsOf(text)).toMatch(new RegExp(`Yes: Table 4 · ${opened.reference} · (?:now|\\d+ s ago)$`, 'm'));
    expectWords(text, [], ['Table 5', ' checked']);
    expect(text.match(/type="radio"/g)).toHaveLength(2);
  });

  test('asks who paid despite twelve newer payments', async () => {
    for (let n = 0; n < 12; n++) await held('36.00', 'EVE THIEF');
    const query = { amount: '36', receipt: form.receipt ?? '' };
    expect((await see(query)).text).toContain('GHS 36.00 from KOFI MENSAH');
    await take({ scanned: 'no' });
    expect((await see(query)).text).not.toContain('Did this customer scan the sticker?');
  });

  test('lists the eight newest scans', async () => {
    for (let n = 0; n < 9; n++) {
      world.clock.nowMs += 1_000;
      await scanned('36', `Table ${n + 10}`);
    }
    const shown = wordsOf((await ama.follow(await take())).text).matchAll(/^Yes: (Table \d+) · MK-/gm);
    const tables = [...shown].map(([, name]) => name);
    expect(tables.toSorted()).toEqual(Array.from({ length: 8 }, (_, n) => `Table ${n + 11}`));
  });

  test('marks the selected charge as paid', async () => {
    expect((await take({ scanned: opened.reference })).status).toBe(303);
    const taken = await takenNow();
    const origin = { kind: 'till', till_id: till, note: 'Table 4' };
    expect(taken).toMatchObject({ state: 'success', origin, goods: { scanned: opened.reference } });
    expect(await world.chargeRow(opened.reference)).toMatchObject({ state: 'pending', paid_as: taken?.reference });
    const atCounter = ['Paid at the counter', 'This page is not a receipt', 'data-status="neutral"'];
    expectWords((await seeCheckout(opened)).text, atCounter, ['Send exactly']);
    // A later payment by reference becomes a second payment.
    const again = await shop.pay(mtn({ reference: opened.reference }));
    expect(again).toMatchObject({ state: 'held', reason: 'already_paid', suggested_reference: opened.reference });
    await verifyMoney(world);
    expect((await seeCheckout(opened)).text).toContain('A second payment arrived');
    expectWords((await chargePage()).text, ['Paid at the till as'], ['This bill was cancelled']);
    // The page stays the same after the charge expires.
    world.clock.nowMs += 40 * MINUTE_MS;
    await world.housekeeping();
    expect((await seeCheckout(opened)).text).toContain('Paid at the counter');
  });

  test('leaves scanned charges unpaid if the cashier answers no', async () => {
    await take({ scanned: 'no' });
    await expectUnpaid();
    await undo();
    await take({ scanned: opened.reference });
    expect(await world.chargeRow(opened.reference)).toHaveProperty('paid_as');
    await undo();
    await expectUnpaid();
    expect(await shop.receipt(receipt)).toMatchObject({ state: 'held' });
    await shop.pay(mtn({ reference: opened.reference }));
    expect(await world.chargeRow(opened.reference)).toMatchObject({ state: 'success' });
  });

  test('reopens the selected charge after a reversal', async () => {
    await take({ scanned: opened.reference });
    await shop.arrive(reversal(receipt.id));
    expect(await takenNow()).toMatchObject({ state: 'reversed' });
    await expectUnpaid();
    expect((await seeCheckout(opened)).text).toContain('Send exactly');
    expect((await chargePage()).text).not.toContain('no longer asks for money');
    await shop.pay(mtn({ reference: opened.reference }));
    expect(await world.chargeRow(opened.reference)).toMatchObject({ state: 'success' });
  });

  test('reopens a charge that was claimed during the reversal', async () => {
    await take({ scanned: 'no' });
    const usual = world.dynamoDb;
    world.dynamoDb = async ({ input }, send) => {
      if (JSON.stringify(input).includes('reversed_at')) {
        world.dynamoDb = usual;
        expect((await claimIt()).status).toBe(200);
      }
      await send();
    };
    await shop.arrive(reversal(receipt.id));
    expect(await takenNow()).toMatchObject({ state: 'reversed', goods: { scanned: opened.reference } });
    await expectUnpaid();
  });

  test.each([
    ['undone', undo],
    ['reversed by the network', () => shop.arrive(reversal(receipt.id))],
  ])('lets an earlier payment pay the charge once the tap is %s', async (_, gone) => {
    await take({ scanned: opened.reference });
    const hers = mtn({ reference: opened.reference, from: 'AMA OWUSU' });
    await shop.pay(hers);
    await verifyMoney(world);
    expect((await seeCheckout(opened)).text).toContain('A second payment arrived');
    await gone();
    await world.followPayments();
    const payment = { receipt_id: shop.paymentId(hers), matched_by: 'reference' };
    expect(await world.chargeRow(opened.reference)).toMatchObject({ state: 'success', payment });
    expectWords((await seeCheckout(opened)).text, [], ['Send exactly', 'A second payment arrived']);
  });

  test('fails if the selected charge is paid simultaneously', async () => {
    world.rightBefore('TransactWriteItems', () => shop.pay(mtn({ reference: opened.reference })));
    expect((await take({ scanned: opened.reference })).status).toBe(409);
    expect({ takenNow: await takenNow(), state: (await world.chargeRow(opened.reference))?.state }).toEqual({
      takenNow: undefined,
      state: 'success',
    });
    expect(await shop.receipt(receipt)).toMatchObject({ state: 'held' });
  });

  test('turns a simultaneous payment by reference into a second payment', async () => {
    world.rightBefore('TransactWriteItems', () => take({ scanned: opened.reference }));
    await shop.pay(mtn({ reference: opened.reference }));
    expect(await world.chargeRow(opened.reference)).toMatchObject({ state: 'pending', paid_as: expect.anything() });
    const held = (await world.rows('RECEIPT')).filter(({ state }) => state === 'held');
    expect(held).toMatchObject([{ reason: 'already_paid' }]);
  });

  test.each<[string, () => Promise<string>]>([
    ['with another amount', async () => (await scanned('35')).reference],
    ['opened elsewhere', () => shop.charge({ amount: 36 })],
    [
      'that has expired',
      async () => {
        world.clock.nowMs += 31 * MINUTE_MS;
        return opened.reference;
      },
    ],
    [
      'opened at another till',
      async () => {
        await make(manager, await newTill('Counter 2'));
        const other = (await stickers()).find((slug) => slug !== sticker) ?? '';
        return (await world.openLink(other, { amount: '36' })).reference;
      },
    ],
  ])('cannot select a charge %s', async (_, wrong) => {
    expectAnswer(await take({ scanned: await wrong() }), 409, 'Nothing was taken. Tap the payment again.');
    expect(await takenNow()).toBeUndefined();
  });

  describe('answered with “No”', () => {
    beforeEach(async () => {
      await take({ scanned: 'no' });
    });

    test('closes the charge of the customer who claims the payment', async () => {
      const { status, json } = await claimIt();
      expect({ status, dataStatus: json.data.status }).toEqual({ status: 200, dataStatus: 'cancelled' });
      const taken = await takenNow();
      expect(await world.chargeRow(opened.reference)).toMatchObject({ paid_as: taken?.reference });
      expect((await seeCheckout(opened)).text).toContain('Paid at the counter');
      expect((await claimIt()).status).toBe(200);
      // A successful claim does not count as wrong.
      expect(await wrongClaims()).toEqual([0]);
      await undo();
      expect((await seeCheckout(opened)).text).toContain('Waiting for payment');
    });

    test.each([
      ['another id', () => claimIt('51234567899')],
      ['another name', () => claimIt(receipt.id, 'Ama Owusu')],
    ])('counts a claim with %s as wrong', async (_, claimed) => {
      expect((await claimed()).status).toBe(422);
      await expectUnpaid();
      expect(await wrongClaims()).toEqual([1]);
    });

    test.each<[string, () => Promise<{ access_code: string; reference: string }>]>([
      ['has another amount', () => scanned('35')],
      ['was opened after the tap', () => scanned('36')],
      ['is a web order', () => shop.createCharge()],
    ])('closes no charge if the claiming charge %s', async (_, other) => {
      world.clock.nowMs += 1_000;
      opened = await other();
      expect((await claimIt()).status).toBe(422);
      expect(await world.chargeRow(opened.reference)).toMatchObject({ state: 'pending' });
      await expectUnpaid();
    });

    test('closes only one of several charges', async () => {
      expect((await claimIt()).status).toBe(200);
      world.clock.nowMs -= 60_000;
      opened = await scanned('36');
      world.clock.nowMs += 60_000;
      expect((await claimIt()).status).toBe(422);
      await expectUnpaid();
    });
  });
});

describe('handing over goods', () => {
  test('ends the green display', async () => {
    const { reference } = await paidScan();
    const before = await version();
    expect(isGreen((await see({ amount: '36' })).text)).toBe(true);
    const answer = await tap(reference);
    expect({ status: answer.status, location: answer.headers.location }).toEqual({
      status: 303,
      location: `${TILL}/${till}`,
    });
    expect(await version()).not.toBe(before);
    const keys = (await see()).text;
    expect([keys, (await see({ amount: '36' })).text].map(isGreen)).toEqual([false, false]);
    expectWords(keys, ['>Handed over<', '>Not verified<'], ['/hand-out"']);
    expect((await manager.visit(`/dashboard/charges/${reference}`)).text).toContain('Goods handed over at the till');
  });

  test('is recorded once if two users tap simultaneously', async () => {
    const { reference } = await paidScan();
    expect(await atOnce(() => tap(reference))).toEqual([303, 409]);
    expect((await tap(reference)).text).toContain('Do not hand over goods for it again');
    expect(await shop.audit(/^till hand-out$/)).toMatchObject([{ about: reference }]);
  });

  test('is possible after the green display has ended', async () => {
    const { reference } = await paidScan();
    expect((await see()).text.match(/\/hand-out"/g)).toHaveLength(1);
    world.clock.nowMs += MINUTE_MS;
    expect((await see()).text.match(/\/hand-out"/g)).toHaveLength(1);
    expect((await tap(reference)).status).toBe(303);
  });

  const paidThen = async (happens: (paid: Awaited<ReturnType<typeof paidScan>>) => Promise<unknown>) => {
    const paid = await paidScan();
    await happens(paid);
    return paid;
  };

  test.each<[string, () => Promise<{ reference: string }>]>([
    ['not paid', () => scanned('36')],
    ['paid in part', () => paidScan('36', { amount: '30.00' })],
    ['in doubt', () => paidThen(({ reference }) => dispute(reference))],
    ['reversed', () => paidThen(({ receipt }) => shop.arrive(reversal(receipt.id)))],
    ['refunded', () => paidThen(({ reference }) => noteBack(reference))],
  ])('fails for a charge that is %s', async (_, opened) => {
    const { reference } = await opened();
    expect((await see()).text).not.toContain('/hand-out"');
    expectAnswer(await tap(reference), 409, 'Do not hand over goods for it');
    expect((await world.rows('TRANSACTION')).some(({ goods }) => Object(goods).state === 'given')).toBe(false);
  });

  test('is limited by the daily limit for unverified payments', async () => {
    // Taps may use up to three quarters of the limit.
    await shop.change({ new_wallet_daily_limit_pesewas: 4_800 });
    world.clock.nowMs += MINUTE_MS;
    const [first, second] = [await paidScan(), await paidScan()];
    expect((await tap(first.reference)).status).toBe(303);
    expectAnswer(await tap(second.reference), 409, cannotTake.limit);
  });

  test('counts an unverified payment towards the limit for taps', async () => {
    const { reference } = await paidScan();
    await tap(reference);
    expect((await world.chargeRow(reference))?.payment?.counted_in).toContain('#till#');
  });

  test('fails without a shift or for another link’s charge', async () => {
    for (const reference of [await shop.charge({ amount: 36 }), 'MK-0000000000'])
      expect((await tap(reference)).status).toBe(404);
    await ama.visit(`${TILL}/${till}/end`, { form: { shift: await shiftNow() } });
    expect((await tap((await scanned('36')).reference)).status).toBe(409);
  });

  test('fails for a charge that has no goods at the counter', async () => {
    const { reference } = await paidScan();
    for (const goods of [{ kind: 'code', state: 'waiting' }, undefined]) {
      await world.outside.table.write([changeItem(chargeRows.key({ reference }), { goods })]);
      expect((await tap(reference)).status).toBe(404);
    }
  });

  test("is reserved for the shift's cashier", async () => {
    const { reference } = await paidScan();
    expect((await tap(reference, manager)).status).toBe(409);
    const other = await newTill('Counter 2', manager);
    expect((await manager.visit(`${TILL}/${other}/hand-out`, { form: { reference } })).status).toBe(404);
    expect((await tap(reference)).status).toBe(303);
  });
});

test('the till does not turn green if a different amount was typed', async () => {
  await paidScan('3');
  expect(isGreen((await see({ amount: '36' })).text)).toBe(false);
  expect(isGreen((await see({ amount: '3' })).text)).toBe(true);
});

test('the till’s list marks part payments and reversals', async () => {
  await paidScan('50', { amount: '30.00' });
  await shop.arrive(reversal((await paidScan('20')).receipt.id));
  await scanned('7.77');
  const { text } = await see();
  expectWords(text, ['Only GHS 30.00 paid', 'Reversed', 'GHS 7.77']);
  expect(isGreen(text)).toBe(false);
  world.clock.nowMs += 31 * MINUTE_MS;
  expect((await see()).text).not.toContain('GHS 7.77');
});

test('an open till reloads when a charge changes', async () => {
  // A version also changes with each minute.
  world.clock.nowMs += MINUTE_MS - (world.clock.nowMs % MINUTE_MS);
  const versions = [await version()];
  expect(await version()).toBe(versions[0]);
  const { reference } = await scanned('36');
  versions.push(await version());
  await shop.pay(mtn({ reference }));
  versions.push(await version());
  world.clock.nowMs += 2 * MINUTE_MS;
  versions.push(await version());
  expect(new Set(versions).size).toBe(4);
});

describe('the list of scanned charges', () => {
  const shown = (text: string) => {
    const [, list = ''] = /<h2>Customers who scanned the sticker<\/h2>([\s\S]*)/.exec(text) ?? [];
    return [...list.matchAll(/GHS (\d+)\.00/g)].map(([, amount]) => amount);
  };

  test('includes unpaid charges from before the shift', async () => {
    await paidScan('7');
    await scanned('8');
    world.clock.nowMs += 25 * MINUTE_MS;
    const kofi = await kofisShift();
    await world.followChanges();
    const seen = async () => shown((await kofi.visit(`${TILL}/${till}`)).text);
    expect(await seen()).toEqual(['8']);
    world.clock.nowMs += 6 * MINUTE_MS;
    expect(await seen()).toEqual([]);
  });

  test('separates unverified payments, with the warning below their heading', async () => {
    await paidScan('7');
    const headings = async () => {
      const [, list = ''] = /<h2>Customers who scanned the sticker<\/h2>([\s\S]*)/.exec((await see()).text) ?? [];
      return [...list.matchAll(/<h3>([^<]*)<\/h3>(?:<p class="notice look">.*?<b>([^<]*))?/g)].map(
        ([, ...words]) => words,
      );
    };
    expect(await headings()).toEqual([['Paid, not verified', 'Check the MoMo balance first.']]);
    await verifyMoney(world);
    expect(await headings()).toEqual([['Paid', undefined]]);
  });

  test('keeps the shift’s payments for hours', async () => {
    await paidScan('7');
    world.clock.nowMs += 2 * 60 * MINUTE_MS;
    expect(shown((await see()).text)).toEqual(['7']);
  });

  test('starts with the newest scan or payment', async () => {
    const scans = [];
    for (const amount of ['7', '8', '9']) {
      world.clock.nowMs += 10_000;
      scans.push(await scanned(amount));
      if (amount === '9') continue;
      await endSticker();
      await make(manager);
      [sticker = ''] = await stickers();
    }
    expect(shown((await see()).text)).toEqual(['9', '8']);
    world.clock.nowMs += 10_000;
    await shop.pay(mtn({ amount: '8.00', reference: scans[1]?.reference }));
    await world.followChanges();
    expect(shown((await see()).text)).toEqual(['8', '9']);
    world.clock.nowMs += 10_000;
    await scanned('10');
    expect(shown((await see()).text)).toEqual(['8', '10', '9']);
  });

  test('excludes charges from other links', async () => {
    await shop.charge({ amount: 36 });
    const body = { title: 'Wi-Fi', amount: 36 };
    await world.openLink((await shop.call('link/create', { body })).json.data.slug);
    await world.followChanges();
    expect(shown((await see({ amount: '36' })).text)).toEqual([]);
  });
});

test('a payment is shown in green for 30 seconds', async () => {
  const { reference } = await paidScan();
  const paid = await getCharge(world.outside, reference, shop.id);
  const merchant = await merchantRows.find(world.outside, { merchant_id: shop.id });
  if (!paid?.paid_at || !merchant) throw new Error('Nothing was paid');
  const paidMs = Date.parse(paid.paid_at);
  const isGreenAt = (ms: number) => greenOf({ now: () => paidMs + ms }, merchant, paid) !== undefined;
  expect([29_999, 30_000].map(isGreenAt)).toEqual([true, false]);
});

test('the till turns green despite many newer charges', async () => {
  await paidScan('36', { from: 'ESI OWUSU' });
  for (let n = 0; n < 45; n++) {
    world.clock.nowMs += 200;
    await scanned('5');
  }
  expectGreen((await see()).text, 'ESI OWUSU');
});

test('goods can be handed over after a partial refund', async () => {
  const { reference } = await paidScan('36', { amount: '40.00' });
  const mayHandOut = async () => (await see()).text.includes('>Mark as handed over<');
  expect(await mayHandOut()).toBe(true);
  await noteBack(reference, 4);
  expect(await mayHandOut()).toBe(true);
  await noteBack(reference, 36);
  expect(await mayHandOut()).toBe(false);
});

test('a payment among many small ones is found by time or amount', async () => {
  const { reference } = await scanned('36');
  const flood = async (first: number) => {
    for (let n = first; n < first + 42; n++) {
      world.clock.nowMs += 100;
      await paidScan('5', { amount: '0.01', from: 'EVE THIEF' });
    }
    await world.followChanges();
  };
  await flood(0);
  world.clock.nowMs += 1_000;
  await shop.pay(mtn({ reference, from: 'ESI OWUSU' }));
  await world.followChanges();
  const { text } = await see();
  const [first] = tillLinesIn(text, 'Customers who scanned the sticker');
  expect({ isGreen: isGreen(text), first: first?.payer }).toEqual({ isGreen: true, first: 'ESI OWUSU' });
  await flood(100);
  expect(isGreen((await see({ amount: '36' })).text)).toBe(true);
});

test('the daily closing lists the day’s sticker payments', async () => {
  const closing = async (by: Person, query: Record<string, string> = {}) =>
    (await by.visit(`${TILL}/closing`, { query })).text;
  expect(await closing(manager)).not.toContain('paid at the sticker');
  world.clock.nowMs = Date.parse('2026-11-20T23:50:00Z');
  const late = await scanned('36');
  const { receipt } = await paidScan('20');
  await scanned('5');
  world.clock.nowMs += 15 * MINUTE_MS;
  await shop.pay(mtn({ reference: late.reference }));
  await shop.arrive(reversal(receipt.id));
  await world.followChanges();
  const [before, after] = [await closing(manager, { day: '2026-11-20' }), await closing(manager)];
  expect(before).toMatch(/Counter 1 · paid at the sticker[\s\S]*GHS 0.00 \(0\)[\s\S]*GHS 20.00 \(1\)/);
  expect(after).toMatch(/Counter 1 · paid at the sticker[\s\S]*GHS 36.00 \(1\)[\s\S]*GHS 0.00 \(0\)/);
  expect(await closing(ama)).not.toContain('paid at the sticker');
});

test('a charge from an ended sticker still appears at its till', async () => {
  const { reference } = await scanned('36');
  await manager.visit(`/dashboard/links/${sticker}/end`, { form: {} });
  expect((await ama.visit(TILL)).text).not.toContain(`/pay/${sticker}/poster`);
  await make(manager);
  const [other] = await stickers();
  expect((await ama.visit(TILL)).text).toContain(`/pay/${other}/poster`);
  await shop.pay(mtn({ reference, from: 'ESI OWUSU' }));
  await world.followChanges();
  expectGreen((await see()).text, 'ESI OWUSU');
  expect((await manager.visit(`${TILL}/closing`)).text).toMatch(/paid at the sticker[\s\S]*GHS 36.00 \(1\)/);
});

test('removing a till ends its sticker', async () => {
  await manager.visit(`${TILL}/${till}/remove`, { form: {} });
  expect((await world.call('pay/page', { parameters: { slug: sticker } })).text).toContain(
    'This link is no longer active',
  );
  expect((await world.pressPay(sticker, { amount: '36' })).status).toBe(410);
  expect((await make(manager)).status).toBe(404);
  await changeLink({ ends_at: '2099-01-01T00:00:00Z' });
  expect((await world.pressPay(sticker, { amount: '36' })).status).toBe(410);
});

test("a sticker's charges are not shown at another till", async () => {
  const other = await newTill('Counter 2', ama);
  await make(manager, other);
  await scanned('36');
  expect((await ama.visit(`${TILL}/${other}`)).text).toContain('Nobody has scanned the sticker');
});

// Customers who try to get goods without paying, or who are just unlucky.

describe('the till’s green display', () => {
  test('does not apply to the next customer', async () => {
    await paidScan('36', { from: 'ESI OWUSU' });
    expect(isGreen((await see({ amount: '36' })).text)).toBe(true);
    // The next customer shows a phone without having paid.
    world.clock.nowMs += MINUTE_MS;
    expect(isGreen((await typeAmount('36')).text)).toBe(false);
    await paidScan('36', { from: 'YAW DARKO' });
    expect((await typeAmount('36')).text).toContain('YAW DARKO');
  });

  test('is not shown after a rejected tap', async () => {
    const kofi = await shop.signIn('cashier');
    const other = await newTill('Counter 2', kofi);
    await paidScan('36', { from: 'ESI OWUSU' });
    await world.followChanges();
    // The other till's cashier takes this payment first.
    await held();
    world.clock.nowMs += MINUTE_MS;
    const [form, faster] = [await takeForm('36'), await takeForm('36', kofi, other)];
    expect((await kofi.visit(`${TILL}/${other}/take`, { form: faster })).status).toBe(303);
    const refused = await ama.visit(`${TILL}/${till}/take`, { form });
    expect(refused.text).toContain('Do not hand over goods for it again');
    expect(isGreen(refused.text)).toBe(false);
  });

  test('includes a charge opened before the shift and paid during it', async () => {
    const { reference } = await scanned('36');
    world.clock.nowMs += 10_000;
    const kofi = await kofisShift();
    world.clock.nowMs += 10_000;
    await shop.pay(mtn({ reference, from: 'ESI OWUSU' }));
    await world.followChanges();
    expectGreen((await kofi.visit(`${TILL}/${till}`)).text, 'ESI OWUSU');
  });

  test('shows part payments and reversals', async () => {
    await paidScan('50', { amount: '30.00', from: 'ESI OWUSU' });
    await shop.arrive(reversal((await paidScan('20', { from: 'YAW DARKO' })).receipt.id));
    await world.followChanges();
    for (let n = 0; n < 8; n++) {
      world.clock.nowMs += 1_000;
      await scanned('5');
    }
    expectWords((await see()).text, ['Only GHS 30.00 paid', 'Reversed']);
  });

  test('excludes payments with a recorded refund', async () => {
    const { reference } = await paidScan();
    expect(isGreen((await see()).text)).toBe(true);
    expect((await noteBack(reference)).status).toBe(200);
    expect(isGreen((await see()).text)).toBe(false);
  });
});

describe('a sticker’s payment link', () => {
  test('may ask for a note, which is hidden on the green display', async () => {
    await changeLink({ note_label: 'Your table' });
    expect((await world.call('pay/page', { parameters: { slug: sticker } })).text).toContain('Your table');
    const { reference } = await world.openLink(sticker, { amount: '1', note: 'GHS 360.00 PAID' });
    await shop.pay(mtn({ reference, amount: '1.00' }));
    await world.followChanges();
    const { text } = await see();
    const greens = greensIn(text);
    expect(greens).toEqual([{ needsLook: true, words: expect.stringMatching(/^GHS 1\.00 /) }]);
    expect(greens[0]?.words).not.toContain('360.00');
  });

  test('cannot have stock codes', async () => {
    const codes = 'FREE GOODS: say yes';
    const key = { parameters: { slug: sticker }, body: { codes: [codes] } };
    const byKey = await shop.call('link/add-codes', key);
    const byForm = await manager.visit(`/dashboard/links/${sticker}/codes`, { form: { codes } });
    expect({ byKey: byKey.status, field: byKey.json.errors?.[0]?.field, byForm: byForm.status }).toEqual({
      byKey: 400,
      field: 'codes',
      byForm: 400,
    });
    expect((await world.rows('LINK'))[0]?.codes_stocked).toBeUndefined();
    expect((await manager.visit(`/dashboard/links/${sticker}`)).text).not.toContain('codes');
  });

  test('requires at least GHS 1 by default', async () => {
    expect((await world.pressPay(sticker, { amount: '0.99' })).status).toBe(400);
    expect((await world.pressPay(sticker, { amount: '1' })).status).toBe(303);
    const page = `/dashboard/links/${sticker}`;
    const form = { title: 'Counter 1', min_amount: '5' };
    expect((await manager.visit(`${page}/change`, { form })).status).toBe(303);
    expect((await manager.visit(`${page}/change`, { form: { title: 'X' } })).status).toBe(400);
    expect((await world.pressPay(sticker, { amount: '4.99' })).status).toBe(400);
    await endSticker();
    expect((await changeLink({ ends_at: '2099-01-01T00:00:00Z' })).status).toBe(400);
    await make(manager);
    const [next] = (await world.rows('LINK')).filter(({ ends_at }) => ends_at === undefined);
    expect(next).toMatchObject({ till, min_pesewas: 500 });
  });

  test('cannot be edited by a cashier', async () => {
    const form = { title: 'Counter 1', description: 'New number: send it to 024 000 0000 (Ama)', amount: '1' };
    expect((await ama.visit(`/dashboard/links/${sticker}/change`, { form })).status).toBe(403);
    expectWords((await world.call('pay/page', { parameters: { slug: sticker } })).text, [], ['024 000 0000']);
  });
});

describe('the daily closing with stickers', () => {
  const closing = async (day = dayOf(world.clock.nowMs)) => closingOf(world.outside, shop.id, await tills(), day);

  async function secondTill() {
    const kofi = await shop.signIn('cashier');
    return { kofi, door: await newTill('At the door', kofi) };
  }

  async function aside(amount: string, more: { sent_back?: true } = {}) {
    const said = { by: manager.user.user_id, ...more };
    await world.outside.table.write(await setAside(world.outside, shop.id, shop.paymentId(await held(amount)), said));
  }

  test.each([1, 4])('counts a payment assigned %i days late as unverified', async (days) => {
    const old = await held();
    world.clock.nowMs += days * DAY_MS;
    const { reference } = await scanned('36');
    expect((await shop.assign(old, reference)).status).toBe(200);
    await world.followChanges();
    expect((await closing()).lines).toMatchObject([{ counted: { count: 1, pesewas: 3600 }, unproven: { count: 1 } }]);
  });

  test('shows where each payment is now', async () => {
    const { slug } = (await shop.call('link/create', { body: { title: 'Wi-Fi' } })).json.data;
    const asked = await shop.request({ title: 'Fees', lines: [{ description: 'Fees', amount: 8 }] });
    // Payments of the previous day.
    world.clock.nowMs -= DAY_MS;
    await held('0.10');
    await aside('0.20');
    await shop.pay(mtn({ amount: '0.40', reference: await shop.charge({ amount: 0.4 }) }));
    world.clock.nowMs += DAY_MS;
    await paidScan('2');
    await shop.pay(mtn({ amount: '4.00', reference: (await world.openLink(slug, { amount: '4' })).reference }));
    await shop.pay(mtn({ amount: '8.00', reference: await world.openPart(asked, '8') }));
    const order = await shop.charge({ amount: 15 });
    // An overpayment of GHS 1.
    await shop.pay(mtn({ amount: '16.00', reference: order }));
    await shop.pay(mtn({ amount: '32.00', reference: await shop.charge({ amount: 99 }) }));
    await held('64.00');
    await aside('128.00');
    await aside('256.00', { sent_back: true });
    await shop.arrive(reversal((await held('512.00')).id));
    await shop.pay(mtn({ amount: '1024.00', reference: order }));
    await shop.arrive(reversal('51234567891'));
    await held('1.00');
    await takeAt('1');
    await world.followChanges();
    const { arrived, now, owed, toLookInto, lines, isMore } = await closing();
    expect(Object.fromEntries([...now].map(([place, sum]) => [place, sum.pesewas / 100]))).toEqual({
      till: 1,
      sticker: 2,
      link: 4,
      request: 8,
      charge: 16,
      part: 32,
      waiting: 64 + 1_024,
      set_aside: 128,
      sent_back: 256,
      taken_back: 512,
    });
    // The wallet is new, so no payment is verified.
    const all = { count: 11, pesewas: 204_700 };
    expect({ arrived, owed, toLookInto }).toEqual({
      arrived: { ...all, unproven: all },
      owed: { count: 0, pesewas: 0 },
      toLookInto: { count: 2, pesewas: 102_500 },
    });
    expect(lines).toMatchObject([{ counted: { pesewas: 100 } }, { counted: { pesewas: 200 } }]);
    expect(isMore).toBe(false);
  });

  test('lists the first and last tap per till and cashier', async () => {
    const { kofi, door } = await secondTill();
    const times: string[] = [];
    for (const [amount, by, id] of [
      ['1', ama, till],
      ['2', kofi, door],
      ['3', ama, till],
    ] as const) {
      world.clock.nowMs += 1_000;
      await held(`${amount}.00`);
      await takeAt(amount, by, id);
      times.push((await lastTake(id)).at);
    }
    const { lines } = await closing();
    expect(lines.flatMap(({ again }) => again)).toEqual([]);
    expect(
      lines.map(({ by, firstAt, lastAt, counted }) => ({ by, firstAt, lastAt, pesewas: counted.pesewas })),
    ).toEqual([
      { by: kofi.user.user_id, firstAt: times[1], lastAt: times[1], pesewas: 200 },
      { by: ama.user.user_id, firstAt: times[0], lastAt: times[2], pesewas: 400 },
    ]);
  });

  test('separates unverified, disputed, undone and reversed money', async () => {
    for (const amount of ['1', '2', '4', '8', '16']) {
      await held(`${amount}.00`);
      await takeAt(amount);
    }
    const ofAmount = async (pesewas: number) => {
      const found = (await world.rows('TRANSACTION')).find(({ amount_pesewas }) => amount_pesewas === pesewas);
      return { reference: String(found?.reference), payment: Object(found?.payment) };
    };
    const prove = async (pesewas: number, proof: object | undefined) => {
      const charge = await ofAmount(pesewas);
      const { proof: _, ...payment } = charge.payment;
      await setCharge(world, charge, { payment: { ...payment, ...(proof && { proof }) } });
    };
    await prove(100, { state: 'proven' });
    await prove(200, undefined);
    await dispute((await ofAmount(400)).reference);
    await undoAt((await ofAmount(800)).reference);
    const back = await ofAmount(1_600);
    await dispute(back.reference);
    await shop.arrive(reversal(back.payment.transaction_id));
    // Verify only one of two parts.
    const { reference } = await scanned('32');
    for (const amount of ['20.00', '12.00']) await shop.pay(mtn({ amount, reference }));
    await prove(3_200, { state: 'proven' });
    await world.followChanges();
    const { lines } = await closing();
    const cedis = ({ pesewas }: { pesewas: number }) => pesewas / 100;
    const sums = lines.map(({ counted, unproven, disputed, undone, takenBack }) => ({
      counted: cedis(counted),
      unproven: cedis(unproven),
      disputed: cedis(disputed),
      undone: cedis(undone),
      takenBack: cedis(takenBack),
    }));
    expect(sums).toEqual([
      { counted: 1 + 2 + 4, unproven: 2 + 4, disputed: 4, undone: 8, takenBack: 16 },
      { counted: 32, unproven: 32, disputed: 0, undone: 0, takenBack: 0 },
    ]);
  });

  test('lists a retaken payment under its first cashier', async () => {
    const { kofi, door } = await secondTill();
    const receipt = await held('5.00');
    const undone: string[] = [];
    for (const [by, id] of [
      [kofi, door],
      [ama, till],
    ] as const) {
      world.clock.nowMs += 1_000;
      await takeAt('5', by, id);
      undone.push(await undoAt((await lastTake(id)).reference, by, id));
    }
    const named = async () => {
      const { lines } = await closing();
      return lines.map(({ till: { name }, again }) => ({ till: name, again: again.map((one) => one.reference) }));
    };
    expect(await named()).toEqual([
      { till: 'At the door', again: [undone[1]] },
      { till: 'Counter 1', again: [] },
    ]);
    const reference = await shop.charge({ amount: 5 });
    await shop.assign(receipt, reference);
    expect(await named()).toEqual([
      { till: 'At the door', again: [reference] },
      { till: 'Counter 1', again: [reference] },
    ]);
  });

  test('counts an overpayment on the day its charge is completed', async () => {
    world.clock.nowMs = Date.parse('2026-11-20T12:00:00Z');
    const reference = await shop.charge({ amount: 10 });
    await shop.pay(mtn({ amount: '5.00', reference }));
    world.clock.nowMs = Date.parse('2026-11-21T11:00:00Z');
    await shop.pay(mtn({ amount: '20.00', reference }));
    const days = await Promise.all(['2026-11-20', '2026-11-21'].map(closing));
    expect(days.map(({ toLookInto }) => toLookInto.pesewas)).toEqual([0, 1_500]);
  });

  test('counts a till payment under charges after its charge is deleted', async () => {
    await held('1.00');
    await takeAt('1');
    await world.outside.table.remove(chargeRows.key({ reference: (await lastTake()).reference }));
    const { now, lines } = await closing();
    expect(now.get('charge')).toMatchObject({ count: 1, pesewas: 100 });
    expect(lines).toMatchObject([{ counted: { count: 0 }, undone: { count: 0 }, again: [] }]);
  });

  test('counts sticker payments from midnight to midnight', async () => {
    const [day, before, after] = ['2026-11-21', '2026-11-20', '2026-11-22'];
    const paidAt = async (amount: string, now: string, paid_at?: string) => {
      world.clock.nowMs = Date.parse(now);
      const charge = await paidScan(amount);
      await world.followChanges();
      if (paid_at) await setCharge(world, charge, { paid_at });
    };
    await paidAt('1', `${before}T01:00:00Z`, `${day}T23:59:59.999Z`);
    await paidAt('2', `${before}T23:00:00Z`, `${before}T23:59:59.999Z`);
    await paidAt('4', `${day}T12:00:00Z`, `${day}T00:00:00.000Z`);
    await paidAt('8', `${day}T23:59:58Z`);
    await paidAt('16', `${day}T23:00:00Z`, `${after}T00:00:00.000Z`);
    await paidScan('64', { amount: '32.00' });
    const { lines } = await closing(day);
    expect(lines).toMatchObject([
      { firstAt: `${day}T00:00:00.000Z`, lastAt: `${day}T23:59:59.999Z`, counted: { count: 3, pesewas: 1_300 } },
    ]);
  });

  test.each(['held', 'set_aside', 'matched', 'TAKE#', 'LOOKUP#'])(
    'reads at most eight pages of the list %s',
    async (list) => {
      await paidScan('5', { amount: '2.00' });
      await aside('3.00');
      for (const amount of ['4.00', '1.00']) await held(amount);
      await takeAt('1');
      await endSticker();
      await make(manager);
      await world.followChanges();
      const { table } = world.outside;
      type Listed = Awaited<ReturnType<typeof table.listPage>>;
      /** Fakes a list of `most` pages, each with 500 copies of its first row. */
      const closingOfPages = async (most: number) => {
        let pages = 0;
        const stretched = (partition: string, start: PageStart | undefined, found: Listed) => {
          const [first] = found.items;
          if (!partition.includes(list) || !first) return found;
          pages++;
          const page = Number(start?.sort ?? 1);
          const more = { pk: 'x', sk: 'x', sort: String(page + 1) };
          return { items: Array.from({ length: 500 }, () => first), next: page < most ? more : undefined };
        };
        world.outside.table = {
          ...table,
          listPage: async (partition, { start, ...page } = {}) =>
            stretched(partition, start, await table.listPage(partition, page)),
          listIndex: async (index, partition, { start, ...page } = {}) =>
            stretched(partition, start, await table.listIndex(index, partition, page)),
        };
        const { isMore } = await closing();
        return [pages, isMore];
      };
      expect(await closingOfPages(2)).toEqual([2, false]);
      expect(await closingOfPages(9)).toEqual([8, true]);
    },
  );

  test('excludes the remaining parts of a reversed charge', async () => {
    const { reference } = await paidScan('50', { amount: '30.00' });
    const second = mtn({ reference, amount: '20.00' });
    await shop.pay(second);
    await shop.arrive(reversal(second.id));
    await world.followChanges();
    const { lines, now } = await closing();
    expect({ waitingPesewas: now.get('waiting')?.pesewas, link: now.get('link') }).toMatchObject({
      waitingPesewas: 3_000,
      link: { count: 0, pesewas: 0 },
    });
    expect(lines).toMatchObject([{ counted: { pesewas: 0 }, takenBack: { count: 1, pesewas: 2_000 } }]);
  });

  test('includes a late payment assigned to an expired charge', async () => {
    world.clock.nowMs = Date.parse('2026-11-20T23:50:00Z');
    const { reference } = await scanned('36');
    // The phone was off, so the text arrives a day late.
    world.clock.nowMs = Date.parse('2026-11-22T00:10:00Z');
    const receipt = mtn({ reference });
    expect(await shop.pay(receipt)).toMatchObject({ state: 'held' });
    expect((await shop.assign(receipt, reference)).json.message).toBe('Receipt assigned');
    await world.followChanges();
    const days = await Promise.all(['2026-11-20', '2026-11-21', '2026-11-22'].map(closing));
    expect(days.map(({ lines }) => lines[0]?.counted.pesewas)).toEqual([undefined, undefined, 3_600]);
  });
});

function tills() {
  return tillRows.list(world.outside, { merchant_id: shop.id });
}

/** Adds a till, and starts a shift there if `by` is given. */
async function newTill(name: string, by?: Person): Promise<string> {
  await manager.visit(`${TILL}/new`, { form: { name } });
  const id = (await tills()).find((one) => one.name === name)?.till_id ?? '';
  if (by) await by.visit(`${TILL}/${id}/begin`, { form: {} });
  return id;
}

async function shiftNow(): Promise<string> {
  return (await tills())[0]?.shift?.shift_id ?? '';
}

/** Ends Ama's shift and starts Kofi's. */
async function kofisShift(): Promise<Person> {
  const kofi = await shop.signIn('cashier');
  const form = { instead_of: await shiftNow() };
  expect((await kofi.visit(`${TILL}/${till}/begin`, { form })).status).toBe(303);
  return kofi;
}

/** Returns the form fields of the newest payment with this amount. */
async function takeForm(amount: string, by = ama, id = till) {
  const { text } = await by.visit(`${TILL}/${id}`, { query: { amount } });
  const [, receipt = ''] = /name="receipt" value="([^"]+)"/.exec(text) ?? [];
  const [, shift = ''] = /name="shift" value="([^"]+)"/.exec(text) ?? [];
  return { receipt, shift, amount };
}

/** Receives a payment without a reference one second later. */
async function held(amount = '36.00', from?: string): Promise<ReceiptText> {
  world.clock.nowMs += 1_000;
  const receipt = mtn({ amount, reference: 'table', ...(from && { from }) });
  await shop.pay(receipt);
  return receipt;
}

async function takeAt(amount: string, by = ama, id = till): Promise<void> {
  const form = await takeForm(amount, by, id);
  expect((await by.visit(`${TILL}/${id}/take`, { form })).status).toBe(303);
}

async function lastTake(id = till) {
  const take = (await world.outside.table.listPage(`TAKE#${shop.id}#${id}`)).items.at(-1);
  return { at: String(take?.at), reference: String(take?.reference) };
}

async function undoAt(reference: string, by = ama, id = till): Promise<string> {
  expect((await by.visit(`${TILL}/${id}/undo`, { form: { reference } })).status).toBe(303);
  return reference;
}

/** Submits a form twice in parallel and returns the statuses. */
async function atOnce(send: () => Promise<{ status: number }>): Promise<number[]> {
  return (await Promise.all([send(), send()])).map(({ status }) => status).toSorted();
}

function make(by: Person, id = till) {
  return by.visit(`${TILL}/${id}/sticker`, { form: {} });
}

/** Returns the slugs of the active stickers. */
async function stickers(): Promise<string[]> {
  const open = (await world.rows('LINK')).filter(({ ends_at }) => ends_at === undefined);
  return open.map(({ slug }) => String(slug));
}

function endSticker() {
  return shop.call('link/end', { parameters: { slug: sticker }, body: {} });
}

function changeLink(body: object) {
  return shop.call('link/change', { parameters: { slug: sticker }, body });
}

function noteBack(reference: string, amount?: number) {
  return shop.call('transaction/refund', { parameters: { reference }, body: { amount } });
}

function dispute(reference: string) {
  return world.outside.table.update(disputeCharge(world.outside, reference, 'conflict'));
}

function tap(reference: string, by: Person = ama) {
  return by.visit(`${TILL}/${till}/hand-out`, { form: { reference } });
}

function see(query: Record<string, string> = {}) {
  return ama.visit(`${TILL}/${till}`, { query });
}

/** Submits the keypad form as a browser does. */
async function typeAmount(amount: string) {
  const [, keys = ''] = /<form [^>]*method="get"(.*?)<\/form>/s.exec((await see()).text) ?? [];
  const hidden = [...keys.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  return see({ ...Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])), amount });
}

async function version(): Promise<string> {
  return versionIn((await see()).text);
}

/** Opens a charge at the sticker as a customer does. */
async function scanned(amount: string, note = 'x') {
  const opened = await world.openLink(sticker, { amount, note });
  await world.followChanges();
  return opened;
}

/** Opens a charge at the sticker and pays it. */
async function paidScan(amount = '36', text: Parameters<typeof mtn>[0] = {}) {
  const opened = await scanned(amount);
  const receipt = mtn({ amount: `${amount}.00`, reference: opened.reference, ...text });
  await shop.pay(receipt);
  return { ...opened, receipt };
}

function expectGreen(text: string, ...words: string[]): void {
  expect(isGreen(text)).toBe(true);
  expectWords(text, words);
}

function isGreen(text: string): boolean {
  return greensIn(text).length > 0;
}
