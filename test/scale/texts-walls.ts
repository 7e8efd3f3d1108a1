import * as z from 'zod';
import { handler as deliverSms } from '../../functions/work/deliver-sms.ts';
import { addSender } from '../../shared/phones/sender/manage-senders.ts';
import { HOUR_MS } from '../../shared/runtime/values/calendar.ts';
import { createSend, type Send } from '../../shared/texts/sms/send.table.ts';
import { newSend } from '../../shared/texts/sms/send.ts';
import { queueSms, smsJobs } from '../../shared/texts/sms/sms-job.ts';
import { meter } from '../bench/meter.ts';
import { createWorld, databaseOf, queueEvent, type World } from '../support/world.ts';
import { Plant } from './plant.ts';
import { CREDITS, everySecond, openShops, text } from './shops.ts';
import type { Figure, Load } from './walls.ts';

const AFTERWARDS_SECONDS = 60;

/**
 * Sends more texts for one shop than its single credit balance can handle. Rejected sends are reported and cost
 * nothing.
 */
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

/** Queues hours of one merchant's texts on one phone, each as a separate send. */
async function longQueue({ share }: Load): Promise<Figure[]> {
  const texts = Math.ceil(2000 * share ** SMALLER);
  const plant = await Plant.open();
  plant.world.gateway = phone(plant.world);
  const sends = await newQueue(plant.world, ['A'], texts);
  plant.start();
  for (const send of sends) void queueSms(plant.world.outside, send, smsJobs(send));
  await plant.run((texts / PER_HOUR + 0.1) * HOUR_MS);
  const runs = plant.samples.timed('deliver-sms: done after').length;
  const { write } = plant.capacity.carried;
  const units = [...write].filter(([key]) => !key.includes('LEASE')).reduce((sum, [, { total }]) => sum + total, 0);
  return [
    { what: 'texts that did not leave at the pace', value: texts - leftOf(plant), most: 0, unit: '' },
    { what: 'job runs a text', value: runs / texts, most: 2.1, unit: '' },
    { what: 'write units a text, until it is delivered', value: units / texts, most: 22, unit: '' },
  ];
}

/**
 * Queues a text from each of ten thousand merchants on one phone. The reads per turn must not grow with the number of
 * merchants.
 */
async function manyWait({ share }: Load): Promise<Figure[]> {
  const world = await createWorld({ inMemory: true });
  const merchants = Array.from({ length: Math.ceil(10_000 * share ** SMALLER) }, (_, n) => `M${n}`);
  const sends = await newQueue(world, merchants, merchants.length);
  const deliver = (jobs: readonly object[]) => deliverSms.with(world.outside)(queueEvent(jobs));
  for (const send of sends) await deliver(smsJobs(send));
  const queued = () => world.queued.splice(0).map(({ job }) => job.body);
  const [turn] = queued();
  world.clock.nowMs += HOUR_MS;
  const before = world.fetched.length;
  const turns = await meter(world, () => deliver([turn ?? {}]));
  return [
    { what: 'texts of a turn that did not leave', value: before + 1 - world.fetched.length, most: 0, unit: '' },
    { what: 'read units a turn, with its text', value: turns.readUnits, most: 7, unit: '' },
    { what: 'write units a turn, with its text', value: turns.writeUnits, most: 7, unit: '' },
  ];
}

/** `npm run prove -- quick` runs a slice with fewer merchants, because results must not depend on their number. */
const SMALLER = 1.5;
const PER_HOUR = 100;
const SENDER = '+233240000000';

/** Creates a phone and queues single-text sends, rotating through the merchants. */
async function newQueue({ outside }: World, merchants: readonly string[], texts: number): Promise<Send[]> {
  const place = { gateway: 'phone', device_id: 'device-1', sim_number: 1, messages_per_hour: PER_HOUR };
  await addSender(outside, { number: SENDER, network: 'MTN', ...place });
  const sends = Array.from({ length: texts }, (_, n) => {
    const merchant_id = merchants[n % merchants.length] ?? '';
    return newSend(outside, { merchant_id }, { to: ['+233551112223'], message: 'Hello' }, { from: SENDER });
  });
  for (const send of sends) await outside.table.write([createSend(send)]);
  return sends;
}

/** Simulates a phone that sends each text immediately, and a gateway that reports it. */
function phone({ clock }: World): World['gateway'] {
  const texts = new Map<string, string>();
  const shown = (id: string) => ({ id, state: 'Delivered', recipients: [], states: { Delivered: texts.get(id) } });
  return async (request) => {
    const { pathname } = new URL(request.url);
    const now = new Date(clock.nowMs).toISOString();
    if (request.method === 'POST') {
      texts.set(z.object({ id: z.string() }).parse(await request.json()).id, now);
      return Response.json({ state: 'Pending' }, { status: 202 });
    }
    if (pathname.endsWith('/devices')) return Response.json([{ id: 'device-1', lastSeen: now, simCards: [] }]);
    const [id] = pathname.split('/').slice(-1);
    return id === 'messages'
      ? Response.json([...texts.keys()].toReversed().slice(0, 100).map(shown))
      : Response.json(shown(id ?? ''));
  };
}

function leftOf({ world }: Plant): number {
  return (databaseOf(world).memory?.items() ?? []).filter(({ sending_at }) => sending_at !== undefined).length;
}

export const textsWalls = { sends, 'a long queue': longQueue, 'many that wait': manyWait };
