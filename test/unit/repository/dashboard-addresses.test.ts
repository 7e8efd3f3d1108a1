import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { describe, expect, test } from 'vitest';
import { allPages, areas } from '../../support/dashboard.ts';

/** `/dashboard/<area>` is implemented in `functions/dashboard/<area>.ts` and `shared/pages/dashboard/<area>/`. */
const PAGES = 'shared/pages/dashboard';

interface Imported {
  readonly folder: string;
  readonly names: string;
}

/** Returns the pages and forms that a function imports. */
function importsOf(name: string): Imported[] {
  const file = `functions/${name}.ts`;
  const statements = readFileSync(file, 'utf8').matchAll(/^import (.*?) from '(\.[^']+)'/gms);
  return [...statements].flatMap(([, names = '', path = '']) => {
    const [, folder] = new RegExp(`^${PAGES}/([^/]+)/`).exec(join(dirname(file), path)) ?? [];
    return folder === undefined ? [] : [{ folder, names }];
  });
}

/** Returns true for forms, which can be used in several areas. */
function isForm(names: string): boolean {
  return /^\{ \w*Form(, \w*Form)* \}$/.test(names);
}

describe.each(areas())('the dashboard page $name', ({ name, row }) => {
  test('has the same name in its URL, function and folder', () => {
    expect(row.path).toBe(`/${name}`);
    const folders = importsOf(name).filter(({ names }) => !isForm(names));
    expect([...new Set(folders.map(({ folder }) => `dashboard/${folder}`))]).toEqual([name]);
  });
});

test('each folder of dashboard pages belongs to one area', () => {
  const folders = globSync(`${PAGES}/*/`).map((path) => path.split('/').at(3) ?? '');
  expect(folders.filter((folder) => folder !== 'parts').toSorted()).toEqual(
    areas()
      .map(({ name }) => name.replace('dashboard/', ''))
      .toSorted(),
  );
});

test('each dashboard page and form belongs to exactly one area', async () => {
  const pages = await allPages();
  expect(pages.length).toBeGreaterThan(100);
  for (const { pattern } of pages)
    expect(areas().filter(({ row }) => pattern === row.path || pattern.startsWith(`${row.path}/`))).toHaveLength(1);
});
