import { beforeEach, describe, expect, test } from 'vitest';
import { listAudit } from '../../../shared/merchants/audit/audit.table.ts';
import { nameByOwner } from '../../../shared/money/wallet/name-by-owner.ts';
import { summariseWallet, viewWallet } from '../../../shared/money/wallet/wallet-view.ts';
import { listSenders } from '../../../shared/phones/sender/sender.table.ts';
import { changeChain, requireChain } from '../../../shared/wallets/chain/change-chain.ts';
import { setCanary } from '../../../shared/wallets/wallet/hearing.table.ts';
import { hearWallet } from '../../../shared/wallets/wallet/watch-readings.ts';
import { refuse } from '../../support/disturb.ts';
import { receivedEvent } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { at, BEGUN_MINUTE, begin, known, link, run, text, WALLET } from '../../support/wallet-chains.ts';
import { noticesOf } from '../../support/wallets.ts';

const FIRST = BEGUN_MINUTE + 1;
const AFTER_LOST = 1_036_00;

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  at(world, 0);
  shop = await world.createShop({ number: WALLET.momo_number });
  await begin(world);
});

test('no gaps are shown if every text is linked', async () => {
  expect(await view()).toEqual({
    number: '+233241234567',
    network: 'MTN',
    anchored_at: '2026-11-20T10:25:00.000Z',
    verifies: true,
    young: false,
    looked_at: '2026-11-20T10:25:00.000Z',
    links: 0,
    gaps: 0,
    unbroken_since: '2026-11-20T10:25:00.000Z',
    paused_until: null,
    balance: 1000,
    question: null,
    branches: [],
    doubted: [],
    gap_list: [],
    clock_doubted: false,
    last_heard: null,
    canary: 'on',
    phones: [],
  });
});

test('a wallet with guessed balances shows how long verification pauses', async () => {
  const failed_ms = [1, 2, 3].map((n) => world.clock.nowMs + n);
  await changeChain(world.outside, WALLET, () => ({ failed_ms }));
  const paused = { paused_until: '2026-12-20T10:25:00.001Z' };
  expect(await view()).toMatchObject({ ...paused, question: 'paused' });
  expect(await summariseWallet(world.outside, await requireChain(world.outside, WALLET))).toMatchObject(paused);
});

test('links and gaps are counted across all branches', async () => {
  await link(world, ...run(FIRST, AFTER_LOST, 5_00, 6_00, -7_00), ...run(FIRST + 5, 2_000_00, 1_00, 2_00));
  const chain = await requireChain(world.outside, WALLET);
  expect(await summariseWallet(world.outside, chain)).toMatchObject({
    links: 2 + 1,
    gaps: 2,
    unbroken_since: '2026-11-20T10:32:00.000Z',
  });
  expect(await view()).toMatchObject({
    branches: [
      {
        texts: 3,
        moved: [{ amount: 5 }, { amount: 6 }, { amount: -7, receipt_id: null }],
        balance_before: 1036,
        balance: 1040,
        since: '2026-11-20T10:27:00.000Z',
      },
      { texts: 2, balance_before: 2000, balance: 2003 },
    ],
    gap_list: [
      { difference: 36, from: '2026-11-20T10:25:00.000Z', to: '2026-11-20T10:27:00.000Z', explained_by: null },
      { difference: 960, explained_by: null },
    ],
  });
});

test('no gap is shown before a branch with a different sender', async () => {
  const others = run(FIRST + 1, 1_001_00, 5_00, 6_00).map((one) => ({ ...one, sender: 'momo' }));
  await link(world, text(FIRST, 1_000_00, 1_00), ...others);
  expect(await view()).toMatchObject({ gaps: 0, gap_list: [], branches: [{ texts: 2, balance_before: 1001 }] });
});

test('each phone’s last received text is shown with its time', async () => {
  const event = receivedEvent(world, { sender: 'MobileMoney', text: 'canary', recipient: WALLET.momo_number });
  const arrived_at = world.iso();
  await world.createSender(WALLET.momo_number);
  const senders = await listSenders(world.outside);
  const heard = { gateway: 'phone', event: { ...event, event: 'sms:received' }, arrived_at } as const;
  await hearWallet(world.outside, { phoneEvent: heard, senders });
  await world.outside.table.write([setCanary(world.outside, WALLET.momo_number, false)]);
  expect(await view()).toMatchObject({
    last_heard: arrived_at,
    canary: 'off',
    phones: [{ gateway: 'phone', device: 'device-1', last_heard: arrived_at }],
  });
});

describe('a gap with a higher balance afterwards', () => {
  test('lists earlier open charges of exactly that amount', async () => {
    const reference = await shop.charge({ amount: 36 });
    await shop.charge({ amount: 37 });
    await link(world, ...run(FIRST, AFTER_LOST, 5_00, 6_00));
    at(world, FIRST + 30);
    await shop.charge({ amount: 36 });
    expect(await explanations()).toEqual([`may have paid: ${reference}`]);
  });

  test('omits a charge that ended before the gap', async () => {
    at(world, -60 * 25);
    await shop.charge({ amount: 36 });
    at(world, 0);
    await shop.charge({ amount: 36, expires_in: 300 });
    at(world, FIRST);
    await link(world, ...run(FIRST, AFTER_LOST, 5_00, 6_00));
    expect(await explanations()).toEqual([null]);
  });
});

describe('a gap with a lower balance afterwards', () => {
  const payment = text(BEGUN_MINUTE, 1_000_00, 36_00);
  const texts = run(FIRST, 1_000_00, 5_00, 6_00);

  test('suggests that an earlier payment was reversed', async () => {
    await link(world, payment, ...texts);
    expect(await explanations()).toEqual([`possibly reversed: ${payment.id}`]);
    await askedAt(FIRST + 3);
    at(world, FIRST + 12);
    expect(await explanations()).toEqual([`possibly reversed: ${payment.id}`]);
    at(world, FIRST + 13);
    expect(await explanations()).toEqual([`probably reversed: ${payment.id}`]);
  });

  test('does not call a reversal likely if the phone was asked before the gap', async () => {
    await link(world, payment);
    await askedAt(BEGUN_MINUTE);
    await link(world, ...texts);
    at(world, FIRST + 60);
    expect(await explanations()).toEqual([`possibly reversed: ${payment.id}`]);
  });

  test('suggests every payment of that amount', async () => {
    const other = text(FIRST, 1_036_00, 36_00);
    await link(world, payment, other, ...run(FIRST + 1, 1_036_00, 5_00, 6_00));
    await askedAt(FIRST + 4);
    at(world, FIRST + 30);
    expect(await explanations()).toEqual([`possibly reversed: ${other.id}, ${payment.id}`]);
  });

  test.each([
    ['no payment', [payment, ...run(FIRST, 999_00, 5_00, 6_00)]],
    ['a payment more than a month old', [payment, ...run(FIRST + 31 * 24 * 60, 1_000_00, 5_00, 6_00)]],
    ['incoming money that is not a payment', [{ ...payment, receipt_id: undefined }, ...texts]],
  ])('suggests nothing if the amount equals %s', async (_, linked) => {
    await link(world, ...linked);
    expect(await explanations()).toEqual([null]);
  });
});

describe('nameByOwner', () => {
  test('reports incoming money without a text only once', async () => {
    const reference = await shop.charge({ amount: 36 });
    await link(world, ...run(FIRST, AFTER_LOST, 5_00, 6_00));
    await askedAt(FIRST + 2);
    at(world, FIRST + 30);
    await nameByOwner(world.outside, WALLET, 1_047_00, { by: 'u' });
    await nameByOwner(world.outside, WALLET, 1_047_00, { by: 'u' });
    expect(await noticesOf(world, shop)).toEqual([
      {
        kind: 'payment_missed',
        network: 'MTN',
        momo_number: WALLET.momo_number,
        merchant_id: shop.id,
        amount_pesewas: 36_00,
        from: '2026-11-20T10:25:00.000Z',
        to: '2026-11-20T10:27:00.000Z',
        received_at: '2026-11-20T10:27:00.000Z',
        phone_asked: true,
        references: [reference],
      },
    ]);
  });

  test('reports nothing if money went out', async () => {
    await link(world, ...run(FIRST, 900_00, 5_00));
    await nameByOwner(world.outside, WALLET, 905_00, { by: 'u' });
    expect(await noticesOf(world, shop)).toEqual([]);
  });

  test('notifies no merchant of a shared wallet', async () => {
    await world.createMerchant();
    await link(world, ...run(FIRST, AFTER_LOST, 5_00));
    await nameByOwner(world.outside, WALLET, 1_041_00, { by: 'u' });
    const [notice] = await noticesOf(world, shop);
    expect(notice).toMatchObject({ kind: 'payment_missed', amount_pesewas: 36_00, phone_asked: false });
    expect(notice?.merchant_id).toBeUndefined();
  });

  test('completes the report if repeated after a crash', async () => {
    await link(world, ...run(FIRST, AFTER_LOST, 5_00));
    refuse(world, 'PutItem', 1, () => new Error('crashed'));
    await expect(nameByOwner(world.outside, WALLET, 1_041_00, { by: 'u' })).rejects.toThrow('crashed');
    expect(await noticesOf(world, shop)).toEqual([]);
    await nameByOwner(world.outside, WALLET, 1_041_00, { by: 'u' });
    expect(await noticesOf(world, shop)).toMatchObject([{ kind: 'payment_missed' }]);
  });
});

describe('the audit entry for a named balance', () => {
  beforeEach(() => link(world, ...run(FIRST, AFTER_LOST, 5_00, 6_00)));

  test('is written once per look and contains no balance', async () => {
    await nameByOwner(world.outside, WALLET, 1_047_00, { by: 'ama' });
    expect((await known(world)).waiting).toEqual([]);
    expect(await auditOf(shop.id)).toEqual([
      { merchant_id: shop.id, at: expect.any(String), by: 'ama', action: 'wallet balance', about: 'MTN …4567' },
    ]);
  });

  test('is visible only to the operator if the wallet is shared', async () => {
    const other = await world.createMerchant();
    const toldBy = { told_by: 'Kofi Boateng', at: '2026-11-20T10:20:00.000Z' };
    await nameByOwner(world.outside, WALLET, 1_047_00, { by: 'kwesi', toldBy });
    expect(await auditOf(undefined)).toMatchObject([
      { action: 'wallet balance', by: 'kwesi', about: 'MTN …4567', after: toldBy },
    ]);
    expect([...(await auditOf(shop.id)), ...(await auditOf(other.id))]).toEqual([]);
  });

  test('is not written if the network’s texts state no balance', async () => {
    const wallet = { network: 'AT', momo_number: '+233261234567' } as const;
    await expect(nameByOwner(world.outside, wallet, 1_048_00, { by: 'ama' })).rejects.toThrow('state no balance');
    expect(await auditOf(undefined)).toEqual([]);
  });
});

async function view() {
  return viewWallet(world.outside, await requireChain(world.outside, WALLET));
}

async function explanations() {
  return (await view()).gap_list.map(({ explained_by }) => explained_by);
}

/** Records that the wallet's phones were asked for past texts. */
async function askedAt(minute: number): Promise<void> {
  at(world, minute);
  await changeChain(world.outside, WALLET, () => ({ inbox_asked_ms: world.clock.nowMs }));
}

async function auditOf(merchant: string | undefined) {
  return (await listAudit(world.outside, merchant, '2026-11', { limit: 50, newestFirst: false })).entries;
}
