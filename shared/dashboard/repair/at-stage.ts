import type { Outside } from '../../runtime/outside/outside.ts';
import { OperatorError } from '../../runtime/stage/operator-error.ts';
import type { Place } from '../../runtime/stage/place.ts';
import { PublicError } from '../../runtime/values/errors.ts';

/** A page about the stage itself. What an operator's use case refuses, the page says. */
export function atStage<Visit, Outcome>(handle: (visit: Visit, place: Place) => Promise<Outcome>) {
  return async (visit: Visit, { place }: Pick<Outside, 'place'>): Promise<Outcome> => {
    if (!place) throw new Error('This function was not given its stage');
    try {
      return await handle(visit, await place());
    } catch (error) {
      if (error instanceof OperatorError) throw new PublicError('invalid_request', error.message);
      throw error;
    }
  };
}
