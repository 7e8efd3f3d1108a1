import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chargeFields } from '../../../shared/money/charge/stored-fields.ts';
import { inShopWords, SHOP_WORDS } from '../../../shared/pages/dashboard/parts/shop-words.ts';
import { openBusyDashboard } from '../../support/busy-dashboard.ts';
import { checkEach } from '../../support/check-each.ts';
import { type Person, signIn, visit } from '../../support/dashboard.ts';
import { everyPage } from '../../support/dashboard-pages.ts';
import { pillsIn } from '../../support/page-words.ts';

const { world, people, examples } = await openBusyDashboard();
const merchantId = people.owner.user.merchant_id;
const readers: Readonly<Record<string, Person>> = {
  owner: people.owner,
  manager: await signIn(world, 'manager', merchantId),
  cashier: await signIn(world, 'cashier', merchantId),
};
const pages = (await everyPage(examples)).filter(
  ({ who, pattern }) => who !== 'operator' && !pattern.startsWith('/dashboard/developers'),
);

/** Matches API terms, except in “saved as CSV”. */
const words = Object.keys(SHOP_WORDS).map((word) => new RegExp(`(?<!saved as )\\b${word}\\b(?!\\.\\w)`, 'i'));

test('a page uses no API terms', () =>
  checkEach(
    pages.map(({ address, handler }) => [address, handler] as const),
    async ([address, handler]) => {
      for (const [role, by] of Object.entries(readers)) {
        const { status, text, headers } = await visit(world, handler, address, { by });
        if (status !== 200 || !headers['content-type']?.startsWith('text/html')) continue;
        const read = readOf(text);
        expect({ role, found: words.flatMap((word) => around(read, word)) }).toEqual({ role, found: [] });
        // “Open” on a bill, link or request could be mistaken for an open page.
        expect(pillsIn(text).map(({ label }) => label)).not.toContain('Open');
      }
    },
  ));

test('charge field labels contain no API terms', () => {
  const labels = Object.values(chargeFields).flatMap((field) => ('page' in field ? [field.page] : []));
  expect(labels.length).toBeGreaterThan(10);
  for (const label of labels)
    expect({ label, found: words.flatMap((word) => around(label, word)) }).toEqual({ label, found: [] });
});

test('every term of the shop’s vocabulary is documented', () => {
  const document = readFileSync('docs/internals/dashboard.md', 'utf8');
  const [, list = ''] = /## Vocabulary\n([\s\S]*?)\n## /.exec(document) ?? [];
  const rows = list.matchAll(/^\| (?<said>[\w “”]+) \| (?:the )?(?<word>[\w -]+) \|/gm);
  const listed = Object.fromEntries([...rows].map(({ groups }) => [groups?.word, groups?.said]));
  const named = Object.keys(SHOP_WORDS).filter(
    (word) => !/^(charges|unproven|webhooks|the operator)$|consent/.test(word),
  );
  for (const word of named) expect({ word, shown: listed[word] }).toEqual({ word, shown: SHOP_WORDS[word] });
});

test('API errors are translated into the shop’s vocabulary', () => {
  const refusal = 'Both charges are unproven: ask the operator, or wait for charge.success of the webhook.';
  expect(inShopWords({ operator: 'Ama, 024 123 4567' }, refusal)).toBe(
    'Both bills are unverified: ask support (Ama, 024 123 4567), or wait for charge.success of the message to your website.',
  );
});

/** Returns a page's visible text and labels without URLs. */
function readOf(page: string): string {
  const labels = [...page.matchAll(/ (?:aria-label|placeholder|alt|title)="([^"]*)"/g)].map(([, label]) => label);
  const body = page.replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '').replace(/<[^>]+>/g, ' ');
  return [body, ...labels].join('\n').replace(/https?:\S+|\/dashboard\/\S+/g, '');
}

function around(read: string, word: RegExp): string[] {
  const at = read.search(word);
  return at < 0 ? [] : [read.slice(Math.max(0, at - 40), at + 40).replace(/\s+/g, ' ')];
}
