import { AsyncLocalStorage } from 'node:async_hooks';
import { type Command, CommanderError } from 'commander';
import type { Connect } from '../../infra/admin/command.ts';
import { connect } from '../../infra/admin/deployment.ts';
import { createProgram } from '../../infra/admin/program.ts';
import type { Deployment } from '../../shared/runtime/stage/deployment.ts';
import type { Ended } from './local-stack.ts';

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

export function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|([^\s"]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

export function fill(words: readonly string[], values: Readonly<Record<string, string>>): string[] {
  return words.map((word) => values[word] ?? word);
}

/** Returns why a command line is invalid, or undefined if it is valid. */
export async function mistakeIn(words: readonly string[]): Promise<string | undefined> {
  const said = { stdout: '', stderr: '' };
  const valid = new CommanderError(0, 'valid', 'It would run.');
  const program = programAt(nowhere, said).hook('preAction', () => {
    throw valid;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return said.stderr;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error === valid ? undefined : said.stderr;
  }
}

/**
 * Runs a command in this process.
 * @returns the command's output.
 * @throws the command's error message.
 */
export async function runAdmin(deployment: Deployment, words: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run(words, async () => deployment);
  if (stderr) throw new Error(`${words.join(' ')}: ${stderr.trim()}`);
  return stdout;
}

/** Runs the operator's command line against a local stack in this process. A new process is much slower. */
export function admin(folder: string, ...words: string[]): Promise<Ended> {
  return run(words, (stage) => {
    const { LOCAL_DIR } = process.env;
    process.env.LOCAL_DIR = folder;
    const deployment = connect(stage);
    if (LOCAL_DIR === undefined) delete process.env.LOCAL_DIR;
    else process.env.LOCAL_DIR = LOCAL_DIR;
    return deployment;
  });
}

/** Like `admin`, with `--json`. @returns the printed object. @throws the error message. */
export async function adminJson(folder: string, ...words: string[]) {
  const { code, stdout, stderr } = await admin(folder, ...words, '--json');
  if (code !== 0 || stderr !== '') throw new Error(`admin ${words.join(' ')} ended with ${code}: ${stderr}`);
  if (!/^\{.*\}\n$/.test(stdout))
    throw new Error(`admin ${words.join(' ')} did not print a single JSON object: ${stdout}`);
  return JSON.parse(stdout);
}

async function nowhere(): Promise<never> {
  throw new Error('A command that is only parsed has no stage');
}

const printing = new AsyncLocalStorage<{ stdout: string; stderr: string }>();

/**
 * Runs a command as if in a separate process. If one of several concurrent commands fails, all are reported as failed.
 */
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
