import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { manifest } from '../../functions/manifest.ts';
import { handler as initialize } from '../../functions/transaction/initialize.ts';
import { completeRow } from '../../shared/runtime/triggers/complete-row.ts';
import { callOf, signIn } from '../support/dashboard.ts';
import { httpEvent } from '../support/world.ts';
import { type FunctionName, makeBundles } from './bundles.ts';
import type { Figure } from './figure.ts';
import type { Order } from './groups.ts';
import { medianOf } from './measure.ts';
import { processorShare } from './processor.ts';
import { type BenchWorld, callsOf, createBenchWorld, initializeEvent, sendEvent, withDynamoDb } from './world.ts';

const ROUNDS = 9;
/** Number of calls after the first one, including warm-up. */
const CALLS = 1_500;
const WARM_UP_CALLS = 500;

/** An empty function. */
const EMPTY = 'exports.handler = async () => ({ statusCode: 200 });';

/**
 * P17, P18 and P19: CPU time of a function's cold start and later calls, and the wait caused by a cold start. Uses
 * deployed bundles with DynamoDB Local on the same machine.
 */
export function measureCalls({ isWanted, samples }: Order): Promise<Figure[]> {
  return withDynamoDb(async (endpoint) => {
    const bundles = makeBundles();
    const folder = mkdtempSync(join(tmpdir(), 'momo-kiosk-calls-'));
    const empty = join(folder, 'empty.cjs');
    writeFileSync(empty, EMPTY);
    try {
      const world = await createBenchWorld(endpoint);
      process.env.TABLE_NAME = world.tableName;
      const options = { empty, folder, times: samples(ROUNDS) };
      const bare = isWanted('P17') ? [firstCall('a bare PutItem', bundles.bare, {}, options)] : [];
      const calls = (await callsOfPeople(world)).map(({ name, ...call }) => {
        const file = bundles.functions.find((one) => one.name === name)?.file;
        if (!file) throw new Error(`There is no bundle of ${name}. Name a function of the manifest.`);
        return { name, file, ...call };
      });
      // Measure first calls before later ones, which add thousands of rows for Today to read.
      const starts = calls
        .filter(({ isPage }) => isWanted('P17') || (isPage && isWanted('P19')))
        .map(({ name, file, event, isPage }) => ({ name, isPage, start: firstCall(name, file, event, options) }));
      const figures = [
        ...(isWanted('P17') ? starts.map(({ start }) => start) : []),
        ...calls.flatMap(({ name, file, event, isPage }) =>
          !isPage && isWanted('P18') ? [laterCalls(name, file, event, samples(3))] : [],
        ),
        ...starts.flatMap(({ name, isPage, start }) => (isPage && isWanted('P19') ? [firstVisit(name, start)] : [])),
      ];
      return [...bare, ...figures];
    } finally {
      bundles.remove();
      rmSync(folder, { recursive: true });
    }
  });
}

async function callsOfPeople({
  outside,
  merchant,
}: BenchWorld): Promise<{ name: FunctionName; event: object; isPage?: true }[]> {
  const make = callsOf(initialize, { outside }, () => initializeEvent(merchant.liveKey));
  const { access_code } = Created.parse(JSON.parse((await make()()).body)).data;
  const checkout = { path: `/checkout/${access_code}`, parameters: { access_code } };
  const by = await signIn({ outside }, 'owner', merchant.id);
  return [
    { name: 'transaction/initialize', event: initializeEvent(merchant.liveKey) },
    { name: 'sms/send', event: sendEvent(merchant.smsKey, 1) },
    { name: 'checkout/page', event: httpEvent(checkout), isPage: true },
    { name: 'dashboard/today', event: httpEvent(callOf('/dashboard/today', { by })), isPage: true },
  ];
}

const Created = z.object({ data: z.object({ access_code: z.string() }) });

/** Time of a page on a cold start, excluding Lambda, the table and the network. */
function firstVisit(name: FunctionName, { value, interval }: Figure): Figure {
  const { memoryMegabytes } = completeRow(manifest[name]);
  const share = processorShare(memoryMegabytes);
  return {
    id: 'P19',
    what: `calculated first visit to ${name}: P17 ÷ the vCPU share at ${memoryMegabytes} MB`,
    value: value / share,
    ...(interval && { interval: [interval[0] / share, interval[1] / share] }),
    unit: 'ms',
  };
}

/** CPU time of a cold start compared with an empty function, with V8's code cache. */
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
    what: `CPU time of import and first call of ${name}, minus an empty function’s`,
    value,
    interval,
    unit: 'ms',
    detail: `${cached.toFixed(1)} ms with V8's compile cache`,
  };
}

function laterCalls(name: string, file: string, event: object, times: number): Figure {
  const { value, interval } = medianOf(Array.from({ length: times }, () => 1000 / measure(file, event, CALLS).each));
  return { id: 'P18', what: `requests per second on one vCPU, ${name}`, value, interval, unit: '/s' };
}

const Measured = z.object({ first: z.number(), each: z.number() });

/** CPU milliseconds in a new process, for the first call (including the import) and for later calls. */
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
