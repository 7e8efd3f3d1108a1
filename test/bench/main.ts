import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Figure, isMissed } from './figure.ts';
import { groups } from './groups.ts';
import { machine } from './machine.ts';
import { scoreboard } from './print.ts';

/** `npm run bench [-- --only P1,P4] [--rows 1000000] [--json]`: measures the scoreboard. Exit 1 where a gate is missed. */
const { only, rows, json } = options();
const figures: Figure[] = [];
for (const [name, { ids }] of Object.entries(groups)) {
  const wanted = ids.filter((id) => only.includes(id));
  if (wanted.length === 0) continue;
  console.error(`Measuring ${wanted.join(', ')} …`);
  figures.push(...(await measureApart(name, wanted)));
}
figures.sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
console.log(json ? JSON.stringify({ figures, machine: machine() }, null, 2) : scoreboard(figures, machine()));
process.exit(figures.some(isMissed) ? 1 : 0);

/**
 * Each group in a process of its own: what one made V8 learn or collect does not touch the next, and what functions log does
 * not mix with the table.
 */
async function measureApart(name: string, ids: readonly string[]): Promise<Figure[]> {
  const child = fork(join(import.meta.dirname, 'run-group.ts'), [name, String(rows), ...ids], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let measured: Figure[] | undefined;
  child.on('message', (figures: Figure[]) => {
    measured = figures;
  });
  await once(child, 'exit');
  if (!measured) throw new Error(`${ids.join(', ')} could not be measured; see above`);
  return measured;
}

function options() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      rows: { type: 'string', default: '10000' },
      json: { type: 'boolean', default: false },
    },
  });
  const known = Object.values(groups).flatMap(({ ids }) => ids);
  const only = values.only?.split(',') ?? known;
  const unknown = only.filter((id) => !known.includes(id));
  if (unknown.length > 0)
    fail(`There is no figure ${unknown.join(', ')}. Name some of ${known.join(', ')}: --only P1,P4`);
  const rows = Number(values.rows);
  if (!Number.isInteger(rows) || rows < 1_000)
    fail('--rows is a whole number from 1000, how many rows the largest table has.');
  return { only, rows, json: values.json };
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
