import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { makeBundles } from './bundles.ts';
import type { Figure } from './figure.ts';
import type { Order } from './groups.ts';
import { medianOf } from './measure.ts';
import { createBenchWorld, initializeEvent, sendEvent, withDynamoDb } from './world.ts';

const ROUNDS = 9;
/** Those after a first one, in the same process: some to warm up, and those that are measured. */
const CALLS = 1_500;
const WARM_UP_CALLS = 500;

/** Answers without doing anything: what Node.js alone takes. */
const EMPTY = 'exports.handler = async () => ({ statusCode: 200 });';

/**
 * P17 and P18, on the bundles that are deployed, with the SDK and DynamoDB Local: the processor time of a function's start, and of the
 * calls that follow. Processor time, because the database shares the machine.
 */
export function measureCalls({ isWanted, samples }: Order): Promise<Figure[]> {
  return withDynamoDb(async (endpoint) => {
    const bundles = makeBundles();
    const folder = mkdtempSync(join(tmpdir(), 'momo-kiosk-calls-'));
    const empty = join(folder, 'empty.cjs');
    writeFileSync(empty, EMPTY);
    try {
      const { tableName, merchant } = await createBenchWorld(endpoint);
      process.env.TABLE_NAME = tableName;
      const events = {
        'transaction/initialize': initializeEvent(merchant.liveKey),
        'sms/send': sendEvent(merchant.smsKey, 1),
      };
      return Object.entries(events).flatMap(([name, event]) => {
        const file = bundles.functions.find((one) => one.name === name)?.file;
        if (!file) throw new Error(`There is no bundle of ${name}`);
        return [
          ...(isWanted('P17') ? [firstCall(name, file, event, { empty, folder, times: samples(ROUNDS) })] : []),
          ...(isWanted('P18') ? [laterCalls(name, file, event, samples(3))] : []),
        ];
      });
    } finally {
      bundles.remove();
      rmSync(folder, { recursive: true });
    }
  });
}

/** What a cold start takes beside Lambda's own share, against a function that does nothing, and with V8's cache of compiled code. */
function firstCall(
  name: string,
  file: string,
  event: object,
  { empty, folder, times }: { empty: string; folder: string; times: number },
): Figure {
  const rounds = Array.from({ length: times }, () => ({
    ours: measure(file, event, 0).first,
    empty: measure(empty, event, 0).first,
    cached: measure(file, event, 0, join(folder, 'cache')).first,
  }));
  const { value, interval } = medianOf(rounds.map((round) => round.ours - round.empty));
  const cached = medianOf(rounds.slice(1).map((round) => round.cached - round.empty)).value;
  return {
    id: 'P17',
    what: `CPU of import and first call of ${name}, beyond an empty function`,
    value,
    interval,
    unit: 'ms',
    detail: `${cached.toFixed(1)} ms with V8's compile cache`,
  };
}

function laterCalls(name: string, file: string, event: object, times: number): Figure {
  const { value, interval } = medianOf(Array.from({ length: times }, () => 1000 / measure(file, event, CALLS).each));
  return { id: 'P18', what: `requests a second of one vCPU, ${name}`, value, interval, unit: '/s' };
}

const Measured = z.object({ first: z.number(), each: z.number() });

/** Milliseconds of processor time in a new process, of the first call with its import and of each later one. */
function measure(file: string, event: object, calls: number, cache?: string): z.infer<typeof Measured> {
  const script = `
    const milliseconds = (before) => { const { user, system } = process.cpuUsage(before); return (user + system) / 1000; };
    ${cache ? `require('node:module').enableCompileCache(${JSON.stringify(cache)});` : ''}
    const call = async () => {
      const { statusCode, body } = await handler(structuredClone(event), {});
      if (statusCode !== 200) throw new Error(body);
    };
    const event = ${JSON.stringify(event)};
    const atStart = process.cpuUsage();
    const { handler } = require(${JSON.stringify(file)});
    (async () => {
      await call();
      const first = milliseconds(atStart);
      for (let n = 0; n < ${Math.min(calls, WARM_UP_CALLS)}; n++) await call();
      const warm = process.cpuUsage();
      for (let n = ${WARM_UP_CALLS}; n < ${calls}; n++) await call();
      console.log(JSON.stringify({ first, each: milliseconds(warm) / ${Math.max(1, calls - WARM_UP_CALLS)} }));
      process.exit();
    })();
  `;
  const written = execFileSync(process.execPath, ['-e', script], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return Measured.parse(JSON.parse(written.trim().split('\n').at(-1) ?? ''));
}
