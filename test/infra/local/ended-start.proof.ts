import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test, vi } from 'vitest';
import { PATIENCE } from '../../support/http.ts';
import { QUICK_NODE } from '../../support/quick-start.ts';

/**
 * A fake Java that never responds, so startup hangs. It creates its marker late, so that the watcher already knows its
 * process id.
 */
const SILENT_JAVA = `#!/bin/sh
[ "$1" = -version ] && exit
trap 'rm -f "$LOCAL_DIR/java-runs"; exit' TERM
sleep 1
touch "$LOCAL_DIR/java-runs"
while :; do sleep 0.1; done
`;

test.concurrent.each([
  ['SIGTERM', [0, null]],
  ['SIGKILL', [null, 'SIGKILL']],
] as const)('%s during startup also stops DynamoDB', async (signal, ending) => {
  const folder = mkdtempSync(join(inject('folder'), 'start-'));
  writeFileSync(join(folder, 'java'), SILENT_JAVA, { mode: 0o755 });
  const stack = spawn(process.execPath, [...QUICK_NODE, 'infra/local/main.ts'], {
    env: {
      ...process.env,
      PATH: `${folder}:${process.env.PATH}`,
      PORT: '0',
      LOCAL_DIR: folder,
      DATABASE: 'dynamodb-local',
    },
    stdio: 'ignore',
  });
  const ended = once(stack, 'exit');
  const isJavaThere = () => existsSync(join(folder, 'java-runs'));
  await vi.waitFor(() => expect(isJavaThere()).toBe(true), PATIENCE);
  stack.kill(signal);
  expect(await ended).toEqual(ending);
  await vi.waitFor(() => expect(isJavaThere()).toBe(false), PATIENCE);
});
