import { expect, test } from 'vitest';
import { requireMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import type { Merchant } from '../../shared/merchants/merchant/merchant.ts';
import type { Charge } from '../../shared/money/charge/charge.table.ts';
import { decideRelease, releaseHeldGoods } from '../../shared/money/goods/decide-release.ts';
import { giveCode } from '../../shared/money/link/hand-out-code.ts';
import { greenOf } from '../../shared/money/till/green.ts';
import { mtn, reversal } from '../support/receipts.ts';
import { type Scene, scene } from '../support/scene.ts';

/* During a deployment, new functions may store charges with an origin or goods that old functions do not know. */

const ORIGIN = { kind: 'catalogue', slug: 'k7m2q9x4', note: 'Size 42' };

function expectNoRelease({ outside }: Scene, merchant: Merchant, charge: Charge): void {
  expect({
    decideRelease: decideRelease(outside, merchant, charge),
    releaseHeldGoods: releaseHeldGoods(charge, 'usr_ama'),
  }).toEqual({
    decideRelease: 'not_paid',
    releaseHeldGoods: [],
  });
}

test.each([
  ['a stock code', { kind: 'code', state: 'unpaid' }],
  ['goods at a counter', { kind: 'counter', state: 'unpaid' }],
  ['an unknown kind', { kind: 'parcel', state: 'unpaid' }],
  ['no goods', undefined],
])('a paid charge with an unknown origin is not fulfilled: %s', async (_, goods) => {
  const world = await scene({ inMemory: true });
  const shop = await world.createShop();
  await shop.setWebhook();
  const by = await shop.signIn('owner');
  const reference = await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
  const stored = async () => (await world.rows('TRANSACTION')).find((one) => one.reference === reference) ?? {};
  await world.outside.table.write([
    { put: { Item: { ...(await stored()), origin: ORIGIN, ...(goods && { goods }) } } },
  ]);

  await shop.pay(mtn({ amount: '36.00', from: 'KOFI MENSAH', reference: 'order' }));
  expect(await shop.receipts()).toMatchObject([{ state: 'held' }]);
  const opened = await stored();
  const payment = mtn({ amount: '36.00', from: 'AMA OWUSU', reference });
  await shop.pay(payment);
  const paid = await stored();
  expect(paid).toMatchObject({ state: 'success', payment: { matched_by: 'reference' } });
  await world.relayChanges({ before: opened, after: paid });

  const found = await world.chargeRow(reference);
  const merchant = await requireMerchant(world.outside, shop.id);
  expectNoRelease(world, merchant, found);
  expect(await giveCode(world.outside, reference)).toBeUndefined();

  const parameters = { reference, access_code: found.access_code };
  const pages = ['checkout/page', 'checkout/status', 'checkout/receipt'] as const;
  for (const route of ['transaction/verify', 'transaction/list', ...pages] as const)
    expect(await shop.call(route, { parameters })).toMatchObject({ status: 200 });
  for (const path of [
    'charges',
    `charges/${reference}`,
    `records/receipt/${reference}`,
    `records/case/${reference}`,
    'today',
    ...['today/reports', 'today/reports/days.csv', 'today/reports/charges.csv', 'today/reports/payments.csv'],
    'till/closing',
  ])
    expect({ path, status: (await by.visit(`/dashboard/${path}`)).status }).toEqual({ path, status: 200 });
  expect((await by.visit(`/dashboard/charges/${reference}/release`, { form: {} })).status).toBe(409);

  await shop.pay({ ...payment, ...reversal(payment.id) });
  await world.relayChanges({ before: paid, after: await stored() });
  expect(await stored()).toMatchObject({ state: 'reversed', origin: ORIGIN });
  expect((await stored()).goods).toEqual(goods);
  const events = (await world.rows('EVENT')).map(({ type, body }) => [type, JSON.parse(String(body)).data] as const);
  const told = new Map(events.filter(([type]) => String(type).startsWith('charge.')));
  const shown = {
    link: null,
    request: null,
    customer_note: null,
    code: goods?.kind === 'code' ? { status: 'unpaid' } : null,
  };
  expect({ success: told.get('charge.success'), reversed: told.get('charge.reversed'), size: told.size }).toMatchObject(
    { success: shown, reversed: shown, size: 2 },
  );
  expect(world.logged.filter(({ level }) => level === 'error')).toEqual([]);
});

test.each([
  ['the API', { kind: 'api' }],
  ['a till’s sticker', { kind: 'sticker', slug: 'k7m2q9x4', till_id: 'till_1' }],
])('a charge from %s with unknown goods is not fulfilled', async (_, origin) => {
  const world = await scene({ inMemory: true });
  const shop = await world.createShop();
  const reference = await shop.charge({ amount: 36 });
  const [opened] = await world.rows('TRANSACTION');
  const goods = { kind: 'parcel', state: 'given' };
  await world.outside.table.write([{ put: { Item: { ...opened, origin, goods } } }]);
  await shop.pay(mtn({ amount: '36.00', reference }));

  const found = await world.chargeRow(reference);
  const merchant = await requireMerchant(world.outside, shop.id);
  expect(found.state).toBe('success');
  expectNoRelease(world, merchant, found);
  expect(greenOf(world.outside, merchant, found)).toBeUndefined();
  expect((await world.rows('TRANSACTION'))[0]).toMatchObject({ origin, goods });
});
