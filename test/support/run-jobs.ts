import { handler as deliverPush } from '../../functions/work/deliver-push.ts';
import { handler as runFollowUp } from '../../functions/work/run-follow-up.ts';
import { handler as settleReceipt } from '../../functions/work/settle-receipt.ts';
import { isWanted } from '../../shared/runtime/triggers/stream.ts';
import { readers } from './stream-readers.ts';
import { callWorker, databaseOf, queueEvent, type World } from './world.ts';

/** Passes new changes to the stream readers and runs the resulting jobs, until no change is left. */
export async function runJobs(world: World): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const records = databaseOf(world).records();
    const fresh = records.slice(seen.get(world) ?? 0);
    seen.set(world, records.length);
    for (const { handler: reader } of readers) {
      const Records = fresh
        .filter((record) => isWanted(record, reader.row))
        .map((record) => ({
          ...record,
          dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: world.clock.nowMs / 1000 },
        }));
      const { batchItemFailures } = await callWorker(world, reader, { Records });
      if (batchItemFailures.length > 0) throw new Error('A change was not processed', { cause: world.logged.at(-1) });
    }
    const jobs = world.queued.splice(0, world.queued.length);
    for (const [queue, worker] of [
      ['settle-receipt', settleReceipt],
      ['deliver-push', deliverPush],
      ['run-follow-up', runFollowUp],
    ] as const) {
      const bodies = jobs.filter((one) => one.queue === queue).map(({ job }) => job.body);
      // Queues deliver at least once, so each job runs twice.
      for (const body of bodies.flatMap((one) => [one, one])) {
        const { batchItemFailures } = await callWorker(world, worker, queueEvent([body]));
        if (batchItemFailures.length > 0) throw new Error(`A job of ${queue} failed`, { cause: world.logged.at(-1) });
      }
    }
    if (jobs.length === 0 && databaseOf(world).records().length === records.length) return;
  }
}

const seen = new WeakMap<World, number>();
