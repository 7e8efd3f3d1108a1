import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runInLambda } from '../../support/lambda-runtime.ts';

test('the runtime returns the function’s responses and errors', async () => {
  const { outcomes, log } = await run(`
    console.log(process.env.OURS);
    exports.handler = async (event, { awsRequestId, getRemainingTimeInMillis }) => {
      if (event === 'fail') throw new RangeError('Too many');
      if (event) return { event, awsRequestId, isInTime: getRemainingTimeInMillis() > 0 };
    };`);
  expect(outcomes).toEqual([
    { event: 'greet', awsRequestId: '0', isInTime: true },
    { errorType: 'RangeError', errorMessage: 'Too many', stackTrace: expect.arrayContaining(['RangeError: Too many']) },
    null,
  ]);
  expect(log).toEqual(['from the environment']);
});

test.each([
  [
    'a handler that expects a callback',
    'exports.handler = (event, context, callback) => callback(null, 1);',
    'does not support handlers with a callback',
  ],
  ['a handler with another name', 'exports.main = async () => 1;', 'index.handler is undefined'],
  ['an import of a missing package', "require('middy')", "Cannot find module 'middy'"],
  ['an ES module', 'export const handler = async () => 1;', "Unexpected token 'export'"],
  ['a handler that ends the process', 'exports.handler = () => process.exit(0);', 'ended before it responded'],
])('the runtime rejects %s', async (_what, code, reason) => {
  await expect(run(code)).rejects.toThrow(reason);
});

function run(code: string) {
  const folder = mkdtempSync(join(tmpdir(), 'momo-kiosk-function-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'index.js'), code);
  return runInLambda(join(folder, 'index.js'), ['greet', 'fail', null], { OURS: 'from the environment' });
}
