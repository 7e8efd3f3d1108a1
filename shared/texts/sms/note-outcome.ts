import { outcomesOf } from '../../phones/sender/sender.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { noteOutcome } from '../../runtime/table/recent-outcomes.ts';
import type { RowChange } from '../../runtime/triggers/stream.ts';
import { parseMessage } from './message.table.ts';

/** Records for its SIM whether a text left or failed, as the stream reports it. A text that left and then failed did both. */
export async function noteTextOutcome(outside: WorkerOutside, { sk, before, after }: RowChange): Promise<void> {
  if (!after || !sk.startsWith('MESSAGE#') || before?.state === after.state) return;
  const { gateway, device_id, sim_number, state } = parseMessage(after);
  if (gateway === undefined || device_id === undefined || sim_number === undefined) return;
  const hasLeft = state === 'sent' || (state === 'delivered' && before?.state !== 'sent');
  if (!hasLeft && state !== 'failed') return;
  await noteOutcome(outside, outcomesOf({ gateway, device_id, sim_number }), state === 'failed');
}
