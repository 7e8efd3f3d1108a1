import { beforeEach, describe, expect, test } from 'vitest';
import { recordAudit } from '../../../shared/merchants/audit/audit.table.ts';
import { requireMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import { accountRows } from '../../../shared/merchants/merchant/merchant.table.ts';
import type { MomoAccount } from '../../../shared/merchants/merchant/merchant.ts';
import { FRESH_SECONDS } from '../../../shared/merchants/user/session.ts';
import { addTill } from '../../../shared/money/till/shift.ts';
import { setHeldBack } from '../../../shared/phones/sender/sender.table.ts';
import { getCredits } from '../../../shared/texts/credits/credits.table.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { noticeIn } from '../../support/dashboard.ts';
import { pillsIn, wordsOf } from '../../support/page-words.ts';
import { arrive, telecel } from '../../support/receipts.ts';
import { type Merchant, type Person, type Scene, scene } from '../../support/scene.ts';
import { at, begin, WALLET } from '../../support/wallet-chains.ts';

const SETTINGS = '/dashboard/settings';
const XSS = '"><script>alert(1)</script>';
const SHOP: MomoAccount = { number: '+233244000001', network: 'MTN', account_name: 'AMA STORES' };
const SECOND: MomoAccount = { number: '+233204000002', network: 'TELECEL', account_name: 'AMA MENSAH' };
let world: Scene;
let merchant: Merchant;
let manager: Person;
let owner: Person;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  merchant = await world.createMerchant({ credits: 100 });
  await merchant.change({ momo_accounts: [SHOP] });
  manager = await merchant.signIn('manager');
  owner = await merchant.signIn('owner');
});

const open = (path: string, by = manager) => by.visit(`${SETTINGS}${path}`);
const post = (path: string, form: Record<string, string> = {}, by = manager) =>
  by.visit(`${SETTINGS}${path}`, { form });
const shop = () => requireMerchant(world.outside, merchant.id);
const numbers = async () => (await shop()).momo_accounts.map(({ number }) => number);
const add = (number: string, more: Record<string, string> = {}, by = manager) =>
  post('/numbers/new', { number, network: 'MTN', account_name: 'AMA STORES', ...more }, by);

const audited = async () => (await merchant.audit(/^merchant/)).map(({ at: _, ...entry }) => entry);

describe('the settings page', () => {
  test('shows the current value of each section', async () => {
    await world.createSender(SHOP.number);
    const said = { contact: 'shop@example.com', confirm_always_above_pesewas: 2_000_00 };
    await merchant.change({ momo_accounts: [SHOP, SECOND], default_from: SHOP.number, ...said });
    expectWords(wordsOf((await open('')).text), [
      '024 400 0001',
      'Automatic confirmation',
      'Verified: up to GHS 2,000.00',
      ...['By name: up to GHS 500.00', 'Not verified: up to GHS 50.00'],
      'shop@example.com',
      'Below 50',
    ]);
  });

  test.each([
    [
      { confirm_always_above_pesewas: 40_00, match_by_name_up_to_pesewas: 9_000_00 },
      [
        'Verified: up to GHS 40.00',
        'name: up to GHS 9,000.00 (40.00 applies)',
        'verified: up to GHS 50.00 (40.00 applies)',
      ],
    ],
    [
      { match_by_name_up_to_pesewas: 0, confirm_unproven_up_to_pesewas: 0 },
      ['Verified: any amount', 'By name: never', 'Not verified: never'],
    ],
  ])('shows the limits as set, and the part that applies: %j', async (limits, lines) => {
    await merchant.change(limits);
    expectWords(wordsOf((await open('')).text), lines);
  });

  test('has no section for wallets and numbers', async () => {
    const tabsOf = async (by: Person) =>
      /<nav [^>]*aria-label="Wallets">(.*?)<\/nav>/.exec((await open('/numbers', by)).text)?.[1];
    expect(await tabsOf(owner)).toMatch(/href="\/dashboard\/settings\/wallets">Wallets<.*aria-current="page">Numbers</);
    // A section with a single page has no tabs.
    expect(await tabsOf(manager)).toBeUndefined();
    for (const by of [owner, manager]) expect((await open('', by)).text).not.toContain('class="hint">Wallets');
  });

  test('warns if the default sender cannot send texts', async () => {
    await world.createSender(SHOP.number);
    await merchant.change({ default_from: SHOP.number });
    await setHeldBack(world.outside, SHOP.number, { held_back: 'phone_not_seen', fault: undefined });
    world.clock.nowMs += 60 * 60 * 1000;
    manager = await merchant.signIn('manager');
    expect((await open('')).text).toContain('Cannot send now');
  });
});

describe('MoMo numbers', () => {
  test('are shown as in use after their wallet’s first text', async () => {
    await merchant.change({ momo_accounts: [SHOP, SECOND] });
    const states = async () => pillsIn((await open('/numbers')).text).map(({ label }) => label);
    expect(await states()).toEqual(['Shown first', 'No payment yet', 'No payment yet']);
    await arrive(world, SECOND, telecel());
    expect(await states()).toEqual(['Shown first', 'No payment yet', 'In use']);
  });

  test('are added once if the form is submitted twice', async () => {
    for (let n = 0; n < 2; n++) {
      const { status, headers } = await add('024 400 0009', { once: 'real.a' }, owner);
      expect({ status, location: headers.location }).toEqual({ status: 303, location: `${SETTINGS}/numbers` });
    }
    expect((await shop()).momo_accounts).toEqual([SHOP, { ...SHOP, number: '+233244000009' }]);
    const merchant_id = merchant.id;
    expect(await accountRows.list(world.outside, { number: '+233244000009' })).toMatchObject([{ merchant_id }]);
    const [before, after] = [{ momo_accounts: 'MTN …0001' }, { momo_accounts: 'MTN …0001, MTN …0009' }];
    const by = owner.user.user_id;
    expect(await audited()).toEqual([{ merchant_id, by, action: 'merchant set', before, after }]);
  });

  test.each([
    ['an invalid phone number', '12345', 'is not a Ghanaian number'],
    ['a landline', '0302123456', 'is a landline'],
    ['one of the shop’s own numbers', '0244000001', 'is already one of your numbers'],
  ])('reject %s', async (_, number, fault) => {
    expectAnswer(await add(number, { account_name: 'EFUA' }), 400, fault, 'value="EFUA"');
    expect(await numbers()).toEqual([SHOP.number]);
  });

  test.each([
    ['belongs to another merchant', async () => void (await world.createMerchant())],
    ['is a sender', () => world.createSender('+233241234567')],
    [
      'has a wallet with texts',
      async () => {
        at(world, 0);
        await begin(world);
        manager = await merchant.signIn('manager');
      },
    ],
  ])('require support if the number %s', async (_, given) => {
    await given();
    expectAnswer(await add('0241234567'), 400, 'Only an owner can ask support');
    expect(await numbers()).toEqual([SHOP.number]);

    const operator = await world.operatorAt(merchant.id);
    expect((await add('0241234567', {}, operator)).status).toBe(303);
    expect(await numbers()).toEqual([SHOP.number, '+233241234567']);
  });

  test('default to the network of their prefix', async () => {
    expect((await open('/numbers/new')).text).toContain('<option value="" selected>Detect from the number</option>');
    const guessed = await add('0204000002', { network: '' }, owner);
    expect(noticeIn(guessed.cookies)).toContain('020 400 0002 was added: Telecel Cash, AMA STORES. If that network');
    await add('0204000003', { network: 'MTN' }, owner);
    expect((await shop()).momo_accounts.map(({ network }) => network)).toEqual(['MTN', 'TELECEL', 'MTN']);
  });

  test('require a network if the prefix is unknown', async () => {
    const { status, text } = await add('0234000002', { network: '' }, owner);
    expect({ status, asksNetwork: /id="network-error">Network is not clear/.test(text) }).toEqual({
      status: 400,
      asksNetwork: true,
    });
    expect(await numbers()).toEqual([SHOP.number]);
  });

  test('can be added on the numbers page and on the wallets page', async () => {
    for (const path of ['/numbers', '/wallets'])
      expect((await open(path, owner)).text).toContain('href="/dashboard/settings/numbers/new">Add a number</a>');
    const name = async (by: Person) =>
      /name="account_name" type="text" value="([^"]*)"/.exec((await open('/numbers/new', by)).text)?.[1];
    expect(await name(owner)).toBe(SHOP.account_name);
    await merchant.change({ momo_accounts: [] });
    expect({ owner: await name(owner), manager: await name(manager) }).toEqual({ owner: '', manager: '' });
  });

  test('require a recent passkey sign-in for changes', async () => {
    world.clock.nowMs += (FRESH_SECONDS + 1) * 1000;
    for (const path of ['/numbers/new', '/numbers/0244000001'])
      expect((await open(path)).headers.location).toMatch(/sign-in\/confirm\?next=/);
    expect((await post('/numbers/0244000001/name', { account_name: 'EVE' })).headers.location).toMatch(/confirm/);
    expect((await shop()).momo_accounts).toEqual([SHOP]);
  });

  test('keep their balance limit when renamed', async () => {
    await post('/numbers/0244000001/limit', { limit: '40000' });
    expect((await shop()).momo_accounts).toEqual([{ ...SHOP, balance_limit_pesewas: 40_000_00 }]);
    await post('/numbers/0244000001/name', { account_name: ' AMA & SONS ' }, owner);
    const named = { ...SHOP, account_name: 'AMA & SONS' };
    expect((await shop()).momo_accounts).toEqual([{ ...named, balance_limit_pesewas: 40_000_00 }]);
    await post('/numbers/0244000001/limit', { limit: 'unknown' });
    expect((await shop()).momo_accounts).toEqual([named]);
    expect((await audited()).map(({ after }) => after)).toEqual([
      { balance_limits: '…0001: 40000' },
      { account_names: 'changed' },
      { balance_limits: '' },
    ]);
  });

  test('can be moved to the top or removed unless only one is left', async () => {
    await merchant.change({ momo_accounts: [SHOP, SECOND] });
    await post('/numbers/0204000002/first', {}, owner);
    expect(await numbers()).toEqual([SECOND.number, SHOP.number]);
    await post('/numbers/0244000001/remove');
    expect(await numbers()).toEqual([SECOND.number]);
    expect(await accountRows.list(world.outside, SHOP)).toEqual([]);
    expectAnswer(await post('/numbers/0204000002/remove'), 400, 'Add another one first');
    expect(await numbers()).toEqual([SECOND.number]);
  });

  test('show a warning if shared or unsupported', async () => {
    await world.createMerchant();
    const at = { number: '+233264000003', network: 'AT', account_name: 'AMA' } as const;
    const shared = { number: '+233241234567', network: 'MTN', account_name: 'AMA' } as const;
    await merchant.change({ momo_accounts: [SHOP, shared, at] });
    const shares = 'Only support then sees its balance and its payments without a bill';
    expectWords((await open('/numbers')).text, [shares, 'Payment messages from AT Money cannot be read yet']);
    expect((await open('/numbers/0241234567')).text).toContain('Several shops');
  });

  test('escape HTML in the account name', async () => {
    await post('/numbers/0244000001/name', { account_name: XSS });
    for (const path of ['', '/numbers', '/numbers/0244000001']) expect((await open(path)).text).not.toContain(XSS);
  });
});

describe('the default sender', () => {
  test('can be set to one of the shop’s senders or cleared', async () => {
    await world.createSender(SHOP.number);
    await post('/sender', { default_from: SHOP.number });
    expect((await shop()).default_from).toBe(SHOP.number);
    await post('/sender');
    expect((await shop()).default_from).toBeUndefined();
    expect((await audited()).map(({ after }) => after)).toEqual([{ default_from: '…0001' }, { default_from: null }]);
  });

  test('rejects any other number', async () => {
    await world.createSender(SHOP.number);
    expectAnswer(await post('/sender', { default_from: '+233241234567' }), 400, 'must be one of the options listed');
    expect((await shop()).default_from).toBeUndefined();
  });
});

describe('matching settings', () => {
  test('explain what happens to unverified payments before and after a balance is named', async () => {
    await merchant.change({ momo_accounts: [{ ...SHOP, number: WALLET.momo_number }] });
    const [before, after] = [
      ['you release the goods yourself', '>Balance not named<'],
      ['An unverified payment counts only up to', '>Verified<'],
    ];
    at(world, 0);
    owner = await merchant.signIn('owner');
    expectWords((await open('/matching', owner)).text, before, after);
    await begin(world);
    owner = await merchant.signIn('owner');
    expectWords((await open('/matching', owner)).text, after, before);
  });

  const form = {
    match_by_name_up_to: '0',
    confirm_unproven_up_to: '1,234.50',
    new_wallet_daily_limit: '900',
    confirm_always_above: '2000',
  };

  test('are entered in cedis', async () => {
    for (let n = 0; n < 2; n++) await post('/matching', form, owner);
    const limits = { confirm_unproven_up_to_pesewas: 1_234_50, confirm_always_above_pesewas: 2_000_00 };
    expect(await shop()).toMatchObject({ match_by_name_up_to_pesewas: 0, ...limits });
    await post('/matching', { ...form, confirm_always_above: '' }, owner);
    expect((await shop()).confirm_always_above_pesewas).toBeUndefined();
    const set = { match_by_name_up_to: 0, confirm_unproven_up_to: 1234.5, new_wallet_daily_limit: 900 };
    const first = { ...set, confirm_always_above: 2000 };
    expect(await audited()).toMatchObject([
      { before: Object.fromEntries(Object.keys(first).map((limit) => [limit, null])), after: first },
      { before: { confirm_always_above: 2000 }, after: { confirm_always_above: null } },
    ]);
  });

  test('show which limits have no effect above the manual confirmation limit', async () => {
    await post('/matching', { ...form, match_by_name_up_to: '9000' }, owner);
    const { text } = await open('/matching', owner);
    const hints = [...text.matchAll(/id="(\w+)-hint">([^<]*)/g)].map(([, name, hint]) => [name, hint]);
    expect(hints.map(([name]) => name)).toEqual([
      ...['confirm_always_above', 'match_by_name_up_to', 'confirm_unproven_up_to', 'new_wallet_daily_limit'],
    ]);
    const cut = hints
      .filter(([, hint]) => hint?.startsWith('No effect above GHS\u00a02,000.00.'))
      .map(([name]) => name);
    expect(cut).toEqual(['match_by_name_up_to']);
  });

  test.each(['-1', '1e3', '49.999', '100001', '4,9,99', 'all', '٣٦'])('reject the amount %s', async (amount) => {
    const answer = await post('/matching', { ...form, confirm_unproven_up_to: amount });
    expectAnswer(answer, 400, 'must be from 0 to 100,000 cedis');
    expect((await shop()).confirm_unproven_up_to_pesewas).toBeUndefined();
  });

  test('are read-only for a viewer', async () => {
    const viewer = await merchant.signIn('viewer');
    for (const path of ['/matching', '/contact', '/sender', '/credits', '/numbers']) {
      const answer = await open(path, viewer);
      expectAnswer(answer, 200, '<main');
      expect({ path, hasForm: answer.text.includes('<form method="post" action="/dashboard/settings') }).toEqual({
        path,
        hasForm: false,
      });
    }
  });
});

test.each([
  ['0241234567', '+233241234567'],
  ['shop@example.com', 'shop@example.com'],
  ['wa.me/0241234567', 'https://wa.me/233241234567'],
])('the contact %s is accepted', async (written, stored) => {
  await post('/contact', { contact: written });
  expect((await shop()).contact).toBe(stored);
  await post('/contact', { contact: '' });
  expect((await shop()).contact).toBeUndefined();
  expect((await audited()).map(({ after }) => after)).toEqual([{ contact: 'changed' }, { contact: 'removed' }]);
});

test('an invalid contact is rejected', async () => {
  const contact = 'javascript:alert(1)';
  expectAnswer(await post('/contact', { contact }), 400, 'must be a Ghanaian number', contact);
});

test('the low-credit warning can be changed or turned off', async () => {
  await post('/credits', { low_below: '7' });
  expect((await getCredits(world.outside, merchant.id)).low_below).toBe(7);
  await post('/credits', { low_below: '0' });
  expect((await getCredits(world.outside, merchant.id)).low_below).toBe(0);
  expect((await open('/credits')).text).toContain('never');
  expect((await post('/credits', { low_below: '1.5' })).status).toBe(400);
  expect(await audited()).toMatchObject([
    { before: { credits_low_below: 50 }, after: { credits_low_below: 7 } },
    { before: { credits_low_below: 7 }, after: { credits_low_below: 0 } },
  ]);
});

test('pages that are not in a phone’s bottom bar mark “More” as current', async () => {
  const more = '<a href="#menu" aria-current="true">';
  expect((await open('')).text).toContain(more);
  expect((await manager.visit('/dashboard/today')).text).not.toContain(more);
});

test('the audit log shows a till’s name', async () => {
  const { till, writes } = await addTill(world.outside, merchant.id, 'Counter 2');
  const entry = { merchant_id: merchant.id, by: owner.user.user_id, action: 'shift begin', about: till.till_id };
  await world.outside.table.write([...writes, recordAudit(world.outside, entry)]);
  const { text } = await open('/audit');
  expect(text).toContain('data-name="About">Counter 2<');
  expect(text).not.toContain(till.till_id);
});

test('the audit log describes actions in words', async () => {
  const entry = { merchant_id: merchant.id, by: 'x', action: 'charge create' };
  await world.outside.table.write([
    recordAudit(world.outside, { ...entry, about: 'MK-1000000001', after: { amount_pesewas: 150_050 } }),
    recordAudit(world.outside, { ...entry, about: 'MK-1000000002', after: { amount_pesewas: 500, test: true } }),
  ]);
  const { text } = await open('/audit');
  const link = (reference: string) => `href="/dashboard/charges/${reference}"`;
  const said = ['Created a bill', 'amount: GHS 1,500.50', link('MK-1000000001'), 'test: yes'];
  expectWords(text, said, [link('MK-1000000002')]);
  expect(text).toMatch(/<option value="(\d{4})-(\d\d)" selected>[A-Z][a-z]{2} \1</);
});

describe('quiet hours', () => {
  const set = (form: Record<string, string>) => owner.visit('/dashboard/settings/quiet-hours', { form });

  test('can be set and cleared', async () => {
    expect((await set({ quiet_from: '22:00', quiet_to: '06:30' })).status).toBe(303);
    expect((await shop()).quiet_hours).toBe('22:00-06:30');
    expect((await owner.visit('/dashboard/settings/quiet-hours')).text).toContain(
      'No texts will be sent from 22:00 to 06:30',
    );
    await set({});
    expect((await shop()).quiet_hours).toBeUndefined();
  });

  test.each<Record<string, string>>([
    { quiet_from: '22:00' },
    { quiet_to: '06:00' },
    { quiet_from: '06:00', quiet_to: '06:00' },
    { quiet_from: '25:00', quiet_to: '06:00' },
  ])('reject %j', async (form) => {
    expect((await set(form)).status).toBe(400);
    expect((await shop()).quiet_hours).toBeUndefined();
  });
});
