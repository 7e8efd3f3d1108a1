import { beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectWords } from '../../support/answers.ts';
import { telecel } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';
import { setCharge } from '../checkout/charges.ts';

const HELD = '/dashboard/held';

let world: Scene;
let shop: Shop;
let owner: Person;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop({ network: 'TELECEL', number: '+233201234567' });
  owner = await shop.signIn('owner');
});

/** Lets a payment that matches no bill arrive, and returns the path of its page. */
async function held(some: Parameters<typeof telecel>[0] = {}): Promise<string> {
  const receipt = telecel({ from: 'YAW DARKO', ...some });
  await shop.pay(receipt);
  await world.followChanges();
  return `${HELD}/${shop.paymentId(receipt)}`;
}

const see = (path: string, query?: Record<string, string>) => owner.visit(path, query && { query });

/** Searches for another bill than those on a held payment's page. */
const anotherBill = async (path: string, typed: string) => (await see(`${path}/give`, { reference: typed })).text;

describe('the search for another bill', () => {
  test.each([
    ['1,234.50'],
    ['GHS 1,234.50'],
    ['1234.5'],
    ['10077'],
    ['Order #10077'],
    ['order 10077'],
    ['+233 (0)24 111 2222'],
    ['serwaa'],
  ])('finds a bill by %j', async (typed) => {
    const amount = 1234.5;
    const wanted = await shop.charge({
      amount,
      customer_name: 'Ama Serwaa',
      customer_phone: '0241112222',
      merchant_reference: '#10077',
    });
    const other = await shop.charge({ amount: 77, customer_name: 'Esi Arthur', customer_phone: '0241113333' });
    const path = await held();
    expectWords(await anotherBill(path, typed), [`reference=${wanted}`], [other]);
  });

  test.each([
    ['fees \ud83d', 'fees%20'],
    ['1', 'YAW%20DARKO'],
  ])('refers to the search of payment requests for a payer who typed %j', async (reference, q) => {
    const { status, text } = await see(await held({ reference }));
    expect(status).toBe(200);
    expect(text).toContain(`href="/dashboard/requests?q=${q}`);
  });

  test('refers to the search of payment requests beside a bill of the same amount that the payer did not name', async () => {
    const other = await shop.charge({ amount: 36 });
    const path = await held({ reference: 'FEE-1031' });
    const link = 'href="/dashboard/requests?q=FEE-1031"';
    expectWords((await see(path)).text, [other, link]);
    const similar = await shop.charge({ amount: 36, merchant_reference: 'INV-1031' });
    await world.followChanges();
    expectWords((await see(path)).text, [similar, 'The payer typed digits of this bill’s order number', link]);
    const named = await shop.charge({ amount: 36, merchant_reference: 'fee/1031' });
    await world.followChanges();
    expectWords((await see(path)).text, [named, 'The payer typed this bill’s order number', link]);
  });

  test('refers to the search of payment requests', async () => {
    const path = await held({ reference: 'FEE-2031' });
    const link = 'href="/dashboard/requests?q=FEE-2031">Search ';
    expect((await see(path)).text).toContain(link);
    expect(await anotherBill(path, 'FEE-2031')).toContain(link);
    expect((await see('/dashboard/records', { q: 'FEE-2031' })).text).toContain(link);
  });
});

test.each(['36,00', 'GHC 36', '36 cedis', 'GH¢36.00', 'ghs 36'])(
  'an amount typed as %j finds its bills',
  async (typed) => {
    const own = await shop.charge({ amount: 36, customer_name: 'Yaw Darko' });
    const other = await shop.charge({ amount: 37, customer_name: 'Ama Owusu' });
    await world.followChanges();
    const path = await held({ reference: 'dues' });
    expectWords(await anotherBill(path, typed), [own], [other]);
    for (const name of ['q', 'amount'])
      expectWords((await see('/dashboard/charges', { [name]: typed })).text, [own], [other]);
  },
);

test('the search everywhere leads to more bills only if there are more', async () => {
  for (let n = 0; n < 11; n++)
    await shop.charge({ amount: 36, customer_name: 'Yaw Darko', description: 'Kente cloth' });
  await world.followChanges();
  const search = async (q: string) => (await see('/dashboard/records', { q })).text;
  expectWords(await search('cloth'), ['Type another word'], ['See more under Bills']);
  expectWords(await search('Yaw Darko'), ['See more under Bills'], ['Type another word']);
});

test('a search with more bills than it shows says so', async () => {
  for (let n = 0; n < 26; n++) await shop.charge({ amount: 36, customer_name: 'Yaw Darko' });
  await world.followChanges();
  const path = await held({ reference: 'dues' });
  expect(await anotherBill(path, 'Yaw Darko')).toContain('Only the newest bills are shown.');
  expect(await anotherBill(path, 'Ama Owusu')).not.toContain('Only the newest bills are shown.');
});

describe('a link that asks a question', () => {
  test('has its answers in the search everywhere and in the form that matches a bill', async () => {
    const body = { title: 'Hall dues', amount: 36, note_label: 'Your name' };
    const { slug } = (await shop.call('link/create', { body })).json.data;
    const bills: string[] = [];
    for (const note of ['Yaw Darko', 'Ama Owusu']) bills.push((await world.openLink(slug, { note })).reference);
    const [yaws = '', amas = ''] = bills;
    const path = await held({ reference: 'dues' });
    expectWords((await see('/dashboard/records', { q: 'darko yaw' })).text, [yaws, 'The customer wrote'], [amas]);
    expectWords(await anotherBill(path, yaws), ['The customer wrote', 'Yaw Darko'], ['Ama Owusu']);
  });
});

describe('a payer whose number the network reports', () => {
  const PHONE = { customer_phone: '0209876543' };

  test('is compared with the customer’s number', async () => {
    await shop.charge({ amount: 36, customer_phone: '0241112222' });
    const own = await shop.charge({ amount: 50, ...PHONE });
    const path = await held({ amount: '36.00' });
    const { text } = await see(path);
    const [first] = text.matchAll(/give\?reference=(MK-\d+)/g);
    expect(first?.[1]).toBe(own);
    expectWords(await anotherBill(path, own), ['The payer has the customer’s phone number.']);
  });

  test('has a green button for the customer’s own bill, although another has the amount', async () => {
    const { slug } = (await shop.call('link/create', { body: { title: 'Cloth', amount: 36 } })).json.data;
    const own = await shop.charge({ amount: 36, ...PHONE });
    await world.openLink(slug);
    const path = await held();
    await verifyMoney(world);
    expect((await see(path)).text).toMatch(new RegExp(`class="button" href="[^"]*give\\?reference=${own}"`));
  });

  test('has no green button beside a request’s bill in the payer’s name', async () => {
    const own = await shop.charge({ amount: 600, customer_name: 'Yaw Darko' });
    const lines = [{ description: 'Fees', amount: 600 }];
    const { slug } = (await shop.call('request/create', { body: { title: 'Fees', customer_name: 'Yaw Darko', lines } }))
      .json.data;
    const path = await held({ amount: '600.00' });
    await verifyMoney(world);
    const isGreen = async () => (await see(path)).text.includes(`class="button" href="${path}/give?reference=${own}"`);
    expect(await isGreen()).toBe(true);
    await world.openPart(slug, '600');
    await world.followChanges();
    expect(await isGreen()).toBe(false);
  });

  test('is shown the bill whose order number was typed above one in the payer’s own name, typed as well', async () => {
    const own = await shop.charge({ amount: 600, customer_name: 'Yaw Darko' });
    const named = await shop.charge({ amount: 600, customer_name: 'Ama Serwaa', merchant_reference: 'INV-1031' });
    const path = await held({ amount: '600.00', reference: 'Yaw Darko INV-1031' });
    const offered = (await see(path)).text.matchAll(/give\?reference=(MK-\d+)/g);
    expect(Array.from(offered, ([, reference]) => reference)).toEqual([named, own]);
  });

  test('is told that the reference is mistyped, although the payer’s own name was typed as well', async () => {
    const own = await shop.charge({ amount: 600, customer_name: 'Yaw Darko' });
    const named = await shop.charge({ amount: 600 });
    const mistyped = `${named.slice(0, -1)}${(Number(named.at(-1)) + 1) % 10}`;
    const path = await held({ amount: '600.00', reference: `${mistyped} Yaw Darko` });
    const { text } = await see(path);
    const offered = text.matchAll(/give\?reference=(MK-\d+)/g);
    expect(Array.from(offered, ([, reference]) => reference)).toEqual([named, own]);
    expectWords(text, ['The payer typed a different reference']);
  });

  test('has no green button beside a link’s bill whose answer is the payer’s name', async () => {
    const own = await shop.charge({ amount: 600, customer_name: 'Yaw Darko' });
    const body = { title: 'Dues', amount: 600, note_label: 'Your name' };
    const { slug } = (await shop.call('link/create', { body })).json.data;
    await world.openLink(slug, { note: 'Darko Yaw' });
    const path = await held({ amount: '600.00' });
    await verifyMoney(world);
    expect((await see(path)).text).toContain(`class="plain button" href="${path}/give?reference=${own}"`);
  });

  test('has no green button beside such a bill among six others of the amount', async () => {
    const own = await shop.charge({ amount: 600, customer_name: 'Yaw Darko' });
    for (let n = 0; n < 6; n++) await shop.charge({ amount: 600, customer_name: 'Ama Owusu' });
    const body = { title: 'Dues', amount: 600, note_label: 'Your name' };
    const { slug } = (await shop.call('link/create', { body })).json.data;
    const { reference } = await world.openLink(slug, { note: 'Darko Yaw' });
    await world.followChanges();
    const path = await held({ amount: '600.00' });
    await verifyMoney(world);
    const plain = (one: string) => `class="plain button" href="${path}/give?reference=${one}"`;
    expectWords((await see(path)).text, [plain(own), plain(reference)]);
  });

  test.each([
    ['a plain name', 'Yaw Darko', 'YAW DARKO'],
    ['an initial', 'Yaw K. Darko', 'YAW K DARKO'],
    ['five names', 'Nana Yaw Kofi Darko Mensah', 'NANA YAW KOFI DARKO MENSAH'],
  ])('is shown the bill in the payer’s own name among many of similar names: %s', async (_, customer_name, from) => {
    const own = await shop.charge({ amount: 600, customer_name });
    await threeHoursLater(['Yaw Owusu', 'Darko Owusu', 'Mensah Owusu', 'Nana Owusu']);
    const path = await held({ amount: '600.00', from });
    await verifyMoney(world);
    expect((await see(path)).text).toContain(`give?reference=${own}"`);
  });

  test('is shown the request’s bill in the payer’s own name among many of similar names', async () => {
    const lines = [{ description: 'Fees', amount: 600 }];
    const { slug } = (await shop.call('request/create', { body: { title: 'Fees', customer_name: 'Yaw Darko', lines } }))
      .json.data;
    const reference = await world.openPart(slug, '600');
    await threeHoursLater(['Yaw Owusu', 'Ama Darko']);
    const path = await held({ amount: '600.00' });
    expect((await see(path)).text).toContain(`give?reference=${reference}"`);
  });

  test('is shown the payer’s own bill among many that were paid in the same name', async () => {
    const own = await shop.charge({ amount: 600, customer_name: 'Yaw Darko' });
    world.clock.nowMs += MINUTE_MS;
    for (let n = 0; n < 25; n++)
      await shop.pay(
        telecel({ amount: '600.00', reference: await shop.charge({ amount: 600, customer_name: 'Yaw Darko' }) }),
      );
    await threeHoursLater(['Yaw Owusu', 'Ama Darko']);
    const path = await held({ amount: '600.00' });
    await verifyMoney(world);
    expect((await see(path)).text).toContain(`give?reference=${own}"`);
  });

  test('is shown the bill with the payer’s number among fifteen newer ones', async () => {
    const own = await shop.charge({ amount: 36, ...PHONE });
    world.clock.nowMs += MINUTE_MS;
    for (let n = 0; n < 15; n++) await shop.charge({ amount: 50, ...PHONE });
    await threeHoursLater(['Ama Owusu', 'Esi Arthur'], 36);
    expect((await see(await held({ amount: '36.00' }))).text).toContain(`give?reference=${own}"`);
  });

  /** Creates 30 more bills in each name, three hours later. */
  async function threeHoursLater(names: readonly string[], amount = 600) {
    world.clock.nowMs += 3 * HOUR_MS;
    for (const customer_name of names)
      await Promise.all(Array.from({ length: 30 }, () => shop.charge({ amount, customer_name })));
    await world.followChanges();
    owner = await shop.signIn('owner');
  }

  test('has no green button beside a bill of the same name and amount that has a small part', async () => {
    const [parted, other] = [
      await shop.charge({ amount: 600, customer_name: 'Yaw Darko' }),
      await shop.charge({ amount: 600, customer_name: 'Yaw Darko' }),
    ];
    await shop.pay(telecel({ amount: '0.10', reference: parted, from: 'ESI ARTHUR' }));
    world.clock.nowMs += 3 * HOUR_MS;
    await world.followChanges();
    owner = await shop.signIn('owner');
    const path = await held({ amount: '600.00' });
    await verifyMoney(world);
    expect((await see(path)).text).toContain(`class="plain button" href="${path}/give?reference=${other}"`);
  });

  test('has no green button beside a second bill that the payer named, although that one was cancelled', async () => {
    const [one, other] = [await shop.charge({ amount: 36 }), await shop.charge({ amount: 40 })];
    const path = await held({ amount: '76.00', reference: `${one} ${other}` });
    await verifyMoney(world);
    await shop.call('transaction/cancel', { parameters: { reference: other } });
    expect((await see(path)).text).toContain(`class="plain button" href="${path}/give?reference=${one}"`);
  });

  test('is shown the bill of the customer whose name was typed among many of similar names', async () => {
    const named = await shop.charge({ amount: 600, customer_name: 'Ama Serwaa' });
    await threeHoursLater(['Ama Owusu', 'Esi Serwaa']);
    const path = await held({ amount: '600.00', reference: 'for Ama Serwaa' });
    expect((await see(path)).text).toContain(`give?reference=${named}"`);
  });

  test('who named a paid bill is shown an unnamed one among six in other names', async () => {
    const reference = await shop.charge({ amount: 600, customer_name: 'Yaw Darko' });
    await shop.pay(telecel({ amount: '600.00', reference, from: 'YAW DARKO' }));
    const unnamed = await shop.charge({ amount: 600 });
    for (let n = 0; n < 6; n++)
      await shop.charge({ amount: 600, customer_name: 'Ama Owusu', email: `a${n}@example.com` });
    const path = await held({ amount: '600.00', reference });
    await verifyMoney(world);
    owner = await shop.signIn('owner');
    expectWords((await see(path)).text, [`${path}/give?reference=${unnamed}`, 'All waiting bills of this amount']);
  });

  describe('who also paid another bill of the amount', () => {
    const REPEATED = 'YAW DARKO paid this bill shortly before or after, so this may be a second payment for it.';
    let other: string;
    let paid: string;
    beforeEach(async () => {
      other = await shop.charge({ amount: 600, customer_name: 'Yaw Darko' });
      world.clock.nowMs += 3 * HOUR_MS;
      paid = await shop.charge({ amount: 600 });
    });

    const payIt = (some: Parameters<typeof telecel>[0] = {}) =>
      shop.pay(telecel({ amount: '600.00', reference: paid, from: 'YAW DARKO', ...some }));

    async function pageOf(happens: () => Promise<unknown>, some: Parameters<typeof telecel>[0] = {}) {
      const path = await held({ amount: '600.00', ...some });
      await happens();
      await verifyMoney(world);
      await world.followChanges();
      owner = await shop.signIn('owner');
      return { path, text: (await see(path)).text };
    }

    test.each([5 * MINUTE_MS, 90 * MINUTE_MS])(
      '%i ms before is shown that bill, and no green button',
      async (afterMs) => {
        await payIt();
        world.clock.nowMs += afterMs;
        for (let n = 0; n < 8; n++) await shop.charge({ amount: 600 });
        const { path, text } = await pageOf(async () => undefined);
        expectWords(text, [
          `class="plain button" href="${path}/give?reference=${other}"`,
          `href="/dashboard/charges/${paid}"`,
          REPEATED,
          'If the customer says they paid twice, send this one back.',
        ]);
      },
    );

    test.each([
      ['with more than its amount', 599.5, 1],
      ['in two parts', 1_200, 2],
    ])('%s is shown that bill', async (_, amount, times) => {
      // Otherwise, the first payment would be held as one of another bill’s amount.
      await shop.call('transaction/cancel', { parameters: { reference: other } });
      const reference = await shop.charge({ amount });
      for (let n = 0; n < times; n++) await payIt({ reference });
      world.clock.nowMs += 5 * MINUTE_MS;
      const { text } = await pageOf(async () => undefined);
      expectWords(text, [`href="/dashboard/charges/${reference}"`, REPEATED]);
    });

    test.each([
      ['a bill', 'If the customer has the goods, keep this money. Then create a new bill.'],
      ['a request’s bill', 'press Pay on the request’s page, and match this payment to the new bill.'],
    ])('whose payment the network has since reversed is shown %s, and no green button', async (what, advice) => {
      const request = { title: 'Fees', customer_name: 'Ama Owusu', lines: [{ description: 'Fees', amount: 600 }] };
      const reference = what === 'a bill' ? paid : await world.openPart(await shop.request(request), '600');
      await payIt({ reference });
      await setCharge(world, { reference }, { state: 'reversed' });
      const { path, text } = await pageOf(async () => undefined);
      expectWords(text, [
        `class="plain button" href="${path}/give?reference=${other}"`,
        'The network reversed this bill’s payment.',
        advice,
      ]);
    });

    test('six times within the hour is shown the open bill and the newest two of the paid ones', async () => {
      const open = await shop.charge({ amount: 600 });
      const bought: string[] = [];
      for (let n = 0; n < 6; n++) {
        const reference = await shop.charge({ amount: 600 });
        await payIt({ reference });
        bought.push(reference);
        world.clock.nowMs += MINUTE_MS;
      }
      const { path, text } = await pageOf(async () => undefined);
      expect(text.split(REPEATED)).toHaveLength(3);
      expectWords(text, [`${path}/give?reference=${open}`, ...bought.slice(-2)], bought.slice(0, 4));
    });

    test('five minutes after is shown that bill, and no green button', async () => {
      const { path, text } = await pageOf(async () => {
        world.clock.nowMs += 5 * MINUTE_MS;
        await payIt();
      });
      expectWords(text, [`class="plain button" href="${path}/give?reference=${other}"`, REPEATED]);
    });

    test('is another payer if the number is another', async () => {
      await payIt({ phone: '0201112222' });
      world.clock.nowMs += 5 * MINUTE_MS;
      expect((await pageOf(async () => undefined, { phone: '0203334444' })).text).not.toContain(REPEATED);
    });
  });

  test('is shown a bill that was opened just after the payment, before many newer ones', async () => {
    const path = await held({ amount: '36.00' });
    world.clock.nowMs += 5 * MINUTE_MS;
    const own = await shop.charge({ amount: 36, merchant_reference: 'INV-1008' });
    world.clock.nowMs += MINUTE_MS;
    for (let n = 0; n < 8; n++) await shop.charge({ amount: 36 });
    await world.followChanges();
    owner = await shop.signIn('owner');
    expect((await see(path)).text).toContain(`give?reference=${own}"`);
  });

  test('leads to all unpaid bills of the amount, which may be behind many newer paid ones', async () => {
    const own = await shop.charge({ amount: 36, merchant_reference: 'INV-1008' });
    world.clock.nowMs += MINUTE_MS;
    for (let n = 0; n < 30; n++)
      await shop.pay(telecel({ amount: '36.00', reference: await shop.charge({ amount: 36 }), from: 'AMA OWUSU' }));
    await world.followChanges();
    const { text } = await see(await held({ amount: '36.00' }));
    expectWords(text, ['None of the newest bills', 'All waiting bills of this amount'], [own]);
    const [, address = ''] = /href="([^"]*status=pending[^"]*)"/.exec(text) ?? [];
    expect((await see(address.replaceAll('&amp;', '&'))).text).toContain(own);
  });

  test('has no green button once another payment has paid a bill of the same name and amount', async () => {
    const [one, other] = [
      await shop.charge({ amount: 600, customer_name: 'Yaw Darko' }),
      await shop.charge({ amount: 600, customer_name: 'Yaw Darko' }),
    ];
    world.clock.nowMs += 3 * HOUR_MS;
    owner = await shop.signIn('owner');
    const path = await held({ amount: '600.00' });
    world.clock.nowMs += MINUTE_MS;
    await shop.pay(telecel({ amount: '600.00', reference: one, from: 'YAW DARKO' }));
    await world.followChanges();
    await verifyMoney(world);
    expect((await see(path)).text).toContain(`class="plain button" href="${path}/give?reference=${other}"`);
  });

  test('is shown a bill of another amount in the payer’s name above one that only has the amount', async () => {
    const own = await shop.charge({ amount: 80, customer_name: 'Yaw Darko' });
    const other = await shop.charge({ amount: 36 });
    const path = await held();
    const offered = (await see(path)).text.matchAll(/give\?reference=(MK-\d+)/g);
    expect(Array.from(offered, ([, reference]) => reference)).toEqual([own, other]);
  });

  test.each([
    ['Yaw Darko', '1', true],
    ['Yaw', '1', false],
    ['Yaw Darko', 'FEE-2031', false],
    ['Yaw Darko', '024 111 2222', false],
    ['Yaw Darko', 'cloth', true],
    ['Yaw Darko', 'Esi Arthur', false],
  ])('has a green button for a bill of “%s” after typing %j: %s', async (customer_name, reference, isGreen) => {
    const own = await shop.charge({ amount: 600, customer_name });
    const path = await held({ amount: '600.00', reference });
    await verifyMoney(world);
    const { text } = await see(path);
    expect(text).toContain(`class="${isGreen ? '' : 'plain '}button" href="${path}/give?reference=${own}"`);
  });

  test('has no green button for a part of a request that anybody can open, or for a bill made later', async () => {
    const body = { title: 'Fees', lines: [{ description: 'x', amount: 900 }], customer_name: 'Yaw Darko' };
    const { slug } = (await shop.call('request/create', { body })).json.data;
    const part = await world.openPart(slug, '600');
    const path = await held({ amount: '600.00' });
    await verifyMoney(world);
    const plain = (reference: string) => `class="plain button" href="${path}/give?reference=${reference}"`;
    expect((await see(path)).text).toContain(plain(part));
    await shop.call('transaction/cancel', { parameters: { reference: part } });
    world.clock.nowMs += 10 * 60_000;
    const later = await shop.charge({ amount: 600, customer_name: 'Yaw Darko' });
    await world.followChanges();
    owner = await shop.signIn('owner');
    expect((await see(path)).text).toContain(plain(later));
  });

  test('has no green button if only the amount speaks for a bill', async () => {
    const own = await shop.charge({ amount: 36 });
    const path = await held();
    await verifyMoney(world);
    expect((await see(path)).text).toContain(`class="plain button" href="${path}/give?reference=${own}"`);
  });
});

test.each(['inv 013', 'INV013', '#13-inv'])('the list of bills finds an order number typed as %j', async (q) => {
  const own = await shop.charge({ amount: 36, merchant_reference: 'INV-013' });
  const other = await shop.charge({ amount: 36, merchant_reference: 'INV-014' });
  await world.followChanges();
  const { text } = await see('/dashboard/charges', { q });
  if (q.startsWith('#')) expectWords(text, ['No matching bills'], [own, other]);
  else expectWords(text, [own], [other]);
});

test.each(['10077', 'GHS 18', '18.00', 'order 10077'])(
  'the search everywhere finds a payment to check by %j',
  async (q) => {
    const path = await held({ amount: '18.00', reference: 'order 10077' });
    expect((await see('/dashboard/records', { q })).text).toContain(path);
    expect((await see('/dashboard/records', { q: '10078' })).text).not.toContain(path);
  },
);

describe('a bill older than 250 others that share a word of its name', () => {
  let wanted: string;
  beforeEach(async () => {
    wanted = await shop.charge({ amount: 50, customer_name: 'Kojo Mensah' });
    world.clock.nowMs += 1_000;
    await Promise.all(Array.from({ length: 250 }, () => shop.charge({ amount: 37, customer_name: 'Ama Mensah' })));
    await shop.call('transaction/cancel', { parameters: { reference: wanted } });
    await world.followChanges();
  });

  test.each<Record<string, string>>([{ q: 'Kojo Mensah' }, { status: 'cancelled' }])(
    'is found after the newest bills: %j',
    async (query) => {
      const { text } = await see('/dashboard/charges', query);
      expectWords(text, ['Only the newest bills were searched'], [wanted]);
      const [, cursor = ''] = /[?&;]cursor=([\w%-]+)/.exec(text) ?? [];
      expect((await see('/dashboard/charges', { ...query, cursor })).text).toContain(wanted);
    },
  );

  test('is not said to be missing', async () => {
    const text = await anotherBill(await held(), 'Kojo Mensah');
    expectWords(
      text,
      ['Only the newest bills were searched', 'href="/dashboard/charges?q=Kojo%20Mensah"'],
      ['No such bill'],
    );
    const search = (await see('/dashboard/records', { q: 'Kojo Mensah' })).text;
    expectWords(search, ['The newest bills by reference'], ['All bills by reference']);
  });
});
