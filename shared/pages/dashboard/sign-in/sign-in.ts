import { html } from 'hono/html';
import type * as z from 'zod/mini';
import { browserName, sessionCookie } from '../../../merchants/user/session.ts';
import { signInWithPasskey } from '../../../merchants/user/sign-in.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { SIGN_IN, safeNext } from '../addresses.ts';
import type { Going, Shown, Visit, Visitor } from '../visit.ts';
import { challengeOf, noChallengeCookie } from './challenge.ts';
import { type PasskeyForm, usePasskeyForm } from './passkey-form.ts';

/** Where a person signs in; who is signed in goes on. */
export async function showSignIn(
  visit: Visit & { readonly visitor: Visitor | undefined },
  outside: Outside,
): Promise<Shown | Going> {
  const next = safeNext(visit.query.next);
  if (visit.visitor) return { goTo: next };
  const facts = { path: '/', action: SIGN_IN, submit: 'Sign in with your passkey', next };
  return {
    title: 'Sign in',
    script: 'passkey.js',
    main: html`${visit.query.unsent && html`<p><b>You were signed out, so nothing was done.</b> Sign in and send it again.</p>`}
<p>Your passkey is in the phone or computer that you made it on: your fingerprint, face or screen lock opens it.</p>
${usePasskeyForm(visit, outside, facts)}
<p class="hint">Is this your first time, or is your passkey lost? Ask an owner of your shop, or the operator of this service, for a link.</p>`,
  };
}

export async function signIn(visit: Visit<never, z.infer<typeof PasskeyForm>>, outside: Outside): Promise<Going> {
  const { credential, next } = visit.form;
  const answered = { challenge: challengeOf(visit, outside), credential };
  const token = await signInWithPasskey(outside, answered, browserName(visit.headers['user-agent']));
  return { goTo: safeNext(next), cookies: [sessionCookie(outside, token), noChallengeCookie(outside)] };
}
