import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOwnStack } from '../../../../local/story/own-stack.ts';

/** Starts one local stack for all test files and installs the packed client. */
let stack: Awaited<ReturnType<typeof startOwnStack>> | undefined;
let project: string | undefined;

export async function globalSetup(): Promise<void> {
  project = mkdtempSync(join(tmpdir(), 'momo-kiosk-client-'));
  const npm = (...given: string[]) =>
    execFileSync('npm', given, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const packed: { filename: string }[] = JSON.parse(
    npm('pack', '--ignore-scripts', '--json', '--pack-destination', project),
  );
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed[0]?.filename}`], {
    cwd: project,
    stdio: 'pipe',
  });
  stack = await startOwnStack();
  process.env.CLIENT_PROJECT = project;
  process.env.CLIENT_TARBALL = join(project, packed[0]?.filename ?? '');
  process.env.STACK_FACTS = JSON.stringify(stack.facts);
}

export async function globalTeardown(): Promise<void> {
  await stack?.stop();
  if (project) rmSync(project, { recursive: true, force: true });
}
