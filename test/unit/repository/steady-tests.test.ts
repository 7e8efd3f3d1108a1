import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const OWN = 'test/unit/repository/steady-tests.test.ts';
const files = globSync('test/**/*.{test,proof}.ts', { exclude: ['**/node_modules'] })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file !== OWN)
  .toSorted();

test.each<[string, RegExp, readonly string[]]>([
  ['is random without a seed', /Math\.random\(/, []],
  ['measures the time of a processor itself', /process\.(?:cpuUsage|threadCpuUsage|hrtime)/, []],
  [
    'measures a duration',
    /performance\.now\(\) - /,
    // The clock of a page, which the test moves; and a multiple of the time that Node itself takes.
    ['test/browser/checkout-page.proof.ts', 'test/infra/local/first-line.proof.ts'],
  ],
  [
    'expects something of the real clock',
    /expect\([^\n]*(?:Date\.now|performance\.now)\(\)|\.toBeLess\w+\([^\n]*performance\.now\(\)/,
    [],
  ],
])('no test %s', (_, written, exceptions) => {
  expect(files.filter((file) => written.test(readFileSync(file, 'utf8')))).toEqual(exceptions);
});
