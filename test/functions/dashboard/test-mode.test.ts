import { beforeEach, describe, expect, test } from 'vitest';
import { manifest } from '../../../functions/manifest.ts';
import { area as areaOf } from '../../../shared/pages/dashboard/area.ts';
import { page } from '../../../shared/pages/dashboard/page.ts';
import { expectAnswer } from '../../support/answers.ts';
import { visit } from '../../support/dashboard.ts';
import { type Merchant, type Person, type Scene, scene } from '../../support/scene.ts';

let world: Scene;
let merchant: Merchant;
let owner: Person;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  merchant = await world.createMerchant({ credits: 10 });
  await world.createSender('+233241234567');
  owner = await merchant.signIn('owner');
});

const turn = (form: Record<string, string>) => owner.visit('/dashboard/sign-in/test-mode', { form });
const listOf = async (by: Person) => (await by.visit('/dashboard/texts')).text;
const onceOf = (text: string) => /name="once" value="([^"]+)"/.exec(text)?.[1] ?? '';

test('test mode applies only to the current session', async () => {
  const other = await world.signInAgain(owner.user);
  expect((await turn({ mode: 'test', next: '/dashboard/texts' })).headers.location).toBe('/dashboard/texts');
  expect(await listOf(owner)).toMatch(/TEST MODE.*Leave/s);
  expect(await listOf(other)).not.toContain('TEST MODE');
  await turn({});
  expect(await listOf(owner)).not.toContain('TEST MODE');
});

test('turning on test mode never redirects to another site', async () => {
  const { headers } = await turn({ mode: 'test', next: 'https://evil.example.com/dashboard/x' });
  expect(headers.location).toBe('/dashboard/sign-in');
});

test('test mode shows the live team and keys', async () => {
  await turn({ mode: 'test' });
  expect((await owner.visit('/dashboard/settings/team')).text).toContain('Canary the owner (you)');
  const keys = await owner.visit('/dashboard/developers');
  expect(keys.text).toContain(merchant.liveKey.slice(-4));
});

describe('a form opened in the other mode', () => {
  const form = { to: '0551112223', message: 'Hello' };

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['in test mode and submitted in live mode', { mode: 'test' }, {}],
    ['in live mode and submitted in test mode', {}, { mode: 'test' }],
  ])('does nothing if opened %s', async (_, typed, sent) => {
    await turn(typed);
    const once = onceOf((await owner.visit('/dashboard/texts/send')).text);
    await turn(sent);
    const answer = await owner.visit('/dashboard/texts/send', { form: { ...form, once } });
    expectAnswer(answer, 403, 'You changed test mode or the shop');
    expect(await merchant.sends()).toEqual([]);
  });
});

/** Forms that spend credits or create objects, with their fields. */
const spending: readonly [path: string, form: Record<string, string>][] = [
  ['/dashboard/texts/send', { to: '0551112223', message: 'Hello' }],
  ['/dashboard/many', { csv: 'to\n0551112223\n0551112224', message: 'Hello', step: 'send' }],
  ['/dashboard/charges/new', { amount: '36' }],
  ['/dashboard/requests/new', { title: 'Fees', amount: '36' }],
  ['/dashboard/links/new', { title: 'Wi-Fi', amount: '5' }],
  ['/dashboard/customers/add', { number: '0551112223' }],
];

test('actions in test mode are audited as tests and cost no credits', async () => {
  const changed = { live: new Set<string>(), test: new Set<string>() };
  const noted = { live: new Set<unknown>(), test: new Set<unknown>() };
  for (const mode of ['live', 'test'] as const) {
    await turn(mode === 'test' ? { mode } : {});
    const before = new Map((await world.scan()).map((row) => [`${row.pk} / ${row.sk}`, JSON.stringify(row)]));
    for (const [path, form] of spending) expect((await owner.visit(path, { form })).status, path).toBe(303);
    for (const row of await world.scan()) {
      if (before.get(`${row.pk} / ${row.sk}`) === JSON.stringify(row)) continue;
      changed[mode].add(String(row.pk).split('#')[0] ?? '');
      if (String(row.pk).startsWith('AUDIT#')) noted[mode].add((row.after as { test?: unknown } | undefined)?.test);
    }
  }
  expect([...changed.live.difference(changed.test)]).toEqual(['CREDITS']);
  expect([...changed.test.difference(changed.live)]).toEqual(['TEST_USE']);
  expect({ live: [...noted.live], test: [...noted.test] }).toEqual({ live: [undefined], test: [true] });
  expect(world.fetched).toEqual([]);
});

test('pages about the shop always stay in live mode', async () => {
  const given: Record<string, boolean> = {};
  const probe = (name: string, needs: 'texts:read' | 'settings:read') =>
    page({
      path: `/${name}`,
      needs,
      show: async (_visit, outside) => {
        given[name] = await outside.fetch('https://gateway.example.com').then(
          () => true,
          () => false,
        );
        return { goTo: '/dashboard/texts' };
      },
    });
  const area = areaOf(manifest['dashboard/texts'], [probe('texts', 'texts:read'), probe('settings', 'settings:read')]);
  const open = async () => {
    for (const name of ['texts', 'settings']) await visit(world, area, `/dashboard/texts/${name}`, { by: owner });
    return { ...given };
  };
  expect(await open()).toEqual({ texts: true, settings: true });
  await turn({ mode: 'test' });
  expect(await open()).toEqual({ texts: false, settings: true });
});
