import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoFacts } from '../stack.ts';

export interface OwnStack {
  readonly facts: DemoFacts;
  /** Its LOCAL_DIR. */
  readonly folder: string;
  stop(): Promise<void>;
}

/**
 * Starts what `npm start` starts, beside whatever runs already: on a free port, with a table and a folder that are gone when
 * it stops. A process of its own, so that its log does not mix with what this one prints.
 * @throws with what it said, where it does not come up.
 */
export async function startOwnStack(): Promise<OwnStack> {
  const folder = mkdtempSync(join(tmpdir(), 'momo-kiosk-demo-'));
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    // It reads files of the repository, wherever it is started from: the clients' own packages start it, too.
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

/** What `npm start` reads from the environment would change this stack: `SMSGATE_URL` would connect it to a real phone. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SMSGATE_')));
}
