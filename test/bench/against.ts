import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { median } from './measure.ts';
import { number, table } from './print.ts';

const root = join(import.meta.dirname, '../..');

const Measured = z.object({
  figures: z.array(z.looseObject({ id: z.string(), what: z.string(), value: z.number(), unit: z.string() })),
});
type Values = Map<string, number[]>;

/**
 * Measures another commit and this tree alternately, so that the machine's load affects both equally. Reports medians
 * and ratios (now/then).
 * @throws if git does not know the commit or a tree cannot be measured.
 */
export function measureAgainst(commit: string, only: readonly string[], pairs: number): string {
  const then = checkOut(commit);
  const [before, now]: [Values, Values] = [new Map(), new Map()];
  try {
    for (let pair = 1; pair <= pairs; pair++) {
      console.error(`Measuring pair ${pair} of ${pairs} …`);
      measure(then, only, before);
      measure(root, only, now);
    }
  } finally {
    git('worktree', 'remove', '--force', then);
  }
  const rows = [...now].flatMap(([name, values]) => {
    const earlier = before.get(name);
    if (!earlier) return [];
    const ratios = values.map((value, n) => value / (earlier[n] ?? Number.NaN)).toSorted((a, b) => a - b);
    const range = `${ratios[0]?.toFixed(2)}–${ratios.at(-1)?.toFixed(2)}`;
    return [[name, number(median(earlier)), number(median(values)), `${median(ratios).toFixed(2)} × (${range})`]];
  });
  const names = new Set([...before.keys(), ...now.keys()]);
  const apart = [...names].filter((name) => !before.has(name) || !now.has(name));
  return [
    ...table([['figure', commit, 'now', `now ÷ ${commit}, ${pairs} pairs`], ...rows]),
    ...(apart.length > 0 ? ['', `Measured on one side only: ${apart.join('; ')}`] : []),
  ].join('\n');
}

function checkOut(commit: string): string {
  const tree = join(mkdtempSync(join(tmpdir(), 'momo-kiosk-bench-')), 'tree');
  git('worktree', 'add', '--quiet', '--detach', tree, commit);
  const lockOf = (directory: string) => readFileSync(join(directory, 'package-lock.json'), 'utf8');
  if (lockOf(tree) === lockOf(root)) symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  else execFileSync('npm', ['ci', '--silent'], { cwd: tree, stdio: ['ignore', 'ignore', 'inherit'] });
  return tree;
}

/** Runs a tree's own benchmark. Exit code 1 only means that a limit was exceeded. */
function measure(tree: string, only: readonly string[], values: Values): void {
  const { stdout, stderr } = spawnSync(process.execPath, ['test/bench/main.ts', '--json', '--only', only.join()], {
    cwd: tree,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (!stdout.startsWith('{')) throw new Error(`${tree} could not be measured:\n${stderr}`);
  for (const { id, what, value, unit } of Measured.parse(JSON.parse(stdout)).figures) {
    const name = `${id} ${what} (${unit})`;
    values.set(name, [...(values.get(name) ?? []), value]);
  }
}

function git(...parameters: string[]): void {
  execFileSync('git', parameters, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}
