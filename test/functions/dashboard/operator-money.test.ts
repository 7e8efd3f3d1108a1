import { beforeEach, describe, expect, test } from 'vitest';
import { arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import { addMerchant } from '../../../shared/merchants/merchant/add-merchant.ts';
import { showApiKeys } from '../../../shared/merchants/merchant/manage-keys.ts';
import { listMerchants, merchantRows } from '../../../shared/merchants/merchant/merchant.table.ts';
import { createReceipt, receiptRows } from '../../../shared/money/receipt/receipt.table.ts';
import type { Receipt } from '../../../shared/money/receipt/receipt.ts';
import { getCredits } from '../../../shared/texts/credits/credits.table.ts';
import { removeApiKey } from '../../support/actions.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { type Merchant, type Person, type Scene, scene } from '../../support/scene.ts';

const MERCHANTS = '/dashboard/operator-money';
const XSS = '"><script>alert(1)</script>';
const SETTINGS = {
  momo: '0241234567:MTN:AMA STORES\n0201234567:telecel:AMA STORES',
  contact: '0241234567',
  match_by_name_up_to: '200',
  confirm_unproven_up_to: '0',
  new_wallet_daily_limit: '1000',
  pay_texts_per_day: '0',
  balance_limit: '40000',
};

let world: Scene;
let merchant: Merchant;
let operator: Person;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  merchant = await world.createMerchant({ credits: 10 });
  operator = await world.signIn('operator');
});

const open = (path = '', query = {}) => operator.visit(`${MERCHANTS}${path}`, { query });
const post = (path: string, form: Record<string, string> = {}) => operator.visit(`${MERCHANTS}${path}`, { form });
const audit = async () =>
  (await merchant.audit()).filter(({ by }) => by === operator.user.user_id).map(({ action }) => action);
const stored = () => merchantRows.find(world.outside, { merchant_id: merchant.id });
/** Lets the two-second settings cache expire. */
const settle = () => {
  world.clock.nowMs += 3_000;
};

describe('the merchant list', () => {
  test('finds a merchant by partial name, id or number', async () => {
    const momo_accounts = [{ number: '+233501234567', network: 'MTN' as const, account_name: 'KENTE' }];
    const { merchant_id } = await addMerchant(world.outside, { name: 'Kente House', momo_accounts });
    expect((await open()).text).toContain(`href="${MERCHANTS}/${merchant.id}"`);
    for (const search of ['kente', merchant_id, '050 123', '+233501234567'])
      expectWords((await open('', { search })).text, [merchant_id], [merchant.id]);
    expect((await open('', { search: 'nothing like it' })).text).toContain('No merchants found');
  });

  test('shows fifty merchants per page, newest first', async () => {
    for (let n = 0; n < 120; n++) {
      world.clock.nowMs += 1;
      await addMerchant(world.outside, { name: `Shop ${n}`, momo_accounts: [] });
    }
    const seen: string[] = [];
    let { text } = await open();
    for (let more: string | undefined; ; text = (await operator.visit(more)).text) {
      seen.push(...[...text.matchAll(/>(Shop \d+|Ama Stores)</g)].map(([, name = '']) => name));
      more = /rel="next" href="([^"]+)"/.exec(text)?.[1];
      if (more === undefined) break;
    }
    expect(seen).toEqual([...Array.from({ length: 120 }, (_, n) => `Shop ${119 - n}`), expect.any(String)]);
    expect((await open('', { search: 'shop 3' })).text).toMatch(/Shop 39.*Shop 30.*Shop 3</s);
    expect((await open('', { cursor: 'nonsense' })).status).toBe(400);
  });

  test('adds a merchant once if the form is submitted twice', async () => {
    const form = { name: 'Kente House', momo: '0501234567:MTN:KENTE', once: 'real.one' };
    const [first, second] = [await post('/new', form), await post('/new', form)];
    expect(second.headers.location).toBe(first.headers.location);
    const momo_accounts = [{ number: '+233501234567', network: 'MTN', account_name: 'KENTE' }];
    const added = (await listMerchants(world.outside)).filter(({ name }) => name === 'Kente House');
    expect(added).toMatchObject([{ momo_accounts }]);
  });

  test('warns if the operator’s contact is missing', async () => {
    const named = async (support: string | undefined) => {
      world.outside.operator = support;
      return !(await open('/new')).text.includes('operatorContact');
    };
    expect({ withoutName: await named(undefined), withName: await named('Ama Owusu, 024 123 4567') }).toEqual({
      withoutName: false,
      withName: true,
    });
    const { text } = await operator.follow(await post('/new', { name: 'Kente House' }));
    expectWords(text, ['Invite its first owner below. Add credits too, if it will send texts.'], ['sender owner']);
  });

  test.each<[Record<string, string>, RegExp]>([
    [
      { momo: '0241234567 MTN' },
      /id="momo-error">Paid on could not be read. Use the format NUMBER:NETWORK:ACCOUNT_NAME/,
    ],
    [{ momo: '0241234567:MTN:A\n0241234567:MTN:B' }, /is listed twice/],
    [{ contact: 'my shop' }, /id="contact-error">Number, e-mail or WhatsApp link must be a Ghanaian number/],
    [{ match_by_name_up_to: '1.001' }, /id="match_by_name_up_to-error">/],
    [{ default_from: '+233209999999' }, /There is no sender|Page not found/],
  ])('rejects invalid settings: %j', async (wrong, said) => {
    const before = await stored();
    const { status, text } = await post(`/${merchant.id}/settings`, { ...SETTINGS, ...wrong });
    expect({ isRefused: [400, 404].includes(status), text }).toEqual({
      isRefused: true,
      text: expect.stringMatching(said),
    });
    expect(await stored()).toEqual(before);
  });

  test('links to a form that changes all of a merchant’s settings at once', async () => {
    await world.createSender('+233241234567');
    const form = { ...SETTINGS, default_from: '+233241234567', confirm_always_above: '500' };
    expect((await post(`/${merchant.id}/settings`, form)).headers.location).toBe(`${MERCHANTS}/${merchant.id}`);
    const limits = { match_by_name_up_to_pesewas: 200_00, confirm_unproven_up_to_pesewas: 0 };
    expect(await stored()).toMatchObject({
      momo_accounts: [
        { number: '+233241234567', network: 'MTN', balance_limit_pesewas: 40_000_00 },
        { number: '+233201234567', network: 'TELECEL', balance_limit_pesewas: 40_000_00 },
      ],
      contact: '+233241234567',
      default_from: '+233241234567',
      ...limits,
      confirm_always_above_pesewas: 500_00,
    });
    await post(`/${merchant.id}/settings`, { ...SETTINGS, contact: '' });
    const { contact, confirm_always_above_pesewas } = (await stored()) ?? {};
    expect({ contact, confirm_always_above_pesewas }).toEqual({
      contact: undefined,
      confirm_always_above_pesewas: undefined,
    });
    expect(await audit()).toEqual(['merchant set', 'merchant set']);
  });

  test('adds credits only once if the form is submitted twice', async () => {
    const form = { amount: '500', once: 'real.one' };
    for (let n = 0; n < 2; n++) expect((await post(`/${merchant.id}/credits`, form)).status).toBe(303);
    expect(await merchant.balance()).toBe(510);
    await post(`/${merchant.id}/low-below`, { low_below: '7' });
    expect(await getCredits(world.outside, merchant.id)).toMatchObject({ balance: 510, low_below: 7 });
    expect((await open(`/${merchant.id}`)).text).toMatch(/<b>510<\/b>.*The merchant is notified below 7.*\+500/s);
    expect(await audit()).toEqual(['credits add', 'merchant set']);
  });

  test.each(['0', '-5', '1.5', 'many', '1000001'])('rejects %s as an amount of credits', async (amount) => {
    const answer = await post(`/${merchant.id}/credits`, { amount });
    expectAnswer(answer, 400, 'Credits must be a whole number from 1 to 1000000');
    expect(await merchant.balance()).toBe(10);
  });

  test.each(['', '/settings'])('returns 404 for the page of an unknown merchant: %j', async (more) => {
    expect((await open(`/unknown${more}`)).status).toBe(404);
  });

  test('records in the audit log that a merchant’s dashboard was opened', async () => {
    await operator.visit('/dashboard/sign-in/open-merchant', { form: { merchant: merchant.id } });
    expect(await audit()).toEqual(['dashboard open']);
    expect((await open()).text).toMatch(/>Settings<[\s\S]*<p [^>]*>Operator<\/p><a[^>]*>[\s\S]*>Phones</);
  });

  test('escapes merchant names', async () => {
    await addMerchant(world.outside, { name: XSS, momo_accounts: [] });
    expectWords((await open()).text, ['&lt;script&gt;alert(1)'], ['<script>alert']);
  });
});

describe('an API key’s rate limit', () => {
  const keys = async () => showApiKeys(world.outside, merchant.id);
  const rateOf = async (hint: string) => (await keys()).find((key) => key.hint === hint)?.requests_per_second;
  let hint: string;
  beforeEach(async () => {
    hint = (await merchant.addKey('live')).slice(-4);
  });

  test('is shown next to a masked key', async () => {
    const { text } = await open(`/${merchant.id}`);
    expectWords(text, [`href="${MERCHANTS}/${merchant.id}/keys/${hint}"`, `sk_test_…${merchant.testKey.slice(-4)}`]);
    expect((await open(`/${merchant.id}/keys/${hint}`)).text).toMatch(/name="rate"[^>]* value="50"/);
    await removeApiKey(world.outside, merchant.id, hint);
    expect((await open(`/${merchant.id}`)).text).not.toContain(`/keys/${hint}`);
  });

  test('is audited with its old and new value', async () => {
    const form = { rate: '200', once: 'one' };
    const path = `/${merchant.id}/keys/${hint}/rate`;
    for (let n = 0; n < 2; n++) expect((await post(path, form)).headers.location).toBe(`${MERCHANTS}/${merchant.id}`);
    await post(path, { rate: '200', once: 'another' });
    expect(await rateOf(hint)).toBe(200);
    const noted = { by: operator.user.user_id, about: hint, before: { rate: 50 }, after: { rate: 200 } };
    expect(await merchant.audit(/^key set$/)).toMatchObject([noted]);
  });

  test.each(['0', '-1', '1.5', 'many', '1000001'])('cannot be set to %s', async (rate) => {
    const answer = await post(`/${merchant.id}/keys/${hint}/rate`, { rate });
    expectAnswer(answer, 400, 'must be a whole number from 1 to 1000000');
    expect(await rateOf(hint)).toBe(50);
  });

  test('cannot be changed through a different merchant', async () => {
    const other = await world.createMerchant();
    expect((await open(`/${other.id}/keys/${hint}`)).status).toBe(404);
    expect((await post(`/${other.id}/keys/${hint}/rate`, { rate: '1' })).status).toBe(404);
    expect(await rateOf(hint)).toBe(50);
  });
});

describe('a suspended merchant', () => {
  const initial = () => merchant.call('transaction/initialize', { body: { amount: 36 } });

  test('gets 403 for every API key until it is reinstated', async () => {
    for (let n = 0; n < 2; n++) await post(`/${merchant.id}/suspend`);
    settle();
    const message = expect.stringContaining('Ask the operator to reinstate the merchant.');
    expect(await initial()).toMatchObject({ status: 403, json: { code: 'forbidden', message } });
    for (const key of [merchant.smsKey, merchant.smsTestKey])
      expect((await world.call('sms/send', { key, body: { to: '0551112223', message: 'Hello' } })).status).toBe(403);
    expect((await merchant.call('transaction/verify', { parameters: { reference: 'MK-1' } })).status).toBe(403);
    await post(`/${merchant.id}/take-back`);
    settle();
    expect((await initial()).status).toBe(200);
    expect(await audit()).toEqual(['merchant suspend', 'merchant take-back']);
  });

  test('has checkout pages that do not ask for payment', async () => {
    const { access_code } = (await initial()).json.data;
    await post(`/${merchant.id}/suspend`);
    settle();
    const page = await world.call('checkout/page', { parameters: { access_code } });
    expectAnswer(page, 403, 'This shop is not taking payments now');
    expect(page.text).not.toContain('36.00');
  });

  test('has a read-only dashboard', async () => {
    await world.createSender('+233241234567');
    const owner = await merchant.signIn('owner');
    await post(`/${merchant.id}/suspend`);
    settle();
    expectAnswer(await owner.visit('/dashboard/texts'), 200, 'suspended.</b> Customers cannot pay. Ask support.');
    const form = { to: '0551112223', message: 'Hello' };
    expectAnswer(await owner.visit('/dashboard/texts/send', { form }), 403, 'This shop is suspended');
    expect(await merchant.balance()).toBe(10);
  });

  test('stays suspended when its settings are changed', async () => {
    await post(`/${merchant.id}/suspend`);
    await post(`/${merchant.id}/settings`, SETTINGS);
    expect((await stored())?.suspended_at).toBeDefined();
    expect((await open()).text).toContain('">Suspended<svg');
  });
});

describe('unassigned payments', () => {
  const TEXT = `Payment received for GHS 36.00 from KOFI MENSAH Current Balance: GHS 512.20. Reference: ${XSS}. Transaction ID: 62841953770`;
  const arrived = async (more: Partial<Receipt> = {}) => {
    const wallet = { network: 'MTN', momo_number: '+233241234567', sender: 'MobileMoney' } as const;
    const payment = {
      amount_pesewas: arrivedPesewas(36_00),
      payer_name: XSS,
      transaction_id: '62841953770',
      text: TEXT,
    };
    const held = { state: 'held', reason: 'no_charge', received_at: world.iso() } as const;
    const receipt_id = 'MTN-233241234567-62841953770';
    const receipt: Receipt = { receipt_id, ...held, ...wallet, ...payment, ...more };
    await world.outside.table.write([createReceipt(receipt)]);
    return receipt.receipt_id;
  };

  test('show a message if there are none', async () => {
    expect((await open('/unassigned')).text).toContain('No unassigned payments');
    expect((await open('/unread')).text).toContain('No unread text');
  });

  test('are assigned once and audited', async () => {
    const id = await arrived();
    const { reference } = (await merchant.call('transaction/initialize', { body: { amount: 36 } })).json.data;
    const form = { reference, shown: 'unverified', once: 'real.one' };
    const wrong = await post(`/unassigned/${id}/assign`, { reference: 'MK-0000000000' });
    expectAnswer(wrong, 400, 'There is no charge MK-0000000000.');
    for (let n = 0; n < 2; n++) expect((await post(`/unassigned/${id}/assign`, form)).status).toBe(303);
    const given = { state: 'matched', reference, merchant_id: merchant.id };
    expect(await receiptRows.find(world.outside, { receipt_id: id })).toMatchObject(given);
    expect(await audit()).toEqual(['receipt assign']);
  });

  test('have a sample text without personal data', async () => {
    const id = await arrived({ state: 'unread', receipt_id: 'one' });
    for (const path of ['/unread', `/unassigned/${id}`, '/unassigned'])
      expect((await open(path)).text).not.toContain('<script>alert');
    const { text } = await open(`/unassigned/${id}`);
    const sample = text.slice(text.indexOf('A sample that you can share'));
    expect(sample).toMatch(/Payment received for GHS \d\d\.\d\d from [A-Z]+ [A-Z]+ Current Balance/);
    expectWords(sample, [], ['KOFI', 'MENSAH', '36.00', '512.20', '62841953770']);
  });

  test('exclude payments that a merchant already sees in another way', async () => {
    await arrived({ known_to: merchant.id });
    expect((await open('/unassigned')).text).toContain('No unassigned payments');
  });

  test('exclude payments to a merchant', async () => {
    const id = await arrived({ merchant_id: merchant.id });
    expect((await open(`/unassigned/${id}`)).status).toBe(404);
    expect((await post(`/unassigned/${id}/assign`, { reference: 'MK-0000000000' })).status).toBe(404);
  });
});

test('merchant pages take a fixed number of reads', async () => {
  const readsOf = (path: string) => operator.reads(`${MERCHANTS}${path}`);
  expect(await readsOf('')).toEqual(['BatchGetItem', 'BatchGetItem', 'Query']);
  const ofMerchant = [...Array(2).fill('BatchGetItem'), ...Array(4).fill('GetItem'), ...Array(4).fill('Query')];
  expect(await readsOf(`/${merchant.id}`)).toEqual(ofMerchant);
  expect(await readsOf(`/${merchant.id}/settings`)).toEqual(['BatchGetItem', 'GetItem', 'Query']);
  expect(await readsOf('/unassigned')).toEqual(['BatchGetItem', 'Query']);
});
