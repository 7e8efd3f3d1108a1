import { buildSync } from 'esbuild';
import { html } from 'hono/html';
import { describe, expect, test } from 'vitest';
import checkoutAssets from '../../../shared/pages/checkout/assets.json' with { type: 'json' };
import { checkoutWords, payWords, receiptWords, requestWords, sharedWords } from '../../../shared/pages/words/words.ts';

const pages = { checkout: checkoutWords, pay: payWords, receipt: receiptWords, request: requestWords };
const MAX_WORDS = 15;

describe('sentences on customer pages', () => {
  test.each(Object.entries({ ...pages, shared: sharedWords }))(
    'have at most 15 words on the page %s',
    async (_, words) => {
      const sentences = (await textsOf(words)).flatMap(({ key, text }) =>
        sentencesOf(text).map((sentence) => `${key}: ${sentence}`),
      );
      expect(sentences.length).toBeGreaterThan(10);
      expect(sentences.filter((sentence) => lengthOf(sentence.replace(/^\S+: /, '')) > MAX_WORDS)).toEqual([]);
    },
  );

  test('are measured separately', async () => {
    const long = { a: (name: string) => html`Ask ${name}. ${'word '.repeat(14)}${html`<b>${name} Stores</b>`}.` };
    const [{ text } = { text: '' }] = await textsOf(long);
    expect(sentencesOf(text).map(lengthOf)).toEqual([2, 16]);
  });

  test('have placeholders that match the checkout script', () => {
    const named = [...checkoutAssets['checkout.js'].matchAll(/"@(\w+)"/g)].map(([, key]) => key);
    expect(named.sort()).toEqual(Object.keys(checkoutWords.script).sort());
  });
});

/** One sentence per page that occurs on no other page. */
const SENTENCES = {
  checkout: checkoutWords.turnsGreen,
  pay: payWords.checkName,
  receipt: receiptWords.codeNotGiven,
  request: requestWords.items('GHS').replace(', in GHS', ''),
};

test.each([
  ['checkout/page', ['checkout']],
  ['checkout/claim', ['checkout']],
  ['checkout/receipt', ['receipt']],
  ['pay/page', ['pay']],
  ['pay/poster', ['pay']],
  ['r/page', ['request']],
] as const)('the bundle of %s contains no sentences from other pages', (name, wanted) => {
  const { outputFiles } = buildSync({
    entryPoints: [`functions/${name}.ts`],
    bundle: true,
    minify: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    packages: 'external',
    charset: 'utf8',
  });
  const code = outputFiles.map(({ text }) => text).join('');
  const found = Object.entries(SENTENCES).filter(([, sentence]) => code.includes(sentence));
  expect(found.map(([page]) => page)).toEqual(wanted);
});

type Words = { readonly [key: string]: unknown };

/** Returns a module's texts. Functions receive a one-word value for each argument. */
async function textsOf(words: Words, above = ''): Promise<{ key: string; text: string }[]> {
  const found = await Promise.all(
    Object.entries(words).map(async ([name, word]) => {
      const key = above + name;
      if (isFolder(word)) return textsOf(word, `${key}.`);
      const value = typeof word === 'function' ? word(...Array.from({ length: word.length }, () => VALUE)) : word;
      return [{ key, text: plain(String(await value)) }];
    }),
  );
  return found.flat();
}

/** Works as a string, as markup and as an object of strings. */
const VALUE = Object.assign(html`Ama`, { shop: 'Ama', amount: 'Ama', to: 'Ama', digits: 'Ama' });

function isFolder(word: unknown): word is Words {
  return typeof word === 'object' && word !== null && !(word instanceof String) && !(word instanceof Promise);
}

function plain(text: string): string {
  return text.replace(/<[^>]*>/g, '');
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.?!…])\s+/).filter((sentence) => sentence !== '');
}

function lengthOf(sentence: string): number {
  return sentence.trim().split(/\s+/).length;
}
