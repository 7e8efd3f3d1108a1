import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createProgram } from '../../../infra/admin/program.ts';
import { refuseUnknown } from '../../../infra/cdk/settings.ts';
import { commandsIn, fill, mistakeIn } from '../../support/admin-commands.ts';
import { proofs } from '../../support/proofs.ts';
import { documentedCommands } from '../../support/runbooks.ts';

const files = globSync(['*.md', 'docs/**/*.md']);
/** Values for placeholders with a required format. */
const values = { NUMBER: '0241234567', MERCHANT_ID: 'M1', TIME: '2026-12-01T09:30:00Z' };

test.each(files.filter((file) => documentedCommands(file).length > 0))('every command in %s is valid', async (file) => {
  for (const words of documentedCommands(file)) {
    if (!words.includes('--help')) expect(await mistakeIn(fill(words, values)), words.join(' ')).toBeUndefined();
  }
});

test('the manual and each runbook contain commands', () => {
  for (const file of ['docs/operate/operating.md', 'docs/operate/runbooks.md'])
    expect(documentedCommands(file).length).toBeGreaterThan(10);
});

test('an unknown command is reported', async () => {
  expect(await mistakeIn(['sender', 'rename', '--number', '0241234567'])).toMatch(/unknown command 'rename'/);
  expect(await mistakeIn(['sender', 'enable'])).toMatch(/--number/);
  expect(await mistakeIn(['sender', 'enable', '--number', '0241234567', '--now'])).toMatch(/--now/);
});

test('every command mentioned in prose exists', () => {
  const nouns = createProgram(async () => Promise.reject(new Error('nowhere'))).commands;
  const exists = new Set(nouns.flatMap((noun) => noun.commands.map((verb) => `${noun.name()} ${verb.name()}`)));
  const nounNames = nouns.filter(({ commands }) => commands.length > 0).map((noun) => noun.name());
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/`(?:admin -- )?([a-z-]+ [a-z-]+)(?: --[^`]*)?`/g)]
      .map(([, words = '']) => ({ file, words }))
      .filter(({ words }) => nounNames.includes(words.split(' ')[0] ?? '')),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ words }) => !exists.has(words))).toEqual([]);
});

test('every complete command in prose has valid options', () => {
  const nouns = createProgram(async () => Promise.reject(new Error('nowhere'))).commands;
  const written = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/`(?:(?:npm run (?:--silent )?)?admin -- )?([^`\n]+)`/g)]
      .flatMap(([, text = '']) => commandsIn(text))
      .map((command) => ({ file, command })),
  );
  expect(written.length).toBeGreaterThan(30);
  // Compare only option names, because prose omits required options.
  const unknown = written.filter(({ command: [noun, verb, ...rest] }) => {
    const of = nouns.find((one) => one.name() === noun)?.commands.find((one) => one.name() === verb);
    const options = new Set(['--stage', '--json', '--help', ...(of?.options.map(({ long }) => long) ?? [])]);
    return !of || rest.some((word) => word.startsWith('--') && !options.has(word));
  });
  expect(unknown).toEqual([]);
});

test('every script mentioned in a document exists', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const run = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/npm run (?:--silent |-s )?([a-z][\w-]*(?::\w+)?)/g)].map(
      ([, script = '']) => script,
    ),
  );
  expect(new Set(run).size).toBeGreaterThan(8);
  expect(run.filter((script) => !(script in scripts))).toEqual([]);
});

test('every proof mentioned in a document or comment exists', () => {
  const named = [
    ...files,
    ...globSync('{.github,functions,infra,shared,test}/**/*.{ts,yml}', { exclude: ['**/node_modules'] }),
  ]
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/npm run prove -- ([a-z-]+)/g)])
    .map(([, name = '']) => name);
  expect(new Set(named).size).toBeGreaterThan(8);
  expect(named.filter((name) => !Object.hasOwn(proofs, name))).toEqual([]);
});

test('every setting in a documented deployment command exists', () => {
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?<=[ `(]-c )(\w+)=/g)].map(([, name = '']) => name),
  );
  expect(new Set(named).size).toBeGreaterThan(10);
  expect(() => refuseUnknown(named.filter((name) => name !== 'name'))).not.toThrow();
});

test('every linked runbook exists', () => {
  const source = globSync('{functions,infra/{admin,cdk},shared}/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  const named = source.flatMap((text) =>
    [...text.matchAll(/docs\/operate\/runbooks\.md, "([^"]+)"/g)].map(([, name]) => name),
  );
  expect(named.length).toBeGreaterThan(7);
  const runbooks = readFileSync('docs/operate/runbooks.md', 'utf8');
  for (const name of named) expect(runbooks).toContain(`\n## ${name}\n`);
});
