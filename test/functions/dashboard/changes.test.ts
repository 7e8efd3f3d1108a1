import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { createProgram } from '../../../infra/admin/program.ts';
import { requireMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import { MAX_MOMO_ACCOUNTS, type MomoAccount } from '../../../shared/merchants/merchant/merchant.ts';
import { listChanges, MAX_WAITING } from '../../../shared/merchants/merchant/money-change.table.ts';
import { giveRole, removePerson } from '../../../shared/merchants/user/manage-users.ts';
import type { Role } from '../../../shared/merchants/user/permissions.ts';
import { FRESH_SECONDS } from '../../../shared/merchants/user/session.ts';
import { shownTime } from '../../../shared/pages/dashboard/parts/content.ts';
import { SETTINGS_CACHE_SECONDS } from '../../../shared/runtime/outside/cached.ts';
import { isoOf } from '../../../shared/runtime/outside/outside.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { runAdmin } from '../../support/admin-commands.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { deploymentOf } from '../../support/deployment.ts';
import { foldsIn, wordsOf } from '../../support/page-words.ts';
import { type Merchant, type Person, type Scene, scene } from '../../support/scene.ts';

// Only the owner of a shop decides where its money goes.

const SETTINGS = '/dashboard/settings';
const CHANGES = `${SETTINGS}/changes`;
const SHOP: MomoAccount = { number: '+233244000001', network: 'MTN', account_name: 'AMA STORES' };
const SECOND: MomoAccount = { number: '+233204000002', network: 'TELECEL', account_name: 'AMA MENSAH' };
const THEIRS = { number: '0244000009', network: 'MTN', account_name: 'AMA STORES' };
let world: Scene;
let merchant: Merchant;
let owner: Person;
let manager: Person;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  merchant = await world.createMerchant();
  await merchant.change({ momo_accounts: [SHOP, SECOND], confirm_always_above_pesewas: 2_000_00 });
  owner = await merchant.signIn('owner');
  manager = await merchant.signIn('manager');
});

const open = async (by: Person, path: string) => (await by.visit(`${SETTINGS}${path}`)).text;
const post = (by: Person, path: string, form: Record<string, string> = {}) => by.visit(`${SETTINGS}${path}`, { form });
const shop = () => requireMerchant(world.outside, merchant.id);
const accounts = async () => (await shop()).momo_accounts;
const numbers = async () => (await accounts()).map(({ number }) => number);
const changes = (id = merchant.id) => listChanges(world.outside, id);
const waiting = async () => (await changes()).waiting;
const add = (by: Person, form = THEIRS) => post(by, '/numbers/new', form);
const approve = (by: Person, id: string, form = {}) => post(by, `/changes/${id}/approve`, form);
const drop = (by: Person, id: string) => post(by, `/changes/${id}/drop`);
const firstPage = async (by: Person) => (await by.visit('/dashboard/today')).text;

/** Returns the id of the latest proposal. */
async function lastId(): Promise<string> {
  return (await waiting()).at(-1)?.id ?? 'none';
}

async function actions(): Promise<string[]> {
  return (await merchant.audit(/^(change|merchant) /)).map(({ action }) => action);
}

/** Returns the checkout page of a new charge. */
async function shownToCustomers(): Promise<string> {
  const { access_code } = await merchant.createCharge();
  const path = `/api/v1/checkout/${access_code}`;
  const headers = { accept: 'text/html' };
  return (await world.call('checkout/page', { path, parameters: { access_code }, headers })).text;
}

test('customers never see an unapproved number', async () => {
  expect((await add(manager)).headers.location).toBe(CHANGES);
  expect((await post(manager, '/numbers/0244000009/first')).status).toBe(404);
  expect(await accounts()).toEqual([SHOP, SECOND]);
  expectWords(await shownToCustomers(), ['024 400 0001'], ['024 400 0009']);
  const change = { kind: 'add', number: '+233244000009' };
  expect(await waiting()).toMatchObject([{ by: manager.user.user_id, change }]);
  expect(await actions()).toEqual(['change propose']);
});

describe('a manager’s changes', () => {
  test.each([
    ['a new order of the numbers', '/numbers/0204000002/first', {}, { momo_accounts: [SECOND, SHOP] }],
    [
      'a new account name',
      '/numbers/0244000001/name',
      { account_name: 'EVE' },
      { momo_accounts: [{ ...SHOP, account_name: 'EVE' }, SECOND] },
    ],
    ['a new number', '/numbers/new', THEIRS, { momo_accounts: [SHOP, SECOND, { ...THEIRS, number: '+233244000009' }] }],
    [
      'a higher limit for matching by name',
      '/matching',
      limits({ name: '501' }),
      { match_by_name_up_to_pesewas: 501_00 },
    ],
    [
      'a higher limit for unverified payments',
      '/matching',
      limits({ unproven: '51' }),
      { confirm_unproven_up_to_pesewas: 51_00 },
    ],
    [
      'a higher limit for manual confirmation',
      '/matching',
      limits({ above: '2001' }),
      { confirm_always_above_pesewas: 2_001_00 },
    ],
    [
      'no limit for manual confirmation',
      '/matching',
      limits({ above: '' }),
      { confirm_always_above_pesewas: undefined },
    ],
  ])('need an owner’s approval: %s', async (_, path, form, after) => {
    const before = await shop();
    await post(manager, path, form);
    expect(await shop()).toEqual(before);
    expect(await waiting()).toHaveLength(1);
    expect((await approve(owner, await lastId())).headers.location).toBe(CHANGES);
    expect(await waiting()).toEqual([]);
    expect(await shop()).toEqual({ ...before, ...after });
    expect(await actions()).toEqual(['change propose', 'change approve']);
  });

  test('take effect immediately and notify the owners if they reduce risk', async () => {
    await post(manager, '/matching', limits({ name: '0', unproven: '0', above: '10' }));
    const less = { match_by_name_up_to_pesewas: 0, confirm_unproven_up_to_pesewas: 0 };
    expect(await shop()).toMatchObject({ ...less, confirm_always_above_pesewas: 10_00 });
    await post(manager, '/numbers/0244000001/remove');
    expect(await numbers()).toEqual([SECOND.number]);
    expect(await waiting()).toEqual([]);
    expectWords(await open(owner, '/changes'), [
      'Remove 024 400 0001',
      '020 400 0002 becomes the first number',
      'Confirm manually above',
    ]);
    expect(await firstPage(owner)).toContain('Was changed');
  });

  test('take effect immediately only for values that reduce risk', async () => {
    await post(manager, '/matching', limits({ name: '9000', unproven: '0', above: '' }));
    expect(await shop()).toMatchObject({ confirm_unproven_up_to_pesewas: 0, confirm_always_above_pesewas: 2_000_00 });
    expect((await shop()).match_by_name_up_to_pesewas).toBeUndefined();
    const proposed = (await waiting()).map(({ change }) => change.kind === 'limit' && change.limit);
    expect(proposed).toEqual(['match_by_name_up_to', 'confirm_always_above']);
    expect((await actions()).sort()).toEqual(['change propose', 'merchant set']);
  });

  test('need no approval for the contact or a balance limit', async () => {
    await post(manager, '/contact', { contact: 'shop@example.com' });
    await post(manager, '/numbers/0244000001/limit', { limit: '40000' });
    const momo_accounts = [{ balance_limit_pesewas: 40_000_00 }, {}];
    expect(await shop()).toMatchObject({ contact: 'shop@example.com', momo_accounts });
    expect(await changes()).toMatchObject({ waiting: [], made: [] });
  });

  test('need an owner’s approval to add a removed number again', async () => {
    await post(manager, '/numbers/0244000001/remove');
    await add(manager, { ...THEIRS, number: '0244000001' });
    expect(await numbers()).toEqual([SECOND.number]);
  });

  test('create one proposal if the form is submitted twice', async () => {
    for (let taps = 0; taps < 2; taps++) await post(manager, '/numbers/new', { ...THEIRS, once: 'real.a' });
    expect(await waiting()).toHaveLength(1);
    expect(await actions()).toEqual(['change propose']);
  });

  test('replace only the manager’s own earlier proposal', async () => {
    const other = await merchant.signIn('manager');
    await post(manager, '/numbers/0244000001/name', { account_name: 'EVE' });
    await post(other, '/numbers/0244000001/name', { account_name: 'KOFI' });
    await post(manager, '/numbers/0244000001/name', { account_name: 'EVE & SONS' });
    expect((await waiting()).map(({ change }) => change.kind === 'name' && change.to)).toEqual(['KOFI', 'EVE & SONS']);
  });

  test('return 503 for a simultaneous change', async () => {
    const other = await merchant.signIn('manager');
    meanwhile(() => add(other, { ...THEIRS, number: '0244000008' }));
    expect((await add(manager)).status).toBe(503);
    expect(await waiting()).toMatchObject([{ by: other.user.user_id }]);

    const [theirs] = await waiting();
    meanwhile(() => drop(owner, theirs?.id ?? ''));
    expect((await add(other, { ...THEIRS, number: '0244000008', account_name: 'EVE' })).status).toBe(503);
    expect(await waiting()).toEqual([]);
  });

  test(`are limited to ${MAX_WAITING} pending proposals`, async () => {
    for (let n = 0; n < MAX_WAITING; n++) await add(manager, { ...THEIRS, number: `024411000${n}` });
    expectAnswer(await add(manager, { ...THEIRS, number: '0244110010' }), 400, 'Withdraw one first');
    expect(await waiting()).toHaveLength(MAX_WAITING);
    await drop(manager, await lastId());
    await add(manager, { ...THEIRS, number: '0244110010' });
    expect(await waiting()).toHaveLength(MAX_WAITING);
  });

  test('expire after seven days without approval', async () => {
    for (let n = 0; n < MAX_WAITING; n++) await add(manager, { ...THEIRS, number: `024411000${n}` });
    const id = await lastId();
    world.clock.nowMs += 7 * DAY_MS;
    [owner, manager] = [await world.signInAgain(owner.user), await world.signInAgain(manager.user)];
    expect(await waiting()).toEqual([]);
    expect((await approve(owner, id)).status).toBe(400);
    await add(manager);
    expect(await waiting()).toHaveLength(1);
    expect(await accounts()).toEqual([SHOP, SECOND]);
  });
});

describe('pending changes', () => {
  test.each<Role>(['manager', 'cashier', 'viewer', 'developer'])(
    'cannot be approved or declined by a %s',
    async (role) => {
      await add(manager);
      const person = await merchant.signIn(role);
      const id = await lastId();
      expect((await approve(person, id)).status).toBe(403);
      expect((await drop(person, id)).status).toBe(403);
      expect((await post(person, '/changes/seen', { until: '2026' })).status).toBe(403);
      expect((await person.visit(CHANGES)).status).toBe(role === 'manager' ? 200 : 403);
      expect(await numbers()).not.toContain('+233244000009');
      expect(await waiting()).toHaveLength(1);
    },
  );

  test('can be approved by an owner with a recent passkey sign-in', async () => {
    await add(manager);
    world.clock.nowMs += (FRESH_SECONDS + 1) * 1000;
    expect((await approve(owner, await lastId())).headers.location).toMatch(/sign-in\/confirm\?next=.*changes/);
    expect(await accounts()).toEqual([SHOP, SECOND]);
    await approve(await world.signInAgain(owner.user), await lastId());
    expect(await numbers()).toEqual([SHOP.number, SECOND.number, '+233244000009']);
  });

  test('say which number customers’ money will go to', async () => {
    await add(manager);
    const words = 'Customers’ money will go to 024\u00a0400\u00a00009.';
    expectWords(await open(owner, '/changes'), ['If you approve', words]);
  });

  test('are shown in an amber notice with the change, its deadline and buttons', async () => {
    await post(manager, '/matching', limits({ name: '9000' }));
    const [change] = await waiting();
    const [at, ends] = [change?.at ?? '', isoOf((change?.expires_at_epoch_seconds ?? 0) * 1000)].map(shownTime);
    const [approving, dropping] = ['approve', 'drop'].map((verb) => `${CHANGES}/${change?.id}/${verb}`);
    const noticeOn = async (by: Person, path: string) => {
      const [, notice = ''] =
        /<\/h1><\/div>\s*<section class="look">(.*?)<\/section>/s.exec(await open(by, path)) ?? [];
      return {
        words: wordsOf(notice),
        sends: Array.from(notice.matchAll(/action="([^"]*)"/g), ([, action]) => action),
      };
    };
    const words = (approved: string) =>
      `Match by name up to\nNow: GHS 500.00 ${approved} by ${ends}: GHS 9,000.00\nProposed by Canary the manager (manager), ${at}`;
    for (const path of ['', '/changes', '/matching']) {
      expect(await noticeOn(owner, path)).toEqual({
        words: `${words('If you approve')}\nIf you did not expect this, speak to the person who proposed it.`,
        sends: [approving, dropping],
      });
      expect(await noticeOn(manager, path)).toEqual({ words: words('If approved'), sends: [dropping] });
    }
    await post(owner, '/matching', limits({ name: '600' }));
    expect((await noticeOn(owner, '')).words).toBe('');
    expect(await open(owner, '')).toContain(
      `<b>1 outdated setting change</b><br><a href="${CHANGES}">See the changes</a>`,
    );
    expectWords(wordsOf(await open(owner, '/changes')), ['Before: GHS 500.00 Proposed: GHS 9,000.00\n', 'Outdated:']);
    expect(await open(owner, '/changes')).not.toContain('class="look"');
    await drop(manager, change?.id ?? '');
    await add(manager);
    expect((await noticeOn(owner, '')).words).toMatch(/^Add 024 400 0009/);
    expect((await noticeOn(owner, '/matching')).words).toBe('');
  });

  test('are shown in part at the top of Settings if there are more than two', async () => {
    for (let n = 0; n < 4; n++) await add(manager, { ...THEIRS, number: `024411000${n}` });
    const text = await open(owner, '');
    expect(text.match(/<section class="look">/g)).toHaveLength(2);
    expect(text).toContain(`<b>2 more changes</b><br><a href="${CHANGES}">See the changes</a>`);
  });

  test('can be approved by the operator after opening the shop', async () => {
    await add(manager);
    await approve(await world.operatorAt(merchant.id), await lastId());
    expect(await numbers()).toContain('+233244000009');
  });

  test('are inaccessible to another shop’s owner', async () => {
    await add(manager);
    const other = await world.createMerchant();
    const stranger = await other.signIn('owner');
    const id = await lastId();
    expect((await approve(stranger, id)).status).toBe(400);
    expect((await drop(stranger, id)).status).toBe(400);
    expect(await open(stranger, '/changes')).not.toContain('024 400 0009');
    expect(await waiting()).toHaveLength(1);
    expect(await accounts()).toEqual([SHOP, SECOND]);
  });

  test('are counted in the fold on the Today page, and a new number stays outside it', async () => {
    await post(manager, '/matching', limits({ name: '100', unproven: '10', above: '1000' }));
    await post(manager, '/matching', limits({ name: '501', unproven: '51', above: '3000' }));
    for (const number of ['0244000007', '0244000008', '0244000009']) await add(manager, { ...THEIRS, number });
    // Today may use settings that are a few seconds old.
    world.clock.nowMs += MINUTE_MS;
    const page = await firstPage(owner);
    expect(foldsIn(page).map(({ summary }) => summary)).toEqual([
      '6 more : 3 setting changes to confirm, 3 settings changed',
    ]);
    expect(wordsOf(page)).toMatch(/New number for customers’ money 024 400 0009 needs your confirmation$/m);
  });

  test('show owners the old value, new value and author', async () => {
    await post(manager, '/numbers/0244000001/name', { account_name: '<b>EVE</b>' });
    expectWords(
      await open(owner, '/changes'),
      ['024 400 0001', 'AMA STORES', '&lt;b&gt;EVE&lt;/b&gt;', 'Canary the manager (manager)', 'If you approve'],
      ['Customers’ money will go'],
    );
    expect(await firstPage(owner)).toMatch(/Needs your confirmation.*Change the name of 024 400 0001/);
    expect(await firstPage(manager)).not.toContain('Needs your confirmation');
    expect(await open(owner, '')).toContain('1 to confirm');
    expectWords(await open(manager, '/changes'), ['Withdraw it'], ['Approve']);
  });

  test('can be approved after the author leaves the team', async () => {
    await add(manager);
    await removePerson(world.outside, manager.user, { by: owner.user.user_id });
    expect(await open(owner, '/changes')).toContain('no longer in the team');
    await approve(owner, await lastId());
    expect(await numbers()).toContain('+233244000009');
  });

  test('can be approved by an author who became an owner', async () => {
    await add(manager);
    await giveRole(world.outside, manager.user, 'owner', { by: owner.user.user_id });
    await approve(manager, await lastId());
    expect(await numbers()).toContain('+233244000009');
  });
});

describe('approvals', () => {
  test('take effect once if two owners approve', async () => {
    await add(manager);
    const id = await lastId();
    const other = await merchant.signIn('owner');
    const twice = [0, 1].map(() => approve(owner, id, { once: 'real.a' }));
    const answers = await Promise.all([...twice, approve(other, id, { once: 'real.b' })]);
    expect(answers.filter(({ status }) => status === 303).length).toBeGreaterThan(0);
    expect(await numbers()).toEqual([SHOP.number, SECOND.number, '+233244000009']);
    expect((await actions()).filter((action) => action === 'change approve')).toHaveLength(1);
    expect((await changes()).made).toHaveLength(1);
    const again = await approve(owner, id, { once: 'real.a' });
    expect({ status: again.status, location: again.headers.location }).toEqual({ status: 303, location: CHANGES });
  });

  test.each([
    ['while the owner viewed it', (replace: () => Promise<unknown>) => replace()],
    ['between the read and the write', meanwhile],
  ])('fail if the proposal was replaced %s', async (_, happens) => {
    await post(manager, '/numbers/0244000001/name', { account_name: 'AMA STORES LTD' });
    const seen = await lastId();
    await happens(() => post(manager, '/numbers/0244000001/name', { account_name: 'EVE' }));
    expectAnswer(await approve(owner, seen), 400, 'is no longer pending');
    expect(await accounts()).toEqual([SHOP, SECOND]);
    expect(await waiting()).toMatchObject([{ change: { to: 'EVE' } }]);
  });

  test('return 503 if the shop changes before the write', async () => {
    await post(manager, '/numbers/0204000002/first');
    const id = await lastId();
    meanwhile(() => merchant.change({ momo_accounts: [SHOP] }));
    expect((await approve(owner, id)).status).toBe(503);
    expect(await accounts()).toEqual([SHOP]);
    expect(await waiting()).toHaveLength(1);
  });

  test.each([
    ['another number was added', '/numbers/0204000002/first', {}, [SHOP, SECOND, third()]],
    [
      'the account name was changed again',
      '/numbers/0244000001/name',
      { account_name: 'EVE' },
      [{ ...SHOP, account_name: 'AMA' }, SECOND],
    ],
    ['the first number was removed', '/numbers/new', THEIRS, [SECOND]],
    [
      'the number was added with another network',
      '/numbers/new',
      THEIRS,
      [SHOP, SECOND, { ...third(), number: '+233244000009', network: 'AT' as const }],
    ],
    ['the number was already added', '/numbers/new', THEIRS, [SHOP, SECOND, { ...third(), number: '+233244000009' }]],
  ])('fail as outdated if %s', async (_, path, form, momo_accounts) => {
    await post(manager, path, form);
    await merchant.change({ momo_accounts });
    expectWords(await open(owner, '/changes'), ['Outdated'], ['Approve']);
    expectWords(await open(owner, ''), ['1 outdated', '1 outdated setting change'], ['to confirm']);
    expectAnswer(await approve(owner, await lastId()), 400, 'The settings have changed since this was proposed');
    expect(await accounts()).toEqual(momo_accounts);
    await drop(owner, await lastId());
    expect(await waiting()).toEqual([]);
  });

  test('fail if the shop has the maximum number of MoMo numbers', async () => {
    await add(manager);
    const other = (n: number) => ({ ...SECOND, number: `+2332044000${n + 10}` });
    const many = Array.from({ length: MAX_MOMO_ACCOUNTS - 1 }, (_, n) => other(n));
    await merchant.change({ momo_accounts: [SHOP, ...many] });
    expect((await approve(owner, await lastId())).status).toBe(400);
    expect(await accounts()).toHaveLength(MAX_MOMO_ACCOUNTS);
  });

  test('fail if the limit changed after the proposal', async () => {
    await post(manager, '/matching', limits({ name: '600' }));
    await post(owner, '/matching', limits({ name: '0' }));
    expect((await approve(owner, await lastId())).status).toBe(400);
    expect((await shop()).match_by_name_up_to_pesewas).toBe(0);
  });

  test('require the operator if the SIM is in a connected phone', async () => {
    await add(manager);
    await world.createSender('+233244000009');
    expectAnswer(await approve(owner, await lastId()), 403, 'add the number yourself');
    expect(await accounts()).toEqual([SHOP, SECOND]);
    await approve(await world.operatorAt(merchant.id), await lastId());
    expect(await numbers()).toContain('+233244000009');
  });

  test('keep each wallet’s balance limit', async () => {
    await post(manager, '/numbers/0204000002/first');
    await post(manager, '/numbers/0244000001/limit', { limit: '40000' });
    await approve(owner, await lastId());
    expect(await accounts()).toEqual([SECOND, { ...SHOP, balance_limit_pesewas: 40_000_00 }]);
  });
});

test('a proposal can be withdrawn by its author and declined by an owner', async () => {
  await add(manager);
  await drop(manager, await lastId());
  await add(manager);
  const other = await merchant.signIn('manager');
  expect((await drop(other, await lastId())).status).toBe(403);
  await drop(owner, await lastId());
  expect(await waiting()).toEqual([]);
  expect(await accounts()).toEqual([SHOP, SECOND]);
  expect(await actions()).toEqual(['change propose', 'change withdraw', 'change propose', 'change refuse']);
});

describe('an owner’s changes', () => {
  test('are shown to other owners until marked as seen', async () => {
    const other = await merchant.signIn('owner');
    await add(owner);
    expect(await numbers()).toEqual([SHOP.number, SECOND.number, '+233244000009']);
    expect(await firstPage(owner)).not.toContain('Was changed');
    expectWords(await firstPage(other), ['Was changed', 'Add 024 400 0009, MTN MoMo']);
    const [, until = ''] = /name="until" value="([^"]+)"/.exec(await open(other, '/changes')) ?? [];
    await post(owner, '/numbers/0244000009/first');
    await post(other, '/changes/seen', { until });
    expectWords(await firstPage(other), ['Change the order'], ['Add 024 400 0009']);
    expect(await firstPage(manager)).not.toContain('Was changed');
  });

  test('cannot be marked as seen in advance', async () => {
    const other = await merchant.signIn('owner');
    await post(other, '/changes/seen', { until: '9999-12-31T23:59:59.999Z' });
    await add(owner);
    expect(await firstPage(other)).toContain('Was changed');
    await post(other, '/changes/seen', { until: world.iso() });
    await post(other, '/changes/seen', { until: '2020-01-01T00:00:00.000Z' });
    expect(await firstPage(other)).not.toContain('Was changed');
  });

  test('apply to the right one of two numbers that look identical when masked', async () => {
    const alike = { ...SHOP, number: '+233554000001' };
    await merchant.change({ momo_accounts: [SHOP, alike] });
    await post(owner, '/numbers/0554000001/first');
    expect(await accounts()).toEqual([alike, SHOP]);
    expect(await actions()).toEqual(['merchant set']);
  });

  test('are shown to the other owners for seven days', async () => {
    const other = await merchant.signIn('owner');
    await add(owner);
    world.clock.nowMs += 7 * DAY_MS + 1000;
    expect(await firstPage(await world.signInAgain(other.user))).not.toContain('Was changed');
  });

  test('require a recent passkey sign-in for limits', async () => {
    world.clock.nowMs += (FRESH_SECONDS + 1) * 1000;
    const { headers } = await post(owner, '/matching', limits({ name: '9000' }));
    expect(headers.location).toMatch(/sign-in\/confirm\?next=.*matching/);
    expect((await shop()).match_by_name_up_to_pesewas).toBeUndefined();
  });
});

test('the operator’s changes are shown to the owners', async () => {
  const operator = await world.signIn('operator');
  const momo = '0244000009:MTN:AMA STORES';
  const form = { momo, ...limits({}), pay_texts_per_day: '0', balance_limit: 'keep' };
  const path = `/dashboard/operator-money/${merchant.id}/settings`;
  expect((await operator.visit(path, { form })).status).toBe(303);
  expect(await numbers()).toEqual(['+233244000009']);
  expect(await firstPage(owner)).toContain('Was changed');
  expect(await open(owner, '/changes')).toContain('Canary the operator (support)');
});

describe("a new shop's number request", () => {
  const NUMBER = '+233201234567';
  const HERS = { number: '0201234567', network: 'TELECEL', account_name: 'ADWOA OSEI' };
  const STORED = { ...HERS, number: NUMBER };
  const EVIL = `X"; rm -rf / #'$(id)\n`;

  beforeEach(async () => {
    world.outside.operator = 'Ama Owusu, 024 123 4567';
    merchant = await world.createMerchant({ momo: false });
    await world.createSender(NUMBER);
    owner = await merchant.signIn('owner');
  });

  const ask = (form = HERS) => add(owner, form);
  const run = (...words: string[]) => runAdmin(deploymentOf(world), words);
  const approveByCommand = (number = NUMBER) =>
    run('merchant', 'approve-number', '--merchant', merchant.id, '--number', number);

  describe('for a number whose SIM is in a connected phone', () => {
    test('is approved by the operator on the dashboard', async () => {
      expect((await ask()).headers.location).toBe(CHANGES);
      expect(await accounts()).toEqual([]);
      for (const page of [await firstPage(owner), await open(owner, '/numbers'), await open(owner, '')])
        expect(page).toMatch(/(waits|is waiting) for support/);
      const newLink = (await owner.visit('/dashboard/links/new')).text;
      expectWords(newLink, ['whether a number is waiting for support'], ['No MoMo number yet']);
      expect(await open(owner, '/numbers')).not.toContain('No number yet');
      expectWords(await firstPage(owner), ['data-waiting="0"', 'Nothing is waiting for you']);

      const operator = await world.operatorAt(merchant.id);
      const asked = await operator.visit(`/dashboard/operator-money/${merchant.id}`);
      expect(asked.text).toContain('Is 020 123 4567 theirs?');
      const form = {
        merchant: merchant.id,
        next: /<main[\s\S]*name="next" value="([^"]+)"/.exec(asked.text)?.[1] ?? '',
      };
      const opened = await operator.visit('/dashboard/sign-in/open-merchant', { form });
      expect(opened.headers.location).toBe(CHANGES);
      expect(await firstPage(operator)).toContain('needs your confirmation');
      expect(await open(operator, '/changes')).toContain('Its SIM is in a connected phone');
      expect((await approve(operator, await lastId())).headers.location).toBe(CHANGES);
      expect(await accounts()).toEqual([STORED]);
      expect(await waiting()).toEqual([]);
      expect(await actions()).toEqual(['change propose', 'change approve']);
      expect(await firstPage(owner)).toContain('Was changed');
    });

    test('shows a fixed message for support', async () => {
      const page = (await owner.follow(await ask({ ...HERS, account_name: EVIL }))).text;
      expect(page).toMatch(/role="status">.*This change is waiting for support/);
      expectWords(page, [
        'Ask support (Ama Owusu, 024 123 4567) to confirm that the number is yours.',
        'https://wa.me/233241234567?text=',
      ]);
      const [, message = ''] = /data-copy="([^"]*)"/.exec(page) ?? [];
      expect(message).toBe(
        `Please confirm that 020 123 4567 (Telecel Cash) is the MoMo number of Ama Stores: ${world.outside.baseUrl}/dashboard/operator-money/${merchant.id}`,
      );
      expect(page).not.toMatch(/npm run|STAGE|do nothing else|WhatsApp asks/);
    });

    test.each([
      ['support’s first number', 'Ama, 024 123 4567 or 020 999 8888', 'https://wa.me/233241234567?text='],
      ['no preset contact if support has no number', 'help@example.com', 'https://wa.me/?text='],
    ])('links to a WhatsApp chat with %s', async (_, support, link) => {
      world.outside.operator = support;
      await ask();
      const page = await open(owner, '/changes');
      expect(page).toContain(link);
      expect(page.includes('Choose them when WhatsApp asks')).toBe(link.includes('/?'));
    });

    test('can be approved with the command-line tool', async () => {
      await ask();
      world.clock.nowMs += 1_000;
      await approveByCommand();
      expect(await accounts()).toEqual([STORED]);
      expect(await waiting()).toEqual([]);
      expect(await firstPage(owner)).toContain('Was changed');
      expect(await open(owner, '/changes')).toContain('Support');
      expect(await actions()).toEqual(['change propose', 'merchant approve-number']);
      expect(await open(owner, '/audit')).toContain('Approved a number that an owner requested');
    });

    test('is listed on the command line until the number is added', async () => {
      await ask();
      expect(await listed()).toMatchObject({ numbers_to_approve: ['+233201234567:TELECEL'] });
      await run('merchant', 'set', '--merchant', merchant.id, '--momo', '0201234567:TELECEL:ADWOA');
      world.clock.nowMs += SETTINGS_CACHE_SECONDS * 1_000;
      expect(await listed()).not.toHaveProperty('numbers_to_approve');
      expect(await open(owner, '/changes')).toContain('Nothing is waiting');
      await expect(approveByCommand()).rejects.toThrow(/has requested/);
      expect(await accounts()).toEqual([{ ...STORED, account_name: 'ADWOA' }]);
    });

    test('replaces the shop’s previous request', async () => {
      await world.createSender('+233201234568');
      await ask();
      const first = await lastId();
      await ask({ ...HERS, number: '0201234568' });
      expect(await waiting()).toMatchObject([{ change: { number: '+233201234568' }, needs: 'operator' }]);
      expect((await approve(await world.operatorAt(merchant.id), first)).status).toBe(400);
      await expect(approveByCommand()).rejects.toThrow(/has requested/);
      expect(await accounts()).toEqual([]);
    });

    test('can be withdrawn by the owner or declined by the operator', async () => {
      for (const by of [owner, await world.operatorAt(merchant.id)]) {
        await ask();
        expect((await drop(by, await lastId())).status).toBe(303);
        expect(await waiting()).toEqual([]);
      }
      await expect(approveByCommand()).rejects.toThrow(/has requested/);
    });

    test('cannot be approved by an owner', async () => {
      await ask();
      const second = await merchant.signIn('owner');
      for (const by of [owner, second]) {
        expect(await open(by, '/changes')).not.toContain('/approve');
        expect((await approve(by, await lastId())).status).toBe(403);
      }
      expect(await accounts()).toEqual([]);
    });

    test('cannot be made by a manager', async () => {
      expectAnswer(await add(await merchant.signIn('manager'), HERS), 400, 'Only an owner can ask support');
      expect(await waiting()).toEqual([]);
    });

    test('cannot be approved by an owner if the SIM is connected later', async () => {
      const manager = await merchant.signIn('manager');
      await add(manager, { ...HERS, number: '0209999999' });
      await world.createSender('+233209999999');
      expectAnswer(await approve(owner, await lastId()), 403, 'add the number yourself');
      await expect(approveByCommand('0209999999')).rejects.toThrow(/has requested/);
      expect(await accounts()).toEqual([]);
    });
  });

  describe('for a number that belongs to another shop', () => {
    let other: string;
    const theirs = { number: '0241234567', network: 'MTN', account_name: 'ADWOA OSEI' };

    beforeEach(async () => {
      // A new merchant uses 024 123 4567 by default.
      other = (await world.createMerchant()).id;
      await ask(theirs);
    });

    test('cannot be approved with the command-line tool', async () => {
      await expect(approveByCommand('+233241234567')).rejects.toThrow(new RegExp(`already belongs to ${other}`));
      expect(await accounts()).toEqual([]);
    });

    test('shows that shop only to the operator', async () => {
      expect(await open(owner, '/changes')).not.toContain(other);
      const said = await open(await world.operatorAt(merchant.id), '/changes');
      expect(said).toContain('Another shop receives payments on it');
      expect(said).toContain(other);
    });
  });

  test('cannot be approved after the shop’s numbers change', async () => {
    await ask();
    await merchant.change({ momo_accounts: [SHOP] });
    await expect(approveByCommand()).rejects.toThrow(/have changed since/);
    expectAnswer(await approve(await world.operatorAt(merchant.id), await lastId()), 400, 'have changed since');
    expect(await accounts()).toHaveLength(1);
  });

  test.each(['command', 'dashboard'])('cannot be approved by %s while it is being replaced', async (way) => {
    await world.createSender('+233201234568');
    await ask();
    const [operator, id] = [await world.operatorAt(merchant.id), await lastId()];
    meanwhile(() => ask({ ...HERS, number: '0201234568' }));
    if (way === 'command') await expect(approveByCommand()).rejects.toThrow(/is no longer pending/);
    else expect((await approve(operator, id)).status).toBe(400);
    expect(await accounts()).toEqual([]);
    expect(await waiting()).toMatchObject([{ change: { number: '+233201234568' } }]);
  });

  /** Returns the shop as `merchant list` prints it. */
  async function listed(): Promise<unknown> {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
    await createProgram(async () => deploymentOf(world)).parseAsync(['merchant', 'list', '--json'], { from: 'user' });
    const json: unknown = JSON.parse(String(printed.mock.calls.at(-1)?.[0]));
    printed.mockRestore();
    const { merchants: all } = z.object({ merchants: z.array(z.looseObject({ merchant_id: z.string() })) }).parse(json);
    return all.find(({ merchant_id }) => merchant_id === merchant.id);
  }
});

/** Runs `happen` between the next form's read and write. */
function meanwhile(happen: () => Promise<unknown>): void {
  const { write } = world.outside.table;
  world.outside.table.write = async (writes) => {
    world.outside.table.write = write;
    await happen();
    await write(writes);
  };
}

/** Builds the limits form with default values. */
function limits({ name = '500', unproven = '50', above = '2000' }): Record<string, string> {
  return {
    match_by_name_up_to: name,
    confirm_unproven_up_to: unproven,
    new_wallet_daily_limit: '1000',
    confirm_always_above: above,
  };
}

function third(): MomoAccount {
  return { number: '+233244000003', network: 'MTN', account_name: 'AMA' };
}
