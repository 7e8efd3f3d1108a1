import { expect, test } from 'vitest';
import { marked } from '../../../shared/pages/dashboard/parts/marked.ts';

const LONG = `${'before '.repeat(10)}found ${'after '.repeat(12)}`.trim();

test.each([
  ['the word in bold', 'Blue found cloth', 'Blue <b>found</b> cloth'],
  ['each such word', 'found, then found', '<b>found,</b> then <b>found</b>'],
  ['a long text around its first such word', LONG, `… ${'before '.repeat(5)}<b>found</b> ${'after '.repeat(10)}…`],
  ['a long word whole', `${'x'.repeat(90)}found`, `<b>${'x'.repeat(90)}found</b>`],
  ['a text found only as a whole in bold', '024 111 2222', '<b>024 111 2222</b>'],
  ['letters, never markup', '<i>found</i> & more', '<b>&lt;i&gt;found&lt;/i&gt;</b> &amp; more'],
])('shows %s', (_, text, shown) => {
  const [, inner] = /^<span>(.*?) ?<\/span>$/.exec(String(marked(text, (word) => word.includes('found')))) ?? [];
  expect(inner).toBe(shown);
});
