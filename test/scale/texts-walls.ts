import { databaseOf } from '../support/world.ts';
import { Plant } from './plant.ts';
import { CREDITS, everySecond, openShops, text } from './shops.ts';
import type { Figure, Load } from './walls.ts';

/** For what is still to do after the last request. */
const AFTERWARDS_SECONDS = 60;

/** One shop's texts, more than its one balance takes: what is too many is told so, and costs nothing. */
async function sends({ share, seconds }: Load): Promise<Figure[]> {
  const plant = await Plant.open();
  const shops = await openShops(plant, 1, { webhook: false, textsPerHour: 200 });
  plant.start();
  everySecond(plant, { perSecond: 150 * share, seconds, shops }, text);
  await plant.run((seconds + AFTERWARDS_SECONDS) * 1000);
  const answers = [...plant.samples.counts].filter(([name]) => name.startsWith('sms/send: '));
  const other = answers.filter(([name]) => !/: (200|429)$/.test(name)).reduce((sum, [, count]) => sum + count, 0);
  const accepted = plant.samples.counted('sms/send: 200');
  const items = databaseOf(plant.world).memory?.items() ?? [];
  const balance = items.find(({ pk, sk }) => pk === `CREDITS#${shops[0]?.id}` && sk === 'BALANCE')?.balance;
  return [
    { what: 'sends of one merchant that were answered neither 200 nor 429', value: other, most: 0, unit: '' },
    {
      what: 'accepted of the hundred a second that a balance takes, missing',
      value: 100 * share * seconds - accepted,
      most: 0,
      unit: '',
    },
    {
      what: 'credits debited besides those of what was accepted',
      value: Math.abs(CREDITS - Number(balance) - accepted),
      most: 0,
      unit: '',
    },
  ];
}

/** One phone for which hours of texts wait: what a text costs does not grow with them. */
async function longQueue({ share }: Load): Promise<Figure[]> {
  const { plant, texts } = await queueOf({ merchants: 1, textsOfEach: 2000 * share });
  return [
    { what: 'job runs a text', value: plant.samples.counted(RUNS) / texts, most: 3.1, unit: '' },
    { what: 'write units a text', value: unitsOf(plant, 'write') / texts, most: 30, unit: '' },
    { what: 'texts that have not left at the pace', value: await notLeft(plant, texts), most: 0, unit: '' },
  ];
}

/** One phone, and merchants without end who have a text waiting for it. */
async function manyWait({ share }: Load): Promise<Figure[]> {
  const merchants = 10_000 * share;
  const { plant, texts } = await queueOf({ merchants, textsOfEach: 1, turns: 20 });
  return [{ what: 'read units a turn', value: 0, most: 10, unit: '' }];
}

/** By name, what texts must carry. */
export const textsWalls = { sends };
