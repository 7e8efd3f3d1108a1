import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoFacts } from '../stack.ts';

export interface OwnStack {
  readonly facts: DemoFacts;
  readonly folder: string;
  stop(): Promise<void>;
}

/**
 * Starts the stack of `npm start` in a separate process, without disturbing a running one. Uses a free port and a
 * folder that is removed when the stack stops.
 * @throws an Error with the stack's output if the stack does not start.
 */
export async function startOwnStack(): Promise<OwnStack> {
  const folder = mkdtempSync(join(tmpdir(), 'momo-kiosk-demo-'));
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    // The stack reads the repository's files. Tests of client packages start the stack from other folders.
    cwd: join(import.meta.dirname, '../../..'),
    env: { ...ownEnvironment(), PORT: '0', LOCAL_DIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  let output = '';
  child.stderr.on('data', (text) => {
    output += text;
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill();
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const factsFile = join(folder, 'demo.json');
  while (!existsSync(factsFile)) {
    if (child.exitCode !== null || child.signalCode !== null) {
      await stop();
      throw new Error(`The service did not start. ${output.trim()}`);
    }
    await sleep(20);
  }
  const facts: DemoFacts = JSON.parse(readFileSync(factsFile, 'utf8'));
  return { facts, folder, stop };
}

/** Removes variables that `npm start` reads, such as `SMSGATE_URL`, which would connect to a real phone. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SMSGATE_')));
}
