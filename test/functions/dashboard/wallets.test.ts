import { beforeEach, describe, expect, test } from 'vitest';
import { handler as settings } from '../../../functions/dashboard/settings.ts';
import { listAudit } from '../../../shared/audit/audit.table.ts';
import { listWaiting } from '../../../shared/chain/chain.table.ts';
import { changeMerchant } from '../../../shared/merchant/manage-merchant.ts';
import { askOwner } from '../../../shared/wallet/ask-owner.ts';
import { noteWalletHeard } from '../../../shared/wallet/hearing.table.ts';
import { type Person, signIn, visit } from '../../support/dashboard.ts';
import { at, ESTABLISHED_MINUTE, establish, known, link, run, text, WALLET } from '../../support/wallet-chains.ts';
import { createMerchant, createWorld, type TestMerchant, type World } from '../../support/world.ts';

const WALLETS = '/dashboard/settings/wallets';
const PATH = `${WALLETS}/0241234567`;
const QUESTION = 'Is your balance now GHS 1,047.00?';
const AFTER_LOST = run(ESTABLISHED_MINUTE + 1, 1_036_00, 5_00, 6_00);
let world: World;
let merchant: TestMerchant;
let owner: Person;

beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  at(world, 0);
  merchant = await createMerchant(world);
  await establish(world);
  owner = await signIn(world, 'owner', merchant.id);
});

const open = (path: string, by = owner) => visit(world, settings, path, { by });
const answer = (what: 'yes' | 'no', form: Record<string, string> = { balance: '1047' }, by = owner) =>
  visit(world, settings, `${PATH}/${what}`, { by, form });

/** A text is lost, those after it wait, and the owner is asked. */
async function ask(): Promise<void> {
  await link(world, ...AFTER_LOST);
  at(world, ESTABLISHED_MINUTE + 15);
  const { chain } = await known(world);
  await askOwner(world.outside, chain, await listWaiting(world.outside, WALLET), []);
}

async function audited() {
  const month = new Date(world.clock.nowMs).toISOString().slice(0, 7);
  const { entries } = await listAudit(world.outside, merchant.id, month, { newestFirst: false });
  return entries.filter(({ action }) => action.startsWith('wallet')).map(({ at: _, ...entry }) => entry);
}

describe('the list', () => {
  test('says when each was last heard, since when its chain is unbroken, and its gaps', async () => {
    const heardAt = new Date(world.clock.nowMs).toISOString();
    await noteWalletHeard(world.outside, '+233241234567', { gateway: 'phone', device_id: 'd' }, heardAt);
    await changeMerchant(world.outside, merchant.id, {
      momo_accounts: [
        { number: '+233241234567', network: 'MTN', account_name: 'AMA' },
        { number: '+233201112223', network: 'TELECEL', account_name: 'AMA' },
      ],
    });
    const { text } = await open(WALLETS);
    expect(text).toContain('20 Nov 2026, 10:00');
    expect(text).toContain('just now');
    expect(text).toContain('Only recorded');
    expect(text).toContain('No text yet');
    expect(text).not.toContain('Is your balance');
  });

  test('leads to the question that is open', async () => {
    await ask();
    const { text } = await open(WALLETS);
    expect(text).toContain(QUESTION);
    expect(text).toContain(`href="${PATH}">Answer`);
  });
});

describe('a wallet', () => {
  test('shows its balance, and its gaps with what may explain them', async () => {
    await link(world, ...AFTER_LOST);
    const page = await open(PATH);
    expect(page.text).toContain('GHS 1,000.00');
    expect(page.text).toContain('in <span class="number">GHS 36.00');
    expect(page.text).toContain('Nothing known');
  });

  test('of nobody’s texts says how its chain begins', async () => {
    const momo_accounts = [{ number: '+233201112223', network: 'TELECEL', account_name: 'AMA' } as const];
    await changeMerchant(world.outside, merchant.id, { momo_accounts });
    expect((await open(`${WALLETS}/0201112223`)).text).toContain('No text of this wallet has told a balance yet');
  });

  test('of another merchant is found on no page and by no form', async () => {
    const momo_accounts = [{ number: '+233201112223', network: 'MTN', account_name: 'AMA' } as const];
    await changeMerchant(world.outside, merchant.id, { momo_accounts });
    await ask();
    for (const status of [(await open(PATH)).status, (await answer('yes')).status, (await answer('no')).status])
      expect(status).toBe(404);
    expect(await known(world)).toMatchObject({ balance: 1_000_00, waiting: AFTER_LOST.map(({ id }) => id) });
  });

  test('that several merchants share shows nobody what is in it, and takes nobody’s word but the operator’s', async () => {
    await createMerchant(world);
    await ask();
    for (const path of [WALLETS, PATH]) expect((await open(path)).text).not.toMatch(/1,0\d\d\.00/);
    expect((await open(PATH)).text).toContain('only the operator sees its balance');
    for (const what of ['yes', 'no'] as const) {
      const { status, text } = await answer(what);
      expect([status, text.includes('only the operator')]).toEqual([403, true]);
    }
    expect(await known(world)).toMatchObject({ balance: 1_000_00, false: [] });
  });
});

describe('the owner’s word', () => {
  beforeEach(ask);

  test('is asked for with where to look, and what the texts cannot tell', async () => {
    const { text } = await open(PATH);
    for (const said of [QUESTION, '*170#', 'Do not go by the texts', 'name="balance" value="1047"'])
      expect(text).toContain(said);
  });

  test('yes makes the balance the head of the chain', async () => {
    const { status, headers } = await answer('yes');
    expect([status, headers.location]).toEqual([303, PATH]);
    expect(await known(world)).toMatchObject({ balance: 1_047_00, waiting: [], gaps: [36_00] });
    expect((await open(PATH)).text).not.toContain('Is your balance');
  });

  test('no makes the texts that lead there false', async () => {
    const { status } = await answer('no');
    expect(status).toBe(303);
    expect(await known(world)).toMatchObject({ balance: 1_000_00, waiting: [], false: AFTER_LOST.map(({ id }) => id) });
  });

  test.each(['yes', 'no'] as const)('%s by two taps is given once, and leads to the same place', async (what) => {
    const form = { balance: '1047', once: 'real.one-page' };
    const [first, second] = [await answer(what, form), await answer(what, form)];
    expect([first.status, second.status]).toEqual([303, 303]);
    expect(second.headers.location).toBe(first.headers.location);
    expect(await audited()).toEqual([
      {
        merchant_id: merchant.id,
        by: owner.user.user_id,
        action: what === 'yes' ? 'wallet confirm' : 'wallet deny',
        about: 'MTN …4567',
      },
    ]);
  });

  test('about a balance that nobody asks about changes nothing, and the page says why', async () => {
    for (const what of ['yes', 'no'] as const) {
      const { status, text } = await answer(what, { balance: '77' });
      expect([status, text.includes('Nothing was changed')]).toEqual([400, true]);
    }
    expect(await known(world)).toMatchObject({ balance: 1_000_00, false: [] });
  });

  test('after somebody else gave it says that nothing was changed', async () => {
    await answer('no');
    const { status, text } = await answer('no');
    expect([status, text.includes('No text that waits says GHS 1,047.00 any more')]).toEqual([400, true]);
  });

  test('is nobody’s but the owner’s', async () => {
    for (const role of ['manager', 'cashier', 'viewer', 'developer'] as const) {
      const person = await signIn(world, role, merchant.id);
      expect((await open(PATH, person)).status).toBe(403);
      expect((await answer('yes', { balance: '1047' }, person)).status).toBe(403);
    }
    expect((await known(world)).balance).toBe(1_000_00);
  });
});

test('the same texts in order leave no question', async () => {
  await link(world, text(ESTABLISHED_MINUTE, 1_000_00, 36_00), ...AFTER_LOST);
  expect((await open(PATH)).text).toContain('None: every text continues the one before it.');
});
