import { installOwnPackages } from '../../infra/own-packages.mjs';
import { run } from './run.ts';

/**
 * Entry point of `npm run check`: types, format and lint, dead code, slow regular expressions,
 * generated files, and the API document. Stops at the first failure and exits with 1.
 */
const steps: readonly [script: string, ...given: string[]][] = [
  ['node_modules/typescript/bin/tsc'],
  ['test/check/biome.ts', 'ci'],
  ['test/check/node_modules/knip/bin/knip.js'],
  ['test/check/lint-expressions.ts'],
  ['infra/openapi/main.ts', '--check'],
  ['test/check/lint-openapi.ts'],
  ['infra/assets/main.ts', '--check'],
];
installOwnPackages('test/check');
process.exitCode = steps.some(([script, ...given]) => run(script, given) !== 0) ? 1 : 0;
