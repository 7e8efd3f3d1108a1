import { expect, test } from 'vitest';
import { mtn, pay, type ReceiptText, reversal } from '../../support/receipts.ts';
import { scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';

const world = await scene({ inMemory: true });
const shop = await world.createShop();
const owner = await world.signIn('owner', shop.id);
const KOFI = '0551112223';

test.each([
  [
    'a link',
    async () => `links/${await made('link/create', { title: 'Wi-Fi', amount: 25 })}`,
    /^Wi-Fi: https:\S+\/pay\//,
  ],
  ['a request', () => requestPage({}), /^Ama Stores: Catering, GHS 30\.00\. See and pay it here: https:\S+\/r\//],
  ['a charge', () => chargePage({}), /GHS 36\.00.*https:\S+/s],
  ['a customer receipt', receiptPage, /^Receipt of Ama Stores, GHS 36\.00: https:\S+\/receipt$/],
])('%s can be shared as a message with a URL', async (_, path, words) => {
  const { href, shared } = await buttonOf(await path());
  expect(shared).toMatch(words);
  expect(href).toBe(`https://wa.me/?text=${encodeURIComponent(shared ?? '')}`);
});

test.each([
  ['a request', requestPage],
  ['a charge', chargePage],
])('%s can be shared in a chat with its customer', async (_, page) => {
  const { href, shared } = await buttonOf(await page({ customer_phone: KOFI }));
  expect(href).toMatch(/^https:\/\/wa\.me\/233551112223\?text=.*https%3A/);
  expect(shared).toBeUndefined();
});

const catering = { title: 'Catering', lines: [{ description: 'Jollof', amount: '30' }] };

async function made(route: 'link/create' | 'request/create', body: object): Promise<string> {
  return (await world.call(route, { key: shop.liveKey, body })).json.data.slug;
}

async function requestPage(customer: object): Promise<string> {
  return `requests/${await made('request/create', { ...catering, ...customer })}`;
}

async function chargePage(customer: object): Promise<string> {
  return `charges/${await shop.charge({ amount: 36, ...customer })}`;
}

async function receiptPage(): Promise<string> {
  const { path } = await paid();
  await verifyMoney(world);
  return path;
}

async function paid(by = shop): Promise<{ path: string; text: ReceiptText }> {
  const reference = await by.charge({ amount: 36 });
  const text = mtn({ reference, amount: '36.00' });
  await pay(world, by, text);
  return { path: `records/receipt/${reference}`, text };
}

test.each([
  ['not verified', paid],
  [
    'reversed',
    async () => {
      const { path, text } = await paid();
      await verifyMoney(world);
      await shop.arrive(reversal(text.id, '36.00'));
      return { path };
    },
  ],
  [
    'in doubt',
    async () => {
      const { path, text } = await paid();
      await verifyMoney(world);
      await shop.arrive({ sender: 'MobileMoney', text: `A reversal of transaction ${text.id} has been requested.` });
      return { path };
    },
  ],
])(
  'the receipt of a payment that is %s has a link to copy, but no message that calls it a receipt',
  async (_, make) => {
    const { path } = await make();
    expect((await buttonOf(path)).href).toBe('');
    expect((await owner.visit(`/dashboard/${path}`)).text).toMatch(/https:[^"<]*\/receipt/);
  },
);

async function buttonOf(path: string) {
  const { text } = await owner.visit(`/dashboard/${path}`);
  const [, href = '', rest = ''] = /href="(https:\/\/wa\.me[^"]*)"([^>]*)>Share on WhatsApp/.exec(text) ?? [];
  return { href, shared: /data-share="([^"]*)"/.exec(rest)?.[1] };
}
