import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';
import { handler as set } from '../../functions/webhook/set.ts';
import { handler as show } from '../../functions/webhook/show-event.ts';
import { handler as deliverWebhook } from '../../functions/work/deliver-webhook.ts';
import { handler as housekeeping } from '../../functions/work/housekeeping.ts';
import type { PublicPost } from '../../shared/runtime/outside/post-public.ts';
import type { Item } from '../../shared/runtime/table/table.ts';
import type { KeyKind } from '../../shared/runtime/triggers/row.ts';
import { newUlid } from '../../shared/runtime/values/ids.ts';
import { createWebhookEvent } from '../../shared/webhook/event.table.ts';
import { newWebhookEvent } from '../../shared/webhook/event.ts';
import { doneIn, SimulatedQueues, workerOf } from './queues.ts';
import { rowAt } from './rows.ts';
import { readers } from './stream-readers.ts';
import { call, callWorker, queueEvent, streamEvent, type TestMerchant, type World } from './world.ts';

export const HOOK = 'https://shop.example.com/hooks';
/** A webhook, as shown to a merchant, that receives every event and has never failed. */
export const ENABLED = { events: null, enabled: true, disabled_reason: null, disabled_at: null, failing_since: null };

export function setWebhook(world: World, { liveKey }: Live, url = HOOK): Promise<string> {
  return setWebhookWith(world, liveKey, url);
}

export async function setWebhookWith(world: World, key: string, url: string): Promise<string> {
  const { status, json } = await call(world, set, { key, body: { url } });
  if (status !== 200) throw new Error(`PUT responded with status ${status}`);
  return json.data.secret;
}

type Live = Pick<TestMerchant, 'liveKey'>;

/** Creates an event without checking the rate limit and without queueing the event. @returns the event's id. */
export async function newEvent({ outside }: World, { id }: Pick<TestMerchant, 'id'>, key_kind: KeyKind = 'live') {
  const now = new Date(outside.now()).toISOString();
  const event = newWebhookEvent({ merchant_id: id, key_kind }, 'webhook.test', {
    cause: newUlid(outside),
    at: now,
    data: { message: 'Momo Kiosk can reach this address.' },
  });
  await outside.table.write([createWebhookEvent(event)]);
  return event.event_id;
}

export async function shownEvent(world: World, { liveKey }: Live, id: string) {
  return (await call(world, show, { key: liveKey, parameters: { id } })).json.data;
}

export async function eventRow(world: World, id: string): Promise<Item> {
  const row = await rowAt(world, { pk: `EVENT#${id}`, sk: 'EVENT' });
  if (!row) throw new Error(`There is no event ${id}`);
  return row;
}

/** Passes changes to all stream consumers and checks that none fails. */
export async function relayChanges(world: World, ...changes: { before?: Item; after?: Item }[]): Promise<void> {
  for (const { handler } of readers) {
    const { batchItemFailures } = await callWorker(world, handler, streamEvent(changes, world.clock.nowMs));
    if (batchItemFailures.length > 0) throw new Error('A change was not processed', { cause: world.logged.at(-1) });
  }
}

/** Makes `times` concurrent delivery attempts and checks that none throws. */
export async function makeTry(world: World, id: string, tries = 0, times = 1): Promise<void> {
  const jobs = Array.from({ length: times }, () => ({ event_id: id, tries }));
  const { batchItemFailures } = await callWorker(world, deliverWebhook, queueEvent(jobs));
  if (batchItemFailures.length > 0) throw new Error('The attempt failed', { cause: world.logged.at(-1) });
}

/** Verifies a webhook's signature at the world's time. @returns the body. @throws if the signature is wrong. */
export function opened(world: World, { headers, body }: Pick<PublicPost, 'headers' | 'body'>, secret: string): unknown {
  vi.useFakeTimers({ now: world.clock.nowMs, toFake: ['Date'] });
  try {
    return new Webhook(secret).verify(body, headers);
  } finally {
    vi.useRealTimers();
  }
}

export function isSignedBy(world: World, secret: string, post: PublicPost | undefined): boolean {
  try {
    return post !== undefined && opened(world, post, secret) !== undefined;
  } catch {
    return false;
  }
}

export interface Work {
  readonly queues: SimulatedQueues;
  /**
   * Advances the time by up to `seconds` until no job is waiting. Delays jobs as SQS does. With `housekeeping`, runs
   * for the full time and calls housekeeping every minute.
   */
  run(seconds: number, options?: { housekeeping?: boolean; each?: () => Promise<void> }): Promise<void>;
  /** Kills the running worker. The queue redelivers its jobs after their timeout. */
  kill(): void;
}

/** Replaces a world's queues with simulated ones. `atOnce` is the batch size. */
export function startWork(world: World, { atOnce = 10 } = {}): Work {
  const queues = new SimulatedQueues(() => world.clock.nowMs);
  const { send } = world.outside.queues;
  world.outside.queues.send = async (queue, jobs) => {
    await send(queue, jobs);
    await queues.send(queue, jobs);
  };
  world.outside.queues.postpone = (...postponed) => queues.postpone(...postponed);
  let killed = Promise.withResolvers<undefined>();
  return { queues, run, kill: () => killed.resolve(undefined) };

  async function run(
    seconds: number,
    { housekeeping: housekept = false, each }: { housekeeping?: boolean; each?: () => Promise<void> } = {},
  ) {
    const { clock } = world;
    const untilMs = clock.nowMs + seconds * 1000;
    let minuteMs = housekept || each ? clock.nowMs + 60_000 : Number.POSITIVE_INFINITY;
    for (;;) {
      const [next] = queues.waiting;
      const nextMs = Math.min(next?.visibleAtMs ?? Number.POSITIVE_INFINITY, minuteMs);
      if (nextMs === Number.POSITIVE_INFINITY) return;
      if (nextMs > untilMs) break;
      clock.nowMs = Math.max(clock.nowMs, nextMs);
      if (next && nextMs < minuteMs) await handOut(next.queue);
      else {
        minuteMs += 60_000;
        await each?.();
        if (housekept) await callWorker(world, housekeeping);
      }
    }
    clock.nowMs = Math.max(clock.nowMs, untilMs);
  }

  async function handOut(queue: string) {
    const event = queues.receive(queue, atOnce);
    if (!event) return;
    killed = Promise.withResolvers();
    const answer = await Promise.race([workerOf(queue).with(world.outside)(event), killed.promise]);
    if (answer) queues.delete(queue, doneIn(event, answer));
  }
}
