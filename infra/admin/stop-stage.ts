import type { Aws } from '../../shared/runtime/stage/aws.ts';
import { idOf } from '../../shared/runtime/stage/names.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';
import type { Place, Progress } from '../../shared/runtime/stage/place.ts';
import { sideBySide } from '../../shared/runtime/values/side-by-side.ts';

/** AWS takes 15 changes a second of all functions together; one that is asked too often is asked again. */
const AT_ONCE = 3;

/**
 * Stops whatever a customer, a merchant, a phone or the clock calls: no execution is left to it. What queues and the table's stream call goes
 * on, and so finishes what was accepted. What was reserved for a function is kept with it, before it is stopped: this can be interrupted
 * anywhere and repeated, also after a deployment that brought further functions.
 * @returns how many functions are stopped.
 */
export async function stopStage(place: Place, progress: Progress): Promise<number> {
  return withFunctions(place, async (aws, id) => {
    const fn = await aws.deployedFunction(id);
    if (!fn) return false;
    progress(`Stopping ${id}`);
    if (fn.beforeStop === undefined) await aws.noteBeforeStop(fn, fn.reserved ?? 'none');
    if (fn.reserved !== 0) await aws.reserve(id, 0);
    return true;
  });
}

/** Lets all that `stopStage` has stopped run as before. It can be repeated, too. @returns how many functions it started. */
export async function startStage(place: Place, progress: Progress): Promise<number> {
  return withFunctions(place, async (aws, id) => {
    const fn = await aws.deployedFunction(id);
    if (fn?.beforeStop === undefined) return false;
    progress(`Starting ${id}`);
    // One that a deployment has given executions meanwhile keeps them.
    if (fn.reserved === 0) await aws.reserve(id, fn.beforeStop === 'none' ? undefined : fn.beforeStop);
    await aws.noteBeforeStop(fn, undefined);
    return true;
  });
}

/** @returns of how many functions it was so. */
async function withFunctions(place: Place, act: (aws: Aws, id: string) => Promise<boolean>): Promise<number> {
  const aws = awsOf(place);
  const items = Object.entries(place.service.functions).flatMap(([name, { on }]) =>
    on === 'queue' || on === 'stream' ? [] : [idOf(name)],
  );
  let count = 0;
  await sideBySide(place.outside, { items, atOnce: AT_ONCE }, async (id) => {
    if (await act(aws, id)) count += 1;
  });
  return count;
}

/** @throws OperatorError for the local stack. */
export function awsOf({ aws }: Place): Aws {
  if (aws) return aws;
  throw new OperatorError(
    'The local stack is the process of "npm start", which Ctrl-C ends. Name a stage with --stage.',
  );
}
