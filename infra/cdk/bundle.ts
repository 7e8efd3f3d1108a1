import { copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';
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
  buildSync({
    ...bundling,
    entryPoints: Object.keys(rows).map((name) => ({ in: `functions/${name}.ts`, out: `${name}/index` })),
    outdir,
    // A quarter of each bundle and of its time to load was ways to find credentials that no Lambda has.
    alias: { '@aws-sdk/credential-provider-node': './infra/cdk/lambda-credentials.ts' },
  });
  const filesOf = (row: Row) => (row.on === 'http' ? (row.files ?? []) : []);
  if (Object.values(rows).some((row) => filesOf(row).length > 0)) buildReference();
  for (const [name, row] of Object.entries(rows)) {
    for (const file of filesOf(row))
      copyFileSync(join(bundling.absWorkingDir, file), join(outdir, name, basename(file)));
  }
}
