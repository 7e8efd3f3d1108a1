import type { Middleware } from './middleware.ts';

/** Refuses a caller who is known, but may not use the route. Comes after the rate, so that a loop of refusals has one too. */
export function refuseCaller(): Middleware {
  return {
    before: ({ event: { caller } }) => {
      if (caller?.refusal) throw caller.refusal;
    },
  };
}
