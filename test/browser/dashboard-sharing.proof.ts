import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { handler as createLink } from '../../functions/link/create.ts';
import { signIn } from '../support/dashboard.ts';
import { storiesOf, WITH_SCRIPT } from '../support/dashboard-story.ts';
import { createCharge, createShop, mtn, pay, request, type Shop } from '../support/receipts.ts';
import { verifyMoney } from '../support/verified.ts';
import { call, createWorld, type World } from '../support/world.ts';

// Shares each kind of URL through the share sheet and WhatsApp. The shop's name needs URL encoding.

const SHOP = 'Ama & Sons #1 💛 Kofi’s + 100%';
const CHAT = '233551112223';
const customer_phone = `+${CHAT}`;

const story = storiesOf(async () => {
  const world = await createWorld({ inMemory: true });
  const shop = await createShop(world, { name: SHOP });
  const pages = ['pay/page', 'r/page', 'checkout/page', 'checkout/receipt', 'checkout/short-link'] as const;
  return { world, shop, by: await signIn(world, 'owner', shop.id), routes: [...pages, 'checkout/status'] as const };
});

interface Shared {
  /** The dashboard page with the share button. */
  readonly path: string;
  readonly words: string;
  readonly address: string;
}

type Share = (world: World, shop: Shop) => Promise<Shared>;

const shares: Readonly<Record<string, Share>> = {
  'a link': shareLink,
  'a payment request': (world, shop) => shareRequest(world, shop, {}),
  'a bill': (world, shop) => shareBill(world, shop, {}),
  'a customer receipt': async (world, shop) => {
    const { reference, access_code } = await createCharge(world, shop);
    await pay(world, shop, mtn({ reference }));
    await verifyMoney(world);
    const address = `${world.outside.baseUrl}/checkout/${access_code}/receipt`;
    return { path: `records/receipt/${reference}`, words: `Receipt of ${SHOP}, GHS 36.00: ${address}`, address };
  },
};

for (const [name, share] of Object.entries(shares)) {
  story(`${name} is shared on WhatsApp`, { usual: 'by hand' }, async ({ world, shop, open, isGood }) => {
    const { path, words, address } = await share(world, shop);
    const { page, hand } = await open(path);
    await page.addInitScript('delete Navigator.prototype.share');
    await page.reload();
    const button = page.getByRole('link', { name: 'Share on WhatsApp', exact: true });
    await isGood(page, button);
    expect(await button.getAttribute('href')).toBe(`https://wa.me/?text=${encodeURIComponent(words)}`);
    const chat = await openedBy(page, () => hand.press(button));
    expect(sentIn(chat)).toEqual({ chat: 'https://wa.me/', said: [['text', words]], hash: '' });
    expect((await chat.goto(address))?.status()).toBe(200);
    expect(await chat.locator('body').innerText()).toContain(SHOP);
  });

  story(
    `${name} is shared with the share sheet`,
    { usual: 'by hand', told: WITH_SCRIPT },
    async ({ world, shop, open, isGood }) => {
      const { path, words } = await share(world, shop);
      const { page, hand } = await open(path);
      await page.addInitScript('shared = []; navigator.share = async (data) => void shared.push(data)');
      await page.reload();
      const button = page.getByRole('link', { name: 'Share', exact: true });
      await isGood(page, button);
      expect(await openAfter(page, () => hand.press(button))).toEqual([page.url()]);
      expect(await page.evaluate('shared')).toEqual([{ text: words }]);
    },
  );
}

for (const [name, share] of [
  ['a payment request', shareRequest],
  ['a bill', shareBill],
] as const) {
  story(
    `${name} with a customer’s number opens the chat with that customer, even if there is a share sheet`,
    { usual: 'by hand' },
    async ({ world, shop, open }) => {
      const { path, words } = await share(world, shop, { customer_phone });
      const { page, hand } = await open(path);
      await page.addInitScript('navigator.share = async () => undefined');
      await page.reload();
      const chat = await openedBy(page, () => hand.press(page.getByRole('link', { name: 'Share on WhatsApp' })));
      expect(sentIn(chat)).toEqual({ chat: `https://wa.me/${CHAT}`, said: [['text', words]], hash: '' });
    },
  );
}

story(
  'a share sheet that is denied falls back to WhatsApp, and one that is closed does not',
  { usual: 'by hand', told: WITH_SCRIPT },
  async ({ world, shop, open }) => {
    const { path, words } = await shareLink(world, shop);
    const { page, hand } = await open(path);
    const button = page.getByRole('link', { name: 'Share', exact: true });
    await failWith(page, 'AbortError');
    expect(await openAfter(page, () => hand.press(button))).toEqual([page.url()]);
    await failWith(page, 'NotAllowedError');
    expect(sentIn(await openedBy(page, () => hand.press(button))).said).toEqual([['text', words]]);
  },
);

async function shareLink(world: World, { liveKey: key }: Shop): Promise<Shared> {
  const title = 'Ama & Sons’ Wi-Fi #1 💛';
  const { json } = await call(world, createLink, { key, body: { title, amount: 25 } });
  const address = `${world.outside.baseUrl}/pay/${json.data.slug}`;
  return { path: `links/${json.data.slug}`, words: `${title}: ${address}`, address };
}

async function shareRequest(world: World, shop: Shop, customer: object): Promise<Shared> {
  const lines = [{ description: 'Jollof', amount: 30 }];
  const slug = await request(world, shop, { title: 'Catering', lines, ...customer });
  const address = `${world.outside.baseUrl}/r/${slug}`;
  return {
    path: `requests/${slug}`,
    words: `${SHOP}: Catering, GHS 30.00. See and pay it here: ${address}`,
    address,
  };
}

async function shareBill(world: World, shop: Shop, customer: object): Promise<Shared> {
  const { reference, access_code } = await createCharge(world, shop, customer);
  const address = `${world.outside.baseUrl}/c/${access_code}`;
  return { path: `charges/${reference}`, words: `${SHOP}: please pay GHS 36.00 here: ${address}`, address };
}

async function failWith(page: Page, error: string): Promise<void> {
  await page.addInitScript(`navigator.share = async () => { throw new DOMException('', '${error}') }`);
  await page.reload();
}

/** Returns the page opened by a press, with a blank page instead of WhatsApp. */
async function openedBy(page: Page, press: () => Promise<void>): Promise<Page> {
  const context = page.context();
  await context.route('https://wa.me/**', (route) => route.fulfill({ body: '' }));
  const [chat] = await Promise.all([context.waitForEvent('page'), press()]);
  await chat.waitForURL('https://wa.me/**');
  return chat;
}

/** Returns the URLs of all open pages half a second after a press. */
async function openAfter(page: Page, press: () => Promise<void>): Promise<string[]> {
  await press();
  await page.waitForTimeout(500);
  return page
    .context()
    .pages()
    .map((one) => one.url());
}

function sentIn(chat: Page) {
  const { origin, pathname, searchParams, hash } = new URL(chat.url());
  return { chat: `${origin}${pathname}`, said: [...searchParams], hash };
}
