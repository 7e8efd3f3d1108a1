import { type Worker, type WorkerOutside, worker } from '../outside/worker-outside.ts';
import { takeLease } from '../table/lease.ts';
import type { ScheduleRow } from './row.ts';

export type ScheduleHandler = Worker<ScheduleRow, void, void>;

/** One run: what the run before noted, and, when it ends, what it notes for the next. */
export interface Run {
  memo: unknown;
}

type Tasks = Readonly<Record<string, () => Promise<void>>>;

/** Longer than a run takes before Lambda stops it: then it no longer holds the lease. */
const LEASE_MARGIN_SECONDS = 10;

/**
 * Wraps a function that runs on a schedule, one run at a time. Its tasks are independent: one that fails is logged, and the
 * others are done. `name` is that of its lease.
 */
export function schedule(
  row: ScheduleRow,
  name: string,
  tasksOf: (outside: WorkerOutside, run: Run) => Tasks,
): ScheduleHandler {
  return worker(row, (outside) => async () => {
    const lease = await takeLease(outside, name, row.timeoutSeconds + LEASE_MARGIN_SECONDS);
    if (!lease) return outside.log.warn('run_skipped', { function: name });
    const run: Run = { memo: lease.memo };
    for (const [task, work] of Object.entries(tasksOf(outside, run))) {
      try {
        await work();
      } catch (error) {
        outside.log.error('task_failed', { function: task, error });
      }
    }
    await lease.release(run.memo);
  });
}
