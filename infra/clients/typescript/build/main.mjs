import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
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
const compile = (...options) =>
  run(node, ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json', ...options]);
// Editors show the comments that the types have; a program does not load them.
compile('--emitDeclarationOnly');
compile('--removeComments', '--declaration', 'false');
