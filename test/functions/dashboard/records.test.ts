import { beforeEach, describe, expect, test } from 'vitest';
import { LOOK_FIRST } from '../../../shared/money/payment/shown-payment.ts';
import { LOOKED_THROUGH } from '../../../shared/pages/dashboard/records/search.ts';
import { expectWords } from '../../support/answers.ts';
import { mtn, telecel } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';

let world: Scene;
let shop: Shop;
let owner: Person;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop({ network: 'TELECEL', number: '+233201234567' });
  await world.createSender('+233241234500');
  owner = await shop.signIn('owner');
});

const look = async (address: string, by = owner) => {
  const [path, search] = address.split('?');
  return by.visit(`/dashboard/records${path}`, { query: Object.fromEntries(new URLSearchParams(search)) });
};
const paid = async (said: object = {}, receipt: Parameters<typeof telecel>[0] = {}) => {
  world.clock.nowMs += 1000;
  const reference = await shop.charge({ amount: 36, ...said });
  await shop.pay(telecel({ reference, ...receipt }));
  return reference;
};

describe('the dashboard page for a customer receipt', () => {
  test('shows the payer and a link to the customer’s copy', async () => {
    const reference = await paid({ description: 'Two yards of kente' });
    const { status, text } = await look(`/receipt/${reference}`);
    const { access_code } = (await world.chargeRow(reference)) ?? {};
    expect(status).toBe(200);
    expectWords(text, ['Two yards of kente', 'KOFI MENSAH BOATENG', reference, `/checkout/${access_code}/receipt`]);
  });

  test('masks the id of a manually assigned payment for a cashier', async () => {
    const reference = await shop.charge({ amount: 36 });
    const receipt = telecel({ reference: 'shoes' });
    await shop.pay(receipt);
    expect((await shop.assign(receipt, reference)).status).toBe(200);
    expect((await look(`/receipt/${reference}`)).text).toContain(receipt.id);
    const { access_code = '' } = (await world.chargeRow(reference)) ?? {};
    // A cashier can also open the customer's link.
    const pages = ['checkout/page', 'checkout/receipt'] as const;
    const customers = await Promise.all(pages.map((page) => world.call(page, { parameters: { access_code } })));
    const cashier = await look(`/receipt/${reference}`, await shop.signIn('cashier'));
    for (const { text } of [cashier, ...customers]) expectWords(text, [`…${receipt.id.slice(-4)}`], [receipt.id]);
    // A payment that named its charge cannot be claimed, so its id is not secret.
    const id = '0000019300000042';
    const own = await paid({}, { id });
    expect((await look(`/receipt/${own}`, await shop.signIn('cashier'))).text).toContain(id);
  });

  test('shows only its status until the payment is verified', async () => {
    const reference = await paid();
    const text = async () => (await look(`/receipt/${reference}`)).text;
    expectWords(await text(), ['<p class="unprinted">', 'Not verified']);
    await verifyMoney(world);
    expectWords(await text(), [reference], ['<p class="unprinted">', 'Not verified']);
  });

  test('shows “Not paid yet” for an unpaid charge', async () => {
    const open = await shop.charge({ amount: 36 });
    expect((await look(`/receipt/${open}`)).text).toContain('Not paid yet');
  });
});

describe('a charge’s case file', () => {
  test('contains the order, timeline, network texts and claim count', async () => {
    const reference = await paid({ description: 'Two yards of kente', merchant_reference: 'order-7' });
    const second = telecel({ reference, from: 'ESI OWUSU ANSAH' });
    await shop.pay(second);
    const { text } = await look(`/case/${reference}`);
    expectWords(text, ['Two yards of kente', 'order-7', 'Created', 'Paid', 'Confirmed. You have received GHS36.00']);
    expectWords(text, [second.id, 'ESI OWUSU ANSAH', 'is waiting to be checked. <a', 'None in the last eight days.']);
    const waiting = await shop.charge({ amount: 20 });
    const code = (await world.chargeRow(waiting))?.access_code ?? '';
    const body = { transaction_id: '0000019399999999', name: 'Kofi Mensah' };
    await world.call('checkout/claim', { parameters: { access_code: code }, body });
    expect((await look(`/case/${waiting}`)).text).toContain('1 time in the last eight days');
  });

  test('shows the wallet balance only with permission', async () => {
    const reference = await paid();
    expect((await look(`/case/${reference}`)).text).toContain('balance is GHS1,135.25');
    for (const role of ['manager', 'cashier', 'viewer'] as const) {
      const { status, text } = await look(`/case/${reference}`, await shop.signIn(role));
      expect({ role, status }).toEqual({ role, status: 200 });
      expectWords(text, ['balance is GHS…'], ['1,135']);
    }
    expect((await look(`/case/${reference}`, await shop.signIn('developer'))).status).toBe(403);
  });
});

describe('global search', () => {
  test('finds charges, customers, held payments and texts', async () => {
    const esi = { customer_name: 'Esi Owusu', customer_phone: '0241111111' };
    const sought = await paid({ description: 'Two yards of blue kente', ...esi });
    const other = await shop.charge({ amount: 7, description: 'Wax print' });
    await shop.pay(telecel({ reference: 'blue', from: 'KENTE LOVER' }));
    await shop.topUp(5);
    const form = { to: '0551112222', message: 'Your kente is ready' };
    expect((await owner.visit('/dashboard/texts/send', { form })).status).toBe(303);
    await world.followChanges();

    expectWords((await look('?q=kente+blue')).text, [sought, '<h2>Customers of these bills</h2>'], [other]);
    for (const [q, found] of [
      ['kent', 'Your <b>kente</b> is ready'],
      ['kente', 'KENTE LOVER'],
      ['055+111+2222', 'Your kente is ready'],
      ['0241111111', sought],
      ['owu', sought],
      ['nothing+like+it', 'Nothing found'],
    ] as const) {
      expect((await look(`?q=${q}`)).text).toContain(found);
    }
    const far = { to: '0551113333, 0551112222', message: `${'Please call. '.repeat(20)}Your beads are here` };
    expect((await owner.visit('/dashboard/texts/send', { form: far })).status).toBe(303);
    expect((await look('?q=beads')).text).toContain('Your <b>beads</b> are here');
    expect((await look('?q=055+111+2222')).text).toContain('055 111 2222</span> and 1 more');
    const exact = await look(`?q=${sought}`);
    expect({ status: exact.status, location: exact.headers.location }).toEqual({
      status: 303,
      location: `/dashboard/charges/${sought}`,
    });
    expect((await look('')).text).toContain('A reference, name');
  });

  test('excludes other shops and results that the role may not see', async () => {
    await paid({ description: 'Blue kente', customer_name: 'Esi Owusu' });
    await shop.pay(telecel({ reference: '1', from: 'KENTE LOVER' }));
    await world.followChanges();
    const foreign = await world.signIn('owner', (await world.createShop()).id);
    for (const q of ['kente', 'owusu', 'lover']) {
      const { text } = await look(`?q=${q}`, foreign);
      expect(text).toContain('Nothing found');
      expect(text).not.toMatch(/Blue|LOVER/);
    }
    const developer = await shop.signIn('developer');
    const { text } = await look('?q=kente', developer);
    expectWords(text, ['Esi Owusu', 'No payments, because your role cannot see them.'], ['KENTE LOVER']);
    // Customer totals require access to the customer list.
    for (const role of ['developer', 'cashier', 'viewer'] as const) {
      const { text } = await look('?q=kente', await shop.signIn(role));
      expect({ role, listsCustomers: text.includes('<h2>Customers of these bills</h2>') }).toEqual({
        role,
        listsCustomers: role === 'viewer',
      });
    }
  });

  test('does not search by full payment id for roles that see it masked', async () => {
    const reference = await shop.charge({ amount: 36, description: 'Wax print' });
    const receipt = telecel({ reference });
    await shop.pay(receipt);
    await world.followChanges();
    const { id } = receipt;
    const searches: Record<string, string>[] = [{ q: id }, { q: id, by: 'transaction_id' }, { transaction_id: id }];
    const finds = async (by: Person) => {
      const everywhere = await look(`?q=${id}`, by);
      const listed = await Promise.all(searches.map((query) => by.visit('/dashboard/charges', { query })));
      return [everywhere, ...listed].map(({ text }) => text.includes(reference));
    };
    for (const role of ['cashier', 'viewer', 'developer'] as const)
      expect({ role, finds: await finds(await shop.signIn(role)) }).toEqual({
        role,
        finds: [false, false, false, false],
      });
    for (const by of [owner, await shop.signIn('manager')]) expect(await finds(by)).toEqual([true, true, true, true]);
    expect((await look('', await shop.signIn('cashier'))).text).not.toContain('transaction ID');
  });

  test('says if older charges were not searched', async () => {
    const old = await shop.charge({ amount: 1, description: 'Ancient kente' });
    expectWords((await look('?q=ancient')).text, [old], ['left out']);
    for (let n = 0; n < LOOKED_THROUGH.charges; n++) await shop.charge({ amount: 1 });
    const newest = `The newest ${LOOKED_THROUGH.charges} bills by words in their description`;
    expectWords((await look('?q=ancient')).text, [newest, 'Older results were left out.'], [old]);
  });

  test('is on every page of a shop', async () => {
    const form = /<form [^>]*role="search" aria-label="Search everywhere" method="get" action="\/dashboard\/records">/;
    expect((await owner.visit('/dashboard/charges')).text).toMatch(form);
    const hostile = await look(`?q=${encodeURIComponent('"><script>alert(1)</script>'.repeat(9))}`);
    expect(hostile.status).toBe(200);
    expect(hostile.text).not.toContain('<script>alert');
  });
});

describe('a refund on a charge’s page', () => {
  test('shows the payer’s name and phone number', async () => {
    const reference = await paid();
    await shop.call('transaction/refund', { parameters: { reference }, body: { amount: 5 } });
    const open = async (one: string) => (await owner.visit(`/dashboard/charges/${one}`)).text;
    const payer = '<b>KOFI MENSAH BOATENG</b>, <b class="number">020 987 6543</b> (Telecel Cash)';
    expectWords(await open(reference), [`Its text names ${payer}`, LOOK_FIRST], ['Send it to']);
    await owner.visit(`/dashboard/charges/${reference}/release`, { form: { shown: 'unverified' } });
    expectWords(await open(reference), [`Send it to ${payer}`], [LOOK_FIRST]);
    const mtnShop = await world.createShop();
    const unknown = await mtnShop.charge({ amount: 36, customer_phone: '0241111111' });
    await mtnShop.pay(mtn({ reference: unknown }));
    const by = await mtnShop.signIn('owner');
    const given = 'The phone number on this bill is <span class="number">024 111 1111</span>';
    const { text } = await by.visit(`/dashboard/charges/${unknown}`);
    expectWords(text, ['Its text names <b>KOFI MENSAH BOATENG</b>, number unknown', given]);
  });
});

describe('the operator’s contact', () => {
  test('is shown wherever a page mentions support', async () => {
    world.outside.operator = 'Ama <Owusu>, 024 123 4567';
    const credits = await owner.visit('/dashboard/texts/credits');
    expect(credits.text).toContain('ask support (Ama &lt;Owusu&gt;, 024 123 4567), who runs this service');
    await shop.change({ momo_accounts: [] });
    world.clock.nowMs += 60_000;
    const { json } = await shop.call('transaction/initialize', { body: { amount: 1 } });
    expect(json.message).toContain('Ask the operator (Ama <Owusu>, 024 123 4567) to set one.');
    world.outside.operator = undefined;
    expect((await owner.visit('/dashboard/texts/credits')).text).toContain('ask support, who runs this service');
  });
});

describe('the setting for texted customer receipts', () => {
  test('is off by default', async () => {
    const open = () => owner.visit('/dashboard/settings/receipts');
    expect((await open()).text).toContain('Payers do not get a text.');
    const set = { by: owner, form: { text_receipts: 'on' } };
    expect((await world.visit('/dashboard/settings/receipts', set)).status).toBe(303);
    expect((await open()).text).toContain('Payers get a text for each paid bill.');
    expect((await owner.visit('/dashboard/settings/audit')).text).toContain('text receipts: on (was off)');
    const cashier = { by: await shop.signIn('cashier'), form: {} };
    expect((await world.visit('/dashboard/settings/receipts', cashier)).status).toBe(403);
    expect((await owner.visit('/dashboard/settings/receipts', { form: {} })).status).toBe(303);
    expect((await open()).text).toContain('Payers do not get a text.');
  });
});
