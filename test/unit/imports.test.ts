import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { expect, test } from 'vitest';

/** Every import of a file of ours by another: `[who, whom]`, as paths from the top. */
const imports = globSync('{functions,infra,shared}/**/*.ts').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import) '(\.[^']+)'/g)].map(([, path = '']): [string, string] => [
    file,
    join(dirname(file), path),
  ]),
);

test('imports are read at all', () => {
  expect(imports).toContainEqual(['shared/sms/message.table.ts', 'shared/sms/send.table.ts']);
  expect(imports).toContainEqual(['functions/sms/send.ts', 'functions/manifest.ts']);
  expect(imports).toContainEqual(['infra/admin/main.ts', 'infra/admin/operations.ts']);
});

test('shared imports neither functions nor infra', () => {
  expect(broken((from, to) => isIn('shared', from) && !isIn('shared', to))).toEqual([]);
});

test('functions import shared and the manifest, and not each other', () => {
  expect(
    broken((from, to) => isIn('functions', from) && !isIn('shared', to) && to !== 'functions/manifest.ts'),
  ).toEqual([]);
});

test('the runtime knows no noun', () => {
  expect(broken((from, to) => isIn('shared/runtime', from) && !isIn('shared/runtime', to))).toEqual([]);
});

test('a noun uses the rules of another, not its table', () => {
  const found = broken((from, to) => {
    if (!isIn('shared', from) || !isIn('shared', to) || !to.endsWith('.table.ts')) return false;
    // Money moves in the same transaction as what it pays for, so every use case may compose the pieces of credits.
    return dirname(from) !== dirname(to) && to !== 'shared/credits/credits.table.ts';
  });
  expect(found).toEqual([]);
});

test('infra imports no handler: the local stack loads them by the names in the manifest', () => {
  expect(broken((from, to) => isIn('infra', from) && isIn('functions', to) && to !== 'functions/manifest.ts')).toEqual(
    [],
  );
});

test('the manifest is data: it imports shapes only', () => {
  const lines = readFileSync('functions/manifest.ts', 'utf8').match(/^import .*/gm) ?? [];
  expect(lines.filter((line) => !line.startsWith('import type '))).toEqual([]);
});

function broken(isBroken: (from: string, to: string) => boolean): string[] {
  return imports.filter(([from, to]) => isBroken(from, to)).map(([from, to]) => `${from} imports ${to}`);
}

function isIn(folder: string, file: string): boolean {
  return file.startsWith(`${folder}/`);
}
