import { beforeEach, describe, expect, test } from 'vitest';
import { addMerchant } from '../../../shared/merchants/merchant/add-merchant.ts';
import { expectPings } from '../../../shared/phones/gateway/phone.table.ts';
import { noteWalletHeard } from '../../../shared/wallets/wallet/hearing.table.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { at, BEGUN_MINUTE, begin, link, run, WALLET } from '../../support/wallet-chains.ts';

const NUMBER = WALLET.momo_number;
let world: Scene;
let shop: Shop;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop({ number: NUMBER });
});

const list = async (key = shop.liveKey) => (await world.call('wallet/list', { key })).json.data.wallets;
const keyThatMay = (...scope: ('balances:read' | 'charges:read')[]) => shop.addKey('live', { scope });
const account = { network: 'MTN', number: NUMBER, account_name: 'AMA STORES' };

test('a wallet has null values until its first text arrives', async () => {
  expect(await list()).toEqual([
    { ...account, last_text_at: null, phone_silent: null, near_limit: null, balance: null },
  ]);
});

describe('a wallet with a balance chain', () => {
  beforeEach(async () => {
    await begin(world, 4_600_00);
    await noteWalletHeard(world.outside, NUMBER, { gateway: 'phone', device_id: 'device-1' }, world.iso());
  });

  test('shows when its last text arrived', async () => {
    expect(await list()).toMatchObject([{ last_text_at: world.iso(), phone_silent: false, near_limit: 5_000 }]);
    await link(world, ...run(BEGUN_MINUTE, 4_600_00, -4_000_00));
    expect(await list()).toMatchObject([{ near_limit: null }]);
  });

  test('shows that its phone has gone silent', async () => {
    await expectPings(world.outside, 'phone');
    at(world, 24 * 60);
    expect(await list()).toMatchObject([{ phone_silent: true }]);
  });

  test('shows its balance only to a key with balances:read', async () => {
    expect(await list()).toMatchObject([{ balance: null }]);
    expect(await list(await keyThatMay('charges:read'))).toMatchObject([{ balance: null }]);
    expect(await list(await keyThatMay('charges:read', 'balances:read'))).toMatchObject([{ balance: 4_600 }]);
  });

  test('hides its balance if several merchants share it', async () => {
    await addMerchant(world.outside, { name: 'Kofi Stores', momo_accounts: [{ ...account, network: 'MTN' }] });
    const [wallet] = await list(await keyThatMay('charges:read', 'balances:read'));
    expect(wallet).toMatchObject({ near_limit: null, balance: null, last_text_at: world.iso() });
  });
});
