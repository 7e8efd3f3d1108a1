import { AsyncLocalStorage } from 'node:async_hooks';
import { type Command, CommanderError } from 'commander';
import type { Connect } from '../../infra/admin/command.ts';
import { connect } from '../../infra/admin/place.ts';
import { createProgram } from '../../infra/admin/program.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';
import type { Place } from '../../shared/runtime/stage/place.ts';
import type { Ended } from './local-stack.ts';

/** The operator's commands, written out in a sentence, as words. */
export function commandsIn(text: string): string[][] {
  const nouns = createProgram(nowhere).commands.filter(({ commands }) => commands.length > 0);
  const known = nouns.flatMap((noun) => noun.commands.map((verb) => `${noun.name()} ${verb.name()}`));
  const option = String.raw`(?: --[a-z][a-z-]*(?: (?!--)(?:"[^"]*"|[^\s"]+))?)`;
  const command = new RegExp(
    `(?<![\\w-])(?:${nouns.map((noun) => noun.name()).join('|')}) [a-z][a-z-]+(?:${option})*`,
    'g',
  );
  return [...text.matchAll(command)]
    .map(([written]) => written.replace(/[.,;:)]+$/, ''))
    .filter((written) => known.includes(written) || written.includes(' --'))
    .map(wordsOf);
}

/** A command line as its words, without quotes. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|([^\s"]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

/** Words with their placeholders replaced. */
export function fill(words: readonly string[], values: Readonly<Record<string, string>>): string[] {
  return words.map((word) => values[word] ?? word);
}

/** What is wrong with a command as it is written; undefined if it would run. */
export async function mistakeIn(words: readonly string[]): Promise<string | undefined> {
  const { stderr } = await run(words, nowhere);
  return stderr.trim() === RAN ? undefined : stderr;
}

/** Runs a command in this process: what it prints. @throws with what it says if it fails. */
export async function runAdmin(place: Place, words: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run(words, async () => place);
  if (stderr) throw new Error(`${words.join(' ')}: ${stderr.trim()}`);
  return stdout;
}

/** Runs the operator's command line against the stack of this folder, in this process: a process for each would take longer than all else. */
export function admin(folder: string, ...words: string[]): Promise<Ended> {
  return run(words, (stage) => {
    const { LOCAL_DIR } = process.env;
    process.env.LOCAL_DIR = folder;
    const place = connect(stage);
    if (LOCAL_DIR === undefined) delete process.env.LOCAL_DIR;
    else process.env.LOCAL_DIR = LOCAL_DIR;
    return place;
  });
}

/** The same with `--json`: the one object it printed. @throws with what it said when it failed. */
export async function adminJson(folder: string, ...words: string[]) {
  const { code, stdout, stderr } = await admin(folder, ...words, '--json');
  if (code !== 0 || stderr !== '') throw new Error(`admin ${words.join(' ')} ended with ${code}: ${stderr}`);
  if (!/^\{.*\}\n$/.test(stdout)) throw new Error(`admin ${words.join(' ')} printed no single JSON object: ${stdout}`);
  return JSON.parse(stdout);
}

const RAN = 'It would run.';

async function nowhere(): Promise<never> {
  throw new OperatorError(RAN);
}

/** What the commands under way say, each its own. */
const printing = new AsyncLocalStorage<{ stdout: string; stderr: string }>();

/** Runs a command as a process of its own would, but for the exit code: where several run at once, one that fails has all fail. */
function run(words: readonly string[], at: Connect): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  return printing.run(said, async () => {
    listen('log', 'stdout');
    listen('error', 'stderr');
    const exitCode = process.exitCode;
    process.exitCode = undefined;
    try {
      await programAt(at, said).parseAsync(words, { from: 'user' });
      return { code: Number(process.exitCode ?? 0), ...said };
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      return { code: error.exitCode, ...said };
    } finally {
      process.exitCode = exitCode;
    }
  });
}

const listening = new WeakSet<typeof console.log>();

/** Has what a command prints written down; what others print goes where it went. */
function listen(method: 'log' | 'error', stream: 'stdout' | 'stderr'): void {
  const print = console[method];
  if (listening.has(print)) return;
  console[method] = (...words: unknown[]) => {
    const said = printing.getStore();
    if (said) said[stream] += `${words.join(' ')}\n`;
    else print(...words);
  };
  listening.add(console[method]);
}

/** A program that ends no process, and says what it has to say here. */
function programAt(at: Connect, said: { stdout: string; stderr: string }): Command {
  const program = createProgram(at);
  for (const noun of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
    noun.exitOverride().configureOutput({
      writeErr: (text) => {
        said.stderr += text;
      },
      writeOut: (text) => {
        said.stdout += text;
      },
    });
  }
  return program;
}
