import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Entry point of `npm run build`: checks the types and bundles the server with this repository's client into
 * dist/main.js. Plain JavaScript, because npm runs this file with its own Node.
 */
const home = new URL('../', import.meta.url);
const run = (command, given) => execFileSync(command, given, { cwd: fileURLToPath(home), stdio: 'inherit' });
run(process.execPath, ['../typescript/build/main.mjs']);
if (!existsSync(new URL('node_modules/esbuild', home))) run('npm', ['ci']);
run(process.execPath, ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.json']);
const { version } = JSON.parse(readFileSync(new URL('package.json', home), 'utf8'));
rmSync(new URL('dist', home), { recursive: true, force: true });
const { build } = await import('esbuild');
await build({
  absWorkingDir: fileURLToPath(home),
  entryPoints: ['src/main.ts'],
  outfile: 'dist/main.js',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['@modelcontextprotocol/*', 'zod'],
  alias: { 'momo-kiosk-client': '../typescript/dist/esm/index.js' },
  define: { VERSION: JSON.stringify(version) },
  banner: { js: '#!/usr/bin/env node' },
});
