import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';

/**
 * A secret from the operator, never from an argument, which every process of the machine can read: the environment variable
 * `variable`, else a line that is typed and not shown, else everything that is piped in.
 * @throws OperatorError if there is none.
 */
export async function readSecretInput(variable: string, what: string): Promise<string> {
  const { [variable]: given } = process.env;
  const secret = (given ?? (process.stdin.isTTY ? await askHidden(what) : await text(process.stdin))).trim();
  if (secret !== '') return secret;
  throw new OperatorError(`There is no ${what}. Pipe it in, or set ${variable}.`);
}

async function askHidden(what: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Asked only now: what is typed before the line is read would be shown by the terminal itself.
  process.stderr.write(`${what}: `);
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
