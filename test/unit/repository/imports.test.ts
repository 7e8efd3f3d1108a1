import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { expect, test } from 'vitest';
import { groups } from '../../mutate/groups.ts';

/** Areas of `shared`. Each may import only from the preceding ones. */
const AREAS = 'runtime ghana phones merchants texts wallets money webhook push events operations pages'.split(' ');

/**
 * Dashboard folders. Each may import only from the preceding ones and has the name of its function. `parts` and the
 * files next to the folders are shared.
 */
const FOLDERS: readonly (string | undefined)[] = [
  ...['parts', 'beside them', 'app', 'sign-in', 'settings', 'shared-phones', 'texts', 'many', 'charges', 'held'],
  ...['customers', 'developers', 'links', 'requests', 'till', 'records', 'today'],
  ...['operator-phones', 'operator-money', 'operator-repair'],
];

/** Data files that any file may import. */
const DATA: ReadonlySet<string> = new Set(['functions/manifest.ts', 'functions/rights.ts']);

/** Every import between our files as `[importer, imported]`, with paths from the repository root. */
const imports = globSync('{functions,infra,shared}/**/*.ts', { exclude: ['infra/clients/*/node_modules/**'] }).flatMap(
  (file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import) '(\.[^']+)'/g)].map(([, path = '']): [string, string] => [
      file,
      join(dirname(file), path),
    ]),
);

test('the import scanner finds every kind of import', () => {
  expect(imports).toContainEqual(['shared/texts/sms/message.table.ts', 'shared/texts/sms/send.table.ts']);
  expect(imports).toContainEqual(['functions/sms/send.ts', 'functions/manifest.ts']);
  expect(imports).toContainEqual(['infra/admin/program.ts', 'infra/admin/commands/key.ts']);
});

test.each<[rule: string, isBroken: (from: string, to: string) => boolean]>([
  ['shared does not import functions or infra', (from, to) => isIn('shared', from) && !isIn('shared', to)],
  [
    'functions import only shared and the manifest',
    (from, to) => isIn('functions', from) && !isIn('shared', to) && to !== 'functions/manifest.ts',
  ],
  ['infra does not import handlers', (from, to) => isIn('infra', from) && isIn('functions', to) && !DATA.has(to)],
  ['table files use only their own rows', (from, to) => isTable(from) && isTable(to) && nounOf(from) !== nounOf(to)],
])('%s', (_, isBroken) => {
  expect(broken(isBroken)).toEqual([]);
});

test('each area of shared imports only from the preceding areas', () => {
  expect(
    globSync('shared/*')
      .map((path) => path.split('/')[1])
      .toSorted(),
  ).toEqual(AREAS.toSorted());
  const placeOf = (file: string) => AREAS.findIndex((area) => isIn(`shared/${area}`, file));
  expect(broken((from, to) => isIn('shared', from) && placeOf(to) > placeOf(from))).toEqual([]);
});

test('each dashboard folder imports only from the preceding folders', () => {
  const folderOf = (file: string) => {
    const [, folder] = /^shared\/pages\/dashboard\/(?:([^/]+)\/)?[^/]+\.ts$/.exec(file) ?? [file, undefined];
    return isIn('shared/pages/dashboard', file) ? (folder ?? 'beside them') : undefined;
  };
  const folders = new Set(globSync('shared/pages/dashboard/**/*.ts').map(folderOf));
  expect([...folders].toSorted()).toEqual(FOLDERS.toSorted());
  const placeOf = (file: string) => FOLDERS.indexOf(folderOf(file));
  expect(broken((from, to) => folderOf(from) !== undefined && placeOf(to) > placeOf(from))).toEqual([]);
});

test.each([
  ['nouns', nounOf],
  ['files', (file: string) => file],
])('folders grouped by %s have no circular imports', (_, partOf) => {
  const parts = new Map<string, Set<string>>();
  for (const [from, to] of imports) {
    const [a, b] = [partOf(from), partOf(to)];
    if (a && b && a !== b) parts.set(a, (parts.get(a) ?? new Set()).add(b));
  }
  expect(parts.size).toBeGreaterThan(5);
  // Repeatedly remove parts without dependencies. The remaining ones form a cycle.
  for (let size = -1; size !== parts.size; ) {
    size = parts.size;
    for (const [part, needs] of [...parts]) {
      if ([...needs].every((need) => !parts.has(need))) parts.delete(part);
    }
  }
  expect([...parts.keys()]).toEqual([]);
});

test.each([...DATA])('%s contains only data and type imports', (file) => {
  const lines = readFileSync(file, 'utf8').match(/^import .*/gm) ?? [];
  expect(lines.filter((line) => !line.startsWith('import type '))).toEqual([]);
});

test('deployment installs exactly the packages that it loads', () => {
  const deploying = [
    ...globSync('functions/**/*.ts'),
    // Loaded by path: replaces an SDK module in the bundles.
    'infra/cdk/lambda-credentials.ts',
    'infra/cdk/{app,deploy}.ts',
    'infra/admin/main.ts',
    // Runs in a separate process during bundling.
    'infra/reference/generate.ts',
  ].flatMap((pattern) => globSync(pattern));
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  // Used by deployments without an import: the CDK command line, and an empty replacement for a CDK dependency.
  const byName = ['aws-cdk', '@aws-cdk/asset-awscli-v1'];
  expect([...packagesOf(deploying), ...byName].toSorted()).toEqual(Object.keys(dependencies).toSorted());
});

/** Returns the packages that these files load, directly or indirectly. */
function packagesOf(files: readonly string[]): Set<string> {
  const seen = new Set(files);
  const packages = new Set<string>();
  for (const file of seen) {
    const statements = readFileSync(file, 'utf8').matchAll(
      /^(?:import|export) (?!type )(?:[^;'=]*? from )?'([^']+)'|\bimport\('([^']+)'\)/gm,
    );
    for (const [, path = '', later = ''] of statements) {
      const name = path || later;
      if (name.startsWith('.')) seen.add(join(dirname(file), name));
      else if (!name.startsWith('node:')) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
    }
  }
  return packages;
}

function broken(isBroken: (from: string, to: string) => boolean): string[] {
  return imports.filter(([from, to]) => isBroken(from, to)).map(([from, to]) => `${from} imports ${to}`);
}

test.each(Object.entries(groups))('each file named in `npm run prove -- mutate %s` exists', (_, { code, tests }) => {
  const named = [...code, ...tests].flatMap(alternatives);
  expect(named.filter((pattern) => globSync(pattern.replace(/!\([^)]*\)/, '*')).length === 0)).toEqual([]);
});

/** Expands `{a,b}.ts` to `a.ts` and `b.ts`. */
function alternatives(pattern: string): string[] {
  const [braces, inside] = /\{([^{}]*)\}/.exec(pattern) ?? [];
  if (braces === undefined || inside === undefined) return [pattern];
  return inside.split(',').flatMap((one) => alternatives(pattern.replace(braces, one)));
}

/**
 * Returns the folder of a file, such as `texts/sms` for `shared/texts/sms/send.ts`. Returns the area if it has no
 * folders, and undefined in the runtime.
 */
function nounOf(file: string): string | undefined {
  const [top, area, noun = ''] = file.split('/');
  if (top !== 'shared' || area === 'runtime') return undefined;
  return noun.endsWith('.ts') || area === 'ghana' ? area : `${area}/${noun}`;
}

function isTable(file: string): boolean {
  return file.endsWith('.table.ts');
}

function isIn(folder: string, file: string): boolean {
  return file.startsWith(`${folder}/`);
}
