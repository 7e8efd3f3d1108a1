import { html } from 'hono/html';
import type * as z from 'zod/mini';
import { confirmWithPasskey } from '../../../merchants/user/sign-in.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { SIGN_IN, safeNext } from '../addresses.ts';
import type { Going, PersonVisit, Shown } from '../visit.ts';
import { challengeOf, noChallengeCookie } from './challenge.ts';
import { type PasskeyForm, usePasskeyForm } from './passkey-form.ts';

/** Asks for the passkey again, before something that a phone left on a counter must not allow. */
export async function showConfirm(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const facts = {
    path: '/confirm',
    action: `${SIGN_IN}/confirm`,
    submit: 'Use your passkey',
    next: safeNext(visit.query.next),
  };
  return {
    title: 'Is it you?',
    script: 'passkey.js',
    main: html`${visit.query.unsent && html`<p><b>Nothing was done yet.</b> Use your passkey and send it again.</p>`}
<p>What comes next needs your passkey again: it decides who gets your money, or who may act for you.</p>
${usePasskeyForm(visit, outside, facts)}`,
  };
}

export async function confirm(
  visit: PersonVisit<never, z.infer<typeof PasskeyForm>>,
  outside: Outside,
): Promise<Going> {
  const { credential, next } = visit.form;
  await confirmWithPasskey(outside, visit.session, { challenge: challengeOf(visit, outside), credential });
  return { goTo: safeNext(next), cookies: [noChallengeCookie(outside)] };
}
