import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import { walletNoticeRows } from '../../../shared/wallets/wallet/wallet-notice.table.ts';
import { meter } from '../../bench/meter.ts';
import { arrive, mtn, newNumber, post, settleAtOnce, telecel } from '../../support/receipts.ts';
import { type Shop, scene } from '../../support/scene.ts';
import { cashIn, noticesOf, refusal } from '../../support/wallets.ts';

const world = await scene();
let shop: Shop;
beforeEach(async () => {
  shop = await world.createShop();
});

describe('a payment rejected because of the wallet’s limit', () => {
  test('is stored with its merchant and all details from its text', async () => {
    const receivedAt = world.iso(-5_000);
    const text = refusal({ amount: '6,000.50', from: 'AKUA OSEI' });
    await shop.arrive({ ...text, receivedAt });
    expect(await noticesOf(world, shop)).toEqual([
      {
        kind: 'payment_refused',
        network: 'MTN',
        momo_number: shop.number,
        merchant_id: shop.id,
        transaction_id: text.id,
        amount_pesewas: 6_000_50,
        payer_name: 'AKUA OSEI',
        received_at: receivedAt,
      },
    ]);
  });

  test('is stored once despite repeated texts', async () => {
    const text = { recipient: shop.number, ...refusal() };
    const jobs = [await post(world, text), await post(world, text), await post(world, { ...text, device: 'device-2' })];
    await settleAtOnce(world, [...jobs, ...jobs]);
    const first = await noticesOf(world, shop);
    world.clock.nowMs += DAY_MS;
    await world.settle(...jobs);
    await shop.arrive(text);
    expect(await noticesOf(world, shop)).toEqual(first);
    expect(first).toHaveLength(1);
  });

  test('is stored separately if the same payer has several rejected payments', async () => {
    for (const text of [refusal(), refusal(), refusal()]) await shop.arrive(text);
    expect(await noticesOf(world, shop)).toHaveLength(3);
  });

  // No merchant may see the payer's name.
  test.each<[string, () => Promise<{ number: string }>]>([
    ['several merchants share the number', () => world.createShop({ number: shop.number })],
    ['the number’s account is on another network', () => world.createShop({ network: 'TELECEL' })],
    ['the number belongs to no merchant', async () => ({ number: newNumber() })],
  ])('is shown to no merchant if %s', async (_, paid) => {
    const { number } = await paid();
    await arrive(world, { number }, refusal());
    const [notice] = await noticesOf(world, { number, network: 'MTN' });
    expect(notice).toMatchObject({ kind: 'payment_refused', momo_number: number, payer_name: 'AKUA OSEI' });
    expect(notice).not.toHaveProperty('merchant_id');
  });

  test('is stored for the operator if the receiving number is unknown', async () => {
    const text = refusal();
    await world.settle(await post(world, { device: 'device-2', ...text }));
    const notices = await walletNoticeRows.list(world.outside, { network: 'MTN', momo_number: undefined });
    expect(notices.filter((one) => one.kind === 'payment_refused' && one.transaction_id === text.id)).toHaveLength(1);
  });

  test('is ignored if its text is from an unknown sender', async () => {
    await shop.arrive({ ...refusal(), sender: 'MoMoney' });
    expect(await noticesOf(world, shop)).toEqual([]);
  });
});

describe('a wallet with a known balance limit', () => {
  beforeEach(async () => {
    await shop.change({ balance_limit: { number: undefined, limit_pesewas: 40_000_00 } });
  });

  test('is reported as nearly full at 90% of the limit', async () => {
    await shop.arrive(cashIn('35999.99'));
    expect(await noticesOf(world, shop)).toEqual([]);
    const receivedAt = world.iso(-5_000);
    await shop.arrive({ ...cashIn('36000.00'), receivedAt });
    expect(await noticesOf(world, shop)).toEqual([
      {
        kind: 'near_limit',
        network: 'MTN',
        momo_number: shop.number,
        merchant_id: shop.id,
        assumed: false,
        balance_pesewas: 36_000_00,
        limit_pesewas: 40_000_00,
        received_at: receivedAt,
      },
    ]);
  });

  test('is reported as nearly full at most once a day', async () => {
    const firstAt = world.iso();
    await shop.arrive(cashIn('36000.00'));
    world.clock.nowMs += DAY_MS - 1;
    await shop.arrive(cashIn('37000.00'));
    expect(await noticesOf(world, shop)).toMatchObject([{ balance_pesewas: 36_000_00, received_at: firstAt }]);
    world.clock.nowMs += 1;
    await shop.arrive(cashIn('38000.00'));
    expect(await noticesOf(world, shop)).toMatchObject([{ balance_pesewas: 38_000_00, received_at: world.iso() }]);
  });

  test('is not reported again for an older text', async () => {
    const first = await post(world, { recipient: shop.number, ...cashIn('36000.00') });
    const late = { ...cashIn('39000.00'), receivedAt: world.iso(-2 * DAY_MS) };
    await world.settle(first);
    const kept = await noticesOf(world, shop);
    world.clock.nowMs += 3 * DAY_MS;
    await world.settle(first);
    await shop.arrive(late);
    expect(await noticesOf(world, shop)).toEqual(kept);
  });
});

describe('a wallet without a known balance limit', () => {
  test('is reported once in 30 days for each possible limit', async () => {
    await shop.arrive(cashIn('4600.00'));
    await shop.arrive(cashIn('36000.00'));
    world.clock.nowMs += 30 * DAY_MS - 1;
    await shop.arrive(cashIn('4700.00'));
    const notices = await noticesOf(world, shop);
    expect(notices).toMatchObject([
      { limit_pesewas: 40_000_00, balance_pesewas: 36_000_00, assumed: true },
      { limit_pesewas: 5_000_00, balance_pesewas: 4_600_00, assumed: true },
    ]);
    world.clock.nowMs += 1;
    await shop.arrive(cashIn('4700.00'));
    expect(await noticesOf(world, shop)).toMatchObject([{}, { balance_pesewas: 4_700_00 }]);
  });

  test('is reported again a day later if its limit has been set', async () => {
    await shop.arrive(cashIn('4600.00'));
    await shop.change({ balance_limit: { number: shop.number, limit_pesewas: 5_000_00 } });
    world.clock.nowMs += DAY_MS;
    await shop.arrive(cashIn('4700.00'));
    expect(await noticesOf(world, shop)).toMatchObject([{ balance_pesewas: 4_700_00, assumed: false }]);
  });
});

describe('the balance in a text', () => {
  test('is compared with the wallet’s limit', async () => {
    const kojo = await world.createShop({ network: 'TELECEL' });
    const reference = await kojo.charge({ amount: 36 });
    const { text, ...receipt } = telecel({ reference });
    await kojo.pay({ ...receipt, text: text.replace('GHS1,135.25', 'GHS4,900.00') });
    expect(await noticesOf(world, kojo)).toMatchObject([{ network: 'TELECEL', balance_pesewas: 4_900_00 }]);
    expect(await kojo.verified(reference)).toMatchObject({ status: 'success' });
  });

  test('is shown to no merchant if the wallet is shared', async () => {
    const other = await world.createShop({ number: shop.number });
    await shop.change({ balance_limit: { number: undefined, limit_pesewas: 75_000_00 } });
    await other.change({ balance_limit: { number: undefined, limit_pesewas: 40_000_00 } });
    await shop.arrive(cashIn('37000.00'));
    const [notice] = await noticesOf(world, shop);
    expect(notice).toMatchObject({ kind: 'near_limit', limit_pesewas: 40_000_00, assumed: false });
    expect(notice).not.toHaveProperty('merchant_id');
  });

  test('is not stored if it is far from any limit', async () => {
    const nobody = { number: newNumber(), network: 'MTN' as const };
    await arrive(world, { number: nobody.number }, cashIn('4900.00'));
    await shop.pay(mtn());
    expect(await noticesOf(world, nobody)).toEqual([]);
    expect(await noticesOf(world, shop)).toEqual([]);
  });
});

test('a text’s balance is linked before its payment is settled', async () => {
  await shop.change({ balance_limit: { number: undefined, limit_pesewas: 5_000_00 } });
  const reference = await shop.charge({ amount: 4_800 });
  const job = await post(world, { recipient: shop.number, ...mtn({ amount: '4,800.00', reference }) });
  const { changes } = await meter(world, () => world.settle(job));
  // Excludes condition checks.
  const kinds = changes.flatMap(({ before, after }) => String((after ?? before)?.pk ?? '').split('#')[0] || []);
  const inOrder = kinds.filter((kind, n) => kind !== kinds[n - 1]);
  expect(inOrder).toEqual(['CHAIN', 'RECEIPT', 'TRANSACTION', 'PAYMENT', 'WALLET', 'HEARING', 'PHONE_EVENT']);
});
