import type { Outside } from '../../outside/outside.ts';
import type { AnyCaller, HttpEvent, Middleware } from './middleware.ts';

/**
 * Identifies the caller from headers or cookies if the path requires authentication.
 * @throws PublicError `unauthorized`.
 */
export type Authenticate<Caller> = (
  request: Pick<HttpEvent<unknown>, 'headers' | 'cookies' | 'rawPath'>,
  outside: Outside,
) => Promise<Caller>;

/** Must run before body parsing, so that unauthenticated callers get no errors about the body. */
export function authenticate<Caller extends AnyCaller>(
  outside: Outside,
  callerOf: Authenticate<Caller>,
): Middleware<Caller> {
  return {
    before: async ({ event }) => {
      event.caller = await callerOf(event, outside);
    },
  };
}
