import { beforeEach, describe, expect, test } from 'vitest';
import { handler as charges } from '../../../functions/dashboard/charges.ts';
import { handler as signInArea } from '../../../functions/dashboard/sign-in.ts';
import { handler as texts } from '../../../functions/dashboard/texts.ts';
import { receiptRows, replaceReceipt } from '../../../shared/money/receipt/receipt.table.ts';
import type { HeldReason } from '../../../shared/money/receipt/receipt.ts';
import type { AreaHandler } from '../../../shared/pages/dashboard/area.ts';
import { meter } from '../../bench/meter.ts';
import { visit } from '../../support/dashboard.ts';
import { mtn } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';

// The way to the other pages says how many payments wait for a person, on every page.

let world: Scene;
let shop: Shop;
let owner: Person;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  owner = await shop.signIn('owner');
});

const PAGES: readonly (readonly [AreaHandler, string])[] = [
  [texts, '/dashboard/texts'],
  [charges, '/dashboard/charges/new'],
];

const ACCOUNT = [signInArea, '/dashboard/sign-in/account'] as const;

/** What is counted beside each entry that counts; twice, since the bar and the menu have it. */
async function counts(
  by: Person = owner,
  [handler, path]: readonly [AreaHandler, string] = [texts, '/dashboard/texts'],
) {
  const { status, text } = await visit(world, handler, path, { by });
  expect(status).toBe(200);
  return [...text.matchAll(/data-count>(?:(\d+\+?)<)?/g)].map(([, count]) => count ?? '');
}

async function hold(count = 1): Promise<string[]> {
  const held = Array.from({ length: count }, () => mtn({ amount: '12.00', reference: 'shoes' }));
  for (const receipt of held) await shop.pay(receipt);
  return held.map((receipt) => shop.paymentId(receipt));
}

async function change(receiptId: string, reason: HeldReason | undefined, setAside = false): Promise<void> {
  const before = await receiptRows.find(world.outside, { receipt_id: receiptId });
  if (!before) throw new Error('The payment was stored');
  const set_aside = setAside ? { by: owner.user.user_id, at: world.iso() } : undefined;
  await world.outside.table.write([replaceReceipt(before, { ...before, reason, set_aside })]);
}

describe('the count of what waits', () => {
  test('is of all payments that wait, on every page, and nothing where none does', async () => {
    for (const page of PAGES) expect(await counts(owner, page)).toEqual(['', '']);
    await hold(2);
    for (const page of PAGES) expect(await counts(owner, page)).toEqual(['2', '2']);
  });

  test('ends at nine, whatever else waits', async () => {
    await hold(9);
    expect(await counts()).toEqual(['9', '9']);
    await hold(3);
    expect(await counts()).toEqual(['9+', '9+']);
  });

  test('leaves out what is being checked by itself, and what was set aside', async () => {
    const [checking = '', aside = ''] = await hold(3);
    await change(checking, 'checking');
    await change(aside, 'no_charge', true);
    expect(await counts()).toEqual(['1', '1']);
  });

  test('is of this shop, and in test mode of tests', async () => {
    await hold();
    expect(await counts(await world.signIn('owner', (await world.createShop()).id))).toEqual(['', '']);
    await owner.visit('/dashboard/sign-in/test-mode', { form: { mode: 'test' } });
    expect(await counts()).toEqual(['', '']);
  });

  test('is for those who may see these payments', async () => {
    await hold();
    for (const role of ['manager', 'cashier', 'viewer'] as const)
      expect(await counts(await shop.signIn(role))).toEqual(['1', '1']);
    world.requests.length = 0;
    expect(await counts(await shop.signIn('developer'))).toEqual([]);
    expect(await counts(await world.signIn('operator'), ACCOUNT)).toEqual([]);
  });

  test('costs half a read unit, and one more for each payment of the last minutes', async () => {
    const look = (by: Person) => async () => void (await counts(by, ACCOUNT));
    const costFor = async (by: Person) => {
      // What is remembered for some seconds is read by then.
      await look(by)();
      return (await meter(world, look(by))).readUnits;
    };
    const [sees, seesNot] = [await shop.signIn('viewer'), await shop.signIn('developer')];
    const without = await costFor(seesNot);
    expect(await costFor(sees)).toBe(without + 0.5);
    await hold(3);
    expect(await costFor(sees)).toBe(without + 3.5);
    world.clock.nowMs += 10 * 60_000;
    expect(await costFor(sees)).toBe(without + 0.5);
    await hold(20);
    expect(await costFor(sees)).toBe(without + 0.5);
  });
});
