import { beforeEach, expect, test } from 'vitest';
import { changeOptOut } from '../../../shared/texts/conversation/opt-out.table.ts';
import { expectWords } from '../../support/answers.ts';
import { mtn } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';

/*
 * What comes beyond what was asked, on the owner's page and the customer's; reminders that will leave; and the file of addresses.
 */

const REQUESTS = '/dashboard/requests';
const CUSTOMER = '+233241112222';

let world: Scene;
let shop: Shop;
let owner: Person;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.clock.nowMs = Date.parse('2027-01-10T12:00:00Z');
  shop = await world.createShop();
  owner = await shop.signIn('owner');
});

const RENT = {
  title: 'Rent, room 12',
  lines: [{ description: 'Rent', amount: 900 }],
  customer_name: 'Kofi Mensah',
  customer_phone: CUSTOMER,
  instalments: [
    { due: '2027-02-01', amount: 300 },
    { due: '2027-03-01', amount: 300 },
    { due: '2027-04-01', amount: 300 },
  ],
  reminders: [0],
};

test('a part that was paid twice counts for the next, and both pages say so', async () => {
  const slug = await shop.request(RENT);
  for (let n = 0; n < 2; n++) await paid(await world.openPart(slug, '300'), '300.00');
  for (const text of await bothPages(slug)) {
    expect(text).toMatch(/GHS 600\.00(<\/span>)? is paid ahead of its day, and counts for the next parts/);
    expectWords(text, ['The next to pay is that of 1 Apr 2027', 'Still to pay']);
    expect(text).not.toMatch(/than was asked|>Open</);
  }
});

test('a payment that comes again for a paid charge is held, and both pages say how much and what to do', async () => {
  const slug = await shop.request(RENT);
  const reference = await world.openPart(slug, '900');
  await paid(reference, '900.00');
  for (const text of await bothPages(slug)) expect(text).not.toContain('paid already');
  await paid(reference, '250.00', 'YAA BOATENG');
  const [owners, customers] = await bothPages(slug);
  expectWords(owners, [
    'GHS 250.00</span></b> came on 10 Jan 2027',
    'Send it back, or give it to another bill of this customer.',
    '/dashboard/charges/held/',
  ]);
  expect(customers).toContain(
    'GHS 250.00 came again for what was paid already. It does not count here: ask Ama Stores',
  );
  // Whoever has the address may not be its payer.
  expect(customers).not.toMatch(/BOATENG|Boateng/);
});

test('what came beyond the total is to be sent back until it is noted, and then until it is sent', async () => {
  const slug = await shop.request(RENT);
  const [whole, part] = [await world.openPart(slug, '900'), await world.openPart(slug, '50')];
  await paid(whole, '900.00');
  await paid(part, '50.00');
  for (const text of await bothPages(slug))
    expect(text).toMatch(/GHS 50\.00(<\/span><\/b>|<\/b>)? more has arrived than was asked/);
  expect((await world.visit(`/dashboard/charges/${part}/refund`, noted('Twice'))).status).toBe(303);
  for (const text of await bothPages(slug)) {
    expectWords(text, ['It has not been sent yet.'], ['than was asked']);
  }
});

test('another request, of the same customer, says nothing of it', async () => {
  const [slug, other] = [await shop.request(RENT), await shop.request({ ...RENT, title: 'Water' })];
  const reference = await world.openPart(slug, '900');
  for (let n = 0; n < 2; n++) await paid(reference, '900.00');
  for (const text of await bothPages(other)) expect(text).not.toMatch(/paid already|than was asked|paid ahead/);
});

test('the next reminder is one that will leave: not of what is paid, and none after STOP, payment or cancelling', async () => {
  const slug = await shop.request(RENT);
  const next = async () => /<dt>Next reminder<\/dt><dd>([^<]*)<\/dd>/.exec((await bothPages(slug))[0])?.[1];
  expect(await next()).toBe('1 Feb 2027');
  await paid(await world.openPart(slug, '300'), '300.00');
  expect(await next()).toBe('1 Mar 2027');
  expect((await shop.shownRequest(slug)).next_reminder_at).toMatch(/^2027-03-01T/);
  const said = { merchant_id: shop.id, number: CUSTOMER, opted_out: true, at: '2027-01-11T00:00:00Z', word: 'STOP' };
  await world.outside.table.write([changeOptOut(undefined, said, () => new Error('moved'))]);
  expect(await next()).toBe('None: the customer wrote STOP');
  await paid(await world.openPart(slug, '600'), '600.00');
  expect(await next()).toBeUndefined();
  expect((await shop.shownRequest(slug)).next_reminder_at).toBeNull();
});

test('of a cancelled request none is shown', async () => {
  const slug = await shop.request(RENT);
  await owner.visit(`${REQUESTS}/${slug}/cancel`, { form: {} });
  expect((await bothPages(slug))[0]).not.toContain('Next reminder');
});

test('the file has each customer with amount and address, over several pages, and of nobody else', async () => {
  const csv = `name,number,amount\n=Ama,0241112222,850.50\n${'Kofi,0241112223,10\n'.repeat(249)}`;
  const preview = { csv, title: 'Dues', preview: 'one' };
  expect((await owner.visit(`${REQUESTS}/list`, { form: preview })).status).toBe(303);
  await (await world.createShop()).request({ ...RENT, title: 'Of another' });
  const { text, headers } = await owner.visit(`${REQUESTS}/requests.csv`);
  expect(headers['content-type']).toContain('text/csv');
  const [names = '', ...lines] = text.trim().split('\r\n');
  expect(
    names
      .replace('\ufeff', '')
      .split(',')
      .slice(0, 6)
      .map((name) => name.replaceAll('"', '')),
  ).toEqual(['customer_name', 'customer_phone', 'title', 'amount_ghs', 'open_ghs', 'url']);
  expect(lines).toHaveLength(250);
  const urls = lines.map((line) => /https?:[^"]*\/r\/\w{12}/.exec(line)?.[0]);
  expect(new Set(urls).size).toBe(250);
  expect(lines.filter((line) => line.includes('850.5'))).toHaveLength(1);
  expect(lines.find((line) => line.includes('850.5'))).toMatch(/^"'=Ama",/);
  expect(text).not.toContain('Of another');
  expect((await owner.visit(REQUESTS)).text).toContain(`href="${REQUESTS}/requests.csv"`);
  const cashier = await shop.signIn('cashier');
  expect((await cashier.visit(`${REQUESTS}/requests.csv`)).status).toBe(403);
  expect((await cashier.visit(REQUESTS)).text).not.toContain('requests.csv');
});

const noted = (reason: string) => ({ by: owner, form: { amount: '50', reason } });

async function paid(reference: string, amount: string, from?: string): Promise<void> {
  await shop.pay(mtn({ reference, amount, ...(from && { from }) }));
}

async function bothPages(slug: string): Promise<readonly [owners: string, customers: string]> {
  const owners = await owner.visit(`${REQUESTS}/${slug}`);
  const customers = await world.call('r/page', { path: `/r/${slug}`, parameters: { slug } });
  return [owners.text, customers.text];
}
