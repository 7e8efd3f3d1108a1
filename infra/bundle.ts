import { join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';

/** What every function is bundled with; the scoreboard's baseline too. */
export const bundling = {
  absWorkingDir: join(import.meta.dirname, '..'),
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
 * them, where `NodejsFunction` starts npx and esbuild once for each.
 */
export function bundle(names: readonly string[], outdir: string): void {
  buildSync({
    ...bundling,
    entryPoints: names.map((name) => ({ in: `functions/${name}.ts`, out: `${name}/index` })),
    outdir,
    // A quarter of each bundle and of its time to load was ways to find credentials that no Lambda has.
    alias: { '@aws-sdk/credential-provider-node': './infra/lambda-credentials.ts' },
  });
}
