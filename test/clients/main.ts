import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { startOwnStack } from '../../infra/local/story/own-stack.ts';
import { clients } from './clients.ts';
import { isThere } from './command.ts';
import { verifyWithPython } from './verify-with-python.ts';

/**
 * Entry point of `npm run prove -- clients`: packs our client, generates one with each of eight generators from the
 * local stack's document, and uses each client to create a charge with a test key, have it paid, verify it, set a
 * webhook and read an error. If this machine lacks the tools for a client, the client is skipped with a note, or fails
 * if `-- --all` is given. Names given as arguments select clients.
 */
const argumentsGiven = process.argv.slice(2);
const all = argumentsGiven.includes('--all');
const names = argumentsGiven.filter((argument) => argument !== '--all');
const folder = resolve(process.env.LOCAL_DIR ?? '.local', 'clients');
mkdirSync(folder, { recursive: true });

/** The output of a program that uses a client. */
const Seen = z.strictObject({
  server: z.string(),
  reference: z.string(),
  status: z.string(),
  payer: z.nullable(z.string()),
  proof: z.null(),
  disputed: z.null(),
  hook: z.string(),
  error: z.nullable(z.string()),
});
const Verified = z.object({
  data: z.object({
    reference: z.string(),
    status: z.literal('success'),
    payment: z.object({ payer_name: z.nullable(z.string()), proof: z.unknown() }),
    disputed: z.unknown(),
  }),
});

const { facts, stop } = await startOwnStack();
try {
  const document = join(folder, 'openapi.json');
  writeFileSync(document, await (await fetch(`${facts.base_url}/openapi.json`)).text());
  for (const client of clients) await tell(client.name, client.needs, () => use(client, document));
  await tell('verifying a webhook with standardwebhooks of PyPI', ['python3'], () => verifyWithPython(folder));
} finally {
  await stop();
}

async function tell(name: string, needs: readonly string[], run: () => Promise<void>): Promise<void> {
  if (names.length > 0 && !names.some((one) => name.includes(one))) return;
  const missing = needs.filter((need) => !isThere(need));
  if (missing.length > 0) {
    console.log(`- ${name}: skipped. Install ${missing.join(' and ')} to run it.`);
    if (all) process.exitCode = 1;
    return;
  }
  try {
    await run();
    console.log(`✓ ${name}`);
  } catch (error) {
    console.log(`✗ ${name}\n${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

/** Uses a client. @throws if the client's output differs from the service's data. */
async function use({ name, run }: (typeof clients)[number], document: string): Promise<void> {
  const key = facts.test_secret_key;
  // Only the local stack accepts plain http. Nothing listens on this port.
  const hook = `http://localhost:9/${encodeURIComponent(name)}`;
  const output = await run({ folder, document, environment: { SERVER: facts.base_url, KEY: key, HOOK: hook } });
  // Maven prints codes around the output that reset the terminal's colours.
  const [printed = ''] = output.match(/\{.*\}/) ?? [];
  const seen = Seen.parse(JSON.parse(printed));
  const answer = await fetch(`${facts.base_url}/api/v1/transaction/verify/${seen.reference}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { reference, status, payment, disputed } = Verified.parse(await answer.json()).data;
  const { payer_name: payer, proof } = payment;
  const expected = { server: facts.base_url, reference, status, payer, proof, disputed, hook, error: 'not_found' };
  if (!isDeepStrictEqual(seen, expected))
    throw new Error(`read ${JSON.stringify(seen)}\ninstead of ${JSON.stringify(expected)}`);
}
