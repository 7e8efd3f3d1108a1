import type { Command, Option } from 'commander';
import yoctoSpinner from 'yocto-spinner';
import { type Finding, isWrong } from '../../shared/care/doctor/finding.ts';
import { audited, COMMAND_LINE } from '../../shared/merchants/audit/audit.table.ts';
import { SETTINGS_CACHE_SECONDS } from '../../shared/runtime/outside/cached.ts';
import { missingAwsSetup } from '../../shared/runtime/stage/missing-aws-setup.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';
import type { AdminOutside, Place, Progress } from '../../shared/runtime/stage/place.ts';
import { PublicError } from '../../shared/runtime/values/errors.ts';
import { NoSuch } from '../../shared/runtime/values/no-such.ts';

/** The place that a command works on, by its option --stage. */
export type Connect = (stage: string | undefined) => Promise<Place>;

const connects = new WeakMap<Command, Connect>();

/** Has all commands of a program work where `connect` says. */
export function connectTo(program: Command, connect: Connect): void {
  connects.set(program, connect);
}

/** A command of a noun: its name, its options, and the two options that all commands have. */
export function verb(noun: Command, name: string, description: string, options: readonly Option[] = []): Command {
  const command = noun.command(name).description(description);
  for (const option of options) command.addOption(option);
  return command
    .option('--stage <name>', 'a deployed stage instead of the local stack')
    .option('--json', 'print one JSON object');
}

/** Runs one command that needs only the table. */
export function run<Options>(act: (outside: AdminOutside, options: Options) => Promise<object>) {
  return runAt(({ outside }, options: Options) => act(outside, options));
}

/** What the audit says of a command, by its options: what was changed, and to what. */
interface Noted {
  readonly about?: string | undefined;
  readonly after?: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** The same for a command that changes what people see at the dashboard: what it writes has its entry in the audit beside it. */
export function runNoted<Options extends { merchant?: string }>(
  action: string,
  noted: (options: Options) => Noted,
  act: (outside: AdminOutside, options: Options) => Promise<object>,
) {
  return run((outside, options: Options) =>
    act(
      audited(outside, () => {
        const { about, after } = noted(options);
        return { merchant_id: options.merchant, by: COMMAND_LINE, action, about, after: after && known(after) };
      }),
      options,
    ),
  );
}

/** Options that were not given are no change. */
function known(values: NonNullable<Noted['after']>) {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/**
 * Runs one command and prints its result, for people or as JSON. A mistake is one sentence on stderr and exit code 1, as is a
 * finding that is wrong.
 */
export function runAt<Options, Result extends object>(
  act: (place: Place, options: Options, progress: Progress) => Promise<Result>,
  { present = asText, findingsOf = () => [] }: Presentation<Result> = {},
) {
  return async (options: Options & { stage?: string; json?: boolean; merchant?: string }, command: Command) => {
    try {
      const place = await placeOf(command, options.stage);
      const result = await withProgress(options.json === true, (progress) => act(place, options, progress));
      console.log(options.json ? JSON.stringify(result) : present(result));
      if (!findingsOf(result).some(isWrong)) return;
      process.exitCode = 1;
      if (!options.json)
        console.log(`\nRun the commands above as: npm run --silent admin -- COMMAND${stageOption(options)}`);
    } catch (error) {
      console.error(sentence(error, options));
      process.exitCode = 1;
    }
  };
}

async function placeOf(command: Command, stage: string | undefined): Promise<Place> {
  const connect = connects.get(command);
  if (connect) return connect(stage);
  if (command.parent) return placeOf(command.parent, stage);
  throw new Error('The program was not told where its commands work');
}

function stageOption({ stage }: { stage?: string }): string {
  return stage === undefined ? '' : ` --stage ${stage}`;
}

interface Presentation<Result> {
  readonly present?: (result: Result) => string;
  readonly findingsOf?: (result: Result) => readonly Finding[];
}

/** Functions cache settings for a moment. A command that changed one returns once the change is live. */
export async function inForce<Result>({ sleep }: AdminOutside, result: Result): Promise<Result> {
  await sleep(SETTINGS_CACHE_SECONDS * 1_000);
  return result;
}

/** What the operator is told of an error. */
export function sentence(error: unknown, { stage, merchant }: { stage?: string; merchant?: string } = {}): string {
  if (error instanceof NoSuch) return `${error.message}${whereToLook(error.noun, merchant)}`;
  if (error instanceof OperatorError || error instanceof PublicError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'ResourceNotFoundException' || error.name === 'QueueDoesNotExist') {
    return `There is no ${error.name === 'QueueDoesNotExist' ? 'queue' : 'table'} for stage ${stage}. Deploy it first, or check the AWS region and account in use.`;
  }
  const missing = missingAwsSetup(error);
  if (missing) return missing;
  const isNowhere = 'code' in error && /^(ECONNREFUSED|ENOTFOUND)$/.test(String(error.code));
  if (!isNowhere) return `${error.name}: ${error.message}`;
  return stage === undefined
    ? 'The local stack does not answer. Start it again with "npm start".'
    : `AWS does not answer (${error.message}). Check your network and the AWS region in use.`;
}

/** The command that lists, or creates, what was not there. */
function whereToLook(noun: string, merchant: string | undefined): string {
  switch (noun) {
    case 'merchant':
    case 'sender':
    case 'receipt':
    case 'wallet':
      return ` See: ${noun} list`;
    case 'key':
      return ` See: key list --merchant ${merchant}`;
    case 'webhook':
      return ` Set one: webhook set --merchant ${merchant} --url …`;
    default:
      return '';
  }
}

/**
 * Runs something and shows its progress on stderr, for a person at a terminal only. Output that is printed, piped or `quiet` is
 * unchanged.
 */
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

/** A command's result for a person: a field per line, a list as a table. */
export function asText(result: object): string {
  return Object.entries(result)
    .map(([name, value]) => (Array.isArray(value) ? table(name, value) : `${name}: ${cell(value)}`))
    .join('\n');
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
