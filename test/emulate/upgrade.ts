import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startMachine } from './machine.ts';

/**
 * Entry point of `npm run prove -- upgrade [COMMIT]`: deploys the previous release (or a commit) on a local AWS, fills
 * it with data, and then deploys this release and the previous one again, during traffic (`upgraded-stage.ts`).
 */
const folder = resolve(process.env.LOCAL_DIR || '.local', 'upgrade');
const commit = process.argv[2] ?? commitOfNewestRelease();
const before = join(folder, commit.slice(0, 12));
const startedAt = Date.now();

const machine = await startMachine(folder);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void machine.stop());
try {
  checkOut();
  const command = `node test/emulate/upgraded-stage.ts '${folder}' '${before}' ${machine.phoneUrl}`;
  const { code } = await machine.run(command, (text) => process.stdout.write(text));
  process.exitCode = code;
} finally {
  await machine.stop();
  execFileSync('git', ['worktree', 'remove', '--force', before]);
}
console.log(
  `${Math.round((Date.now() - startedAt) / 1000)} seconds. Each command and its output: ${folder}/commands.log`,
);
process.exit();

/** Returns the commit that added the newest release's heading to the changelog. */
function commitOfNewestRelease(): string {
  const [heading = ''] = /^## \[\d.*?\]/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
  const found = git('log', '--format=%H', `-S${heading}`, '--', 'CHANGELOG.md').trim().split('\n').at(-1);
  if (!found) throw new Error(`No commit adds ${heading} to the changelog. Fetch the history: git fetch --unshallow`);
  return found;
}

/** The previous release runs with the packages of this one. */
function checkOut(): void {
  if (existsSync(before)) git('worktree', 'remove', '--force', before);
  git('worktree', 'add', '--detach', before, commit);
  symlinkSync(resolve('node_modules'), join(before, 'node_modules'));
}

function git(...command: string[]): string {
  return execFileSync('git', command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
