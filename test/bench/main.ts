import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { javaOrDocker } from '../../infra/local/dynamodb.ts';
import { measureAgainst } from './against.ts';
import { type Figure, isMissed } from './figure.ts';
import { groups } from './groups.ts';
import { machine } from './machine.ts';
import { linesOf, scoreboard } from './print.ts';

/**
 * Entry point of `npm run bench [-- --only P1,P4] [--short] [--rows 1000000] [--json]`: prints each figure of the
 * scoreboard. Exits with 1 if a limit is exceeded. `--short` takes few samples and ignores time limits. `--against
 * COMMIT [--pairs 3]` compares another commit with this tree.
 */
const known = Object.values(groups)
  .flatMap(({ ids }) => ids)
  .sort(byNumber);
const { only, short, rows, json, against, pairs } = options();
if (against !== undefined) {
  console.log(measureAgainst(against, only, pairs));
  process.exit();
}
const figures: Figure[] = [];
const unmeasured: string[] = [];
const hasLocal = javaOrDocker() !== undefined;
const skipped: string[] = [];
for (const [name, { ids, isOfLocal }] of Object.entries(groups)) {
  const wanted = ids.filter((id) => only.includes(id));
  if (wanted.length === 0) continue;
  if (isOfLocal && !hasLocal) {
    skipped.push(...wanted);
    continue;
  }
  console.error(`Measuring ${wanted.join(', ')} …`);
  const measured = await measureApart(name, wanted);
  if (!measured) unmeasured.push(...wanted);
  figures.push(...(measured ?? []));
  for (const line of measured ? linesOf(measured) : [`${wanted.join(', ')} could not be measured; see above`])
    console.error(line);
}
figures.sort((a, b) => byNumber(a.id, b.id));
console.log(json ? JSON.stringify({ figures, machine: machine() }, null, 2) : scoreboard(figures, machine()));
if (unmeasured.length > 0) console.error(`Not measured: ${unmeasured.join(', ')}`);
if (skipped.length > 0) {
  console.error(
    `Skipped ${skipped.join(', ')} (${skipped.length}), which need DynamoDB Local. Install Java 17 or start Docker.`,
  );
}
process.exit(unmeasured.length > 0 || figures.some((one) => isMissed(one) && !(short && one.interval)) ? 1 : 0);

/**
 * Runs each group in its own process, so that V8's state does not affect the next group. Returns undefined if the group
 * failed.
 */
async function measureApart(name: string, ids: readonly string[]): Promise<Figure[] | undefined> {
  const child = fork(join(import.meta.dirname, 'run-group.ts'), [name, String(rows), String(short), ...ids], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let measured: Figure[] | undefined;
  child.on('message', (figures: Figure[]) => {
    measured = figures;
  });
  await once(child, 'exit');
  return measured;
}

function byNumber(a: string, b: string): number {
  return Number(a.slice(1)) - Number(b.slice(1));
}

function options() {
  const program = new Command('npm run bench --')
    .description('Measures the scoreboard. Exits with 1 if a limit is exceeded.')
    .option('--only <figures>', 'such as P1,P4', figuresOf, known)
    .option('--short', 'takes few samples, to check that each figure can be measured', false)
    .option('--rows <number>', 'how many rows the large table of P12 has', rowsOf, 10_000)
    .option('--json', 'for machines', false)
    .option('--against <commit>', 'measures that commit and this tree alternately')
    .option('--pairs <number>', 'how often to measure both, with --against', pairsOf, 3)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  return program.parse().opts<{
    only: readonly string[];
    short: boolean;
    rows: number;
    json: boolean;
    against?: string;
    pairs: number;
  }>();
}

function figuresOf(text: string): readonly string[] {
  const ids = text.toUpperCase().split(',');
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length === 0) return ids;
  throw new InvalidArgumentError(`There is no figure ${unknown.join(', ')}. Choose from ${known.join(', ')}.`);
}

function pairsOf(text: string): number {
  const pairs = Number(text);
  if (Number.isInteger(pairs) && pairs >= 1) return pairs;
  throw new InvalidArgumentError('Enter a whole number of at least 1.');
}

function rowsOf(text: string): number {
  const rows = Number(text);
  if (Number.isInteger(rows) && rows >= 1_000) return rows;
  throw new InvalidArgumentError('Enter a whole number of at least 1000.');
}
