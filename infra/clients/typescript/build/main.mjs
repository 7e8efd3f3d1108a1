import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Runs `npm run build`: generates src/generated from the service's API reference and compiles the package to dist.
 * Plain JavaScript, because npm runs it with its own Node. The rest runs on the repository's Node.
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
// Builds ES modules and CommonJS, because TypeScript refuses a CommonJS program that requires a package with only ES
// module types.
const compiler = 'node_modules/typescript/bin/tsc';
const formats = { esm: [], cjs: ['--module', 'commonjs', '--verbatimModuleSyntax', 'false'] };
for (const [format, options] of Object.entries(formats)) {
  const compile = (...more) =>
    run(node, [compiler, ...['--project', 'tsconfig.build.json', '--outDir', `dist/${format}`, ...options, ...more]]);
  // Comments stay in the types, for editors, and are removed from the code.
  compile('--emitDeclarationOnly');
  compile('--removeComments', '--declaration', 'false');
}
// The command imports the package by its name, so it comes after.
run(node, [compiler, '--project', 'tsconfig.cli.json']);
writeFileSync(new URL('dist/cjs/package.json', home), '{ "type": "commonjs" }\n');
