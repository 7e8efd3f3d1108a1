import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { failMessage } from './fail-message.ts';
import { magicNumbers } from './magic-numbers.ts';
import { type Message, moveMessage } from './message.table.ts';
import type { Send } from './send.table.ts';
import { queueSms, type SmsJob } from './sms-job.ts';

/** How long a slow text is on its way. */
const SLOW_MS = 60_000;

/**
 * Does with a test key's text what a phone and its network would do, as the number that it goes to asks for. No phone hears of it, so
 * a try that died is simply made again.
 */
export async function playText(
  outside: WorkerOutside,
  job: SmsJob,
  send: Send,
  { state }: Pick<Message, 'state'>,
): Promise<void> {
  if (state === 'delivered' || state === 'failed') return;
  const { not_before_ms = 0, index } = job;
  if (not_before_ms > outside.now()) return queueSms(outside, send, [job]);
  const to = send.to[index];
  if (state !== 'sent') await outside.table.write([moveMessage(outside, send, index, 'sending')]);
  if (to === magicNumbers.failed) return failMessage(outside, send, index, 'A test: the phone could not send it');
  if (state !== 'sent') await outside.table.write([moveMessage(outside, send, index, 'sent')]);
  if (to === magicNumbers.slow && not_before_ms === 0) {
    return queueSms(outside, send, [{ ...job, not_before_ms: outside.now() + SLOW_MS }]);
  }
  await outside.table.write([moveMessage(outside, send, index, 'delivered')]);
}
