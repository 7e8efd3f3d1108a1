import { beforeEach, describe, expect, test } from 'vitest';
import { listWaiting } from '../../../shared/wallets/chain/chain.table.ts';
import { changeChain } from '../../../shared/wallets/chain/change-chain.ts';
import { askOwner } from '../../../shared/wallets/wallet/ask-owner.ts';
import { noteWalletHeard } from '../../../shared/wallets/wallet/hearing.table.ts';
import { expectWords } from '../../support/answers.ts';
import { type Merchant, type Person, type Scene, scene } from '../../support/scene.ts';
import {
  at,
  beginAnew,
  ESTABLISHED_MINUTE,
  establish,
  known,
  link,
  run,
  text,
  WALLET,
} from '../../support/wallet-chains.ts';

const WALLETS = '/dashboard/settings/wallets';
const PATH = `${WALLETS}/0241234567`;
const ANSWER = '/dashboard/today/balance/MTN/233241234567';
const QUESTION = 'Did 024 123 4567 hold GHS 1,047.00?';
const AFTER_LOST = run(ESTABLISHED_MINUTE + 1, 1_036_00, 5_00, 6_00);
let world: Scene;
let merchant: Merchant;
let owner: Person;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  at(world, 0);
  merchant = await world.createMerchant();
  await establish(world);
  owner = await merchant.signIn('owner');
});

const open = (path: string, by = owner) => by.visit(path);

/** A text is lost, those after it wait, and the owner is asked. */
async function ask(): Promise<void> {
  await link(world, ...AFTER_LOST);
  at(world, ESTABLISHED_MINUTE + 15);
  const { chain } = await known(world);
  await askOwner(world.outside, chain, await listWaiting(world.outside, WALLET), []);
}

describe('the list', () => {
  test('says when each was last heard, since when its chain is unbroken, and its gaps', async () => {
    const heardAt = world.iso();
    await noteWalletHeard(world.outside, '+233241234567', { gateway: 'phone', device_id: 'd' }, heardAt);
    await merchant.change({
      momo_accounts: [
        { number: '+233241234567', network: 'MTN', account_name: 'AMA' },
        { number: '+233201112223', network: 'TELECEL', account_name: 'AMA' },
      ],
    });
    const { text } = await open(WALLETS);
    expectWords(
      text,
      ['20 Nov 2026, 10:00', ' data-age>0 s<', 'Verification is only noted', 'No text yet'],
      ['Did 024'],
    );
  });

  test('leads to the question that is open', async () => {
    await ask();
    const { text } = await open(WALLETS);
    expect(text).toContain(QUESTION);
    expect(text).toContain(`href="${ANSWER}">Answer`);
    expect((await open(PATH)).text).toContain(`href="${ANSWER}">Answer`);
  });
});

describe('a wallet', () => {
  test('shows its balance, and its gaps with what may explain them', async () => {
    await link(world, ...AFTER_LOST);
    const page = await open(PATH);
    expect(page.text).toContain('GHS 1,000.00');
    expect(page.text).toMatch(/Nothing known: money came in without a text.*\+36\.00/s);
  });

  test('with a text that waits, as its id is older than its balance, does not say that every text continues', async () => {
    await link(world, text(ESTABLISHED_MINUTE - 10, 1_000_00, 36_00));
    expectWords((await open(PATH)).text, ['They do not follow from the last verified text'], ['None: every text']);
  });

  test('of nobody’s texts says how its chain begins', async () => {
    const momo_accounts = [{ number: '+233201112223', network: 'TELECEL', account_name: 'AMA' } as const];
    await merchant.change({ momo_accounts });
    expect((await open(`${WALLETS}/0201112223`)).text).toContain('No text has reported this wallet’s balance yet');
  });

  test('that is new, and of which texts failed, asks its owner for the balance, though none waits', async () => {
    await beginAnew(world);
    const failed_ms = [world.clock.nowMs, world.clock.nowMs, world.clock.nowMs];
    await changeChain(world.outside, WALLET, () => ({ failed_ms }));
    expect((await open(PATH)).text).toContain(`href="${ANSWER}">Answer`);
    expect((await owner.visit(ANSWER)).text).toContain('What the wallet shows now');
    await owner.visit(`${ANSWER}/balance`, { form: { balance: '1000' } });
    expect((await known(world)).chain.failed_ms).toBeUndefined();
    expect((await open(PATH)).text).not.toContain('Answer');
  });

  test('that several merchants share shows nobody what is in it', async () => {
    await world.createMerchant();
    await ask();
    for (const path of [WALLETS, PATH]) expect((await open(path)).text).not.toMatch(/1,0\d\d\.00/);
    expect((await open(PATH)).text).toContain('only support sees and confirms its balance');
  });

  test('is nobody’s to see but the owner’s', async () => {
    for (const role of ['manager', 'cashier', 'viewer', 'developer'] as const) {
      const person = await merchant.signIn(role);
      for (const path of [WALLETS, PATH]) expect((await open(path, person)).status).toBe(403);
    }
  });
});

test('the same texts in order leave no question', async () => {
  await link(world, text(ESTABLISHED_MINUTE, 1_000_00, 36_00), ...AFTER_LOST);
  expect((await open(PATH)).text).toContain('None: every text continues the one before it.');
});
