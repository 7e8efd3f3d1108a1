import { beforeEach, describe, expect, test } from 'vitest';
import { handler as developers } from '../../../functions/dashboard/developers.ts';
import { handler as settings } from '../../../functions/dashboard/settings.ts';
import { handler as signInArea } from '../../../functions/dashboard/sign-in.ts';
import { handler as texts } from '../../../functions/dashboard/texts.ts';
import { type Person, signIn, signInAgain, visit } from '../../support/dashboard.ts';
import { sendsOf } from '../../support/rows.ts';
import { createMerchant, createSender, createWorld, type TestMerchant, type World } from '../../support/world.ts';

let world: World;
let merchant: TestMerchant;
let owner: Person;

beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  merchant = await createMerchant(world, { credits: 10 });
  await createSender(world, '+233241234567');
  owner = await signIn(world, 'owner', merchant.id);
});

const turn = (form: Record<string, string>) =>
  visit(world, signInArea, '/dashboard/sign-in/test-mode', { by: owner, form });
const listOf = async (by: Person) => (await visit(world, texts, '/dashboard/texts', { by })).text;
const onceOf = (text: string) => /name="once" value="([^"]+)"/.exec(text)?.[1] ?? '';

test('is switched on and off for one session, and every page of it says so', async () => {
  const other = await signInAgain(world, owner.user);
  const { headers } = await turn({ mode: 'test', next: '/dashboard/texts' });
  expect(headers.location).toBe('/dashboard/texts');
  expect(await listOf(owner)).toMatch(/TEST MODE.*Leave/s);
  expect(await listOf(other)).not.toContain('TEST MODE');
  await turn({});
  expect(await listOf(owner)).not.toContain('TEST MODE');
});

test('leads to no other site', async () => {
  expect((await turn({ mode: 'test', next: 'https://evil.example.com/dashboard/x' })).headers.location).toBe(
    '/dashboard/sign-in',
  );
});

test('shows the shop’s own team, keys and audit, of which there are no others', async () => {
  await turn({ mode: 'test' });
  const { text } = await visit(world, settings, '/dashboard/settings/team', { by: owner });
  expect(text).toContain('Canary the owner (you)');
  const keys = await visit(world, developers, '/dashboard/developers', { by: owner });
  expect(keys.text).toContain(merchant.liveKey.slice(-4));
});

describe('a form from a page of the other mode', () => {
  const form = { to: '0551112223', message: 'Hello' };

  test('does nothing: what was typed as a test becomes no real text', async () => {
    await turn({ mode: 'test' });
    const once = onceOf((await visit(world, texts, '/dashboard/texts/send', { by: owner })).text);
    await turn({});
    const sent = await visit(world, texts, '/dashboard/texts/send', { by: owner, form: { ...form, once } });
    expect([sent.status, sent.text.includes('You switched test mode on or off')]).toEqual([403, true]);
    expect(await sendsOf(world, merchant)).toEqual([]);
  });

  test('nor does a real one become a test', async () => {
    const once = onceOf((await visit(world, texts, '/dashboard/texts/send', { by: owner })).text);
    await turn({ mode: 'test' });
    const sent = await visit(world, texts, '/dashboard/texts/send', { by: owner, form: { ...form, once } });
    expect(sent.status).toBe(403);
  });
});
