import { join } from 'node:path';
import { installOwnPackages } from '../../infra/own-packages.mjs';
import { run } from './run.ts';

installOwnPackages('test/check');
// In a pipe or a file, Biome would colour each character.
const colors = process.stdout.isTTY ? [] : ['--colors=off'];
process.exitCode = run(join(import.meta.dirname, 'node_modules/@biomejs/biome/bin/biome'), [
  ...process.argv.slice(2),
  ...colors,
]);
