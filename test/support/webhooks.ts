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

// What merchants' servers are told, and the time that goes by until they are.

export const HOOK = 'https://shop.example.com/hooks';
/** What is shown of a webhook that gets every event and never failed. */
export const ENABLED = { events: null, enabled: true, disabled_reason: null, disabled_at: null, failing_since: null };

/** Sets where a merchant's events go and gives the secret that signs them. */
export function setWebhook(world: World, { liveKey }: Live, url = HOOK): Promise<string> {
  return setWebhookWith(world, liveKey, url);
}

/** The same with either kind of key. */
export async function setWebhookWith(world: World, key: string, url: string): Promise<string> {
  const { status, json } = await call(world, set, { key, body: { url } });
  if (status !== 200) throw new Error(`PUT was answered ${status}`);
  return json.data.secret;
}

type Live = Pick<TestMerchant, 'liveKey'>;

/** Makes an event of a merchant as the route for tests does, but as many in a minute as a test needs. It is not queued yet. Its id. */
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

/** An event as its merchant sees it, with its tries. */
export async function shownEvent(world: World, { liveKey }: Live, id: string) {
  return (await call(world, show, { key: liveKey, parameters: { id } })).json.data;
}

/** An event as the table has it. */
export async function eventRow(world: World, id: string): Promise<Item> {
  const row = await rowAt(world, { pk: `EVENT#${id}`, sk: 'EVENT' });
  if (!row) throw new Error(`There is no event ${id}`);
  return row;
}

/** Hands changes to all that read the table's stream. Nothing may go wrong. */
export async function relayChanges(world: World, ...changes: { before?: Item; after?: Item }[]): Promise<void> {
  for (const { handler } of readers) {
    const { batchItemFailures } = await callWorker(world, handler, streamEvent(changes, world.clock.nowMs));
    if (batchItemFailures.length > 0) throw new Error('A change was not carried on', { cause: world.logged.at(-1) });
  }
}

/** Hands a try to the worker, as many times at once as is said. Nothing may go wrong. */
export async function makeTry(world: World, id: string, tries = 0, times = 1): Promise<void> {
  const jobs = Array.from({ length: times }, () => ({ event_id: id, tries }));
  const { batchItemFailures } = await callWorker(world, deliverWebhook, queueEvent(jobs));
  if (batchItemFailures.length > 0) throw new Error('The try failed', { cause: world.logged.at(-1) });
}

/** What a post says, to somebody who checks its signature with this secret at the world's time. @throws if it is wrong. */
export function opened(world: World, { headers, body }: Pick<PublicPost, 'headers' | 'body'>, secret: string): unknown {
  // The library looks at the clock itself.
  vi.useFakeTimers({ now: world.clock.nowMs, toFake: ['Date'] });
  try {
    return new Webhook(secret).verify(body, headers);
  } finally {
    vi.useRealTimers();
  }
}

/** Whether a secret signed a post. */
export function isSignedBy(world: World, secret: string, post: PublicPost | undefined): boolean {
  try {
    return post !== undefined && opened(world, post, secret) !== undefined;
  } catch {
    return false;
  }
}

/** The queues and workers of a world, with time that goes by. */
export interface Work {
  readonly queues: SimulatedQueues;
  /**
   * Lets time go by until nothing waits, at most so many seconds: each job is handed out when its delay has passed, as SQS
   * does, and with `housekeeping` that runs once a minute, to the end of the time.
   */
  run(seconds: number, options?: { housekeeping?: boolean; each?: () => Promise<void> }): Promise<void>;
  /** Ends the worker that has jobs in hand without an answer: the queue hands them out again when their time is over. */
  kill(): void;
}

/** Takes the place of a world's queues. `atOnce` is how many due jobs of a queue a worker gets at a time. */
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
