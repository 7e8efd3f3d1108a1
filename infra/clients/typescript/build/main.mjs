import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/*
 * `npm run build`: writes src/generated from the service's reference, and compiles the package to dist. Plain JavaScript, because it
 * starts on whichever Node runs npm; the rest runs on the Node of the repository.
 */
const home = new URL('../', import.meta.url);
const repository = new URL('../../../', home);
const node = fileURLToPath(new URL('node_modules/.bin/node', repository));
if (!existsSync(node)) {
  console.error(
    'The client is built from the service’s own reference: run `npm ci` in the root of the repository first.',
  );
  process.exit(1);
}
const run = (command, given) => execFileSync(command, given, { cwd: fileURLToPath(home), stdio: 'inherit' });
if (!existsSync(new URL('node_modules/openapi-typescript', home))) run('npm', ['ci']);
run(node, ['build/generate.ts']);
rmSync(new URL('dist', home), { recursive: true, force: true });
// ES modules, and CommonJS: TypeScript refuses a program in CommonJS that requires what has only the types of ES modules.
const formats = { esm: [], cjs: ['--module', 'commonjs', '--verbatimModuleSyntax', 'false'] };
for (const [format, options] of Object.entries(formats)) {
  const compile = (...more) =>
    run(node, [
      'node_modules/typescript/bin/tsc',
      ...['--project', 'tsconfig.build.json', '--outDir', `dist/${format}`, ...options, ...more],
    ]);
  // Editors show the comments that the types have; a program does not load them.
  compile('--emitDeclarationOnly');
  compile('--removeComments', '--declaration', 'false');
}
writeFileSync(new URL('dist/cjs/package.json', home), '{ "type": "commonjs" }\n');
