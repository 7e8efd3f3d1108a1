import { handler as send } from '../../functions/sms/send.ts';
import type { Figure } from './figure.ts';
import type { Order } from './groups.ts';
import { medianOf } from './measure.ts';
import { callsOf, createBenchWorld, sendEvent, withDynamoDb, withSend } from './world.ts';

const WARM_UP_CALLS = 20_000;
const CALLS_PER_SAMPLE = 500;
const SAMPLES = 60;

/** P4: CPU time of the handler without the SDK, including all threads and garbage collection. */
export function measureCpu({ samples: times }: Pick<Order, 'samples'>): Promise<Figure[]> {
  return withDynamoDb(async (endpoint) => {
    const { merchant, outside } = await createBenchWorld(endpoint);
    const figures: Figure[] = [];
    for (const { recipients, gate, aim } of rows) {
      const prepare = callsOf(send, { outside }, () => sendEvent(merchant.smsKey, recipients));
      // The clock stands still, so caches do not expire.
      const nowMs = Date.now();
      Object.assign(outside, { now: () => nowMs });
      await prepare()();
      const samples = await withSend(
        async () => ({}),
        async () => {
          for (let n = 0; n < times(WARM_UP_CALLS); n++) await prepare()();
          const samples: number[] = [];
          for (let n = 0; n < times(SAMPLES); n++) samples.push(await sampleOf(prepare));
          return samples;
        },
      );
      const { value, interval } = medianOf(samples);
      figures.push({
        id: 'P4',
        what: `CPU time of send to ${recipients}, SDK stubbed`,
        value,
        interval,
        unit: 'µs',
        gate,
        aim,
      });
    }
    return figures;
  });
}

const rows = [
  { recipients: 1, gate: 60, aim: 20 },
  { recipients: 50, gate: 250, aim: 80 },
];

/** CPU microseconds per call, excluding preparation. */
async function sampleOf(prepare: () => () => Promise<unknown>): Promise<number> {
  const calls = Array.from({ length: CALLS_PER_SAMPLE }, prepare);
  const before = process.cpuUsage();
  for (const call of calls) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS_PER_SAMPLE;
}
