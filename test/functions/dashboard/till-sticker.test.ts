import { beforeEach, describe, expect, test } from 'vitest';
import { merchantRows } from '../../../shared/merchants/merchant/merchant.table.ts';
import { setAside } from '../../../shared/money/receipt/assign-receipt.ts';
import { closingOf } from '../../../shared/money/till/closing.ts';
import { greenOf } from '../../../shared/money/till/green.ts';
import { cannotTake } from '../../../shared/money/till/take.ts';
import { tillRows } from '../../../shared/money/till/till.table.ts';
import { disputeTransaction } from '../../../shared/money/transaction/change-transaction.table.ts';
import { getTransaction, transactionRows } from '../../../shared/money/transaction/transaction.table.ts';
import { changeItem, type Item, type PageStart } from '../../../shared/runtime/table/table.ts';
import { dayOf } from '../../../shared/runtime/values/calendar.ts';
import { mtn, type ReceiptText, reversal } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';

const TILL = '/dashboard/till';
const MINUTE_MS = 60_000;

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
  await manager.visit(`${TILL}/new`, { form: { name: 'Counter 1' } });
  till = (await tillRows.list(world.outside, { merchant_id: shop.id }))[0]?.till_id ?? '';
  await ama.visit(`${TILL}/${till}/begin`, { form: {} });
  await make(manager);
  sticker = (await world.rows('LINK'))[0]?.slug as string;
});

test('a till has one sticker, however often it is made, and the page to print it says what to do', async () => {
  const answers = await Promise.all([make(manager), make(manager)]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  const cookies = answers[0]?.cookies.map((cookie) => cookie.split(';')[0] ?? '') ?? [];
  const next = await manager.visit(TILL, { cookies });
  expect(next.text).toMatch(
    new RegExp(`role="status">.*is ready\\. <a href="[^"]*/pay/${sticker}/poster">Open it to print</a>`),
  );
  expect(await world.rows('LINK')).toMatchObject([{ title: 'Counter 1', till }]);
  expect(await tillRows.list(world.outside, { merchant_id: shop.id })).toMatchObject([
    { sticker, former_stickers: [] },
  ]);
  expect((await world.scan()).filter(({ action }) => action === 'sticker create')).toMatchObject([{ about: sticker }]);
  for (const by of [ama, manager]) {
    const { text } = await by.visit(TILL);
    expect([text.includes(`/pay/${sticker}/poster`), text.includes('Make a sticker')]).toEqual([true, false]);
  }
  const sheet = await world.call('pay/poster', { parameters: { slug: sticker } });
  expect(sheet.text).toContain('Type the amount that the cashier says.');
  expect((await manager.visit(`/dashboard/links/${sticker}`)).text).toContain('Sticker of');
  const { json } = await shop.call('link/show', { parameters: { slug: sticker } });
  expect(json.data.till).toBe(till);
});

test('a till whose sticker was ended gets one other, though two make it at the same moment', async () => {
  await shop.call('link/end', { parameters: { slug: sticker }, body: {} });
  const answers = await Promise.all([make(manager), make(manager)]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  const open = (await world.rows('LINK')).filter(({ ends_at }) => ends_at === undefined);
  expect(await tillRows.list(world.outside, { merchant_id: shop.id })).toMatchObject([
    { sticker: open[0]?.slug, former_stickers: [sticker] },
  ]);
  expect(open).toHaveLength(1);
});

test('is made by who may make links, and not of another shop’s till', async () => {
  await shop.call('link/end', { parameters: { slug: sticker }, body: {} });
  const viewer = await shop.signIn('viewer');
  for (const by of [ama, viewer]) expect((await make(by)).status).toBe(403);
  expect((await ama.visit(TILL)).text).not.toContain('Make a sticker');
  const stranger = await world.signIn('owner', (await world.createShop()).id);
  expect((await stranger.visit(`${TILL}/${till}/sticker`, { form: {} })).status).toBe(404);
  expect(await world.rows('LINK')).toHaveLength(1);
});

test('what a customer opens shows at the till, which is green when it is paid, by its reference alone', async () => {
  expect((await see()).text).toContain('Nobody has scanned it in this shift');
  const { reference } = await scanned('36');
  const waiting = await see();
  expect([waiting.text.includes('Not paid yet'), isGreen(waiting.text)]).toEqual([true, false]);
  // Of the right amount, in whatever name: it waits for the cashier or a person.
  await shop.pay(mtn({ reference: 'table' }));
  expect((await world.rows('TRANSACTION')).map(({ state }) => state)).toEqual(['pending']);
  await shop.pay(mtn({ reference, from: 'ESI OWUSU' }));
  const paid = await see();
  expect([isGreen(paid.text), paid.text.includes('ESI OWUSU'), paid.text.includes('>Not verified<')]).toEqual([
    true,
    true,
    true,
  ]);
  world.clock.nowMs += 2 * MINUTE_MS;
  const later = await see();
  expect([isGreen(later.text), later.text.includes('>Not verified<')]).toEqual([false, true]);
});

describe('a payment that came without its reference, where somebody scanned for as much', () => {
  let form: Record<string, string>;
  let opened: Awaited<ReturnType<typeof scanned>>;
  let receipt: ReceiptText;
  beforeEach(async () => {
    const body = { note_label: 'Your table' };
    await shop.call('link/change', { parameters: { slug: sticker }, body });
    opened = await scanned('36', 'Table 4');
    await scanned('35', 'Table 5');
    world.clock.nowMs += 2_000;
    receipt = mtn({ reference: 'table' });
    await shop.pay(receipt);
    form = await formOf();
  });

  async function formOf(): Promise<Record<string, string>> {
    const { text } = await see({ amount: '36' });
    const [, id = ''] = /name="receipt" value="([^"]+)"/.exec(text) ?? [];
    const [, shift = ''] = /name="shift" value="([^"]+)"/.exec(text) ?? [];
    return { receipt: id, shift, amount: '36' };
  }

  const take = (more: Record<string, string> = {}) => ama.visit(`${TILL}/${till}/take`, { form: { ...form, ...more } });
  const chargeOf = async (reference: string) =>
    (await world.rows('TRANSACTION')).find((one) => one.reference === reference);
  const takenNow = async () => (await world.rows('TRANSACTION')).find((one) => Object(one.goods).kind === 'take');
  const seeCheckout = ({ access_code }: { access_code: string }) =>
    world.call('checkout/page', { parameters: { access_code } });
  const claimIt = (transaction_id = receipt.id, name = 'Kofi Mensah') =>
    world.call('checkout/claim', {
      parameters: { access_code: opened.access_code },
      headers: { accept: 'application/json' },
      body: { transaction_id, name },
    });

  test('is asked about, with the note and the minute of each, and no answer is chosen', async () => {
    const { status, headers } = await take();
    expect(status).toBe(303);
    expect(await takenNow()).toBeUndefined();
    const query = Object.fromEntries(new URL(headers.location ?? '', 'https://x').searchParams);
    const [text = ''] =
      /<legend>Did this customer scan the sticker\?[\s\S]*?<\/fieldset>/.exec((await see(query)).text) ?? [];
    expect(text).toMatch(new RegExp(`Table 4 · <span class="number">${opened.reference}</span> · <time`));
    expect([text.includes('Table 5'), text.includes(' checked'), text.match(/type="radio"/g)?.length]).toEqual([
      false,
      false,
      2,
    ]);
  });

  test('is asked about, too, where it stands behind twelve others; one that is gone meanwhile is not', async () => {
    for (let n = 0; n < 12; n++) {
      world.clock.nowMs += 1_000;
      await shop.pay(mtn({ reference: 'table', from: 'EVE THIEF' }));
    }
    const query = { amount: '36', receipt: form.receipt ?? '' };
    expect((await see(query)).text).toContain('GHS 36.00 from KOFI MENSAH');
    await take({ scanned: 'no' });
    expect((await see(query)).text).not.toContain('Did this customer scan the sticker?');
  });

  test('is asked about the eight that were opened last', async () => {
    for (let n = 0; n < 9; n++) {
      world.clock.nowMs += 1_000;
      await scanned('36', `Table ${n + 10}`);
    }
    const { headers } = await take();
    const query = Object.fromEntries(new URL(headers.location ?? '', 'https://x').searchParams);
    const tables = [...(await see(query)).text.matchAll(/(Table \d+) · <span class="number">/g)].map(
      ([, name]) => name,
    );
    expect(tables.toSorted()).toEqual(Array.from({ length: 8 }, (_, n) => `Table ${n + 11}`));
  });

  test('is hers whom the cashier means: one charge is paid, and her page asks for no money any more', async () => {
    expect((await take({ scanned: opened.reference })).status).toBe(303);
    const taken = await takenNow();
    expect(taken).toMatchObject({
      state: 'success',
      origin: { kind: 'till', till_id: till, note: 'Table 4' },
      goods: { scanned: opened.reference },
    });
    expect(await chargeOf(opened.reference)).toMatchObject({ state: 'pending', paid_as: taken?.reference });
    const { text } = await seeCheckout(opened);
    expect([text.includes('Paid at the counter'), text.includes('This page is no receipt')]).toEqual([true, true]);
    expect([text.includes('data-status="counter"'), text.includes('Send exactly')]).toEqual([true, false]);
    // What she pays again is a second payment.
    const again = await shop.pay(mtn({ reference: opened.reference }));
    expect(again).toMatchObject({ state: 'held', reason: 'already_paid', suggested_reference: opened.reference });
    expect((await seeCheckout(opened)).text).toContain('A second payment arrived');
    const page = await manager.visit(`/dashboard/charges/${opened.reference}`);
    expect([page.text.includes('Paid at the till as'), page.text.includes('You cancelled it')]).toEqual([true, false]);
    // After its half hour, too.
    world.clock.nowMs += 40 * MINUTE_MS;
    await world.housekeeping();
    expect((await seeCheckout(opened)).text).toContain('Paid at the counter');
  });

  test('is nobody’s who scanned, where the cashier says so, and both can be paid after the tap is undone', async () => {
    await take({ scanned: 'no' });
    expect(await chargeOf(opened.reference)).not.toHaveProperty('paid_as');
    await undo();
    await take({ scanned: opened.reference });
    expect(await chargeOf(opened.reference)).toHaveProperty('paid_as');
    await undo();
    expect(await chargeOf(opened.reference)).not.toHaveProperty('paid_as');
    expect(await shop.receipt(receipt)).toMatchObject({ state: 'held' });
    await shop.pay(mtn({ reference: opened.reference }));
    expect(await chargeOf(opened.reference)).toMatchObject({ state: 'success' });
  });

  test('is hers to pay again once the network has taken back what the tap took', async () => {
    await take({ scanned: opened.reference });
    await shop.arrive(reversal(receipt.id));
    expect(await takenNow()).toMatchObject({ state: 'reversed' });
    expect(await chargeOf(opened.reference)).not.toHaveProperty('paid_as');
    expect((await seeCheckout(opened)).text).toContain('Send exactly');
    const page = await manager.visit(`/dashboard/charges/${opened.reference}`);
    expect(page.text).not.toContain('asks for no money any more');
    await shop.pay(mtn({ reference: opened.reference }));
    expect(await chargeOf(opened.reference)).toMatchObject({ state: 'success' });
  });

  test('is hers to pay again, too, where a claim ends her page at the moment in which the network takes it back', async () => {
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
    expect(await chargeOf(opened.reference)).not.toHaveProperty('paid_as');
  });

  test.each([
    ['undone', undo],
    ['taken back by the network', () => shop.arrive(reversal(receipt.id))],
  ])('pays nothing twice: what she paid by reference meanwhile is hers once the tap is %s', async (_, gone) => {
    await take({ scanned: opened.reference });
    const hers = mtn({ reference: opened.reference, from: 'AMA OWUSU' });
    await shop.pay(hers);
    expect((await seeCheckout(opened)).text).toContain('A second payment arrived');
    await gone();
    await world.followPayments();
    expect(await chargeOf(opened.reference)).toMatchObject({
      state: 'success',
      payment: { receipt_id: shop.paymentId(hers), matched_by: 'reference' },
    });
    const { text } = await seeCheckout(opened);
    expect([text.includes('Send exactly'), text.includes('A second payment arrived')]).toEqual([false, false]);
  });

  async function undo() {
    const taken = (await world.rows('TRANSACTION')).find(
      (one) => Object(one.goods).kind === 'take' && one.state === 'success',
    );
    const reference = String(taken?.reference);
    const { status } = await ama.visit(`${TILL}/${till}/undo`, { form: { reference } });
    expect(status).toBe(303);
  }

  test('is not taken for what was paid in the same moment by its reference, or cancelled', async () => {
    world.rightBefore('TransactWriteItems', () => shop.pay(mtn({ reference: opened.reference })));
    expect((await take({ scanned: opened.reference })).status).toBe(409);
    expect([await takenNow(), (await chargeOf(opened.reference))?.state]).toEqual([undefined, 'success']);
    expect(await shop.receipt(receipt)).toMatchObject({ state: 'held' });
  });

  test('her payment by reference is a second one where the tap was first', async () => {
    world.rightBefore('TransactWriteItems', () => take({ scanned: opened.reference }));
    await shop.pay(mtn({ reference: opened.reference }));
    expect(await chargeOf(opened.reference)).toMatchObject({ state: 'pending', paid_as: expect.anything() });
    const held = (await world.rows('RECEIPT')).filter(({ state }) => state === 'held');
    expect(held).toMatchObject([{ reason: 'already_paid' }]);
  });

  test.each<[string, () => Promise<string>]>([
    ['of another amount', async () => (await scanned('35')).reference],
    ['of no sticker', () => shop.charge({ amount: 36 })],
    [
      'that is over',
      async () => {
        world.clock.nowMs += 31 * MINUTE_MS;
        return opened.reference;
      },
    ],
    [
      'of another till’s sticker',
      async () => {
        await manager.visit(`${TILL}/new`, { form: { name: 'Counter 2' } });
        const other = (await tillRows.list(world.outside, { merchant_id: shop.id })).find(
          ({ name }) => name === 'Counter 2',
        )?.till_id;
        await manager.visit(`${TILL}/${other}/sticker`, { form: {} });
        const link = (await world.rows('LINK')).find((one) => one.till === other);
        return (await world.openLink(String(link?.slug), { amount: '36' })).reference;
      },
    ],
  ])('is taken for no bill %s', async (_, wrong) => {
    const { status, text } = await take({ scanned: await wrong() });
    expect([status, text.includes('Nothing was taken: tap the payment again.')]).toEqual([409, true]);
    expect(await takenNow()).toBeUndefined();
  });

  describe('and was tapped as nobody’s who scanned', () => {
    beforeEach(async () => {
      await take({ scanned: 'no' });
    });

    test('ends the page of who claims it by id, amount and name: paid at the counter, once', async () => {
      const { status, json } = await claimIt();
      expect([status, json.data.status]).toEqual([200, 'cancelled']);
      const taken = await takenNow();
      expect(await chargeOf(opened.reference)).toMatchObject({ paid_as: taken?.reference });
      expect((await seeCheckout(opened)).text).toContain('Paid at the counter');
      expect((await claimIt()).status).toBe(200);
      // A right claim is no wrong one.
      const counted = (await world.scan()).filter(({ sk }) => String(sk).startsWith('CLAIM_HOUR#'));
      expect(counted.map(({ wrong }) => wrong)).toEqual([0]);
      await undo();
      expect((await seeCheckout(opened)).text).toContain('Waiting for payment');
    });

    test.each([
      ['another id', () => claimIt('51234567899')],
      ['another name', () => claimIt(receipt.id, 'Ama Owusu')],
    ])('ends nothing by %s, which counts as a wrong claim', async (_, claimed) => {
      expect((await claimed()).status).toBe(422);
      expect(await chargeOf(opened.reference)).not.toHaveProperty('paid_as');
      const counted = (await world.scan()).filter(({ sk }) => String(sk).startsWith('CLAIM_HOUR#'));
      expect(counted.map(({ wrong }) => wrong)).toEqual([1]);
    });

    test.each<[string, () => Promise<{ access_code: string; reference: string }>]>([
      ['another amount', () => scanned('35')],
      ['a scan after the tap', () => scanned('36')],
      [
        'a web order',
        async () => {
          const reference = await shop.charge({ amount: 36 });
          return { reference, access_code: String((await chargeOf(reference))?.access_code) };
        },
      ],
    ])('ends nothing that is %s', async (_, other) => {
      world.clock.nowMs += 1_000;
      opened = await other();
      expect((await claimIt()).status).toBe(422);
      expect(await chargeOf(opened.reference)).toMatchObject({ state: 'pending' });
      expect(await chargeOf(opened.reference)).not.toHaveProperty('paid_as');
    });

    test('ends one page alone, whoever else scanned for as much', async () => {
      expect((await claimIt()).status).toBe(200);
      world.clock.nowMs -= 60_000;
      opened = await scanned('36');
      world.clock.nowMs += 60_000;
      expect((await claimIt()).status).toBe(422);
      expect(await chargeOf(opened.reference)).not.toHaveProperty('paid_as');
    });
  });
});

describe('what was handed out', () => {
  test('is green for nobody else, whoever owes as much in that half minute, and is said in the list and on the charge’s page', async () => {
    const { reference } = await scanned('36');
    await shop.pay(mtn({ reference, from: 'ESI OWUSU' }));
    const before = await version();
    expect(isGreen((await see({ amount: '36' })).text)).toBe(true);
    const answer = await tap(reference);
    expect([answer.status, answer.headers.location]).toEqual([303, `${TILL}/${till}`]);
    expect(await version()).not.toBe(before);
    const [keys, due] = [await see(), await see({ amount: '36' })];
    expect([isGreen(keys.text), isGreen(due.text), keys.text.includes('>Handed out, not verified<')]).toEqual([
      false,
      false,
      true,
    ]);
    expect(keys.text).not.toContain('/hand-out"');
    const page = await manager.visit(`/dashboard/charges/${reference}`);
    expect(page.text).toContain('Goods handed out at the till');
  });

  test('is so once, though two tap at the same moment, or one a second time', async () => {
    const { reference } = await scanned('36');
    await shop.pay(mtn({ reference }));
    const both = await Promise.all([tap(reference), tap(reference)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    const again = await tap(reference);
    expect(again.text).toContain('Do not hand out goods for it again');
    expect((await world.scan()).filter(({ action }) => action === 'till hand-out')).toMatchObject([
      { about: reference },
    ]);
  });

  test('may be noted after the green, too', async () => {
    const { reference } = await scanned('36');
    await shop.pay(mtn({ reference }));
    expect((await see()).text.match(/\/hand-out"/g)).toHaveLength(1);
    world.clock.nowMs += MINUTE_MS;
    expect((await see()).text.match(/\/hand-out"/g)).toHaveLength(1);
    expect((await tap(reference)).status).toBe(303);
  });

  test.each<[string, (reference: string) => Promise<unknown>]>([
    ['not paid', async () => {}],
    ['paid in part', (reference) => shop.pay(mtn({ reference, amount: '30.00' }))],
    [
      'in doubt',
      async (reference) => {
        await shop.pay(mtn({ reference }));
        await world.outside.table.update(disputeTransaction(world.outside, reference, 'conflict'));
      },
    ],
    [
      'taken back',
      async (reference) => {
        const receipt = mtn({ reference });
        await shop.pay(receipt);
        await shop.arrive(reversal(receipt.id));
      },
    ],
    [
      'sent back',
      async (reference) => {
        await shop.pay(mtn({ reference }));
        await shop.call('transaction/refund', { parameters: { reference }, body: {} });
      },
    ],
  ])('is nothing that is %s', async (_, happens) => {
    const { reference } = await scanned('36');
    await happens(reference);
    expect((await see()).text).not.toContain('/hand-out"');
    const refused = await tap(reference);
    expect([refused.status, refused.text.includes('Do not hand out goods for it')]).toEqual([409, true]);
    expect((await world.rows('TRANSACTION')).some(({ goods }) => Object(goods).state === 'given')).toBe(false);
  });

  test('is nothing beyond the day’s limit for what nothing proves', async () => {
    await shop.change({ new_wallet_daily_limit_pesewas: 3_600 });
    world.clock.nowMs += MINUTE_MS;
    const opened = [await scanned('36'), await scanned('36')];
    for (const { reference } of opened) await shop.pay(mtn({ reference }));
    expect((await tap(opened[0]?.reference ?? '')).status).toBe(303);
    const { status, text } = await tap(opened[1]?.reference ?? '');
    expect([status, text.includes(cannotTake.limit)]).toEqual([409, true]);
  });

  test('is nothing between two shifts, and of no charge that was opened elsewhere', async () => {
    for (const reference of [await shop.charge({ amount: 36 }), 'MK-0000000000'])
      expect((await tap(reference)).status).toBe(404);
    const { shift } = (await tillRows.list(world.outside, { merchant_id: shop.id }))[0] ?? {};
    await ama.visit(`${TILL}/${till}/end`, { form: { shift: shift?.shift_id ?? '' } });
    expect((await tap((await scanned('36')).reference)).status).toBe(409);
  });

  test('is noted by the cashier of the shift alone, at the till whose sticker it was', async () => {
    const { reference } = await scanned('36');
    await shop.pay(mtn({ reference }));
    expect((await tap(reference, manager)).status).toBe(409);
    await manager.visit(`${TILL}/new`, { form: { name: 'Counter 2' } });
    const other =
      (await tillRows.list(world.outside, { merchant_id: shop.id })).find(({ name }) => name === 'Counter 2')
        ?.till_id ?? '';
    await manager.visit(`${TILL}/${other}/begin`, { form: {} });
    const at = (id: string, by: Person) => by.visit(`${TILL}/${id}/hand-out`, { form: { reference } });
    expect((await at(other, manager)).status).toBe(404);
    const stranger = await world.signIn('owner', (await world.createShop()).id);
    expect((await at(till, stranger)).status).toBe(404);
    expect((await tap(reference)).status).toBe(303);
  });
});

test('another amount than what is due makes nothing green', async () => {
  const { reference } = await scanned('3');
  await shop.pay(mtn({ reference, amount: '3.00' }));
  expect(isGreen((await see({ amount: '36' })).text)).toBe(false);
  expect(isGreen((await see({ amount: '3' })).text)).toBe(true);
});

test('a part, a reversal and what nobody paid are said', async () => {
  const [part, back] = [await scanned('50'), await scanned('20')];
  await shop.pay(mtn({ reference: part.reference, amount: '30.00' }));
  const receipt = mtn({ reference: back.reference, amount: '20.00' });
  await shop.pay(receipt);
  await shop.arrive(reversal(receipt.id));
  await scanned('7.77');
  const { text } = await see();
  for (const said of ['Only GHS 30.00 paid', 'Taken back', 'GHS 7.77']) expect(text).toContain(said);
  expect(isGreen(text)).toBe(false);
  world.clock.nowMs += 31 * MINUTE_MS;
  expect((await see()).text).not.toContain('GHS 7.77');
});

test('an open till is made anew when a charge is opened, paid, and green no more', async () => {
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

describe('the list of what was scanned', () => {
  const shown = (text: string) => {
    const [, list = ''] = /<h2>Scanned at the sticker<\/h2>([\s\S]*)/.exec(text) ?? [];
    return [...list.matchAll(/GHS (\d+)\.00/g)].map(([, amount]) => amount);
  };
  const kofisShift = async () => {
    const kofi = await shop.signIn('cashier');
    const { shift } = (await tillRows.list(world.outside, { merchant_id: shop.id }))[0] ?? {};
    const form = { instead_of: shift?.shift_id ?? '' };
    await kofi.visit(`${TILL}/${till}/begin`, { form });
    return async () => shown((await kofi.visit(`${TILL}/${till}`)).text);
  };

  test('has what may still be paid, though it was opened before the shift, and nothing that was paid before it', async () => {
    const paid = await scanned('7');
    await shop.pay(mtn({ amount: '7.00', reference: paid.reference }));
    await scanned('8');
    world.clock.nowMs += 25 * MINUTE_MS;
    const see = await kofisShift();
    await world.followChanges();
    expect(await see()).toEqual(['8']);
    world.clock.nowMs += 6 * MINUTE_MS;
    expect(await see()).toEqual([]);
  });

  test('has what was paid in the shift, hours later', async () => {
    const paid = await scanned('7');
    await shop.pay(mtn({ amount: '7.00', reference: paid.reference }));
    world.clock.nowMs += 2 * 60 * MINUTE_MS;
    expect(shown((await see()).text)).toEqual(['7']);
  });

  test('has what was opened or paid last first, of this sticker and the one before it', async () => {
    const stickers = [];
    for (const amount of ['7', '8', '9']) {
      world.clock.nowMs += 10_000;
      stickers.push(await scanned(amount));
      if (amount === '9') continue;
      await shop.call('link/end', { parameters: { slug: sticker }, body: {} });
      await make(manager);
      sticker = String((await world.rows('LINK')).find(({ ends_at }) => ends_at === undefined)?.slug);
    }
    expect(shown((await see()).text)).toEqual(['9', '8']);
    world.clock.nowMs += 10_000;
    await shop.pay(mtn({ amount: '8.00', reference: stickers[1]?.reference }));
    await world.followChanges();
    expect(shown((await see()).text)).toEqual(['8', '9']);
    world.clock.nowMs += 10_000;
    await scanned('10');
    expect(shown((await see()).text)).toEqual(['8', '10', '9']);
  });

  test('has neither a web order of the typed amount nor what was opened at another link', async () => {
    await shop.charge({ amount: 36 });
    const body = { title: 'Wi-Fi', amount: 36 };
    const { json } = await shop.call('link/create', { body });
    await world.openLink(json.data.slug);
    await world.followChanges();
    expect(shown((await see({ amount: '36' })).text)).toEqual([]);
  });
});

test('a green ends half a minute after the payment', async () => {
  const { reference } = await scanned('36');
  await shop.pay(mtn({ reference }));
  const [paid, merchant] = [
    await getTransaction(world.outside, reference, shop.id),
    await merchantRows.find(world.outside, { merchant_id: shop.id }),
  ];
  if (!paid?.paid_at || !merchant) throw new Error('Nothing was paid');
  const paidMs = Date.parse(paid.paid_at);
  const isGreenAt = (ms: number) => greenOf({ now: () => paidMs + ms }, merchant, paid) !== undefined;
  expect([29_999, 30_000].map(isGreenAt)).toEqual([true, false]);
});

test('however many are opened, what was paid shows, and makes the till green', async () => {
  const { reference } = await scanned('36');
  await shop.pay(mtn({ reference, from: 'ESI OWUSU' }));
  for (let n = 0; n < 45; n++) {
    world.clock.nowMs += 200;
    await scanned('5');
  }
  const { text } = await see();
  expect([isGreen(text), text.includes('ESI OWUSU')]).toEqual([true, true]);
});

test('what was paid too much goes back, and the goods are handed out all the same; not where all goes back', async () => {
  const { reference } = await scanned('36');
  await shop.pay(mtn({ reference, amount: '40.00' }));
  const mayHandOut = async () => (await see()).text.includes('>Handed out<');
  expect(await mayHandOut()).toBe(true);
  const noteBack = (amount: number) => shop.call('transaction/refund', { parameters: { reference }, body: { amount } });
  await noteBack(4);
  expect(await mayHandOut()).toBe(true);
  await noteBack(36);
  expect(await mayHandOut()).toBe(false);
});

test('42 payments of a pesewa hide no customer’s: what was paid last stands first, and a typed amount finds its own', async () => {
  const { reference } = await scanned('36');
  const flood = async (first: number) => {
    for (let n = first; n < first + 42; n++) {
      world.clock.nowMs += 100;
      const other = await scanned('5');
      await shop.pay(mtn({ reference: other.reference, amount: '0.01', from: 'EVE THIEF' }));
    }
    await world.followChanges();
  };
  await flood(0);
  world.clock.nowMs += 1_000;
  await shop.pay(mtn({ reference, from: 'ESI OWUSU' }));
  await world.followChanges();
  const { text } = await see();
  const [, first = ''] = /<h2>Scanned at the sticker<\/h2>[\s\S]*?<span class="till-who">([^<]*)/.exec(text) ?? [];
  expect([isGreen(text), first]).toEqual([true, 'ESI OWUSU']);
  await flood(100);
  expect(isGreen((await see({ amount: '36' })).text)).toBe(true);
});

test('the daily closing has what was paid at the sticker, by the day on which it was paid, for who reads reports', async () => {
  const closing = async (by: Person, query: Record<string, string> = {}) =>
    (await by.visit(`${TILL}/closing`, { query })).text;
  expect(await closing(manager)).not.toContain('paid at the sticker');
  world.clock.nowMs = Date.parse('2026-11-20T23:50:00Z');
  const [late, back] = [await scanned('36'), await scanned('20')];
  await scanned('5');
  const receipt = mtn({ reference: back.reference, amount: '20.00' });
  await shop.pay(receipt);
  world.clock.nowMs += 15 * MINUTE_MS;
  await shop.pay(mtn({ reference: late.reference }));
  await shop.arrive(reversal(receipt.id));
  await world.followChanges();
  const [before, after] = [await closing(manager, { day: '2026-11-20' }), await closing(manager)];
  expect(before).toMatch(/Counter 1 · paid at the sticker[\s\S]*GHS 0.00 \(0\)[\s\S]*GHS 20.00 \(1\)/);
  expect(after).toMatch(/Counter 1 · paid at the sticker[\s\S]*GHS 36.00 \(1\)[\s\S]*GHS 0.00 \(0\)/);
  expect(await closing(ama)).not.toContain('paid at the sticker');
});

test('what was opened at a sticker that was lost shows at its till, and counts, when it is paid', async () => {
  const { reference } = await scanned('36');
  await manager.visit(`/dashboard/links/${sticker}/end`, { form: {} });
  expect((await ama.visit(TILL)).text).not.toContain(`/pay/${sticker}/poster`);
  await make(manager);
  const [other] = (await world.rows('LINK')).filter(({ slug }) => slug !== sticker);
  expect((await ama.visit(TILL)).text).toContain(`/pay/${other?.slug}/poster`);
  await shop.pay(mtn({ reference, from: 'ESI OWUSU' }));
  await world.followChanges();
  const { text } = await see();
  expect([isGreen(text), text.includes('ESI OWUSU')]).toEqual([true, true]);
  expect((await manager.visit(`${TILL}/closing`)).text).toMatch(/paid at the sticker[\s\S]*GHS 36.00 \(1\)/);
});

test('a till that is removed ends its sticker', async () => {
  await manager.visit(`${TILL}/${till}/remove`, { form: {} });
  expect((await world.call('pay/page', { parameters: { slug: sticker } })).text).toContain('This link has ended');
  expect((await world.pressPay(sticker, { amount: '36' })).status).toBe(410);
  expect((await make(manager)).status).toBe(404);
});

test('another till does not show it', async () => {
  await manager.visit(`${TILL}/new`, { form: { name: 'Counter 2' } });
  const other =
    (await tillRows.list(world.outside, { merchant_id: shop.id })).find(({ name }) => name === 'Counter 2')?.till_id ??
    '';
  await ama.visit(`${TILL}/${other}/begin`, { form: {} });
  await manager.visit(`${TILL}/${other}/sticker`, { form: {} });
  await scanned('36');
  expect((await ama.visit(`${TILL}/${other}`)).text).toContain('Nobody has scanned it');
});

// Somebody at the counter who wants goods for nothing, or is out of luck.

describe('the till', () => {
  test('is not green for the next customer, who owes as much as the one before has paid', async () => {
    const { reference } = await scanned('36');
    await shop.pay(mtn({ reference, from: 'ESI OWUSU' }));
    expect(isGreen((await see({ amount: '36' })).text)).toBe(true);
    // Esi leaves with her goods. The next one holds a phone up, and has paid nothing; the cashier types what is due.
    world.clock.nowMs += MINUTE_MS;
    expect(isGreen((await typeAmount('36')).text)).toBe(false);
    const next = await scanned('36');
    await shop.pay(mtn({ reference: next.reference, from: 'YAW DARKO' }));
    expect((await typeAmount('36')).text).toContain('YAW DARKO');
  });

  test('is not green, and rings no chime, where a tap was refused', async () => {
    const kofi = await shop.signIn('cashier');
    await manager.visit(`${TILL}/new`, { form: { name: 'Counter 2' } });
    const other =
      (await tillRows.list(world.outside, { merchant_id: shop.id })).find(({ name }) => name === 'Counter 2')
        ?.till_id ?? '';
    await kofi.visit(`${TILL}/${other}/begin`, { form: {} });
    const { reference } = await scanned('36');
    await shop.pay(mtn({ reference, from: 'ESI OWUSU' }));
    await world.followChanges();
    // A customer of the other till's, whose cashier is faster than Ama.
    await shop.pay(mtn({ reference: 'table' }));
    world.clock.nowMs += MINUTE_MS;
    const formOf = async (id: string, by: Person) => {
      const { text } = await by.visit(`${TILL}/${id}`, { query: { amount: '36' } });
      const [, receipt = ''] = /name="receipt" value="([^"]+)"/.exec(text) ?? [];
      const [, shift = ''] = /name="shift" value="([^"]+)"/.exec(text) ?? [];
      return { receipt, shift, amount: '36' };
    };
    const [form, faster] = [await formOf(till, ama), await formOf(other, kofi)];
    expect((await kofi.visit(`${TILL}/${other}/take`, { form: faster })).status).toBe(303);
    const refused = await ama.visit(`${TILL}/${till}/take`, { form });
    expect(refused.text).toContain('Do not hand out goods for it again');
    expect(isGreen(refused.text)).toBe(false);
  });

  test('shows what was opened just before the shift began, and is paid in it', async () => {
    const { reference } = await scanned('36');
    world.clock.nowMs += 10_000;
    const kofi = await shop.signIn('cashier');
    const { shift } = (await tillRows.list(world.outside, { merchant_id: shop.id }))[0] ?? {};
    const form = { instead_of: shift?.shift_id ?? '' };
    expect((await kofi.visit(`${TILL}/${till}/begin`, { form })).status).toBe(303);
    world.clock.nowMs += 10_000;
    await shop.pay(mtn({ reference, from: 'ESI OWUSU' }));
    await world.followChanges();
    const { text } = await kofi.visit(`${TILL}/${till}`);
    expect([text.includes('ESI OWUSU'), isGreen(text)]).toEqual([true, true]);
  });

  test('says of what was paid before it became of it, however many are opened after', async () => {
    const [part, back] = [await scanned('50'), await scanned('20')];
    await shop.pay(mtn({ reference: part.reference, amount: '30.00', from: 'ESI OWUSU' }));
    const receipt = mtn({ reference: back.reference, amount: '20.00', from: 'YAW DARKO' });
    await shop.pay(receipt);
    await shop.arrive(reversal(receipt.id));
    await world.followChanges();
    for (let n = 0; n < 8; n++) {
      world.clock.nowMs += 1_000;
      await scanned('5');
    }
    const { text } = await see();
    expect(['Only GHS 30.00 paid', 'Taken back'].filter((said) => text.includes(said))).toEqual([
      'Only GHS 30.00 paid',
      'Taken back',
    ]);
  });

  test('is not green for what was sent back, or is about to be', async () => {
    const { reference } = await scanned('36');
    await shop.pay(mtn({ reference }));
    expect(isGreen((await see()).text)).toBe(true);
    const sent = await shop.call('transaction/refund', { parameters: { reference }, body: {} });
    expect(sent.status).toBe(200);
    expect(isGreen((await see()).text)).toBe(false);
  });
});

describe('a sticker whose link', () => {
  test('was ended by the API is no till’s sticker any more: another one can be made', async () => {
    await shop.call('link/end', { parameters: { slug: sticker }, body: {} });
    const { text } = await manager.visit(TILL);
    await manager.visit(`${TILL}/${till}/sticker`, { form: {} });
    const links = await world.rows('LINK');
    expect([text.includes(`/pay/${sticker}/poster`), links.length]).toEqual([false, 2]);
  });

  test('ended with its till is opened by nothing, because no till shows what is paid there', async () => {
    await manager.visit(`${TILL}/${till}/remove`, { form: {} });
    const body = { ends_at: '2099-01-01T00:00:00Z' };
    await shop.call('link/change', { parameters: { slug: sticker }, body });
    expect((await world.pressPay(sticker, { amount: '36' })).status).toBe(410);
  });

  test('asks for a note does not put a stranger’s words on the green', async () => {
    const body = { note_label: 'Your table' };
    await shop.call('link/change', { parameters: { slug: sticker }, body });
    expect((await world.call('pay/page', { parameters: { slug: sticker } })).text).toContain('Your table');
    const { reference } = await world.openLink(sticker, { amount: '1', note: 'GHS 360.00 PAID' });
    await shop.pay(mtn({ reference, amount: '1.00' }));
    await world.followChanges();
    const { text } = await see();
    const [, green = ''] = /class="till-green look" data-chime="MK-[^>]*>(.*?)<\/div>/s.exec(text) ?? [];
    expect(green).toContain('GHS 1.00');
    expect(green).not.toContain('360.00');
  });

  test('is a till’s hands out no codes, whoever adds them in whatever way', async () => {
    const parameters = { slug: sticker };
    const body = { codes: ['FREE GOODS: say yes'] };
    const byKey = await shop.call('link/add-codes', { parameters, body });
    const form = { codes: 'FREE GOODS: say yes' };
    const byForm = await manager.visit(`/dashboard/links/${sticker}/codes`, { form });
    expect([byKey.status, byKey.json.errors?.[0]?.field, byForm.status]).toEqual([400, 'codes', 400]);
    expect((await world.rows('LINK'))[0]?.codes_stocked).toBeUndefined();
    expect((await manager.visit(`/dashboard/links/${sticker}`)).text).not.toContain('codes');
  });

  test('is a till’s takes GHS 1 or more, until its shop says otherwise, also at the next sticker', async () => {
    expect((await world.pressPay(sticker, { amount: '0.99' })).status).toBe(400);
    expect((await world.pressPay(sticker, { amount: '1' })).status).toBe(303);
    const change = (body: object) => shop.call('link/change', { parameters: { slug: sticker }, body });
    const page = `/dashboard/links/${sticker}`;
    const form = { title: 'Counter 1', min_amount: '5' };
    expect((await manager.visit(`${page}/change`, { form })).status).toBe(303);
    expect((await manager.visit(`${page}/change`, { form: { title: 'X' } })).status).toBe(400);
    expect((await world.pressPay(sticker, { amount: '4.99' })).status).toBe(400);
    await shop.call('link/end', { parameters: { slug: sticker }, body: {} });
    expect((await change({ ends_at: '2099-01-01T00:00:00Z' })).status).toBe(400);
    await make(manager);
    const [next] = (await world.rows('LINK')).filter(({ ends_at }) => ends_at === undefined);
    expect(next).toMatchObject({ till, min_pesewas: 500 });
  });

  test('hangs at the counter says what its shop says: a cashier alone changes neither its words nor its amount', async () => {
    const form = { title: 'Counter 1', description: 'New number: send it to 024 000 0000 (Ama)', amount: '1' };
    const answer = await ama.visit(`/dashboard/links/${sticker}/change`, { form });
    const shown = (await world.call('pay/page', { parameters: { slug: sticker } })).text;
    expect([answer.status, shown.includes('024 000 0000')]).toEqual([403, false]);
  });
});

describe('the closing', () => {
  const closing = async (day = dayOf(world.clock.nowMs)) =>
    closingOf(world.outside, shop.id, await tillRows.list(world.outside, { merchant_id: shop.id }), day);

  async function secondTill() {
    const kofi = await shop.signIn('cashier');
    await manager.visit(`${TILL}/new`, { form: { name: 'At the door' } });
    const door =
      (await tillRows.list(world.outside, { merchant_id: shop.id })).find(({ name }) => name === 'At the door')
        ?.till_id ?? '';
    await kofi.visit(`${TILL}/${door}/begin`, { form: {} });
    return { kofi, door };
  }

  test.each([1, 4])(
    'has what was paid at the sticker with a payment of %i days before, and counts it as verified',
    async (days) => {
      const old = mtn({ reference: 'table' });
      await shop.pay(old);
      world.clock.nowMs += days * 24 * 60 * MINUTE_MS;
      const { reference } = await scanned('36');
      const parameters = { id: shop.paymentId(old) };
      const given = await shop.call('receipt/assign', { parameters, body: { reference } });
      expect(given.status).toBe(200);
      await world.followChanges();
      expect((await closing()).lines).toMatchObject([{ counted: { count: 1, pesewas: 3600 }, unproven: { count: 0 } }]);
    },
  );

  test('names each payment where it is now, and what is still to go back', async () => {
    const { slug } = (await shop.call('link/create', { body: { title: 'Wi-Fi' } })).json.data;
    const asked = await shop.request({ title: 'Fees', lines: [{ description: 'Fees', amount: 8 }] });
    const held = async (amount: string) => {
      const receipt = mtn({ amount, reference: 'x' });
      await shop.pay(receipt);
      return receipt;
    };
    const aside = async (amount: string, sent_back: boolean) => {
      const said = { by: manager.user.user_id, ...(sent_back && { sent_back }) };
      const id = shop.paymentId(await held(amount));
      await world.outside.table.write(await setAside(world.outside, shop.id, id, said));
    };
    // Another day's.
    world.clock.nowMs -= 24 * 60 * MINUTE_MS;
    await held('0.10');
    await aside('0.20', false);
    await shop.pay(mtn({ amount: '0.40', reference: await shop.charge({ amount: 0.4 }) }));
    world.clock.nowMs += 24 * 60 * MINUTE_MS;
    await shop.pay(mtn({ amount: '2.00', reference: (await scanned('2')).reference }));
    await shop.pay(mtn({ amount: '4.00', reference: (await world.openLink(slug, { amount: '4' })).reference }));
    await shop.pay(mtn({ amount: '8.00', reference: await world.openPart(asked, '8') }));
    const order = await shop.charge({ amount: 15 });
    // A pesewa and more too much.
    await shop.pay(mtn({ amount: '16.00', reference: order }));
    await shop.pay(mtn({ amount: '32.00', reference: await shop.charge({ amount: 99 }) }));
    await held('64.00');
    await aside('128.00', false);
    await aside('256.00', true);
    await shop.arrive(reversal((await held('512.00')).id));
    // A second payment.
    await shop.pay(mtn({ amount: '1024.00', reference: order }));
    // A reversal of what has not arrived tells no amount.
    await shop.arrive(reversal('51234567891'));
    await held('1.00');
    await takeAt('1');
    await world.followChanges();
    const { arrived, now, owed, lines, isMore } = await closing();
    const pesewas = new Map([...now].map(([place, sum]) => [place, sum.pesewas / 100]));
    expect(Object.fromEntries(pesewas)).toEqual({
      ...{ till: 1, sticker: 2, link: 4, request: 8, charge: 16, part: 32 },
      ...{ waiting: 64 + 1_024, set_aside: 128, sent_back: 256, taken_back: 512 },
    });
    expect([arrived, owed]).toEqual([
      { count: 11, pesewas: 204_700 },
      { count: 2, pesewas: 102_500 },
    ]);
    expect(lines).toMatchObject([{ counted: { pesewas: 100 } }, { counted: { pesewas: 200 } }]);
    expect(isMore).toBe(false);
  });

  test('has a line for each till and cashier, from the first to the last take, in the order of the tills’ names', async () => {
    const { kofi, door } = await secondTill();
    const times: string[] = [];
    for (const [amount, by, id] of [
      ['1', ama, till],
      ['2', kofi, door],
      ['3', ama, till],
    ] as const) {
      world.clock.nowMs += 1_000;
      await shop.pay(mtn({ amount: `${amount}.00`, reference: 'x' }));
      await takeAt(amount, by, id);
      times.push((await lastTake(id)).at);
    }
    const { lines } = await closing();
    expect(lines.flatMap(({ again }) => again)).toEqual([]);
    expect(lines.map(({ by, firstAt, lastAt, counted }) => [by, firstAt, lastAt, counted.pesewas])).toEqual([
      [kofi.user.user_id, times[1], times[1], 200],
      [ama.user.user_id, times[0], times[2], 400],
    ]);
  });

  test('says of what it counts what nothing proves and what is in doubt, beside what was undone and taken back', async () => {
    for (const amount of ['1', '2', '4', '8', '16']) {
      await shop.pay(mtn({ amount: `${amount}.00`, reference: 'x' }));
      await takeAt(amount);
    }
    const ofAmount = async (pesewas: number) => {
      const found = (await world.rows('TRANSACTION')).find(({ amount_pesewas }) => amount_pesewas === pesewas);
      return { ...found, reference: String(found?.reference), payment: Object(found?.payment) };
    };
    const prove = async (pesewas: number, proof: object | undefined) => {
      const { pk, sk, payment } = Object(await ofAmount(pesewas));
      await world.outside.table.write([changeItem({ pk, sk }, { payment: { ...payment, proof } })]);
    };
    await prove(100, { state: 'proven' });
    await prove(200, undefined);
    await world.outside.table.update(disputeTransaction(world.outside, (await ofAmount(400)).reference, 'conflict'));
    await undoAt((await ofAmount(800)).reference);
    const back = await ofAmount(1_600);
    await world.outside.table.update(disputeTransaction(world.outside, back.reference, 'conflict'));
    await shop.arrive(reversal(back.payment.transaction_id));
    // Of two parts one is proven.
    const { reference } = await scanned('32');
    for (const amount of ['20.00', '12.00']) await shop.pay(mtn({ amount, reference }));
    await prove(3_200, { state: 'proven' });
    await world.followChanges();
    const { lines } = await closing();
    const sums = lines.map(({ counted, unproven, disputed, undone, takenBack }) =>
      [counted, unproven, disputed, undone, takenBack].map(({ pesewas }) => pesewas / 100),
    );
    expect(sums).toEqual([
      [1 + 2 + 4, 2 + 4, 4, 8, 16],
      [32, 32, 0, 0, 0],
    ]);
  });

  test('names where the payment of an undone tap is now, at the cashier whose tap it was', async () => {
    const { kofi, door } = await secondTill();
    const receipt = mtn({ amount: '5.00', reference: 'x' });
    await shop.pay(receipt);
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
      return lines.map(({ till: { name }, again }) => [name, again.map((one) => one.reference)]);
    };
    expect(await named()).toEqual([
      ['At the door', [undone[1]]],
      ['Counter 1', []],
    ]);
    const reference = await shop.charge({ amount: 5 });
    const parameters = { id: shop.paymentId(receipt) };
    await shop.call('receipt/assign', { parameters, body: { reference } });
    expect(await named()).toEqual([
      ['At the door', [reference]],
      ['Counter 1', [reference]],
    ]);
  });

  test('has as owed of a charge what is too much on the day that completed it', async () => {
    world.clock.nowMs = Date.parse('2026-11-20T12:00:00Z');
    const reference = await shop.charge({ amount: 10 });
    await shop.pay(mtn({ amount: '5.00', reference }));
    world.clock.nowMs = Date.parse('2026-11-21T11:00:00Z');
    await shop.pay(mtn({ amount: '20.00', reference }));
    const days = await Promise.all(['2026-11-20', '2026-11-21'].map(closing));
    expect(days.map(({ owed }) => owed.pesewas)).toEqual([0, 1_500]);
  });

  test('counts a payment whose charge is no longer kept as a charge’s, and nothing at its till', async () => {
    await shop.pay(mtn({ amount: '1.00', reference: 'x' }));
    await takeAt('1');
    await world.outside.table.remove(transactionRows.key({ reference: (await lastTake()).reference }));
    const { now, lines } = await closing();
    expect(now.get('charge')).toEqual({ count: 1, pesewas: 100 });
    expect(lines).toMatchObject([{ counted: { count: 0 }, undone: { count: 0 }, again: [] }]);
  });

  test('has at the sticker what was paid from midnight to midnight, whenever the first part of it came', async () => {
    const [day, before, after] = ['2026-11-21', '2026-11-20', '2026-11-22'];
    const paidAt = async (amount: string, now: string, paid_at?: string) => {
      world.clock.nowMs = Date.parse(now);
      const { reference } = await scanned(amount);
      await shop.pay(mtn({ amount: `${amount}.00`, reference }));
      await world.followChanges();
      const { pk, sk } = Object((await world.rows('TRANSACTION')).find((one) => one.reference === reference));
      if (paid_at) await world.outside.table.write([changeItem({ pk, sk }, { paid_at })]);
    };
    await paidAt('1', `${before}T01:00:00Z`, `${day}T23:59:59.999Z`);
    await paidAt('2', `${before}T23:00:00Z`, `${before}T23:59:59.999Z`);
    await paidAt('4', `${day}T12:00:00Z`, `${day}T00:00:00.000Z`);
    await paidAt('8', `${day}T23:59:58Z`);
    await paidAt('16', `${day}T23:00:00Z`, `${after}T00:00:00.000Z`);
    const part = await scanned('64');
    await shop.pay(mtn({ amount: '32.00', reference: part.reference }));
    const { lines } = await closing(day);
    expect(lines).toMatchObject([
      { firstAt: `${day}T00:00:00.000Z`, lastAt: `${day}T23:59:59.999Z`, counted: { count: 3, pesewas: 1_300 } },
    ]);
  });

  test.each(['held', 'set_aside', 'matched', 'TAKE#', 'LOOKUP#'])(
    'reads eight pages of a list at most, and says whether there are more: %s',
    async (list) => {
      await shop.pay(mtn({ amount: '2.00', reference: (await scanned('5')).reference }));
      for (const amount of ['3', '4', '1']) await shop.pay(mtn({ amount: `${amount}.00`, reference: 'x' }));
      const [aside] = (await world.rows('RECEIPT')).filter(({ amount_pesewas }) => amount_pesewas === 300);
      const said = { by: manager.user.user_id };
      await world.outside.table.write(await setAside(world.outside, shop.id, String(aside?.receipt_id), said));
      await takeAt('1');
      await shop.call('link/end', { parameters: { slug: sticker }, body: {} });
      await make(manager);
      await world.followChanges();
      const tills = await tillRows.list(world.outside, { merchant_id: shop.id });
      const { table } = world.outside;
      /** A list of so many pages, each with 500 times its first row. */
      const closingOfPages = async (most: number) => {
        let pages = 0;
        const stretched = (
          partition: string,
          start: PageStart | undefined,
          { items, next }: { items: Item[]; next: PageStart | undefined },
        ) => {
          const [first] = items;
          if (!partition.includes(list) || !first) return { items, next };
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
        const { isMore } = await closingOf(world.outside, shop.id, tills, dayOf(world.clock.nowMs));
        return [pages, isMore];
      };
      expect(await closingOfPages(2)).toEqual([2, false]);
      expect(await closingOfPages(9)).toEqual([8, true]);
    },
  );

  test('says as taken back what the network took, and not the parts that wait for somebody', async () => {
    const { reference } = await scanned('50');
    await shop.pay(mtn({ reference, amount: '30.00' }));
    const second = mtn({ reference, amount: '20.00' });
    await shop.pay(second);
    await shop.arrive(reversal(second.id));
    await world.followChanges();
    const { lines, now } = await closing();
    expect([now.get('waiting')?.pesewas, now.get('link')]).toEqual([3_000, { count: 0, pesewas: 0 }]);
    expect(lines).toMatchObject([{ counted: { pesewas: 0 }, takenBack: { count: 1, pesewas: 2_000 } }]);
  });

  test('has what a person gave to a charge of the sticker that had ended less than a day before', async () => {
    world.clock.nowMs = Date.parse('2026-11-20T23:50:00Z');
    const { reference } = await scanned('36');
    // Its phone was off, and the text came a day late.
    world.clock.nowMs = Date.parse('2026-11-22T00:10:00Z');
    const row = await shop.pay(mtn({ reference }));
    expect(row).toMatchObject({ state: 'held' });
    const parameters = { id: row?.receipt_id as string };
    const given = await shop.call('receipt/assign', { parameters, body: { reference } });
    expect(given.json.message).toBe('Receipt assigned');
    await world.followChanges();
    const days = await Promise.all(['2026-11-20', '2026-11-21', '2026-11-22'].map(closing));
    expect(days.map(({ lines }) => lines[0]?.counted.pesewas)).toEqual([undefined, undefined, 3_600]);
  });
});

/** Takes a payment of an amount at a till. */
async function takeAt(amount: string, by = ama, id = till): Promise<void> {
  const { text } = await by.visit(`${TILL}/${id}`, { query: { amount } });
  const [, receipt = ''] = /name="receipt" value="([^"]+)"/.exec(text) ?? [];
  const [, shift = ''] = /name="shift" value="([^"]+)"/.exec(text) ?? [];
  expect((await by.visit(`${TILL}/${id}/take`, { form: { receipt, shift, amount } })).status).toBe(303);
}

async function lastTake(id = till) {
  const take = (await world.outside.table.listPage(`TAKE#${shop.id}#${id}`)).items.at(-1);
  return { at: String(take?.at), reference: String(take?.reference) };
}

async function undoAt(reference: string, by = ama, id = till): Promise<string> {
  expect((await by.visit(`${TILL}/${id}/undo`, { form: { reference } })).status).toBe(303);
  return reference;
}

function make(by: Person) {
  return by.visit(`${TILL}/${till}/sticker`, { form: {} });
}

function tap(reference: string, by: Person = ama) {
  return by.visit(`${TILL}/${till}/hand-out`, { form: { reference } });
}

function see(query: Record<string, string> = {}) {
  return ama.visit(`${TILL}/${till}`, { query });
}

/** As a browser sends the form of the keys. */
async function typeAmount(amount: string) {
  const [, keys = ''] = /<form class="till-keys"(.*?)<\/form>/s.exec((await see()).text) ?? [];
  const hidden = [...keys.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  return see({ ...Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])), amount });
}

async function version(): Promise<string> {
  return /data-version="([\w-]+)"/.exec((await see()).text)?.[1] ?? '';
}

/** A customer scans, types an amount and presses Pay; the stream carries it on. */
async function scanned(amount: string, note = 'x') {
  const opened = await world.openLink(sticker, { amount, note });
  await world.followChanges();
  return opened;
}

function isGreen(text: string): boolean {
  return /class="till-green( look)?" data-chime="MK-/.test(text);
}
