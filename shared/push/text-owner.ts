import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import type { Delivery } from '../runtime/triggers/queue.ts';
import type { PushJob } from './notice.ts';
import { idOf, isInTurn, readNotice } from './notice-turn.ts';
import { textNotice } from './text-notice.ts';

/** Texts a notification to an owner without a browser. */
export async function textOwner(outside: WorkerOutside, job: PushJob, { receives }: Delivery): Promise<void> {
  // Omit details, because the shop's sent texts are not searched when a customer's data is erased.
  const found = await readNotice(outside, job, () => false);
  const to = found?.device.to;
  if (!found || to === undefined) return;
  if (job.kind === 'unread' && !(await isInTurn(outside, job, receives))) return;
  await textNotice(outside, { ...found.device, to }, idOf(job), found.words);
}
