import type { Aws } from '../../shared/runtime/stage/aws.ts';
import type { Deployment, Progress } from '../../shared/runtime/stage/deployment.ts';
import { idOf } from '../../shared/runtime/stage/names.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';
import { sideBySide } from '../../shared/runtime/values/side-by-side.ts';

/** Functions to change in parallel. AWS allows 15 changes per second. */
const AT_ONCE = 3;

/**
 * Stops the functions called by customers, merchants, phones or a schedule, by reserving zero executions for each.
 * Queue and stream workers keep running to finish accepted work. Saves each earlier reservation first. Can be repeated
 * after an interruption.
 * @returns the number of stopped functions.
 */
export async function stopStage(deployment: Deployment, progress: Progress): Promise<number> {
  return withFunctions(deployment, async (aws, id) => {
    const fn = await aws.deployedFunction(id);
    if (!fn) return false;
    progress(`Stopping ${id}`);
    if (fn.beforeStop === undefined) await aws.noteBeforeStop(fn, fn.reserved ?? 'none');
    if (fn.reserved !== 0) await aws.reserve(id, 0);
    return true;
  });
}

/** Restarts the functions that `stopStage` stopped. Safe to repeat. @returns the number of restarted functions. */
export async function startStage(deployment: Deployment, progress: Progress): Promise<number> {
  return withFunctions(deployment, async (aws, id) => {
    const fn = await aws.deployedFunction(id);
    if (fn?.beforeStop === undefined) return false;
    progress(`Starting ${id}`);
    // A deployment may have set a new reservation. Keep it.
    if (fn.reserved === 0) await aws.reserve(id, fn.beforeStop === 'none' ? undefined : fn.beforeStop);
    await aws.noteBeforeStop(fn, undefined);
    return true;
  });
}

/** Calls `act` for each function. @returns how many calls returned true. */
async function withFunctions(deployment: Deployment, act: (aws: Aws, id: string) => Promise<boolean>): Promise<number> {
  const aws = awsOf(deployment);
  const items = Object.entries(deployment.service.functions).flatMap(([name, { on }]) =>
    on === 'queue' || on === 'stream' ? [] : [idOf(name)],
  );
  let count = 0;
  await sideBySide(deployment.outside, { items, atOnce: AT_ONCE }, async (id) => {
    if (await act(aws, id)) count += 1;
  });
  return count;
}

/** Returns the stage's AWS clients. @throws OperatorError for the local stack. */
export function awsOf({ aws }: Deployment): Aws {
  if (aws) return aws;
  throw new OperatorError(
    'The local stack runs in the process started by "npm start". Stop it with Ctrl-C. For a deployed stage, add --stage.',
  );
}
