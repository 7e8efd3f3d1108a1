import { randomBytes, randomUUID } from 'node:crypto';
import {
  PutCommand,
  type PutCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { handler as send } from '../../functions/sms/send.ts';
import { handler as initialize } from '../../functions/transaction/initialize.ts';
import { apiKeyRows } from '../../shared/merchants/merchant/api-key.table.ts';
import { hashApiKey, newApiKey } from '../../shared/merchants/merchant/api-key.ts';
import { newReference } from '../../shared/money/charge/charge.table.ts';
import { newSendId } from '../../shared/texts/sms/message-id.ts';
import type { Figure } from './figure.ts';
import type { Order } from './groups.ts';
import { type Prepare, ratioOf } from './measure.ts';
import {
  type BenchWorld,
  callsOf,
  createBenchWorld,
  initializeEvent,
  sendEvent,
  withDynamoDb,
  withSend,
} from './world.ts';

/** P1, P2, P3 and P5: time of the handler compared with the bare write of the same items. */
export function measureLatency({ isWanted, samples }: Order): Promise<Figure[]> {
  return withDynamoDb(async (endpoint) => {
    const world = await createBenchWorld(endpoint);
    const figures: Figure[] = [];
    for (const { sides, ...row } of rows.filter(({ id }) => isWanted(id))) {
      const { handler, bare } = await sides(world);
      const { value, interval, oneMs, otherMs } = await ratioOf(handler, bare, { ...row, samples });
      const detail = `${oneMs.toFixed(2)} ms ÷ ${otherMs.toFixed(2)} ms`;
      figures.push({ ...row, value, interval, unit: '×', detail });
    }
    return figures;
  });
}

interface Sides {
  readonly handler: Prepare;
  readonly bare: Prepare;
}

const rows: readonly (Pick<Figure, 'id' | 'what' | 'gate' | 'aim'> & {
  readonly sides: (world: BenchWorld) => Promise<Sides>;
})[] = [
  {
    id: 'P1',
    what: 'send to 1 ÷ bare TransactWriteItems',
    gate: 1.15,
    aim: 1.04,
    sides: (world) => sendSides(world, 1),
  },
  {
    id: 'P2',
    what: 'send to 1 ÷ bare TransactWriteItems, key not cached',
    gate: 1.65,
    aim: 1.5,
    sides: async (world) => {
      const nextKey = await manyKeys(world);
      const { bare } = await sendSides(world, 1);
      return { handler: callsOf(send, world, () => sendEvent(nextKey(), 1)), bare };
    },
  },
  {
    id: 'P2',
    what: 'send to 1 ÷ bare TransactWriteItems, nothing cached (first reads the key, merchant and senders in parallel)',
    gate: 2.1,
    aim: 1.8,
    sides: async (world) => {
      const { bare } = await sendSides(world, 1);
      const fresh = () => ({ ...world, outside: { ...world.outside } });
      return { handler: () => callsOf(send, fresh(), () => sendEvent(world.merchant.smsKey, 1))(), bare };
    },
  },
  {
    id: 'P3',
    what: 'send to 50 ÷ bare TransactWriteItems',
    gate: 1.2,
    aim: 1.04,
    sides: (world) => sendSides(world, 50),
  },
  {
    id: 'P5',
    what: 'initialize ÷ bare PutItem',
    gate: 1.3,
    aim: 1.05,
    sides: initializeSides,
  },
];

/** Prepares a `send` to this many numbers, and the equivalent bare transaction. */
export async function sendSides(world: BenchWorld, recipients: number): Promise<Sides> {
  const handler = callsOf(send, world, () => sendEvent(world.merchant.smsKey, recipients));
  const written = (await writtenBy(handler)) as TransactWriteCommandInput;
  const sendId = written.TransactItems?.find(({ Put }) => Put)?.Put?.Item?.send_id;
  const bare = () => {
    const input = { ...renamed(written, sendId, newSendId(Date.now(), randomBytes)), ClientRequestToken: randomUUID() };
    return () => world.database.send(new TransactWriteCommand(input));
  };
  return { handler, bare };
}

async function initializeSides(world: BenchWorld): Promise<Sides> {
  const handler = callsOf(initialize, world, () => initializeEvent(world.merchant.liveKey));
  const written = (await writtenBy(handler)) as PutCommandInput;
  const bare = () => {
    const input = renamed(written, written.Item?.reference, newReference(randomBytes));
    return () => world.database.send(new PutCommand(input));
  };
  return { handler, bare };
}

/** Cycles through more keys than a function caches. */
async function manyKeys({ outside, merchant }: BenchWorld): Promise<() => string> {
  const keys = Array.from({ length: 1_100 }, () => newApiKey('sms', merchant.id, randomBytes));
  const created_at = new Date().toISOString();
  for (let n = 0; n < keys.length; n += 100) {
    const rows = keys.slice(n, n + 100).map((key) => ({ hash: hashApiKey(key), hint: key.slice(-4) }));
    await outside.table.write(
      rows.map((row) =>
        apiKeyRows.create({ ...row, kind: 'sms', merchant_id: merchant.id, created_at, last_used_at: created_at }),
      ),
    );
  }
  let calls = 0;
  return () => keys[calls++ % keys.length] ?? '';
}

async function writtenBy(prepare: Prepare): Promise<object> {
  const inputs: object[] = [];
  const call = await prepare();
  await withSend((command, really) => {
    inputs.push(command.input);
    return really();
  }, call);
  const last = inputs.at(-1);
  if (!last) throw new Error('The handler wrote nothing');
  return last;
}

/** Returns the same input for another item of the same size. */
function renamed<Input extends object>(input: Input, id: unknown, newId: string): Input {
  if (typeof id !== 'string' || id.length !== newId.length) throw new Error(`${id} cannot be replaced by ${newId}`);
  return JSON.parse(JSON.stringify(input).replaceAll(id, newId));
}
