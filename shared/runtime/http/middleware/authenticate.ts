import type { Outside } from '../../outside/outside.ts';
import type { AnyCaller, HttpEvent, Middleware } from './middleware.ts';

/** The caller that a request's headers or cookies identify, where its path asks for one. @throws PublicError `unauthorized`. */
export type Authenticate<Caller> = (
  request: Pick<HttpEvent<unknown>, 'headers' | 'cookies' | 'rawPath'>,
  outside: Outside,
) => Promise<Caller>;

/** Comes before the body is looked at, so that a stranger learns nothing about it. */
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
