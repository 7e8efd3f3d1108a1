import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Entry point of `npm run build`: generates src/generated from the API reference and compiles the package to dist.
 * Plain JavaScript, because npm runs this file with its own Node.
 */
const home = new URL('../', import.meta.url);
const repository = new URL('../../../', home);
const node = fileURLToPath(new URL('node_modules/.bin/node', repository));
if (!existsSync(node)) {
  console.error('The client needs the service’s own reference. Run `npm ci` in the root of the repository first.');
  process.exit(1);
}
const run = (command, given) => execFileSync(command, given, { cwd: fileURLToPath(home), stdio: 'inherit' });
if (!existsSync(new URL('node_modules/openapi-typescript', home))) run('npm', ['ci']);
run(node, ['build/generate.ts']);
rmSync(new URL('dist', home), { recursive: true, force: true });
// Builds both ES modules and CommonJS. TypeScript rejects a `require` of a package whose types are only for ES modules.
const compiler = 'node_modules/typescript/bin/tsc';
const formats = { esm: [], cjs: ['--module', 'commonjs', '--verbatimModuleSyntax', 'false'] };
for (const [format, options] of Object.entries(formats)) {
  const compile = (...more) =>
    run(node, [compiler, ...['--project', 'tsconfig.build.json', '--outDir', `dist/${format}`, ...options, ...more]]);
  // Keeps comments in the types, for editors, but not in the code.
  compile('--emitDeclarationOnly');
  compile('--removeComments', '--declaration', 'false');
}
// Must come last, because the command imports the package by name.
run(node, [compiler, '--project', 'tsconfig.cli.json']);
writeFileSync(new URL('dist/cjs/package.json', home), '{ "type": "commonjs" }\n');
