import type { Outside } from '../../outside/outside.ts';
import type { AnyCaller, HttpEvent, Middleware } from './middleware.ts';

/** Identifies the caller by headers or cookies, if the path requires one. @throws PublicError `unauthorized`. */
export type Authenticate<Caller> = (
  request: Pick<HttpEvent<unknown>, 'headers' | 'cookies' | 'rawPath'>,
  outside: Outside,
) => Promise<Caller>;

/** Runs before the body is parsed, so that strangers learn nothing about it. */
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
