import type { Outside } from '../../outside/outside.ts';
import type { AnyCaller, Middleware } from './middleware.ts';

/** The caller that this header identifies. @throws PublicError `unauthorized`. */
export type Authenticate<Caller> = (authorization: string | undefined, outside: Outside) => Promise<Caller>;

/** Comes before the body is looked at, so that a stranger learns nothing about it. */
export function authenticate<Caller extends AnyCaller>(
  outside: Outside,
  callerOf: Authenticate<Caller>,
): Middleware<Caller> {
  return {
    before: async ({ event }) => {
      event.caller = await callerOf(event.headers.authorization, outside);
    },
  };
}
