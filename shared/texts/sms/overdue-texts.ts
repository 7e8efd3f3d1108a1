import { laneEndsMs } from '../../phones/sender/pace.table.ts';
import { isAvailable, type Sender } from '../../phones/sender/sender.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { getSendAndMessages, type Message } from './message.table.ts';
import type { Send } from './send.table.ts';

/** A text that should have left this long ago waits for something that will not come by itself. Below a send's first check. */
const OVERDUE_MS = 8 * 60 * 1000;
/** So many sends are looked at in a run: that there are some is what matters. */
const MAX_SENDS = 20;

/**
 * Measures how many texts should have left by now, of the sends that housekeeping found unfinished in this run or in the one
 * before, and gives those to look at in the next. What waits on a sender that is off or held back is reported as that.
 */
export async function reportOverdue(
  outside: WorkerOutside,
  sendIds: readonly string[],
  senders: readonly Sender[],
): Promise<string[]> {
  const overdue: string[] = [];
  let texts = 0;
  for (const sendId of [...new Set(sendIds)].slice(0, MAX_SENDS)) {
    const found = await getSendAndMessages(outside, sendId);
    const sender = senders.find(({ number }) => number === found?.send.from);
    if (!found || !sender || !isAvailable(sender)) continue;
    const { send, messages } = found;
    // While the SIM has slots to keep, any of its texts may be among those that wait for one.
    const dueMs = Math.max(0, ...(await laneEndsMs(outside, send.from)).values());
    const late = messages.filter((message) => outside.now() - dueAtMs(send, message, dueMs) >= OVERDUE_MS).length;
    if (late === 0) continue;
    texts += late;
    overdue.push(sendId);
    const { merchant_id } = send;
    outside.log.warn('texts_overdue', {
      ...(merchant_id && { merchant_id }),
      send_id: sendId,
      gateway: sender.gateway,
    });
  }
  outside.metrics.count('texts_overdue', texts);
  return overdue;
}

/** When a text was to leave, in milliseconds since 1970; never, if it has left. */
function dueAtMs({ created_at }: Send, { state, sending_at }: Message, laneEndMs: number): number {
  if (state === 'pending') return Math.max(Date.parse(created_at), laneEndMs);
  return state === 'sending' && sending_at ? Date.parse(sending_at) : Number.POSITIVE_INFINITY;
}
