import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import type { Delivery } from '../runtime/triggers/queue.ts';
import { askByText } from './ask-by-text.ts';
import type { PushJob } from './notice.ts';
import { idOf, isInTurn, readNotice } from './notice-turn.ts';
import { textNotice } from './text-notice.ts';

/**
 * Texts an owner who has no browser registered. Owners who answer by text receive a question. Others receive the news
 * and a link to the page for answering.
 */
export async function textOwner(outside: WorkerOutside, job: PushJob, { receives }: Delivery): Promise<void> {
  // Leave out details. The text is stored with the shop's other texts, which are not searched when a customer's data is
  // erased.
  const found = await readNotice(outside, job, () => false);
  const to = found?.device.to;
  if (!found || to === undefined) return;
  if (job.kind === 'unread' && !(await isInTurn(outside, job, receives))) return;
  const device = { ...found.device, to };
  if ((await askByText(outside, device, job, idOf(job))) || job.kind === 'hello') return;
  await textNotice(outside, device, idOf(job), found.words);
}
