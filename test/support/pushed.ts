import { handler as app } from '../../functions/dashboard/app.ts';
import { handler as deliverPush } from '../../functions/work/deliver-push.ts';
import { handler as followUp } from '../../functions/work/follow-up.ts';
import { handler as runFollowUp } from '../../functions/work/run-follow-up.ts';
import { type NoticeKind, noticeKinds, TEXT_SLOT } from '../../shared/merchants/user/device.table.ts';
import { isWanted } from '../../shared/runtime/triggers/stream.ts';
import { type Person, visit } from './dashboard.ts';
import type { Payload, TestBrowser } from './push-service.ts';
import { settle } from './receipts.ts';
import { callWorker, databaseOf, queueEvent, type World } from './world.ts';

interface Chosen {
  readonly kinds?: readonly NoticeKind[];
  readonly details?: boolean;
  readonly cookies?: readonly string[];
}

const ALL_KINDS = Object.keys(noticeKinds);

export function ticked({ kinds, details = false }: Chosen): Record<string, string> {
  return Object.fromEntries([...(kinds ?? ALL_KINDS), ...(details ? ['details'] : [])].map((name) => [name, 'on']));
}

/** Turns on notifications in a person's browser. @returns the cookie that identifies the browser. */
export async function switchOn(world: World, by: Person, browser: TestBrowser, chosen: Chosen = {}): Promise<string> {
  // The first visit creates the stage's push key.
  await visit(world, app, '/dashboard/app/on', { by });
  const form = { ...ticked(chosen), subscription: browser.subscription };
  const answer = await visit(world, app, '/dashboard/app/on', { by, form, cookies: chosen.cookies ?? [] });
  const cookie = answer.cookies.find((one) => one.startsWith('__Host-device='));
  if (answer.status !== 303 || !cookie)
    throw new Error(`Turning notifications on responded with status ${answer.status}: ${answer.text}`);
  return cookie.split(';')[0] ?? '';
}

/** Passes new stream records to `work/follow-up`, in worlds with an in-memory database. */
export async function followChanges(world: World): Promise<void> {
  const all = databaseOf(world).records();
  const Records = all.slice(followed.get(world) ?? 0).filter((record) => isWanted(record, followUp.row));
  followed.set(world, all.length);
  const ApproximateCreationDateTime = world.clock.nowMs / 1000;
  const now = Records.map((record) => ({ ...record, dynamodb: { ...record.dynamodb, ApproximateCreationDateTime } }));
  const { batchItemFailures } = await callWorker(world, followUp, { Records: now });
  if (batchItemFailures.length > 0) throw new Error('A change was not processed', { cause: world.logged.at(-1) });
}

/** Like `followChanges`, but also re-evaluates the affected payments. */
export async function followPayments(world: World): Promise<void> {
  await followChanges(world);
  const jobs = world.queued.filter(({ queue }) => queue === 'settle-receipt').map(({ job }) => job.body);
  await settle(world, ...jobs);
}

const followed = new WeakMap<World, number>();

const QUEUES: readonly string[] = ['deliver-push', 'run-follow-up'];

export function drainJobs(world: World): { body: object; delaySeconds: number }[] {
  const isPush = ({ queue }: { queue: string }) => QUEUES.includes(queue);
  const jobs = world.queued.filter(isPush).map(({ job: { body, delaySeconds = 0 } }) => ({ body, delaySeconds }));
  world.queued.splice(0, world.queued.length, ...world.queued.filter((one) => !isPush(one)));
  return jobs;
}

export async function queuedNotices(world: World, kind?: string): Promise<object[]> {
  await followChanges(world);
  const bodies = drainJobs(world).map(({ body }) => body);
  return bodies.filter((body) => kind === undefined || ('kind' in body && body.kind === kind));
}

/** Passes jobs to their workers. @returns the number of failed jobs. */
export async function work(world: World, bodies: readonly object[], receives = 1): Promise<number> {
  const isForBrowser = (body: object) => 'slot' in body && body.slot !== TEXT_SLOT;
  let failed = 0;
  for (const [worker, some] of [
    [runFollowUp, bodies.filter((body) => !isForBrowser(body))],
    [deliverPush, bodies.filter(isForBrowser)],
  ] as const) {
    if (some.length === 0) continue;
    const { batchItemFailures } = await callWorker(world, worker, queueEvent(some, receives));
    failed += batchItemFailures.length;
  }
  return failed;
}

/** Delivers due notifications `times` times, because a delivery can queue a further notification. */
export async function tell(world: World, times = 1): Promise<void> {
  for (let n = 0; n < times; n++) {
    await followChanges(world);
    const jobs = drainJobs(world).filter(({ delaySeconds }) => delaySeconds === 0);
    const failed = await work(
      world,
      jobs.map(({ body }) => body),
    );
    if (failed > 0) throw new Error('A push failed', { cause: world.logged.at(-1) });
  }
}

export function heardBy(world: World, browser: TestBrowser): Payload[] {
  return world.posted.filter(({ url }) => url === browser.endpoint).map((push) => browser.open(push));
}
