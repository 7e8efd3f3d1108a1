import { html } from 'hono/html';
import type * as z from 'zod/mini';
import { addPasskey } from '../../../merchants/user/accept-invitation.ts';
import { listPasskeys } from '../../../merchants/user/passkey.table.ts';
import { browserName } from '../../../merchants/user/session.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { ACCOUNT } from '../addresses.ts';
import type { Going, PersonVisit, Shown } from '../visit.ts';
import { challengeOf, noChallengeCookie } from './challenge.ts';
import { makePasskeyForm, type PasskeyForm } from './passkey-form.ts';

/** Where a person makes another passkey. */
export async function showAddPasskey(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const known = (await listPasskeys(outside, visit.user.user_id)).map(({ credential_id }) => credential_id);
  const facts = { path: '/account/passkey', action: `${ACCOUNT}/passkey`, submit: 'Make a passkey' };
  return {
    title: 'Add a passkey',
    script: 'passkey.js',
    main: html`<p>On this phone or computer, or on a security key that you plug in.</p>
${makePasskeyForm(visit, outside, visit.user, known, facts)}`,
  };
}

export async function addWithPasskey(
  visit: PersonVisit<never, z.infer<typeof PasskeyForm>>,
  outside: Outside,
): Promise<Going> {
  const answered = { challenge: challengeOf(visit, outside), credential: visit.form.credential };
  await addPasskey(outside, visit, answered, browserName(visit.headers['user-agent']));
  return { goTo: ACCOUNT, notice: 'The passkey was added.', cookies: [noChallengeCookie(outside)] };
}
