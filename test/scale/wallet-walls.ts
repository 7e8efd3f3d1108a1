import { Plant } from './plant.ts';
import { everySecond, openShops, sell, text, watch } from './shops.ts';
import type { Figure, Load } from './walls.ts';

const TIMES_OUT = 'https://timesout.example.com/hooks';
const FAILS = 'https://fails.example.com/hooks';
const WEBHOOK_TIMEOUT_MS = 15_000;
const AFTERWARDS_MS = 60_000;

/** Times that matter to a small shop, by the name of their sample. */
const WAITS = {
  charge: 'charge of modest',
  'text to paid': 'text to paid of modest',
  'text handed over': 'text handed over of modest',
  told: 'told of modest',
};

/** Runs a hundred small shops next to one with a hundred charges a second and two whose webhook servers fail. */
async function isolation(load: Load): Promise<Figure[]> {
  const alone = await modestShops(load);
  const beside = await modestShops(load, { greedy: 100, failing: 5 });
  const against = (name: string) => beside.samples.p99(name) / alone.samples.p99(name);
  const what = (waits: string) => `${waits} (p99) of a modest shop, against alone`;
  return Object.entries(WAITS).map(([waits, name]) => ({
    what: what(waits),
    value: against(name),
    most: 1.5,
    unit: '×',
  }));
}

/** Small shops behave the same regardless of the load from other shops. */
async function modestShops({ share, seconds }: Load, { greedy = 0, failing = 0 } = {}): Promise<Plant> {
  const plant = await Plant.open();
  const count = Math.ceil(100 * share);
  const modest = await openShops(plant, count, { kind: 'modest', textsPerHour: 200 });
  const loud = await openShops(plant, 1, { kind: 'greedy', wallets: 10 });
  const unheard = [
    ...(await openShops(plant, 1, { kind: 'failing', webhook: TIMES_OUT })),
    ...(await openShops(plant, 1, { kind: 'failing', webhook: FAILS })),
  ];
  plant.receiver = async ({ url }) => {
    if (url === TIMES_OUT) {
      await plant.time.sleep(WEBHOOK_TIMEOUT_MS);
      throw new Error('It did not answer');
    }
    return { statusCode: url === FAILS ? 500 : 200, headers: {}, text: '' };
  };
  plant.start();
  watch(plant);
  everySecond(plant, { perSecond: count / 5, seconds, shops: modest }, sell);
  everySecond(plant, { perSecond: count / 50, seconds, shops: modest }, text);
  if (greedy) everySecond(plant, { perSecond: greedy * share, seconds, shops: loud }, sell);
  if (failing) everySecond(plant, { perSecond: failing * 2, seconds, shops: unheard }, sell);
  await plant.run(seconds * 1000 + AFTERWARDS_MS);
  return plant;
}

const QUEUES = ['deliver-sms', 'settle-receipt', 'deliver-webhook'];

/**
 * At ten times the capacity, five seconds of load create fifty seconds of work, because payments cannot be rejected.
 */
const OVERLOADED_SECONDS = 5;

/**
 * Applies ten times the (reduced) capacity of every table key. A minute after the load ends, everything must be back to
 * normal.
 */
async function overload({ share, ...load }: Load): Promise<Figure[]> {
  const seconds = Math.min(load.seconds, OVERLOADED_SECONDS);
  const carriedPerSecond = 15 * share;
  const plant = await Plant.open({ mostOf: () => 60 * share });
  const many = await openShops(plant, 10, { kind: 'many', textsPerHour: 200 });
  const later = await openShops(plant, 1, { kind: 'later' });
  plant.start();
  watch(plant);
  everySecond(plant, { perSecond: 10 * carriedPerSecond, seconds, shops: many }, sell);
  everySecond(plant, { perSecond: carriedPerSecond, seconds, shops: many }, text);
  await plant.run(seconds * 1000 + AFTERWARDS_MS);
  everySecond(plant, { perSecond: carriedPerSecond / 2, seconds, shops: later }, sell);
  await plant.run(10 * AFTERWARDS_MS);
  const { samples } = plant;
  const answers = [...samples.counts].filter(([name]) => /: \d+$/.test(name));
  const others = answers.filter(([name]) => !/ (200|429|503)$/.test(name));
  const done = QUEUES.reduce((sum, name) => sum + samples.timed(`${name}: done after`).length, 0);
  const failed = QUEUES.reduce((sum, name) => sum + samples.counted(`${name}: failed`), 0);
  const taken = samples.counted('sms/send: 200');
  return [
    { what: 'answers other than 200, 429 and 503', value: sumOf(others), most: 0, unit: '' },
    {
      what: 'payments not confirmed in the end',
      value: samples.counted('payments') - samples.timed('text to paid').length,
      most: 0,
      unit: '',
    },
    {
      what: 'texts taken and not handed over',
      value: taken - samples.timed('text handed over').length,
      most: 0,
      unit: '',
    },
    { what: 'failed job runs for each that was done', value: failed / done, most: 2, unit: '' },
    {
      what: 'text to paid (p99) from a minute after its end',
      value: samples.p99('text to paid of later'),
      most: 1000,
      unit: 'ms',
    },
  ];
}

/** Applies ten times a wallet's usual load, as if a phone sent its backlog. */
async function floodedWallet({ share, ...load }: Load): Promise<Figure[]> {
  const seconds = Math.min(load.seconds, OVERLOADED_SECONDS);
  const plant = await Plant.open();
  const shops = await openShops(plant, 1);
  plant.start();
  watch(plant);
  everySecond(plant, { perSecond: 200 * share, seconds, shops }, sell);
  await plant.run(seconds * 1000 + AFTERWARDS_MS);
  const { samples } = plant;
  return [
    {
      what: 'payments not confirmed within a minute',
      value: samples.counted('payments') - samples.timed('text to paid').length,
      most: 0,
      unit: '',
    },
    {
      what: 'failed job runs for each text',
      value: samples.counted('settle-receipt: failed') / samples.counted('payments'),
      most: 0.1,
      unit: '',
    },
  ];
}

function sumOf(counts: readonly (readonly [string, number])[]): number {
  return counts.reduce((sum, [, count]) => sum + count, 0);
}

export const walletWalls: Readonly<Record<string, (load: Load) => Promise<Figure[]>>> = {
  isolation,
  overload,
  'flooded wallet': floodedWallet,
};
