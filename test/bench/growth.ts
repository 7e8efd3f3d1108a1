import { BatchWriteCommand, DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { handler as listSends } from '../../functions/sms/list.ts';
import { handler as send } from '../../functions/sms/send.ts';
import { handler as listCharges } from '../../functions/transaction/list.ts';
import { requireMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import type { Merchant } from '../../shared/merchants/merchant/merchant.ts';
import { createCharge } from '../../shared/money/charge/charge.table.ts';
import { newCharge } from '../../shared/money/charge/charge.ts';
import type { HttpHandler } from '../../shared/runtime/http/http.ts';
import type { Item } from '../../shared/runtime/table/table.ts';
import { createSend } from '../../shared/texts/sms/send.table.ts';
import { newSend } from '../../shared/texts/sms/send.ts';
import { httpEvent } from '../support/world.ts';
import type { Figure } from './figure.ts';
import type { Order } from './groups.ts';
import { type Prepare, ratioOf } from './measure.ts';
import { type BenchWorld, callsOf, createBenchWorld, SENDER, sendEvent, withDynamoDb } from './world.ts';

const FEWEST_ROWS = 100;

/**
 * P12: time of a call in a table with many rows of one merchant, divided by the time with a hundred rows. If the number
 * of reads grew with the rows, the ratio would be in the hundreds.
 */
export function measureGrowth({ mostRows, samples }: Pick<Order, 'mostRows' | 'samples'>): Promise<Figure[]> {
  return withRows(FEWEST_ROWS, (small) => withRows(mostRows, (large) => compare(large, small, { mostRows, samples })));
}

async function compare(
  large: BenchWorld,
  small: BenchWorld,
  { mostRows, samples }: Pick<Order, 'mostRows' | 'samples'>,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { what, calls } of stories) {
    const { value, interval, oneMs, otherMs } = await ratioOf(calls(large), calls(small), { gate: GATE, samples });
    const detail = `${oneMs.toFixed(2)} ms ÷ ${otherMs.toFixed(2)} ms`;
    const line = `${what}, ${mostRows.toLocaleString('en')} rows ÷ ${FEWEST_ROWS} rows`;
    figures.push({ id: 'P12', what: line, value, interval, unit: '×', gate: GATE, aim: AIM, detail });
  }
  return figures;
}

/** Allows for the deeper B-trees of DynamoDB Local. */
const GATE = 1.25;
const AIM = 1.1;

const stories: readonly { what: string; calls: (world: BenchWorld) => Prepare }[] = [
  { what: 'send to 1', calls: sendAndForget },
  { what: 'list a page of sends', calls: (world) => pageOf(world, listSends, world.merchant.smsKey) },
  { what: 'list a page of charges', calls: (world) => pageOf(world, listCharges, world.merchant.liveKey) },
];

function pageOf(world: BenchWorld, handler: HttpHandler, key: string): Prepare {
  return callsOf(handler, world, () => httpEvent({ key }));
}

/** Deletes each send, so that the table keeps its size. */
function sendAndForget(world: BenchWorld): Prepare {
  const next = callsOf(send, world, () => sendEvent(world.merchant.smsKey, 1));
  let sent: string | undefined;
  return async () => {
    if (sent) {
      const Key = { pk: `SEND#${sent}`, sk: 'SEND' };
      await world.database.send(new DeleteCommand({ TableName: world.tableName, Key }));
    }
    const call = next();
    return async () => {
      sent = JSON.parse((await call()).body).data.id;
    };
  };
}

/** Runs a separate DynamoDB Local for each table, because one process with three tables is slower. */
function withRows(rows: number, run: (world: BenchWorld) => Promise<Figure[]>): Promise<Figure[]> {
  return withDynamoDb(async (endpoint) => {
    const world = await createBenchWorld(endpoint);
    const merchant = await requireMerchant(world.outside, world.merchant.id);
    await load(world, pastOf(world, merchant, rows));
    return run(world);
  });
}

/** Yields a merchant's rows from the last month: alternating sends and charges. */
function* pastOf(world: BenchWorld, merchant: Merchant, rows: number): Generator<Item> {
  const endMs = Date.now();
  for (let n = 0; n < rows; n++) {
    const nowMs = endMs - Math.floor(((rows - n) / rows) * MONTH_MS);
    const outside = { ...world.outside, now: () => nowMs };
    const write =
      n % 2 === 0
        ? createSend(
            newSend(outside, merchant, { to: ['+233241234567'], message: `Text ${n}` }, { from: SENDER.number }),
          )
        : createCharge(newCharge(outside, merchant, { asked: { amount: 3600 }, origin: { kind: 'api' } }));
    yield { ...write.put?.Item };
  }
}

const MONTH_MS = 30 * 24 * 60 * 60 * 1000;
const BATCH = 25;
const LOADERS = 4;

async function load({ database, tableName }: BenchWorld, items: Iterator<Item> & Iterable<Item>): Promise<void> {
  await Promise.all(
    Array.from({ length: LOADERS }, async () => {
      for (let batch = take(items, BATCH); batch.length > 0; batch = take(items, BATCH)) {
        const RequestItems = { [tableName]: batch.map((Item) => ({ PutRequest: { Item } })) };
        const { UnprocessedItems = {} } = await database.send(new BatchWriteCommand({ RequestItems }));
        if (Object.keys(UnprocessedItems).length > 0) throw new Error('DynamoDB Local did not store all rows');
      }
    }),
  );
}

function take<Item>(items: Iterator<Item>, count: number): Item[] {
  const taken: Item[] = [];
  while (taken.length < count) {
    const { value, done } = items.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}
