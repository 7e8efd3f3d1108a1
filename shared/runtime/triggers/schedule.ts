import { type Worker, type WorkerOutside, worker } from '../outside/worker-outside.ts';
import { acquireLease } from '../table/lease.ts';
import type { ScheduleRow } from './row.ts';

export type ScheduleHandler = Worker<ScheduleRow, void, void>;

export interface Run {
  memo: unknown;
}

type Tasks = Readonly<Record<string, () => Promise<void>>>;

/** Lambda ends a run this many seconds before its lease ends. */
const LEASE_MARGIN_SECONDS = 10;

/**
 * Wraps a scheduled function so that only one run is active at a time. Logs a task's error and continues with the
 * others. `name` is the lease's name.
 */
export function schedule(
  row: ScheduleRow,
  name: string,
  tasksOf: (outside: WorkerOutside, run: Run) => Tasks,
): ScheduleHandler {
  return worker(row, (outside) => async () => {
    const lease = await acquireLease(outside, name, row.timeoutSeconds + LEASE_MARGIN_SECONDS);
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
