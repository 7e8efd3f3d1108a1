import { execFileSync } from 'node:child_process';
import { type Bundles, bundleBytes, makeBundles, oftenCalled } from './bundles.ts';
import type { Figure } from './figure.ts';
import type { Order } from './groups.ts';
import { median, type Round, ratioOfRounds } from './measure.ts';

const ROUNDS = 12;

export async function measureColdStart({ isWanted, samples }: Order): Promise<Figure[]> {
  const bundles = makeBundles();
  try {
    return [
      ...(isWanted('P6') ? [importTime(bundles, samples(ROUNDS))] : []),
      ...(isWanted('P7') ? [bundleBytes(bundles)] : []),
    ];
  } finally {
    bundles.remove();
  }
}

/**
 * P6: load time of the slowest function compared with the baseline, each in a new process. Measurements alternate, so
 * that the machine's load affects both equally.
 */
function importTime(bundles: Bundles, times: number): Figure {
  const functions = oftenCalled(bundles);
  const { baseline } = bundles;
  const rounds = new Map(functions.map(({ name }): [string, Round[]] => [name, []]));
  for (let n = 0; n < times; n++) {
    for (let first = 0; first < functions.length; first += 2) {
      const before = importMs(baseline.file);
      const pair = functions.slice(first, first + 2).map(({ name, file }) => ({ name, ms: importMs(file) }));
      const others = [before, importMs(baseline.file)];
      for (const { name, ms } of pair) rounds.get(name)?.push({ ones: [ms], others });
    }
  }
  const ratios = [...rounds].map(([name, rounds]) => ({ name, rounds, ...ratioOfRounds(rounds) }));
  const [slowest] = ratios.toSorted((a, b) => b.value - a.value);
  if (!slowest) throw new Error('There are no functions');
  const ones = slowest.rounds.flatMap(({ ones }) => ones);
  const others = slowest.rounds.flatMap(({ others }) => others);
  return {
    id: 'P6',
    what: `import time of the slowest bundle (${slowest.name}) ÷ baseline`,
    value: slowest.value,
    interval: slowest.interval,
    unit: '×',
    gate: 1.4,
    aim: 1.1,
    detail: `${median(ones).toFixed(1)} ms ÷ ${median(others).toFixed(1)} ms; the median function ${median(ratios.map(({ value }) => value)).toFixed(2)} ×`,
  };
}

/** CPU milliseconds to load a CommonJS file in plain Node. Loading never waits, so CPU time is exact. */
function importMs(file: string): number {
  const script = `
    const before = process.cpuUsage();
    require(${JSON.stringify(file)});
    const { user, system } = process.cpuUsage(before);
    console.log((user + system) / 1000);
  `;
  return Number(execFileSync(process.execPath, ['-e', script], { env: {}, encoding: 'utf8' }));
}
