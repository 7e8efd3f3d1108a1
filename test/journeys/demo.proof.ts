import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isInSlice } from '../support/slice.ts';

// Alternates with other slow tests.
test.runIf(isInSlice(3, 6))('the demo prints plain text without a terminal', async () => {
  // Rejects if the exit code is not 0.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['infra/local/story/main.ts'], {
    env: { ...process.env, FORCE_COLOR: undefined },
  });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/SMS from MobileMoney\n.*Payment received for GHS 36\.00 from KOFI MENSAH/);
  expect(stdout).toMatch(/Everything went as described: \d+ checks/);
  expect(stdout).not.toContain('✗');
  expect(stdout).not.toContain('\u001b');
});
