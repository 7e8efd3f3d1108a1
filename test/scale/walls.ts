import { houseWalls } from './house-walls.ts';
import { Plant, type PlantOptions } from './plant.ts';
import { decide, everySecond, openShops, sell, watch } from './shops.ts';
import { textsWalls } from './texts-walls.ts';
import { walletWalls } from './wallet-walls.ts';

/** A measured value and its gate. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly most: number;
  readonly unit: string;
}

export function isMissed({ value, most }: Figure): boolean {
  return !(value <= most);
}

/** The duration and the share of the full load. `npm run prove -- quick` runs a slice. */
export interface Load {
  readonly share: number;
  readonly seconds: number;
}

export const WHOLE: Load = { share: 1, seconds: 20 };

const AFTERWARDS_SECONDS = 60;

/**
 * Webhooks must never delay receipts, even if the index of due events has only a twentieth of the capacity it needs.
 */
async function webhooksBesidePayments({ seconds }: Load): Promise<Figure[]> {
  const perSecond = 20;
  const alone = await sales({ perSecond, shops: 10, seconds });
  const mostOf = (key: string) => (isDueKey(key) ? perSecond / 5 : undefined);
  const beside = await sales({ perSecond, shops: 10, seconds }, { mostOf });
  const [one, other] = [alone, beside].map(({ samples }) => samples.p99('text to paid'));
  const value = (other ?? Number.NaN) / (one ?? Number.NaN);
  const what = 'text to paid (p99) while webhooks are refused, against alone';
  return [{ what, value, most: 1.5, unit: '×' }, lost(beside)];
}

const isDueKey = (key: string) => key.startsWith('gsi2 DUE#EVENT');

/** Runs five hundred charges a second on one stage. */
async function charges({ share, seconds }: Load): Promise<Figure[]> {
  const plant = await sales({ perSecond: 500 * share, shops: Math.ceil(100 * share), seconds });
  const value = plant.samples.p99('text to paid');
  return [{ what: 'text to paid (p99)', value, most: 1000, unit: 'ms' }, refused(plant), lost(plant)];
}

/** Pays one wallet every 200 ms and another every 50 ms. */
async function oneWallet({ share, seconds }: Load): Promise<Figure[]> {
  const modest = await sales({ perSecond: 5 * share, shops: 1, seconds });
  const hard = await sales({ perSecond: 20 * share, shops: 1, seconds });
  const deciding = await sales({ perSecond: 10 * share, shops: 1, seconds, isDeciding: true });
  return [
    { what: 'write units a text on its chain, at 5 a second', value: chainUnits(modest), most: 6, unit: '' },
    { what: 'the same at 20 a second', value: chainUnits(hard), most: 6, unit: '' },
    { what: 'the same where the chain decides, at 10 a second', value: chainUnits(deciding), most: 6, unit: '' },
    { what: 'text to paid (longest) at 20 a second', value: longest(hard), most: 2000, unit: 'ms' },
    { what: 'the same where the chain decides, at 10 a second', value: longest(deciding), most: 2000, unit: 'ms' },
    lost(hard),
  ];
}

function longest({ samples }: Plant): number {
  return Math.max(...samples.timed('text to paid'));
}

function chainUnits({ capacity, samples }: Plant): number {
  const units = [...capacity.carried.write]
    .filter(([key]) => key.startsWith('table CHAIN#'))
    .map(([, { total }]) => total);
  return units.reduce((sum, one) => sum + one, 0) / samples.counted('payments');
}

interface Sales {
  readonly perSecond: number;
  readonly shops: number;
  readonly seconds: number;
  readonly isDeciding?: boolean;
}

async function sales(
  { perSecond, shops: count, seconds, isDeciding }: Sales,
  options: PlantOptions = {},
): Promise<Plant> {
  const plant = await Plant.open(options);
  const shops = await openShops(plant, count);
  if (isDeciding) for (const shop of shops) await decide(plant, shop);
  plant.start();
  watch(plant);
  everySecond(plant, { perSecond, seconds, shops }, sell);
  await plant.run((seconds + AFTERWARDS_SECONDS) * 1000);
  return plant;
}

export function lost({ samples }: Plant): Figure {
  const value = samples.counted('payments') - samples.timed('text to paid').length;
  return { what: 'payments not confirmed within a minute', value, most: 0, unit: '' };
}

export function refused({ samples }: Plant): Figure {
  const answers = [...samples.counts].filter(([name]) => name.startsWith('transaction/initialize: '));
  const value = answers.reduce((sum, [name, count]) => sum + (name.endsWith(' 200') ? 0 : count), 0);
  return { what: 'charges refused', value, most: 0, unit: '' };
}

/** Load tests by name. Each covers a former bottleneck. */
export const walls: Readonly<Record<string, (load: Load) => Promise<Figure[]>>> = {
  'webhooks beside payments': webhooksBesidePayments,
  charges,
  'one wallet': oneWallet,
  ...walletWalls,
  ...houseWalls,
  ...textsWalls,
};
