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

export const bundling = {
  absWorkingDir: join(import.meta.dirname, '../..'),
  bundle: true,
  minify: true,
  // Bundling pins the SDK's version and avoids module look-ups on cold starts. CommonJS built from ESM can be
  // tree-shaken and loads in 36 ms instead of 58 ms (measured on one handler).
  format: 'cjs',
  mainFields: ['module', 'main'],
  platform: 'node',
  target: 'node24',
  // If TLS is not used, the SDK imports `node:http` dynamically. An ES module import would also load the library behind
  // `fetch`.
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Replaces what a Lambda does not need. */
export const forLambda = {
  // The SDK's credential look-up took up a quarter of each bundle and of its load time.
  alias: {
    '@aws-sdk/credential-provider-node': './infra/cdk/lambda-credentials.ts',
    '@aws-sdk/endpoint-cache': './infra/cdk/no-endpoint-cache.ts',
    'zod/mini': './infra/cdk/shared-schemas.ts',
  },
} as const satisfies BuildOptions;

/**
 * Bundles functions into `<outdir>/<name>/index.js` and copies their files. One esbuild run takes half a second for all
 * functions. `NodejsFunction` would start npx for each function.
 */
export function bundle(rows: Readonly<Record<string, Row>>, outdir: string): void {
  const names = Object.keys(rows);
  const isCalled = (name: string) => rows[name]?.on === 'call';
  // `work/repair` is built separately: its commands need the full manifest, with the rights and alarms of all
  // functions.
  build('functions', names.filter(isCalled), outdir);
  withLeanManifest((folder) =>
    build(
      folder,
      names.filter((name) => !isCalled(name)),
      outdir,
      [EVENT_STREAMS],
    ),
  );
  const filesOf = (row: Row) => (row.on === 'http' ? (row.files ?? []) : []);
  if (Object.values(rows).some((row) => filesOf(row).length > 0)) buildReference();
  for (const [name, row] of Object.entries(rows)) {
    for (const file of filesOf(row))
      copyFileSync(join(bundling.absWorkingDir, file), join(outdir, name, basename(file)));
  }
}

/**
 * DynamoDB and SQS have no event streams, but the SDK imports this module dynamically, so esbuild could not drop unused
 * code of the SDK's core (20 KB).
 */
const EVENT_STREAMS = '@smithy/core/event-streams';

function build(folder: string, names: readonly string[], outdir: string, external: string[] = []): void {
  for (let first = 0; first < names.length; first += FUNCTIONS_AT_ONCE) {
    buildSync({
      ...bundling,
      entryPoints: names
        .slice(first, first + FUNCTIONS_AT_ONCE)
        .map((name) => ({ in: join(folder, `${name}.ts`), out: `${name}/index` })),
      outdir,
      external,
      ...forLambda,
    });
    void stop();
  }
}

/** esbuild releases memory only when it exits. All functions at once would need 1.6 GB, and CloudShell has 2 GB. */
const FUNCTIONS_AT_ONCE = 16;

/**
 * Copies the functions with a manifest that lacks the alarm texts. Each row becomes a separate export, because esbuild
 * drops unused exports but not unused properties (14 KB).
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
    const rows = Object.values<Row>(manifest).map(({ whenItFails: _, ...row }) => row);
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

/**
 * Rewrites a file to import only the manifest rows that it names. A file that iterates over all rows still imports the
 * whole object.
 */
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
