import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { createProgram } from '../../../infra/admin/program.ts';
import { listAudit } from '../../../shared/merchants/audit/audit.table.ts';
import { addMerchant } from '../../../shared/merchants/merchant/add-merchant.ts';
import { changeMerchant, requireMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import { listChanges } from '../../../shared/merchants/merchant/money-change.table.ts';
import { SETTINGS_CACHE_SECONDS } from '../../../shared/runtime/outside/cached.ts';
import { runAdmin } from '../../support/admin-commands.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { placeOf } from '../../support/place.ts';
import { type Person, type Scene, scene } from '../../support/scene.ts';

// A new shop's owner asks to be paid on a number that the service knows already: the operator decides.

const SETTINGS = '/dashboard/settings';
const CHANGES = `${SETTINGS}/changes`;
const NUMBER = '+233201234567';
const HERS = { number: '0201234567', network: 'TELECEL', account_name: 'ADWOA OSEI' };
const STORED = { ...HERS, number: NUMBER };
const EVIL = `X"; rm -rf / #'$(id)\n`;
let world: Scene;
let shop: string;
let owner: Person;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.outside.operator = 'Ama Owusu, 024 123 4567';
  shop = (await addMerchant(world.outside, { name: 'Adwoa Cloth', momo_accounts: [] })).merchant_id;
  await world.createSender(NUMBER);
  owner = await world.signIn('owner', shop);
});

const post = (by: Person, path: string, form: Record<string, string> = {}) => by.visit(`${SETTINGS}${path}`, { form });
const open = async (by: Person, path: string) => (await by.visit(`${SETTINGS}${path}`)).text;
const add = (by = owner, form: Record<string, string> = HERS) => post(by, '/numbers/new', form);
const accounts = async () => (await requireMerchant(world.outside, shop)).momo_accounts;
const waiting = async () => (await listChanges(world.outside, shop)).waiting;
const lastId = async () => (await waiting()).at(-1)?.id ?? 'none';
const firstPage = async (by: Person) => (await by.visit('/dashboard/today')).text;
const run = (...words: string[]) => runAdmin(placeOf(world), words);
const approveByCommand = (number = NUMBER) => run('merchant', 'approve-number', '--merchant', shop, '--number', number);

const pairsOf = (cookies: readonly string[]) => cookies.map((cookie) => cookie.split(';')[0] ?? '');

async function operatorHere(): Promise<Person> {
  const operator = await world.signIn('operator');
  await operator.visit('/dashboard/sign-in/open-merchant', { form: { merchant: shop } });
  return operator;
}

async function actions(): Promise<string[]> {
  const month = world.iso().slice(0, 7);
  const { entries } = await listAudit(world.outside, shop, month, { newestFirst: false });
  return entries.map(({ action }) => action).filter((action) => /^(change|merchant) /.test(action));
}

describe('an owner’s number that is in the service’s phone', () => {
  test('waits, is shown where she looks, and is paid on once the operator approves it at the dashboard', async () => {
    expect((await add()).headers.location).toBe(CHANGES);
    expect(await accounts()).toEqual([]);
    for (const page of [await firstPage(owner), await open(owner, '/numbers'), await open(owner, '')])
      expect(page).toContain('waits for support');
    const newLink = (await owner.visit('/dashboard/links/new')).text;
    expectWords(newLink, ['whether one waits for support'], ['No MoMo number yet']);
    expect(await open(owner, '/numbers')).not.toContain('No number yet');
    expectWords(await firstPage(owner), ['data-waiting="0"', 'Nothing is waiting for you']);

    const operator = await operatorHere();
    const asked = await operator.visit(`/dashboard/operator/merchants/${shop}`);
    expect(asked.text).toContain('Is 020 123 4567 theirs?');
    const form = { merchant: shop, next: /name="next" value="([^"]+)"/.exec(asked.text)?.[1] ?? '' };
    const opened = await operator.visit('/dashboard/sign-in/open-merchant', { form });
    expect(opened.headers.location).toBe(CHANGES);
    expect(await firstPage(operator)).toContain('Needs your confirmation');
    expect(await open(operator, '/changes')).toContain('Its SIM is in a connected phone');
    expect((await post(operator, `/changes/${await lastId()}/approve`)).headers.location).toBe(CHANGES);
    expect(await accounts()).toEqual([STORED]);
    expect(await waiting()).toEqual([]);
    expect(await actions()).toEqual(['change propose', 'change approve']);
    expect(await firstPage(owner)).toContain('Was changed');
  });

  test('is asked for in a message to support that has no command in it and no word of hers, and nothing is shown as done', async () => {
    const { headers, cookies } = await add(owner, { ...HERS, account_name: EVIL });
    const page = (await owner.visit(String(headers.location), { cookies: pairsOf(cookies) })).text;
    expect(page).toMatch(/<p class="notice look" role="status">.*It waits for support/);
    expectWords(page, ['Tell support (Ama Owusu, 024 123 4567)', 'https://wa.me/233241234567?text=']);
    const [, message = ''] = /data-copy="([^"]*)"/.exec(page) ?? [];
    expect(message).toBe(
      `Please confirm that 020 123 4567 (Telecel Cash) is the MoMo number of Adwoa Cloth: ${world.outside.baseUrl}/dashboard/operator/merchants/${shop}`,
    );
    expect(page).not.toMatch(/npm run|STAGE|do nothing else|WhatsApp asks/);
  });

  test.each([
    ['its first number', 'Ama, 024 123 4567 or 020 999 8888', 'https://wa.me/233241234567?text='],
    ['whom she chooses, where support has no number', 'help@example.com', 'https://wa.me/?text='],
  ])('is asked for by WhatsApp to %s', async (_, support, link) => {
    world.outside.operator = support;
    await add();
    const page = await open(owner, '/changes');
    expect(page).toContain(link);
    expect(page.includes('choose them where WhatsApp asks')).toBe(link.includes('/?'));
  });

  test('is approved by the operator’s command', async () => {
    await add();
    world.clock.nowMs += 1_000;
    await approveByCommand();
    expect(await accounts()).toEqual([STORED]);
    expect(await waiting()).toEqual([]);
    expect(await firstPage(owner)).toContain('Support');
    expect(await actions()).toEqual(['change propose', 'merchant approve-number']);
    expect(await open(owner, '/audit')).toContain('Approved a number that an owner asked for');
  });

  test('is listed by the command line until it is set, also in another way', async () => {
    await add();
    expect(await listed()).toMatchObject({ numbers_to_approve: ['+233201234567:TELECEL'] });
    await run('merchant', 'set', '--merchant', shop, '--momo', '0201234567:TELECEL:ADWOA');
    world.clock.nowMs += SETTINGS_CACHE_SECONDS * 1_000;
    expect(await listed()).not.toHaveProperty('numbers_to_approve');
    expect(await open(owner, '/changes')).toContain('Nothing waits');
    await expect(approveByCommand()).rejects.toThrow(/Nobody asks for/);
    expect(await accounts()).toEqual([{ ...STORED, account_name: 'ADWOA' }]);
  });

  test('takes the place of the one that she asked for before', async () => {
    await world.createSender('+233201234568');
    await add();
    const first = await lastId();
    await add(owner, { ...HERS, number: '0201234568' });
    expect(await waiting()).toMatchObject([{ change: { number: '+233201234568' }, needs: 'operator' }]);
    expect((await post(await operatorHere(), `/changes/${first}/approve`)).status).toBe(400);
    await expect(approveByCommand()).rejects.toThrow(/Nobody asks for/);
    expect(await accounts()).toEqual([]);
  });

  test('can be withdrawn, and refused', async () => {
    for (const by of [owner, await operatorHere()]) {
      await add();
      expect((await post(by, `/changes/${await lastId()}/drop`)).status).toBe(303);
      expect(await waiting()).toEqual([]);
    }
    await expect(approveByCommand()).rejects.toThrow(/Nobody asks for/);
  });

  test('is added by no owner', async () => {
    await add();
    const second = await world.signIn('owner', shop);
    for (const by of [owner, second]) {
      expect(await open(by, '/changes')).not.toContain('/approve');
      expect((await post(by, `/changes/${await lastId()}/approve`)).status).toBe(403);
    }
    expect(await accounts()).toEqual([]);
  });

  test('that only a manager wants waits for nobody: it is an owner who asks', async () => {
    expectAnswer(await add(await world.signIn('manager', shop)), 400, 'only an owner can ask support');
    expect(await waiting()).toEqual([]);
  });

  test('that a manager proposed before it was known is the owner’s to ask for', async () => {
    const manager = await world.signIn('manager', shop);
    await add(manager, { ...HERS, number: '0209999999' });
    await world.createSender('+233209999999');
    expectAnswer(await post(owner, `/changes/${await lastId()}/approve`), 403, 'add the number yourself');
    await expect(approveByCommand('0209999999')).rejects.toThrow(/Nobody asks for/);
    expect(await accounts()).toEqual([]);
  });
});

describe('another shop’s number', () => {
  let other: string;
  const theirs = { number: '0241234567', network: 'MTN', account_name: 'ADWOA OSEI' };

  beforeEach(async () => {
    other = (await world.createMerchant()).id;
    await changeMerchant(world.outside, other, {
      momo_accounts: [{ ...theirs, network: 'MTN', number: '+233241234567', account_name: 'KOFI' }],
    });
    await add(owner, theirs);
  });

  test('is never joined by the command, which its owner may have sent', async () => {
    await expect(approveByCommand('+233241234567')).rejects.toThrow(new RegExp(`belongs to ${other} already`));
    expect(await accounts()).toEqual([]);
  });

  test('is shown to the operator as theirs, and to nobody else', async () => {
    expect(await open(owner, '/changes')).not.toContain(other);
    const said = await open(await operatorHere(), '/changes');
    expect(said).toContain('Another shop is paid on it');
    expect(said).toContain(other);
  });
});

test('a number that waits is not approved where the numbers have changed since', async () => {
  await add();
  await changeMerchant(world.outside, shop, {
    momo_accounts: [{ number: '+233244000001', network: 'MTN', account_name: 'ADWOA' }],
  });
  await expect(approveByCommand()).rejects.toThrow(/have changed since/);
  expectAnswer(await post(await operatorHere(), `/changes/${await lastId()}/approve`), 400, 'have changed since');
  expect(await accounts()).toHaveLength(1);
});

test.each(['command', 'dashboard'])('of an approval by %s and a new question at once one is done', async (way) => {
  await world.createSender('+233201234568');
  await add();
  const [operator, id] = [await operatorHere(), await lastId()];
  const { write } = world.outside.table;
  world.outside.table.write = async (writes) => {
    world.outside.table.write = write;
    await add(owner, { ...HERS, number: '0201234568' });
    await write(writes);
  };
  if (way === 'command') await expect(approveByCommand()).rejects.toThrow(/does not wait any more/);
  else expect((await post(operator, `/changes/${id}/approve`)).status).toBe(400);
  expect(await accounts()).toEqual([]);
  expect(await waiting()).toMatchObject([{ change: { number: '+233201234568' } }]);
});

/** The shop, as `merchant list` prints it. */
async function listed(): Promise<unknown> {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  await createProgram(async () => placeOf(world)).parseAsync(['merchant', 'list', '--json'], { from: 'user' });
  const json: unknown = JSON.parse(String(printed.mock.calls.at(-1)?.[0]));
  printed.mockRestore();
  const { merchants: all } = z.object({ merchants: z.array(z.looseObject({ merchant_id: z.string() })) }).parse(json);
  return all.find(({ merchant_id }) => merchant_id === shop);
}
