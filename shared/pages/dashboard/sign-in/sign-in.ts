import { html } from 'hono/html';
import { deviceIn, noDeviceCookie } from '../../../merchants/user/device.ts';
import { endSession } from '../../../merchants/user/manage-access.ts';
import { noSessionCookie, sessionCookie } from '../../../merchants/user/session.ts';
import { sharedPhoneIn } from '../../../merchants/user/shared-phone.ts';
import { confirmWithPasskey, signInWithPasskey } from '../../../merchants/user/sign-in.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { dashboardStyle } from '../assets.ts';
import { firstPageFor } from '../menu-facts.ts';
import { ON_PHONE, SIGN_IN, safeNext } from '../parts/addresses.ts';
import type { Going, PersonVisit, Shown, Visit, Visitor } from '../parts/visit.ts';
import { browserOf, challengeOf, noChallengeCookie, type PasskeyForm, usePasskeyForm } from './passkey.ts';

export async function showSignIn(
  visit: Visit & { readonly visitor: Visitor | undefined },
  outside: Outside,
): Promise<Shown | Going> {
  const next = safeNext(visit.query.next);
  if (visit.visitor) return { goTo: next === SIGN_IN ? await firstPageFor(outside, visit.visitor) : next };
  if (!visit.query.passkey && sharedPhoneIn(outside, visit.cookies))
    return { goTo: `${ON_PHONE}?${new URLSearchParams({ next, ...(visit.query.unsent && { unsent: '1' }) })}` };
  const facts = { path: '/', submit: 'Sign in with your passkey', next };
  return {
    title: 'Sign in',
    style: dashboardStyle,
    script: 'passkey.js',
    main: html`${visit.query.unsent && html`<p><b>You were signed out, so nothing was done.</b> Sign in and send the form again.</p>`}
<p>Your passkey is on the phone or computer where you created it. Your fingerprint, face or screen lock unlocks it.</p>
${usePasskeyForm(visit, outside, facts)}
<p class="hint">Is this your first time, or have you lost your passkey? Ask your shop’s owner or support for a link.</p>`,
  };
}

export async function signIn(visit: Visit<never, typeof PasskeyForm>, outside: Outside): Promise<Going> {
  const { credential, next } = visit.form;
  const answered = { challenge: challengeOf(visit, outside), credential };
  const token = await signInWithPasskey(outside, answered, browserOf(visit, outside));
  return { goTo: safeNext(next), cookies: [sessionCookie(outside, token), noChallengeCookie(outside)] };
}

/** Asks for the passkey again, before actions that an unattended phone must not allow. */
export async function showConfirm(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const facts = { path: '/confirm', submit: 'Use your passkey', next: safeNext(visit.query.next) };
  return {
    title: 'Is it you?',
    script: 'passkey.js',
    main: html`${visit.query.unsent && html`<p><b>Nothing has been done yet.</b> Use your passkey and send the form again.</p>`}
<p>Use your passkey again for the next step. That step affects who gets your money or who can act for you.</p>
${usePasskeyForm(visit, outside, facts)}`,
  };
}

export async function confirm(visit: PersonVisit<never, typeof PasskeyForm>, outside: Outside): Promise<Going> {
  const { credential, next } = visit.form;
  await confirmWithPasskey(outside, visit.session, { challenge: challengeOf(visit, outside), credential });
  return { goTo: safeNext(next), cookies: [noChallengeCookie(outside)] };
}

/** Ends the session and turns off this browser's notifications. */
export async function signOut({ user, session, cookies: sent }: PersonVisit, outside: Outside): Promise<Going> {
  await endSession(outside, user, session, deviceIn(outside, sent)?.device_id);
  const cookies = [noSessionCookie(outside), noDeviceCookie(outside)];
  return { goTo: SIGN_IN, notice: 'You are signed out.', cookies };
}
