import { html } from 'hono/html';
import { merchantRows } from '../../../merchants/merchant/merchant.table.ts';
import { acceptInvitation, requireInvitation } from '../../../merchants/user/accept-invitation.ts';
import { listPasskeys } from '../../../merchants/user/passkey.table.ts';
import { sessionCookie } from '../../../merchants/user/session.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { NoSuch } from '../../../runtime/values/no-such.ts';
import { dashboardStyle } from '../assets.ts';
import { SIGN_IN } from '../parts/addresses.ts';
import { ROLES } from '../parts/shop-words.ts';
import type { Going, Shown, Visit } from '../parts/visit.ts';
import { browserOf, challengeOf, makePasskeyForm, noChallengeCookie, type PasskeyForm } from './passkey.ts';

const PATH = '/invitation/{token}';

/**
 * Shows the page where an invited person creates a passkey. Link previews also open this page, so opening it does not
 * use up the invitation.
 */
export async function showInvitation(visit: Visit<'token'>, outside: Outside): Promise<Shown> {
  const found = await requireInvitation(outside, visit.path.token).catch(noSuch);
  if (found instanceof NoSuch) return hasEnded(found);
  const { user } = found;
  const { merchant_id } = user;
  const merchant = merchant_id === undefined ? undefined : await merchantRows.find(outside, { merchant_id });
  const known = (await listPasskeys(outside, user.user_id)).map(({ credential_id }) => credential_id);
  const facts = { path: PATH, submit: 'Create a passkey' };
  return {
    title: `Hello, ${user.name}`,
    style: dashboardStyle,
    script: 'passkey.js',
    main: html`<p>${merchant ? html`You are invited to the dashboard of <b>${merchant.name}</b> as ${user.role}${user.role !== 'operator' && html`, for ${ROLES[user.role]}`}.` : 'You are invited to operate this service.'}</p>
<p>A passkey is your fingerprint, face or screen lock on this phone or computer. There is no password to remember.</p>
${makePasskeyForm(visit, outside, { user, known }, facts)}`,
  };
}

function hasEnded({ statusCode, message }: NoSuch): Shown {
  return { title: 'This link has expired', style: dashboardStyle, status: statusCode, main: html`<p>${message}</p>` };
}

/** Replaces a `not_found` error with an explanation. Rethrows all other errors. */
function noSuch(error: unknown): NoSuch {
  if (error instanceof NoSuch) return error;
  throw error;
}

export async function acceptWithPasskey(
  visit: Visit<'token', typeof PasskeyForm>,
  outside: Outside,
): Promise<Going | Shown> {
  const answered = { challenge: challengeOf(visit, outside), credential: visit.form.credential };
  const token = await acceptInvitation(outside, visit.path.token, answered, browserOf(visit, outside)).catch(noSuch);
  if (token instanceof NoSuch) return hasEnded(token);
  const notice = 'Your passkey was created, and you are signed in.';
  return { goTo: SIGN_IN, notice, cookies: [sessionCookie(outside, token), noChallengeCookie(outside)] };
}
