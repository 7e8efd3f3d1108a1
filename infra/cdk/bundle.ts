import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, buildSync, stop } from 'esbuild';
import { manifest, queues } from '../../functions/manifest.ts';
import type { Row } from '../../shared/runtime/triggers/row.ts';
import { buildReference } from '../reference/build-reference.ts';

/** What every function is bundled with; the scoreboard's baseline too. */
export const bundling = {
  absWorkingDir: join(import.meta.dirname, '../..'),
  bundle: true,
  minify: true,
  // The SDK is bundled too: the version that was tested runs, and nothing is searched for at a cold start. CommonJS from
  // the packages' ESM sources, which alone can be tree-shaken: 36 ms to load instead of 58, measured on a handler of ours.
  format: 'cjs',
  mainFields: ['module', 'main'],
  platform: 'node',
  target: 'node24',
  logLevel: 'warning',
} as const satisfies BuildOptions;

/**
 * Bundles functions of the manifest, each into `<outdir>/<name>/index.js`, in one run of esbuild: half a second for all of
 * them, where `NodejsFunction` starts npx and esbuild once for each. The files that a row names are put beside its code.
 */
export function bundle(rows: Readonly<Record<string, Row>>, outdir: string): void {
  const names = Object.keys(rows);
  const isCalled = (name: string) => rows[name]?.on === 'call';
  // The operator's commands, which a called function has, read the rights and the alarms of all functions.
  build('functions', names.filter(isCalled), outdir);
  withLeanManifest((folder) =>
    build(
      folder,
      names.filter((name) => !isCalled(name)),
      outdir,
    ),
  );
  const filesOf = (row: Row) => (row.on === 'http' ? (row.files ?? []) : []);
  if (Object.values(rows).some((row) => filesOf(row).length > 0)) buildReference();
  for (const [name, row] of Object.entries(rows)) {
    for (const file of filesOf(row))
      copyFileSync(join(bundling.absWorkingDir, file), join(outdir, name, basename(file)));
  }
}

function build(folder: string, names: readonly string[], outdir: string): void {
  for (let first = 0; first < names.length; first += FUNCTIONS_AT_ONCE) {
    buildSync({
      ...bundling,
      entryPoints: names
        .slice(first, first + FUNCTIONS_AT_ONCE)
        .map((name) => ({ in: join(folder, `${name}.ts`), out: `${name}/index` })),
      outdir,
      // A quarter of each bundle and of its time to load was ways to find credentials that no Lambda has.
      alias: {
        '@aws-sdk/credential-provider-node': './infra/cdk/lambda-credentials.ts',
        'zod/mini': './infra/cdk/shared-schemas.ts',
      },
    });
    void stop();
  }
}

/** esbuild's process keeps the memory of its largest run, 1.6 GB for all functions, until it is stopped: CloudShell has two in all. */
const FUNCTIONS_AT_ONCE = 16;

/**
 * Gives a copy of the functions beside a manifest without what only CDK, the local stack and the tests read of it: rights and the texts
 * of alarms. In the copy each row is an export of its own too: esbuild leaves unused exports out, but not unused properties of an
 * object, and all rows are 14 KB.
 */
function withLeanManifest(use: (folder: string) => void): void {
  const generated = join(bundling.absWorkingDir, '.generated');
  mkdirSync(generated, { recursive: true });
  const root = mkdtempSync(join(generated, 'functions-'));
  try {
    const folder = join(root, 'functions');
    cpSync(join(bundling.absWorkingDir, 'functions'), folder, { recursive: true });
    symlinkSync(join(bundling.absWorkingDir, 'shared'), join(root, 'shared'));
    const names = Object.keys(manifest);
    const rows = Object.values<Row>(manifest).map(({ table: _, indexes: __, whenItFails: ___, ...row }) => row);
    const lines = [
      ...rows.map((row, n) => `const row${n} = ${JSON.stringify(row)};\nexport { row${n} as '${names[n]}' };`),
      `export const manifest = { ${names.map((name, n) => `'${name}': row${n}`).join(', ')} };`,
      `export const queues = ${JSON.stringify(queues)};`,
    ];
    writeFileSync(join(folder, 'manifest.ts'), lines.join('\n'));
    for (const name of names) importRowsByName(join(folder, `${name}.ts`));
    use(folder);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Has a function's file import the rows that it names one by one; one that goes through all of them keeps the object. */
function importRowsByName(file: string): void {
  const source = readFileSync(file, 'utf8');
  if (source.includes('(manifest)')) return;
  const byName = source.replace(
    /^import \{ manifest(, queues)? \} from (.*);$/m,
    (_, withQueues: string | undefined, from: string) =>
      `import * as manifest from ${from};${withQueues ? `import { queues } from ${from};` : ''}`,
  );
  writeFileSync(file, byName);
}
