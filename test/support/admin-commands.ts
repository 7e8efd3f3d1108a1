import type { Command } from 'commander';
import { vi } from 'vitest';
import { createProgram } from '../../infra/admin/program.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';
import type { Place } from '../../shared/runtime/stage/place.ts';

/** The operator's commands, written out in a sentence, as words. */
export function commandsIn(text: string): string[][] {
  const nouns = programAt(nowhere).commands.filter(({ commands }) => commands.length > 0);
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
  return (await run(words, nowhere)).find((said) => said !== RAN);
}

/** Runs a command in this process. @throws with what it says if it fails. */
export async function runAdmin(place: Place, words: readonly string[]): Promise<void> {
  const said = await run(words, async () => place);
  if (said.length > 0) throw new Error(`${words.join(' ')}: ${said.join(' ')}`);
}

const RAN = 'It would run.';

async function nowhere(): Promise<never> {
  throw new OperatorError(RAN);
}

/** What a command says on stderr. */
async function run(words: readonly string[], connect: () => Promise<Place>): Promise<string[]> {
  const said: string[] = [];
  const quiet = [
    vi.spyOn(console, 'error').mockImplementation((line) => void said.push(String(line))),
    vi.spyOn(console, 'log').mockImplementation(() => undefined),
  ];
  const { exitCode } = process;
  try {
    await programAt(connect, said).parseAsync(words, { from: 'user' });
  } catch (error) {
    said.push(String(error));
  } finally {
    process.exitCode = exitCode;
    for (const spy of quiet) spy.mockRestore();
  }
  return said;
}

/** A program that ends no process, and says what it has to say here. */
function programAt(connect: () => Promise<Place>, said: string[] = []): Command {
  const program = createProgram(connect);
  for (const noun of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
    noun.exitOverride().configureOutput({ writeErr: (text) => void said.push(text.trim()), writeOut: () => undefined });
  }
  return program;
}
