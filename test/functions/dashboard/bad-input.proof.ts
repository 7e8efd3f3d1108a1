import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { roles } from '../../../shared/merchants/user/permissions.ts';
import { checkEach } from '../../support/check-each.ts';
import { allPages, visit } from '../../support/dashboard.ts';
import { reportFigure } from '../../support/figures.ts';
import { type Person, scene } from '../../support/scene.ts';
import { runsOf } from '../../support/slice.ts';

const world = await scene({ inMemory: true });
const merchant = await world.createMerchant({ credits: 100 });
await world.createSender('+233241234567');
const people = await Promise.all(roles.map((role) => merchant.signIn(role)));
let tried = 0;

const HURTFUL = [
  ...['', ' ', '0', '-1', '1e400', 'NaN', '0.001', '36', '٣٦', 'null', '[]', '{}', '"', "'", '%', '%2F', '..', '../..'],
  ...['\u0000', '\ud800', '\u202e', '<script>alert(1)</script>', '__proto__', 'constructor', 'on', '2026-13-45'],
  ...['0551112223', '+233241234567', 'MK-0000000000', 'x'.repeat(5_000), '😀'.repeat(300), 'https://[::1]/'],
];
const wild = fc.oneof(fc.constantFrom(...HURTFUL), fc.string({ unit: 'binary', maxLength: 60 }));
const names = [
  'amount',
  'name',
  'role',
  'credential',
  'next',
  'once',
  'month',
  'cursor',
  'per_page',
  'number',
  'network',
  'account_name',
  'limit',
  'default_from',
  'match_by_name_up_to',
  'confirm_unproven_up_to',
  'new_wallet_daily_limit',
  'confirm_always_above',
  'contact',
  'low_below',
  'balance',
  'rate',
  'to',
  'status',
  '__proto__',
];
const fields = fc.dictionary(fc.oneof(fc.constantFrom(...names), wild), wild, { maxKeys: 4 });

const pages = await allPages();

test('a page handles any input without an unexpected error', () =>
  checkEach(pages, async ({ pattern, page, handler }) => {
    const request = fc.record({
      who: fc.nat(people.length),
      query: fields,
      form: fields,
      id: wild,
      type: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ who, query, form, id, type }) => {
        tried++;
        const path = pattern.replace(/\{\w+\}/g, encodeURIComponent(id.toWellFormed()));
        const by: Person | undefined = people[who] && (await world.signInAgain(people[who].user));
        const own = Object.keys(page.form?.shape ?? {});
        // Half of the generated forms use the page's own field names.
        const named = Object.fromEntries(
          Object.values(form).map((value, n) => [own[n % Math.max(1, own.length)] ?? 'x', value]),
        );
        const isForm = page.method === 'POST';
        const answer = await visit(world, handler, path, { by, query, ...(isForm && { form: type ? named : form }) });
        if (answer.status >= 500) throw new Error(`${answer.status}: ${answer.text.slice(0, 300)}`);
        const unexpected = world.logged.splice(0).find(({ level }) => level === 'error');
        if (unexpected) throw new Error(`Nobody expected ${unexpected.event}`, { cause: unexpected.fields?.error });
        expect(answer.headers['x-content-type-options']).toBe('nosniff');
        if (answer.headers.location) expect(answer.headers.location).toMatch(/^\/dashboard\//);
        else if (answer.status >= 400) expect(answer.text).toMatch(/^<!doctype html>/);
        expect(answer.text).not.toContain('<script>alert');
      }),
      runsOf(150, 50),
    );
  }));

afterAll(() =>
  reportFigure(`dashboard, bad input: ${tried} visits with paths, queries and forms that hurt, answers of 5xx 0`),
);
