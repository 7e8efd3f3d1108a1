import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inShopWords, SHOP_WORDS } from '../../../shared/pages/dashboard/parts/shop-words.ts';

test('every word is in the list that people read', () => {
  const document = readFileSync('docs/dashboard.md', 'utf8');
  const [, list = ''] = /## The words of the pages\n([\s\S]*?)\n## /.exec(document) ?? [];
  const rows = list.matchAll(/^\| (?<said>[\w ]+) \| (?:the )?(?<word>[\w -]+) \|/gm);
  const listed = Object.fromEntries([...rows].map(({ groups }) => [groups?.word, groups?.said]));
  for (const word of ['charge', 'proven', 'set aside', 'unread', 'GSM-7', 'CSV', 'operator', 'webhook'])
    expect([word, listed[word]]).toEqual([word, SHOP_WORDS[word]]);
});

test('a refusal of the API is said in them, with the name of whom to ask', () => {
  const refusal = 'Both charges are unproven: ask the operator, or wait for charge.success of the webhook.';
  expect(inShopWords({ operator: 'Ama, 024 123 4567' }, refusal)).toBe(
    'Both bills are unverified: ask support (Ama, 024 123 4567), or wait for charge.success of the message to your server.',
  );
});
