import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import type { DemoFacts } from '../../infra/local/stack.ts';
import { QUICK_JAVA, QUICK_NODE } from './quick-start.ts';

export interface LocalStack {
  readonly facts: DemoFacts;
  readonly port: number;
  readonly folder: string;
  readonly printed: { stdout: string; stderr: string };
  /** Stops the stack as Ctrl-C or the operating system would. @throws if that fails or a process is left running. */
  stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<void>;
}

export interface LocalStackOptions {
  readonly folder?: string;
  readonly keep?: boolean;
  /** True to start before the owner has named the wallet's balance. */
  readonly isNewShop?: boolean;
  readonly environment?: Record<string, string>;
}

export async function startLocalStack(options: LocalStackOptions = {}): Promise<LocalStack> {
  const { folder = newFolder(), keep = false, isNewShop = false, environment = {} } = options;
  const flags = [...(keep ? ['--keep'] : []), ...(isNewShop ? ['--new-shop'] : [])];
  const factsFile = join(folder, 'demo.json');
  const child = spawn(process.execPath, [...QUICK_NODE, 'infra/local/main.ts', ...flags], {
    env: { ...cleanEnvironment(), DATABASE: inject('database'), ...environment, PORT: '0', LOCAL_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => {
    printed.stdout += text;
  });
  child.stderr.on('data', (text) => {
    printed.stderr += text;
  });
  while (!existsSync(factsFile) || !printed.stdout.includes('Ctrl-C')) {
    if (child.exitCode !== null || child.signalCode !== null) {
      await ended;
      throw new Error(`The stack ended with ${child.exitCode ?? child.signalCode}: ${printed.stderr}`);
    }
    await sleep(20);
  }
  const facts: DemoFacts = JSON.parse(readFileSync(factsFile, 'utf8'));
  return {
    facts,
    port: Number(new URL(facts.base_url).port),
    folder,
    printed,
    stop: async (signal = 'SIGTERM') => {
      const children = childrenOf(child.pid);
      if (children.length === 0 && facts.database === 'dynamodb-local')
        throw new Error('The stack has no child process, so its DynamoDB Local is missing');
      child.kill(signal);
      const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
      const [code, killedBy] = await ended;
      clearTimeout(timer);
      if (code !== 0) throw new Error(`The stack ended with ${code ?? killedBy}: ${printed.stderr}`);
      if (existsSync(factsFile)) throw new Error(`The stack left ${factsFile} behind`);
      const left = children.filter(isRunning);
      if (left.length > 0) throw new Error(`The stack left the processes ${left.join(', ')} behind`);
    },
  };
}

export function failToStart(environment: Record<string, string>): Promise<Ended> {
  return run(process.execPath, [...QUICK_NODE, 'infra/local/main.ts'], environment);
}

/** Runs the operator's command line as a separate process in this folder. `admin` runs in this process. */
export function spawnAdmin(folder: string, ...words: string[]): Promise<Ended> {
  return run(process.execPath, [...QUICK_NODE, 'infra/admin/main.ts', ...words], { LOCAL_DIR: folder });
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function run(
  command: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    // Samples print whole pages, which do not fit into the default buffer.
    const options = { env: { ...cleanEnvironment(), ...environment }, timeout: 600_000, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(command, args, options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}

export function newFolder(): string {
  return mkdtempSync(join(inject('folder'), 'local-'));
}

/** Removes environment variables that would change the stack's behaviour. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const isSetting = /^(PORT|LOCAL_DIR|DATABASE|CALLBACK_URL|SMSGATE_|AWS_|NODE_OPTIONS)/;
  const own = Object.entries(process.env).filter(([name]) => !isSetting.test(name));
  return { ...Object.fromEntries(own), ...QUICK_JAVA };
}

function childrenOf(pid: number | undefined): number[] {
  // Lists child processes on Linux without `ps`.
  const file = `/proc/${pid}/task/${pid}/children`;
  if (existsSync(file)) return readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number);
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return processes.split('\n').flatMap((line) => {
    const [child, parent] = line.trim().split(/\s+/).map(Number);
    return child !== undefined && parent === pid ? [child] : [];
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
