import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';

/** The time limit is a multiple of Node's own startup time, which varies with the machine's load. */
const TIMES_NODE_ALONE = 3;
const TRIES = 5;

let folder: string;
let emptyScript: string;
beforeAll(() => {
  folder = mkdtempSync(join(inject('folder'), 'first-line-'));
  emptyScript = join(folder, 'empty.ts');
  writeFileSync(emptyScript, "console.log('empty');\n");
});

test.each([
  ['npm start', 'infra/local/main.ts', 'Loading the service'],
  ['npm run demo', 'infra/local/story/main.ts', 'Momo Kiosk'],
])('%s prints a first line before it loads the service', async (_command, script, line) => {
  const tookMs = { node: Number.POSITIVE_INFINITY, own: Number.POSITIVE_INFINITY };
  // Use the fastest of several runs on a busy machine.
  for (let tries = 0; tries < TRIES; tries++) {
    tookMs.node = Math.min(tookMs.node, (await firstOutput(emptyScript)).tookMs);
    const own = await firstOutput(script);
    expect(own.text).toContain(line);
    tookMs.own = Math.min(tookMs.own, own.tookMs);
    if (tookMs.own <= TIMES_NODE_ALONE * tookMs.node) break;
  }
  expect(tookMs.own).toBeLessThanOrEqual(TIMES_NODE_ALONE * tookMs.node);
});

/** Returns a script's first output and the time until it appears, without the compile cache. */
async function firstOutput(script: string): Promise<{ readonly text: string; readonly tookMs: number }> {
  const { NODE_COMPILE_CACHE: _, ...environment } = process.env;
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, [script], {
    env: { ...environment, PORT: '0', LOCAL_DIR: folder, DATABASE: 'memory' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.trim() !== '') break;
  }
  const tookMs = performance.now() - startedAtMs;
  child.kill();
  await ended;
  return { text, tookMs };
}
