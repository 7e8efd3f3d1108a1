import { afterQuietMs } from '../../ghana/quiet-hours.ts';
import { lastLeavesMs } from '../../phones/sender/pace.table.ts';
import { rememberedSenders } from '../../phones/sender/sender.table.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { SendAndMessages } from '../sms/message.table.ts';
import { isUntaken } from '../sms/states.ts';
import { dueMs } from '../sms/when-to-leave.ts';

/**
 * Estimates when the last text of a bulk send will be sent, in epoch milliseconds. Returns undefined if no text is
 * waiting or the sender no longer exists.
 */
export async function bulkEndsMs(
  outside: Outside,
  merchantId: string,
  sends: readonly SendAndMessages[],
): Promise<number | undefined> {
  const waiting = sends.flatMap(({ messages }) => messages.filter(isUntaken));
  const [first] = sends;
  if (!first || waiting.length === 0) return undefined;
  const { from, quiet_hours } = first.send;
  const sender = (await rememberedSenders(outside)).find(({ number }) => number === from);
  if (!sender) return undefined;
  const fromMs = Math.max(outside.now(), dueMs(first.send));
  // `lastLeavesMs` already includes queued texts.
  const texts = waiting.filter(({ place }) => place === undefined).length;
  const leavesMs = await lastLeavesMs(outside, sender, { merchantId, texts, fromMs });
  return afterQuietMs(quiet_hours, fromMs, Math.max(0, leavesMs - fromMs));
}
