import { beforeEach, expect, test } from 'vitest';
import { eraseCustomer } from '../../../infra/admin/erase-customer.ts';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import { deploymentOf } from '../../support/deployment.ts';
import { mtn } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';

// Erasing a customer from payment requests keeps the amounts.

const PHONE = '+233201112223';
const AKUA = /20\W?1112223|akua|sarpong/i;

const REQUEST = {
  title: 'Rent, room of Akua Sarpong 0201112223',
  note: 'Akua Sarpong pays late',
  lines: [{ description: 'Room of Akua Sarpong, 020 111 2223', quantity: 2, amount: 18 }],
  customer_name: 'Akua Sarpong',
  customer_phone: PHONE,
  merchant_reference: 'SARPONG-1',
  metadata: { tenant: 'Akua Sarpong' },
};

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
});

test('a paid payment request loses only its customer data', async () => {
  const slug = await shop.request(REQUEST);
  const reference = await world.openPart(slug, '36');
  await shop.pay(mtn({ reference, from: 'AKUA SARPONG' }));
  for (let n = 0; n < 3; n++) await world.tell();
  const before = await shop.shownRequest(slug);
  world.clock.nowMs += 11 * DAY_MS;
  const { counts, leftOut } = await erase();
  expect({ paymentRequests: counts['payment requests'], charges: counts.charges, leftOut }).toEqual({
    paymentRequests: 1,
    charges: 1,
    leftOut: [],
  });
  const [row] = await world.rows('REQUEST');
  expect(JSON.stringify(row)).not.toMatch(AKUA);
  expect(await shop.shownRequest(slug)).toMatchObject({
    customer_name: null,
    customer_phone: null,
    note: null,
    merchant_reference: null,
    metadata: null,
    status: 'paid',
    total: 36,
    amount_paid: 36,
    payments: before.payments,
    instalments: before.instalments,
    title: 'erased',
    lines: [{ description: 'erased', quantity: 2, amount: 18 }],
  });
  const { text, status } = await world.call('r/page', { parameters: { slug } });
  expect({ status, namesAkua: AKUA.test(text) }).toEqual({ status: 200, namesAkua: false });
  expect((await erase()).counts).toEqual({});
  expect(JSON.stringify((await world.scan()).filter(({ sk }) => sk === 'TRANSACTION'))).not.toMatch(AKUA);
});

test('a stored response about a payment request loses its customer data', async () => {
  const slug = await shop.request(REQUEST);
  await world.call('request/cancel', {
    key: shop.liveKey,
    parameters: { slug },
    headers: { 'idempotency-key': 'cancel-1' },
  });
  expect(JSON.stringify(await world.rows('IDEMPOTENCY'))).toMatch(AKUA);
  await erase();
  expect(JSON.stringify(await world.rows('IDEMPOTENCY'))).not.toMatch(AKUA);
});

test('an open payment request is skipped until it is cancelled', async () => {
  const slug = await shop.request(REQUEST);
  expect((await erase()).leftOut).toEqual([{ kind: 'payment requests', id: slug }]);
  expect((await world.rows('REQUEST'))[0]).toMatchObject({ customer_name: 'Akua Sarpong', customer_phone: PHONE });
  await world.call('request/cancel', { key: shop.liveKey, parameters: { slug } });
  expect(await erase()).toMatchObject({ counts: { 'payment requests': 1 }, leftOut: [] });
  expect(await world.rows('REQUEST')).toMatchObject([{ slug, state: 'cancelled', total_pesewas: 3_600 }]);
  expect((await world.rows('REQUEST'))[0]).not.toHaveProperty('customer_phone');
});

test('another customer’s payment request keeps that customer’s details', async () => {
  const slug = await shop.request({
    title: 'Fees',
    lines: [{ description: 'Room of 020 111 2223', quantity: 2, amount: 18 }],
    customer_name: 'Yaw Boateng',
    customer_phone: '+233241112222',
    note: 'His sister answers at 0201112223 in the evening',
  });
  await world.call('request/cancel', { key: shop.liveKey, parameters: { slug } });
  expect((await erase()).counts).toEqual({ 'payment requests': 1 });
  const [row] = await world.rows('REQUEST');
  expect(row).toMatchObject({ customer_name: 'Yaw Boateng', customer_phone: '+233241112222' });
  expect(row?.lines).toMatchObject([{ description: 'Room of 0' }]);
  expect(row?.note).toMatch(/^His sister answers at .* in the evening$/);
  expect(JSON.stringify(row)).not.toMatch(AKUA);
});

function erase() {
  return eraseCustomer(deploymentOf(world), { phone: PHONE }, { isForReal: true });
}
