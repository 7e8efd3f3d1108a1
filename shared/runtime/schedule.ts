import type { ScheduleRow } from './row.ts';
import { realWorkerOutside, type WorkerOutside } from './worker-outside.ts';

type InWorld = () => Promise<void>;
export interface ScheduleHandler extends InWorld {
  /** The same handler in another world: a test's or a simulation's. */
  readonly with: (outside: WorkerOutside) => InWorld;
}

/** Wraps a function that the clock calls. Its tasks stand alone: one that fails is logged, and the others are done. */
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
  void row;
  return Object.assign<InWorld, Pick<ScheduleHandler, 'with'>>(() => inWorld(realWorkerOutside())(), { with: inWorld });
}
