import { SESSION_SECONDS } from '../../shared/merchants/user/session.table.ts';
import { startSession } from '../../shared/merchants/user/session.ts';
import { sessionCookie } from '../../shared/merchants/user/session-cookie.ts';
import { redirect } from '../../shared/runtime/http/answer.ts';
import type { Outside } from '../../shared/runtime/outside/outside.ts';
import type { Demo } from './demo.ts';
import type { OwnAnswer } from './front.ts';

/** Addresses that sign in, as often as they are opened. */
export interface SignInUrls {
  readonly dashboard_url: string;
  readonly operator_url: string;
}

/**
 * Links that sign the demo's people in without a passkey. They are answered by the local front itself, so that no deployed
 * function has anything of the kind.
 */
export function signInLinks(
  outside: Outside,
  baseUrl: string,
  { owner_id, operator_id }: Pick<Demo, 'owner_id' | 'operator_id'>,
): { readonly urls: SignInUrls; readonly answer: OwnAnswer } {
  // Who does not know this start's links cannot have a browser here open one.
  const secret = outside.randomBytes(16).toString('base64url');
  const paths = { dashboard_url: `/local/sign-in/owner/${secret}`, operator_url: `/local/sign-in/operator/${secret}` };
  const people = new Map([
    [paths.dashboard_url, owner_id],
    [paths.operator_url, operator_id],
  ]);
  return {
    urls: { dashboard_url: `${baseUrl}${paths.dashboard_url}`, operator_url: `${baseUrl}${paths.operator_url}` },
    answer: async (path) => {
      const user_id = people.get(path);
      if (user_id === undefined) return undefined;
      // There is no passkey that could be asked for again.
      const options = { browser: 'Link of npm start', freshSeconds: SESSION_SECONDS };
      const { token, write } = startSession(outside, { user_id }, options);
      await outside.table.write([write]);
      return { ...redirect('/dashboard', 303), cookies: [sessionCookie(outside, token)] };
    },
  };
}
