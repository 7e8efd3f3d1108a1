import { handler as send } from '../../functions/sms/send.ts';
import { handler as initialize } from '../../functions/transaction/initialize.ts';
import { handler as verify } from '../../functions/transaction/verify.ts';
import { call, createWorld, httpEvent, type World } from '../support/world.ts';
import type { Figure } from './figure.ts';
import type { Order } from './groups.ts';
import { meter, type Usage } from './meter.ts';
import { callsOf, initializeEvent, readyMerchant, sendEvent } from './world.ts';

/**
 * P8: DynamoDB requests per API request. P9: write units, including indexes. Both are counted on an in-memory database
 * with warm caches.
 */
export async function countRequests({ isWanted }: Pick<Order, 'isWanted'>): Promise<Figure[]> {
  const world = await createWorld({ inMemory: true });
  const { liveKey, smsKey } = await readyMerchant(world.outside);
  const reference = await newReference(world, liveKey);
  const verifyEvent = { path: `/api/v1/transaction/verify/${reference}`, parameters: { reference }, key: liveKey };
  const rows = [
    { what: 'initialize', calls: callsOf(initialize, world, () => initializeEvent(liveKey)), gate: 4, aim: 3 },
    { what: 'send to 1', calls: callsOf(send, world, () => sendEvent(smsKey, 1)), gate: 6, aim: 5 },
    { what: 'send to 50', calls: callsOf(send, world, () => sendEvent(smsKey, 50)), gate: 14, aim: 13 },
    { what: 'verify', calls: callsOf(verify, world, () => httpEvent(verifyEvent)) },
  ];
  const figures: Figure[] = [];
  for (const { what, calls, ...limits } of rows) {
    await calls()();
    const usage = await meter(world, calls());
    figures.push(requestsOf(what, usage));
    if (limits.gate !== undefined) figures.push(writeUnitsOf(what, usage, limits));
  }
  return figures.filter(({ id }) => isWanted(id));
}

function requestsOf(what: string, { requests }: Usage): Figure {
  const detail = requests.join(', ');
  return { id: 'P8', what: `DynamoDB requests per ${what}`, value: requests.length, unit: '', gate: 1, aim: 1, detail };
}

function writeUnitsOf(what: string, { writeUnits }: Usage, limits: Pick<Figure, 'gate' | 'aim'>): Figure {
  return { id: 'P9', what: `write units per ${what}`, value: writeUnits, unit: '', ...limits };
}

async function newReference(world: World, liveKey: string): Promise<string> {
  const { json } = await call(world, initialize, { key: liveKey, body: { amount: 36 } });
  return json.data.reference;
}
