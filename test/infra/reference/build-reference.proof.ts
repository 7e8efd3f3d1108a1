import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, inject, test } from 'vitest';
import { manifest } from '../../../functions/manifest.ts';
import { buildReference, referenceSources } from '../../../infra/reference/build-reference.ts';

const [page] = manifest['docs/page'].files;
const served = [
  { what: 'document', file: manifest['docs/openapi'].files[0] },
  { what: 'page', file: page },
  { what: 'Markdown', file: manifest['docs/markdown'].files[0] },
  { what: 'overview', file: manifest['docs/llms'].files[0] },
];

test('the API reference is built only from the declared sources', () => {
  const root = mkdtempSync(join(inject('folder'), 'archive-'));
  for (const file of ['package.json', ...globSync(referenceSources)]) cpSync(file, join(root, file));
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  buildReference(root);
  for (const { file } of served)
    expect(readFileSync(join(root, file), 'utf8') === readFileSync(file, 'utf8')).toBe(true);
});

test('the API reference is not rewritten if the sources are unchanged', () => {
  const { root, read, writtenAs } = smallTree();
  buildReference(root);
  const before = writtenAs();
  utimesSync(join(root, SOURCE), new Date(), new Date());
  buildReference(root);
  expect({ page: read(page), writtenAs: writtenAs() }).toEqual({ page: 'page of one', writtenAs: before });
});

test.each([
  ['a source has changed', (root: string) => change(root, SOURCE, 'two'), 'page of two'],
  ['a package has changed', (root: string) => change(root, 'package-lock.json', 'new'), 'page of one'],
  ['a source was deleted', (root: string) => rmSync(join(root, 'shared/other.ts')), 'page of one'],
  ['a file was deleted', (root: string) => rmSync(join(root, page)), 'page of one'],
  ['an overview was deleted', (root: string) => rmSync(join(root, manifest['docs/llms'].files[0])), 'page of one'],
  ['another process wrote older files', (root: string) => change(root, page, 'page of none'), 'page of one'],
])('the API reference is rewritten if %s', (_, happen, made) => {
  const { root, read, writtenAs } = smallTree();
  buildReference(root);
  const before = writtenAs();
  happen(root);
  buildReference(root);
  expect(read(page)).toBe(made);
  expect(writtenAs()).not.toEqual(before);
});

test('a folder that cannot be created is reported', () => {
  const { root } = smallTree();
  change(root, '.generated', 'no folder');
  expect(() => buildReference(root)).toThrow(
    /^The API reference cannot be built, because .*\.generated cannot be created\. Make its parent folder writable\.$/,
  );
});

const SOURCE = 'shared/source.json';

/** Creates a source tree with a fast generator. */
function smallTree() {
  const root = mkdtempSync(join(inject('folder'), 'tree-'));
  change(root, SOURCE, 'one');
  change(root, 'shared/other.ts', '');
  change(root, 'package-lock.json', '');
  change(
    root,
    'infra/reference/generate.ts',
    `const source = require('node:fs').readFileSync('${SOURCE}', 'utf8');
     const files = ${JSON.stringify(served)};
     console.log(JSON.stringify(Object.fromEntries(files.map(({ file, what }) => [file, what + ' of ' + source]))));`,
  );
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const writtenAs = () => served.map(({ file }) => statSync(join(root, file)).ino);
  return { root, read, writtenAs };
}

function change(root: string, file: string, text: string): void {
  mkdirSync(join(root, file, '..'), { recursive: true });
  writeFileSync(join(root, file), text);
  utimesSync(join(root, file), 0, 0);
}
