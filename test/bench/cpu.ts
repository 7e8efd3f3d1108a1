import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Figure } from './figure.ts';
import type { Order } from './groups.ts';
import { sendSides } from './latency.ts';
import { median, type Prepare, type Round, ratioOfRounds } from './measure.ts';
import { createBenchWorld, withDynamoDb } from './world.ts';

const WARM_UP_CALLS = 3_000;
const CALLS_PER_SAMPLE = 150;
const ROUNDS = 40;

/**
 * P4: CPU time of the handler compared with the bare write of the same items, including all threads and garbage
 * collection. The network is replaced on both sides, so that only the SDK and the handler count.
 */
export function measureCpu({ samples }: Pick<Order, 'samples'>): Promise<Figure[]> {
  return withDynamoDb(async (endpoint) => {
    const world = await createBenchWorld(endpoint);
    // The clock stands still, so caches do not expire.
    const nowMs = Date.now();
    Object.assign(world.outside, { now: () => nowMs });
    const figures: Figure[] = [];
    for (const { recipients, ...row } of rows) {
      const { handler, bare } = await sendSides(world, recipients);
      const reconnect = disconnect(world.database);
      const sample = (prepare: Prepare) => microsecondsOf(prepare, samples(CALLS_PER_SAMPLE));
      for (let n = 0; n < samples(WARM_UP_CALLS); n++) for (const side of [handler, bare]) await (await side())();
      const rounds: Round[] = [];
      for (let n = 0; n < samples(ROUNDS); n++) {
        const first = await sample(handler);
        const others = [await sample(bare), await sample(bare)];
        rounds.push({ ones: [first, await sample(handler)], others });
      }
      reconnect();
      const { value, interval } = ratioOfRounds(rounds);
      const [ones, others] = [rounds.flatMap(({ ones }) => ones), rounds.flatMap(({ others }) => others)];
      const detail = `${median(ones).toFixed(0)} µs ÷ ${median(others).toFixed(0)} µs`;
      figures.push({ id: 'P4', ...row, value, interval, unit: '×', detail });
    }
    return figures;
  });
}

const rows = [
  { recipients: 1, what: 'CPU time of send to 1 ÷ bare TransactWriteItems, without the network', gate: 2.2, aim: 1.5 },
  {
    recipients: 50,
    what: 'CPU time of send to 50 ÷ bare TransactWriteItems, without the network',
    gate: 2.7,
    aim: 1.8,
  },
];

/** Lets the client's requests succeed without being sent. Returns a function that reconnects the client. */
function disconnect({ config }: DynamoDBDocumentClient): () => void {
  const { requestHandler } = config;
  const response = { statusCode: 200, headers: {}, body: Buffer.from('{}') };
  Object.assign(config, { requestHandler: { ...requestHandler, handle: async () => ({ response }) } });
  return () => void Object.assign(config, { requestHandler });
}

/** CPU microseconds per call, excluding preparation. */
async function microsecondsOf(prepare: Prepare, times: number): Promise<number> {
  const calls = await Promise.all(Array.from({ length: times }, prepare));
  const before = process.cpuUsage();
  for (const call of calls) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}
