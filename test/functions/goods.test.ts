import { beforeEach, describe, expect, test } from 'vitest';
import { handler as tillArea } from '../../functions/dashboard/till.ts';
import { handler as createLink } from '../../functions/link/create.ts';
import { cannotTake } from '../../shared/money/till/take.ts';
import { listTills } from '../../shared/money/till/till.table.ts';
import { type Person, signIn, visit } from '../support/dashboard.ts';
import { tell } from '../support/pushed.ts';
import { createShop, mtn, pay, rows, type Shop } from '../support/receipts.ts';
import { call, createWorld, type World } from '../support/world.ts';
import { openLink } from './pay/open-link.ts';

/* What leaves for money that nothing proves, wherever goods leave, on a new wallet whose chain only observes. */

const TILL = '/dashboard/till';

let world: World;
let shop: Shop;
let ama: Person;
let till: string;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  shop = await createShop(world);
  const manager = await signIn(world, 'manager', shop.id);
  ama = await signIn(world, 'cashier', shop.id);
  await visit(world, tillArea, `${TILL}/new`, { by: manager, form: { name: 'Counter 1' } });
  till = (await listTills(world.outside, shop.id))[0]?.till_id ?? '';
  await visit(world, tillArea, `${TILL}/${till}/begin`, { by: ama, form: {} });
  await visit(world, tillArea, `${TILL}/${till}/sticker`, { by: manager, form: {} });
});

describe('on a new wallet', () => {
  test('of thirty forged texts of GHS 45 only as many take a code as the day’s limit allows', async () => {
    const codes = Array.from({ length: 30 }, (_, n) => `CODE-${n}`);
    const body = { title: 'Router', amount: 45, codes };
    const { json } = await call(world, createLink, { method: 'POST', key: shop.liveKey, body });
    for (const _ of codes) {
      const { reference } = await openLink(world, json.data.slug);
      await pay(world, shop, mtn({ reference, amount: '45.00' }));
      await settle();
    }
    const given = (await rows(world, 'TRANSACTION')).filter(({ link_code }) => stateOf(link_code) === 'given');
    expect(given.length * 45).toBeLessThanOrEqual(1_000);
    expect(given.length).toBeGreaterThan(0);
  });

  test('a forged payment above the limit for each is not tapped', async () => {
    await pay(world, shop, mtn({ amount: '4901.00', reference: 'goods' }));
    expect((await tap('4901')).text).toContain(cannotTake.not_proven);
    expect(await rows(world, 'TRANSACTION')).toEqual([]);
  });

  test('goods leave for no forged payment at the sticker above the limit for each', async () => {
    const sticker = String((await rows(world, 'LINK'))[0]?.slug);
    const { reference } = await openLink(world, sticker, { amount: '4900' });
    await pay(world, shop, mtn({ amount: '4900.00', reference }));
    await settle();
    const form = { reference };
    const { status } = await visit(world, tillArea, `${TILL}/${till}/hand-out`, { by: ama, form });
    expect([status, (await rows(world, 'TRANSACTION'))[0]?.handed_out]).toEqual([409, undefined]);
  });
});

function see(query: Record<string, string> = {}) {
  return visit(world, tillArea, `${TILL}/${till}`, { by: ama, query });
}

/** Taps the one payment of an amount. */
async function tap(amount: string) {
  const { text } = await see({ amount });
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? '';
  const form = { receipt: field('receipt'), shift: field('shift'), amount };
  return visit(world, tillArea, `${TILL}/${till}/take`, { by: ama, form });
}

async function settle(): Promise<void> {
  for (let n = 0; n < 8; n++) await tell(world);
}

function stateOf(code: unknown): unknown {
  return typeof code === 'object' && code !== null && 'state' in code ? code.state : undefined;
}
