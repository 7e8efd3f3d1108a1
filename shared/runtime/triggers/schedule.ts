import type { Context } from 'aws-lambda';
import { inRealWorld, type WorkerOutside } from '../outside/worker-outside.ts';
import type { ScheduleRow } from './row.ts';

type InWorld = () => Promise<void>;
export interface ScheduleHandler {
  (event?: unknown, context?: Context): Promise<void>;
  /** The same handler with another `Outside`: a test's or a simulation's. */
  readonly with: (outside: WorkerOutside) => InWorld;
  /** Its row in the manifest. */
  readonly row: ScheduleRow;
}

/** Wraps a function that runs on a schedule. Its tasks are independent: one that fails is logged, and the others are done. */
export function schedule(
  row: ScheduleRow,
  tasks: Readonly<Record<string, (outside: WorkerOutside) => Promise<void>>>,
): ScheduleHandler {
  const inWorld =
    (outside: WorkerOutside): InWorld =>
    async () => {
      for (const [task, run] of Object.entries(tasks)) {
        try {
          await run(outside);
        } catch (error) {
          outside.log.error('task_failed', { function: task, error });
        }
      }
    };
  const handler = (_event?: unknown, context?: Context) => inRealWorld(context, (outside) => inWorld(outside)());
  return Object.assign(handler, { with: inWorld, row });
}
