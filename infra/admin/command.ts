import { type Command, Option } from 'commander';
import yoctoSpinner from 'yocto-spinner';
import { COMMAND_LINE, type Prepared, recordAudit } from '../../shared/merchants/audit/audit.table.ts';
import { type Finding, isWrong } from '../../shared/operations/doctor/finding.ts';
import { SETTINGS_CACHE_SECONDS } from '../../shared/runtime/outside/cached.ts';
import type { AdminOutside, Deployment, Progress } from '../../shared/runtime/stage/deployment.ts';
import { missingAwsSetup } from '../../shared/runtime/stage/missing-aws-setup.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';
import { retryIfChanged } from '../../shared/runtime/table/contention.ts';
import { PublicError } from '../../shared/runtime/values/errors.ts';
import { NoSuch } from '../../shared/runtime/values/no-such.ts';

export type Connect = (stage: string | undefined) => Promise<Deployment>;

const connects = new WeakMap<Command, Connect>();

export function connectTo(program: Command, connect: Connect): void {
  connects.set(program, connect);
}

/** A command-line option. An option without `parse` takes no value. */
interface Flag {
  readonly value?: string;
  readonly description: string;
  parse?(written: string, earlier: unknown): unknown;
  readonly choices?: readonly string[];
  readonly standard?: string | number;
  readonly isRequired?: true;
  readonly conflicts?: string;
}
type Flags = Readonly<Record<string, Flag>>;

/** The parsed options, keyed by property name: `--per-hour` becomes `perHour`. */
export type Given<Of extends Flags> = {
  readonly [Name in keyof Of]:
    | ValueOf<Of[Name]>
    | (Of[Name] extends { isRequired: true } | { standard: string | number } ? never : undefined);
};
type ValueOf<One> = One extends { choices: readonly (infer Choice)[] }
  ? Choice
  : One extends { parse: (...written: never[]) => infer Value }
    ? Value
    : true;

type Parse<Value> = (written: string, earlier: Value | undefined) => Value;

export function optional<Value>(value: string, description: string, parse: Parse<Value>) {
  return { value, description, parse };
}

export function required<Value>(value: string, description: string, parse: Parse<Value>) {
  return { value, description, parse, isRequired: true } as const;
}

export function oneOf<const Choice extends string>(value: string, description: string, choices: readonly Choice[]) {
  return { value, description, choices };
}

export function dashed(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function optionOf(name: string, { value, description, parse, choices, standard, isRequired, conflicts }: Flag): Option {
  const option = new Option(`${dashed(name)}${value ? ` ${value}` : ''}`, description);
  if (parse) option.argParser(parse);
  if (choices) option.choices([...choices]);
  if (standard !== undefined) option.default(standard);
  if (conflicts) option.conflicts(conflicts);
  return option.makeOptionMandatory(isRequired === true);
}

export type Verb = (noun: Command, name: string) => void;

export function noun(name: string, description: string, verbs: Readonly<Record<string, Verb>>) {
  return (program: Command): void => {
    const added = program.command(name).description(description);
    for (const [verb, add] of Object.entries(verbs)) add(added, verb);
  };
}

interface Run {
  readonly progress: Progress;
  readonly isJson: boolean;
}

interface Common {
  readonly stage?: string;
  readonly json?: true;
  readonly merchant?: string | undefined;
}

/**
 * Defines a command that prints its result as text or JSON. If the operator made a mistake, prints one sentence to
 * stderr and exits with 1. Also exits with 1 if a check fails.
 */
export function verb<const Of extends Flags, Result extends object>(
  description: string,
  flags: Of,
  act: (deployment: Deployment, options: Given<Of>, run: Run) => Promise<Result>,
  presentation: Presentation<Result> = {},
): Verb {
  return (noun, name) => {
    const added = addCommand(noun, name, description, flags);
    added.option('--stage <name>', 'a deployed stage instead of the local stack').option(...JSON_OPTION);
    added.action((options: Given<Of> & Common, command: Command) =>
      runAndPrint(options, presentation, async (run) => act(await deploymentOf(command, options.stage), options, run)),
    );
  };
}

/** Like `verb`, for a command that needs no stage, not even a local one. */
export function offlineVerb<const Of extends Flags, Result extends object>(
  description: string,
  flags: Of,
  act: (options: Given<Of>, run: Run) => Promise<Result>,
): Verb {
  return (noun, name) => {
    const added = addCommand(noun, name, description, flags).option(...JSON_OPTION);
    added.action((options: Given<Of> & Common) => runAndPrint(options, {}, (run) => act(options, run)));
  };
}

const JSON_OPTION = ['--json', 'print one JSON object'] as const;

function addCommand(noun: Command, name: string, description: string, flags: Flags): Command {
  const added = noun.command(name).description(description);
  for (const [flag, about] of Object.entries(flags)) added.addOption(optionOf(flag, about));
  return added;
}

async function runAndPrint<Result extends object>(
  options: Common,
  { present = asText, findingsOf = () => [] }: Presentation<Result>,
  act: (run: Run) => Promise<Result>,
): Promise<void> {
  const isJson = options.json === true;
  try {
    const result = await withProgress(isJson, (progress) => act({ progress, isJson }));
    console.log(isJson ? JSON.stringify(result) : present(result));
    if (!findingsOf(result).some(isWrong)) return;
    process.exitCode = 1;
    if (!isJson) console.log(`\nRun the commands above as: npm run --silent admin -- COMMAND${stageOption(options)}`);
  } catch (error) {
    console.error(sentence(error, options));
    process.exitCode = 1;
  }
}

/**
 * Defines a command equivalent to a dashboard form. `prepare` returns the write with its audit entry, and runs again on
 * a conflict. `resultOf` returns the output.
 */
export function changeVerb<const Of extends Flags, Made extends Prepared>(
  description: string,
  flags: Of,
  prepare: (outside: AdminOutside, options: Given<Of>) => Promise<Made>,
  resultOf: (made: Made, outside: AdminOutside, run: Run) => Promise<object> | object,
): Verb {
  return verb(description, flags, async ({ outside }, options, run) => {
    const made = await retryIfChanged(async () => {
      const prepared = await prepare(outside, options);
      const entry = recordAudit(outside, { ...prepared.entry, by: COMMAND_LINE });
      if (prepared.writes.length > 0) await outside.table.write([...prepared.writes, entry]);
      return prepared;
    });
    return resultOf(made, outside, run);
  });
}

async function deploymentOf(command: Command, stage: string | undefined): Promise<Deployment> {
  const connect = connects.get(command);
  if (connect) return connect(stage);
  if (command.parent) return deploymentOf(command.parent, stage);
  throw new Error('The program is not connected to a deployment. Call connectTo first.');
}

function stageOption({ stage }: { stage?: string }): string {
  return stage === undefined ? '' : ` --stage ${stage}`;
}

interface Presentation<Result> {
  readonly present?: (result: Result) => string;
  readonly findingsOf?: (result: Result) => readonly Finding[];
}

/** Waits until a changed setting takes effect, because functions cache settings briefly. */
export async function inForce<Result>({ sleep }: AdminOutside, result: Result): Promise<Result> {
  await sleep(SETTINGS_CACHE_SECONDS * 1_000);
  return result;
}

export function sentence(error: unknown, { stage, merchant }: { stage?: string; merchant?: string } = {}): string {
  if (error instanceof NoSuch) return `${error.message}${whereToLook(error.noun, merchant)}`;
  if (error instanceof OperatorError || error instanceof PublicError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'ResourceNotFoundException' || error.name === 'QueueDoesNotExist') {
    return `There is no ${error.name === 'QueueDoesNotExist' ? 'queue' : 'table'} for stage ${stage}. Deploy the stage first, or check the AWS region and account in use.`;
  }
  const missing = missingAwsSetup(error);
  if (missing) return missing;
  const isNowhere = 'code' in error && /^(ECONNREFUSED|ENOTFOUND)$/.test(String(error.code));
  if (!isNowhere) return `${error.name}: ${error.message}`;
  return stage === undefined
    ? 'The local stack is not responding. Start it again with "npm start".'
    : `AWS is not responding (${error.message}). Check your network and the AWS region in use.`;
}

function whereToLook(noun: string, merchant: string | undefined): string {
  if (noun === 'key') return ` To list all keys, run: key list --merchant ${merchant}`;
  if (noun === 'webhook') return ` Set it with: webhook set --merchant ${merchant} --url …`;
  return /^(merchant|sender|receipt|wallet)$/.test(noun) ? ` See: ${noun} list` : '';
}

/** Shows progress on stderr, but not in piped or `quiet` output. */
export async function withProgress<Result>(
  quiet: boolean,
  act: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  if (quiet || !process.stderr.isTTY) return act(() => undefined);
  const spinner = yoctoSpinner();
  try {
    return await act((doing) => {
      spinner.text = doing;
      spinner.start();
    });
  } finally {
    spinner.stop();
  }
}

export function asText(result: object): string {
  return Object.entries(result)
    .map(([name, value]) => (isTable(value) ? table(name, value) : `${name}: ${cell(value)}`))
    .join('\n');
}

function isTable(value: unknown): value is object[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'object');
}

function table(name: string, rows: readonly object[]): string {
  const [first] = rows;
  if (!first) return `no ${name.replaceAll('_', ' ')}`;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [
    columns,
    ...rows.map((row) => columns.map((column) => cell(Object.entries(row).find(([name]) => name === column)?.[1]))),
  ];
  const widths = columns.map((_, n) => Math.max(...lines.map((line) => line[n]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((text, n) => text.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ') || '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
