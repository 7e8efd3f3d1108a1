import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Outside } from '../outside/outside.ts';
import { inRealWorld } from '../outside/worker-outside.ts';
import { OperatorError } from '../stage/operator-error.ts';
import { ownStage } from '../stage/own-stage.ts';
import type { Place, Service } from '../stage/place.ts';
import type { CallRow } from './row.ts';

type InWorld = (question: unknown) => Promise<object>;
export interface CallHandler {
  (question: unknown, context?: Context): Promise<object>;
  /** The same handler at another stage: a test's. */
  readonly at: (place: Place) => InWorld;
  /** Its row in the manifest. */
  readonly row: CallRow;
}

/**
 * Wraps a function that another function of ours calls, to look after the stage that both are part of. What an operator's use
 * case refuses is answered as `{ refused }`; everything else that is thrown is Lambda's to tell.
 */
export function callee<Question>(
  row: CallRow,
  service: Service,
  schema: z.core.$ZodType<Question>,
  handle: (place: Place, question: Question) => Promise<object>,
): CallHandler {
  const at =
    (place: Place): InWorld =>
    async (question) => {
      try {
        return await handle(place, z.parse(schema, question));
      } catch (error) {
        if (error instanceof OperatorError) return { refused: error.message };
        throw error;
      }
    };
  const handler = (question: unknown, context?: Context) =>
    inRealWorld(context, async (outside: Outside) => at(await ownStage(outside, service))(question));
  return Object.assign(handler, { at, row });
}
