import { beforeEach, expect, test } from 'vitest';
import { handler as links } from '../../../functions/dashboard/links.ts';
import { handler as change } from '../../../functions/link/change.ts';
import { handler as create } from '../../../functions/link/create.ts';
import { changeMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import { disputeTransaction } from '../../../shared/money/transaction/change-transaction.table.ts';
import { type Person, signIn, visit } from '../../support/dashboard.ts';
import { TestBrowser } from '../../support/push-service.ts';
import { heardBy, switchOn, tell } from '../../support/pushed.ts';
import { createShop, mtn, pay, type Shop } from '../../support/receipts.ts';
import { call, createWorld, type World } from '../../support/world.ts';
import { openLink } from '../pay/open-link.ts';

let world: World;
let shop: Shop;
let owner: Person;
let browser: TestBrowser;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  shop = await createShop(world);
  owner = await signIn(world, 'owner', shop.id);
  browser = new TestBrowser();
});

test('who is told that a code waits for a payment in doubt is not told to let it go', async () => {
  await changeMerchant(world.outside, shop.id, { confirm_unproven_up_to_pesewas: 2_000 });
  await switchOn(world, owner, browser, { kinds: ['held'] });
  const slug = await make(3);
  const { reference } = await openLink(world, slug);
  await pay(world, shop, mtn({ reference }));
  await world.outside.table.update(disputeTransaction(world.outside, reference, 'conflict'));
  await settle();
  const waiting = heard().filter(({ kind }) => kind === 'code_waiting');
  expect(waiting).toMatchObject([{ body: 'The payment is in doubt, so no code goes. Check your wallet.' }]);
  const { text } = await visit(world, links, `/dashboard/links/${slug}/code/${reference}`, { by: owner });
  expect(text).toContain('The payment is in doubt, so no code goes out for it.');
  expect(text).not.toMatch(/let the code go/i);
});

test('who has the limit raised to what is left or above it is told once that the stock is low', async () => {
  await switchOn(world, owner, browser, { kinds: ['credits'] });
  const slug = await make(4, { low_stock_at: 1 });
  for (const low_stock_at of [3, 10, 12]) {
    await call(world, change, { method: 'PUT', key: shop.liveKey, parameters: { slug }, body: { low_stock_at } });
    await settle();
    expect(lowStock()).toHaveLength(low_stock_at === 3 ? 0 : 1);
  }
  expect(lowStock()).toMatchObject([{ title: 'Only 4 codes left' }]);
  for (let n = 0; n < 4; n++) {
    const { reference } = await openLink(world, slug);
    await pay(world, shop, mtn({ reference }));
    await settle();
    world.clock.nowMs += 60_000;
  }
  expect(lowStock().slice(1)).toMatchObject([{ title: 'No codes are left' }]);
});

const lowStock = () => heard().filter(({ kind }) => kind === 'stock_low');

async function settle(): Promise<void> {
  for (let n = 0; n < 6; n++) await tell(world);
}

const heard = () => heardBy(world, browser).filter(({ kind }) => kind !== 'hello');

async function make(codes: number, more: object = {}): Promise<string> {
  const body = { title: 'Wi-Fi', amount: 36, codes: Array.from({ length: codes }, (_, n) => `CANARY-${n}`), ...more };
  return (await call(world, create, { method: 'POST', key: shop.liveKey, body })).json.data.slug;
}
