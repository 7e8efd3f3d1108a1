import { beforeEach, expect, test } from 'vitest';
import { disputeTransaction } from '../../../shared/money/transaction/change-transaction.table.ts';
import { TestBrowser } from '../../support/push-service.ts';
import { heardBy, switchOn, work } from '../../support/pushed.ts';
import { mtn, reversal } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';

// A shop's people hear on their devices that a link runs low of codes, and that a payer waits for one; what became of a code is on its receipt.

let world: Scene;
let shop: Shop;
let owner: Person;
let browser: TestBrowser;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  owner = await shop.signIn('owner');
  browser = new TestBrowser();
});

test('codes that run low are told at the limit and when none are left, to who hears of credits', async () => {
  await switchOn(world, owner, browser, { kinds: ['credits'], details: true });
  const slug = await make(4, { low_stock_at: 2 });
  const path = `/dashboard/links/${slug}`;
  await sell(slug);
  expect(heard()).toEqual([]);
  await sell(slug);
  const body = 'Add more before the link is sold out.';
  expect(heard()).toMatchObject([{ kind: 'stock_low', title: 'Only 2 codes left', body, path }]);
  await sell(slug);
  expect(heard()).toHaveLength(1);
  await sell(slug);
  const none = { title: 'No codes are left', body: 'The link is sold out until you add more.', path };
  expect(heard().slice(1)).toMatchObject([none]);
});

test('a stock that was filled meanwhile is told to nobody', async () => {
  await switchOn(world, owner, browser, { kinds: ['credits'] });
  const slug = await make(1);
  await payFor(slug);
  await work(world, await world.queuedNotices('code'));
  const jobs = await world.queuedNotices('stock_low');
  expect(jobs).toHaveLength(1);
  await add(slug, 20);
  await work(world, jobs);
  expect(heard()).toEqual([]);
});

test('a payer who waits for more codes is told to who looks after payments to check, and no more once served', async () => {
  await switchOn(world, owner, browser, { kinds: ['held'] });
  const slug = await make(1);
  const opened = await world.openLink(slug);
  await sell(slug);
  await payOf(opened.reference);
  const said = { title: 'A payer waits for a code', body: 'None are left. The next that you add is theirs.' };
  expect(heard()).toMatchObject([{ kind: 'code_waiting', ...said, path: `/dashboard/links/${slug}` }]);
  expect(await receiptOf(opened)).toContain('Not handed out yet');
  await add(slug, 2);
  await settle();
  expect(heard()).toHaveLength(1);
});

/** A payer waits for more codes than there are, and nobody was told of it yet. */
async function waitsForCode() {
  await switchOn(world, owner, browser, { kinds: ['held'] });
  const slug = await make(1);
  const { reference } = await world.openLink(slug);
  await sell(slug);
  await shop.pay(mtn({ reference }));
  await work(world, await world.queuedNotices('code'));
  const jobs = await world.queuedNotices('code_waiting');
  expect(jobs).toHaveLength(1);
  return { slug, reference, jobs };
}

test('a payer who waits, and whose payment is in doubt by then, is told as one in doubt, with its page', async () => {
  const { slug, reference, jobs } = await waitsForCode();
  await world.outside.table.update(disputeTransaction(world.outside, reference, 'conflict'));
  await work(world, jobs);
  const body = 'The payment is in doubt, so no code goes. Check your wallet.';
  expect(heard()).toMatchObject([{ body, path: `/dashboard/links/${slug}/code/${reference}` }]);
});

test('a payer who has the code by then is told to nobody', async () => {
  const { slug, jobs } = await waitsForCode();
  await add(slug, 2);
  await settle();
  await work(world, jobs);
  expect(heard()).toEqual([]);
});

test('a code that a person has to let go is told with its page', async () => {
  await shop.change({ confirm_unproven_up_to_pesewas: 2_000 });
  await switchOn(world, owner, browser, { kinds: ['held'] });
  const slug = await make(3);
  const { reference } = await world.openLink(slug);
  await payOf(reference);
  const body = 'The payment is not verified. Look in your MoMo balance, then let the code go.';
  expect(heard('code_waiting')).toMatchObject([{ body, path: `/dashboard/links/${slug}/code/${reference}` }]);
});

test('neither is told to who chose other things, nor of a test', async () => {
  await switchOn(world, owner, browser, { kinds: ['paid'] });
  const slug = await make(1);
  const opened = await world.openLink(slug);
  await sell(slug);
  await payOf(opened.reference);
  expect(heard().filter(({ kind }) => kind !== 'paid')).toEqual([]);
  const key = await shop.addKey('live', { mode: 'test' });
  const body = { title: 'Wi-Fi', amount: 25, codes: ['A'] };
  expect((await world.call('link/create', { key, body })).status).toBe(200);
  await settle();
  expect(heard().filter(({ kind }) => kind !== 'paid')).toEqual([]);
});

test('a receipt says that a code was handed out, and not which', async () => {
  const slug = await make(2);
  const opened = await world.openLink(slug);
  const receipt = await payOf(opened.reference);
  const shown = await receiptOf(opened);
  expect(shown).toMatch(/Code<\/dt><dd dir="auto">Handed out on \d/);
  expect(shown).not.toContain('CANARY');
  await shop.arrive(reversal(receipt.id));
  await settle();
  expect(await receiptOf(opened)).toContain('Was handed out');
});

test('who is told that a code waits for a payment in doubt is not told to let it go', async () => {
  await shop.change({ confirm_unproven_up_to_pesewas: 2_000 });
  await switchOn(world, owner, browser, { kinds: ['held'] });
  const slug = await make(3);
  const { reference } = await world.openLink(slug);
  await shop.pay(mtn({ reference }));
  await world.outside.table.update(disputeTransaction(world.outside, reference, 'conflict'));
  await settle();
  expect(heard('code_waiting')).toMatchObject([
    { body: 'The payment is in doubt, so no code goes. Check your wallet.' },
  ]);
  const { text } = await owner.visit(`/dashboard/links/${slug}/code/${reference}`);
  expect(text).toContain('The payment is in doubt, so no code goes out for it.');
  expect(text).not.toMatch(/let the code go/i);
});

test('who has the limit raised to what is left or above it is told once that the stock is low', async () => {
  await switchOn(world, owner, browser, { kinds: ['credits'] });
  const slug = await make(4, { low_stock_at: 1 });
  for (const low_stock_at of [3, 10, 12]) {
    await shop.call('link/change', { parameters: { slug }, body: { low_stock_at } });
    await settle();
    expect(heard('stock_low')).toHaveLength(low_stock_at === 3 ? 0 : 1);
  }
  expect(heard('stock_low')).toMatchObject([{ title: 'Only 4 codes left' }]);
  for (let n = 0; n < 4; n++) await sell(slug);
  expect(heard('stock_low').slice(1)).toMatchObject([{ title: 'No codes are left' }]);
});

const heard = (of?: string) => heardBy(world, browser).filter(({ kind }) => kind !== 'hello' && kind === (of ?? kind));

async function make(codes: number, more: object = {}): Promise<string> {
  const body = { title: 'Wi-Fi', amount: 36, codes: Array.from({ length: codes }, (_, n) => `CANARY-${n}`), ...more };
  return (await shop.call('link/create', { body })).json.data.slug;
}

function add(slug: string, count: number) {
  const body = { codes: Array.from({ length: count }, (_, n) => `CANARY-MORE-${n}`) };
  return shop.call('link/add-codes', { parameters: { slug }, body });
}

async function payFor(slug: string): Promise<void> {
  const { reference } = await world.openLink(slug);
  await shop.pay(mtn({ reference }));
}

/** One is sold, and all that follows is told; a while later. */
async function sell(slug: string): Promise<void> {
  await payFor(slug);
  await settle();
  world.clock.nowMs += 60_000;
}

async function payOf(reference: string) {
  const receipt = mtn({ reference });
  await shop.pay(receipt);
  await settle();
  return receipt;
}

async function settle(): Promise<void> {
  for (let n = 0; n < 6; n++) await world.tell();
}

async function receiptOf({ access_code }: { access_code: string }): Promise<string> {
  return (await world.call('checkout/receipt', { parameters: { access_code } })).text;
}
