import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { checkEach } from '../../support/check-each.ts';

// Stylesheets may use only the tokens in `shared/pages/style/tokens.css`.

/** `print.css` defines the colours for print. */
const TOKENS = ['tokens.css', 'print.css'];
const sheets = globSync('shared/pages/**/*.css').toSorted();
const textOf = (file: string) => readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');

const LITERALS = [
  ['font size', /font-size: (?!var\(|inherit)[^;]*\d[^;]*;/g],
  ['corner radius', /border-radius: [^;]*\dpx[^;]*;/g],
  ['colour', /#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/g],
] as const;

test.each(LITERALS)('a stylesheet contains no %s of its own', (_, literal) => {
  const others = sheets.filter((file) => !TOKENS.includes(basename(file)));
  return checkEach(others, (file) => {
    const found = textOf(file).match(literal) ?? [];
    // Inline sizes may use `em`.
    expect(found.filter((one) => !/\dem;$/.test(one))).toEqual([]);
  });
});

test('no CSS class is defined in two stylesheets', () => {
  const definitions = sheets.flatMap((file) => classesOf(file).map((name) => [name, file] as const));
  const byName = Map.groupBy(definitions, ([name]) => name);
  const twice = [...byName].flatMap(([name, found]) => {
    const files = new Set(found.map(([, file]) => file));
    return files.size > 1 ? [`.${name}: ${[...files].join(', ')}`] : [];
  });
  expect(twice).toEqual([]);
});

/** Returns the classes with their own rule outside media queries. */
function classesOf(file: string): string[] {
  const selectors = textOf(file).match(/^[^\s@}][^{}]*(?=\{)/gm) ?? [];
  const own = selectors.flatMap((list) => list.split(',')).flatMap((one) => /^\.([\w-]+)$/.exec(one.trim())?.[1] ?? []);
  return [...new Set(own)];
}

test.each(['text', 'space', 'radius'])('every --%s token is used', (kind) => {
  const all = sheets.map(textOf).join('');
  const tokens = [...textOf('shared/pages/style/tokens.css').matchAll(new RegExp(`--${kind}-[\\w]+(?=:)`, 'g'))];
  expect(new Set(tokens.map(([name]) => name).filter((name) => !all.includes(`var(${name})`)))).toEqual(new Set());
});

test('every token used in a stylesheet is defined', () => {
  const tokens = new Set(textOf('shared/pages/style/tokens.css').match(/--[\w-]+(?=:)/g));
  const used = sheets.flatMap((file) => [...textOf(file).matchAll(/var\((--[\w-]+)\)/g)].map(([, name = '']) => name));
  expect(used.filter((name) => !tokens.has(name))).toEqual([]);
});
