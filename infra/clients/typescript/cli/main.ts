#!/usr/bin/env node
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { MomoKiosk, webhookEventTypes } from 'momo-kiosk-client';
import { keepBodies } from './bodies.ts';
import { listen, type Stage } from './listen.ts';
import { Problem } from './problem.ts';
import { readSecret, secretFile } from './secret.ts';

const USAGE = `momo-kiosk listen --forward-to <url> [--events <types>]

Posts the events of a Momo Kiosk to a server on this computer, signed, until Ctrl-C.

  --forward-to <url>   such as http://localhost:4000/webhooks
  --events <types>     such as charge.success,charge.expired; all by default

MOMO_KIOSK_URL   the address of the stage, such as https://pay.example.com
MOMO_KIOSK_KEY   its key: sk_test_… (charges) or sk_sms_test_… (texts). With a live key, events
                 occur only while a webhook is set.`;

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  if (values.help) return console.log(USAGE);
  if (positionals.join(' ') !== 'listen') throw new Problem(USAGE);
  const to = readAddress(values['forward-to']);
  const types = values.events === undefined ? undefined : readTypes(values.events);
  const stage = openStage(process.env);
  const file = secretFile(process.env, process.platform);
  const secret = await readSecret(file);
  const ends = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ends.abort());
  console.log(`Your webhook secret: ${secret} (kept in ${file})`);
  const sleep = (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, { signal });
  const print = (line: string) => console.log(printable(line));
  // Exit silently if the reader of the output has ended, such as `head`.
  process.stdout.on('error', () => process.exit());
  const outside = { now: Date.now, elapsedMs: () => performance.now(), fetch, sleep };
  await listen(outside, stage, { to, types, secret, print, signal: ends.signal });
  console.log('Stopped. The next start will post only events that happen after it.');
}

/** Removes control characters, which a terminal would interpret. */
function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, '');
}

function readArguments() {
  const options = {
    'forward-to': { type: 'string' },
    events: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new Problem(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}

function readAddress(written: string | undefined): URL {
  if (!written) throw new Problem(`Set --forward-to to the address of your server.\n\n${USAGE}`);
  refuseUser('--forward-to', written);
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  const meant = written.includes('//') ? 'http://localhost:4000/webhooks' : `http://${written}`;
  throw new Problem(`--forward-to is ${JSON.stringify(written)}, which is not an address. Write ${meant}.`);
}

/** @throws Problem if the address contains a user name or password. The message omits the address. */
function refuseUser(option: string, address: string): void {
  if (/^(?:[\w.+-]+:)?[\\/]*[^\\/?#]*@/.test(address.replace(/[\s\p{Cc}]/gu, '')))
    throw new Problem(`${option} has a user name or a password, which cannot be sent. Remove it.`);
}

function readTypes(written: string): string[] {
  const types = written.split(',').map((type) => type.trim());
  const known: readonly string[] = webhookEventTypes;
  const wrong = types.find((type) => !known.includes(type));
  if (wrong === undefined) return types;
  throw new Problem(
    `--events has ${JSON.stringify(wrong)}, which is not an event type. The types are ${known.join(', ')}.`,
  );
}

function openStage({ MOMO_KIOSK_KEY: key, MOMO_KIOSK_URL: baseUrl }: NodeJS.ProcessEnv): Stage {
  if (!key)
    throw new Problem('MOMO_KIOSK_KEY is not set. Set it to a key of the stage, preferably a test key: sk_test_….');
  if (!baseUrl)
    throw new Problem('MOMO_KIOSK_URL is not set. Set it to the address of the stage: https://pay.example.com.');
  refuseUser('MOMO_KIOSK_URL', baseUrl);
  // A key with invalid header characters would be printed in the connection error.
  if (!/^sk_(?:live|test|sms)_\w+\s*$/.test(key))
    throw new Problem('MOMO_KIOSK_KEY is not a key of a Momo Kiosk: they start with sk_test_, sk_live_ or sk_sms_.');
  let nowMs = Date.now();
  const timed: typeof fetch = async (...given) => {
    const answer = await fetch(...given);
    nowMs = timeOf(answer.headers.get('date')) || nowMs;
    return answer;
  };
  const secretKey = key.startsWith('sk_sms_') ? { smsSecretKey: key } : { secretKey: key };
  try {
    const { fetch: request, bodies } = keepBodies(timed);
    const momo = new MomoKiosk({ baseUrl, ...secretKey, maxRetries: 0, fetch: request });
    const kind = { isTest: /^sk_(?:sms_)?test_/.test(key), isSms: key.startsWith('sk_sms_') };
    return { url: baseUrl, momo, bodies, ...kind, nowMs: () => nowMs };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Problem(error.message.replaceAll('`baseUrl`', 'MOMO_KIOSK_URL'));
  }
}

/** Parses a `date` header in the standard form. A date in any other form could be too far from now for calculations. */
function timeOf(date: string | null): number {
  return date && / \d{4} \d\d:\d\d:\d\d GMT$/.test(date) ? Date.parse(date) : Number.NaN;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  console.error(printable(error.message));
  process.exitCode = 1;
}
