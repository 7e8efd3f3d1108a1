import { html } from 'hono/html';
import * as z from 'zod/mini';
import { requireMerchant } from '../../../merchants/merchant/manage-merchant.ts';
import { addPasskey } from '../../../merchants/user/accept-invitation.ts';
import { dropPasskey, endOneSession, endSessions } from '../../../merchants/user/manage-access.ts';
import { listPasskeys } from '../../../merchants/user/passkey.table.ts';
import { listSessions, openMerchant, setTestMode } from '../../../merchants/user/session.table.ts';
import { browserName } from '../../../merchants/user/session.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { ACCOUNT, safeNext } from '../parts/addresses.ts';
import { ago, facts, type Html, pill, section, shownDay } from '../parts/content.ts';
import { form } from '../parts/form.ts';
import { table } from '../parts/list.ts';
import type { Going, PersonVisit, Shown } from '../parts/visit.ts';
import { challengeOf, makePasskeyForm, noChallengeCookie, type PasskeyForm } from './passkey.ts';

export async function showAccount(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const { user } = visit;
  const [passkeys, sessions] = await Promise.all([
    listPasskeys(outside, user.user_id),
    listSessions(outside, user.user_id),
  ]);
  const passkeyList = table(passkeys, {
    caption: 'Your passkeys',
    columns: {
      'Created with': ({ browser }) => browser,
      On: ({ created_at }) => shownDay(created_at),
      'Last used': ({ used_at }) => ago(outside, used_at),
      'Signed in': ({ credential_id }) => {
        const browsers = counted(sessions.filter((one) => one.credential_id === credential_id).length, 'browser');
        return credential_id === visit.session.credential_id ? `${browsers}, including this one` : browsers;
      },
      Remove: ({ credential_id }) => removal(visit, credential_id, passkeys.length),
    },
    nothing: html`<p>You do not have a passkey yet.</p>`,
  });
  const sessionList = table(sessions, {
    caption: 'Where you are signed in',
    columns: {
      Browser: ({ browser }) => browser,
      'Signed in': ({ started_at }) => ago(outside, started_at),
      End: ({ hash }) => (hash === visit.session.hash ? pill('good', 'This one') : end(visit, hash)),
    },
  });
  return {
    title: 'Your account',
    main: html`${section(
      'You',
      facts([
        ['Name', user.name],
        ['Role', user.role],
      ]),
    )}
${section('Passkeys', [
  html`<p class="hint">Create a passkey on each phone and computer that you use. If you lose your only passkey, you will need a new link.</p>`,
  html`<p class="hint">Lost a phone? Remove its passkey. That signs out each browser where the passkey was used, and ends the notifications, texts and unused links set up there. API keys keep working: revoke those you do not know.</p>`,
  passkeyList,
  html`<p><a class="button" href="${ACCOUNT}/passkey">Add a passkey</a></p>`,
])}
${section('Signed in', [sessionList, endOthers(visit, sessions.length)])}`,
  };
}

function removal(visit: PersonVisit, id: string, count: number): Html {
  if (count === 1) return html`<span class="hint">Your only one</span>`;
  return form(visit, { path: '/account/passkey/{id}/remove', ids: { id }, submit: 'Remove', isSmall: true });
}

function end(visit: PersonVisit, hash: string): Html {
  return form(visit, { path: '/account/session/{hash}/end', ids: { hash }, submit: 'End', isSmall: true });
}

function endOthers(visit: PersonVisit, count: number): Html {
  if (count < 2) return html``;
  const facts = { path: '/account/end-others', submit: 'Sign out everywhere else' };
  return form(visit, { ...facts, isSmall: true });
}

export async function showAddPasskey(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const known = (await listPasskeys(outside, visit.user.user_id)).map(({ credential_id }) => credential_id);
  const facts = { path: '/account/passkey', submit: 'Create a passkey' };
  return {
    title: 'Add a passkey',
    script: 'passkey.js',
    main: html`<p>On this phone or computer, or on a security key that you plug in.</p>
${makePasskeyForm(visit, outside, { user: visit.user, known }, facts)}`,
  };
}

export async function addWithPasskey(visit: PersonVisit<never, typeof PasskeyForm>, outside: Outside): Promise<Going> {
  const answered = { challenge: challengeOf(visit, outside), credential: visit.form.credential };
  await addPasskey(outside, visit, answered, browserName(visit.headers['user-agent']));
  return { goTo: ACCOUNT, notice: 'The passkey was added.', cookies: [noChallengeCookie(outside)] };
}

export async function removeOwnPasskey({ path, user }: PersonVisit<'id'>, outside: Outside): Promise<Going> {
  await dropPasskey(outside, user.user_id, path.id);
  return { goTo: ACCOUNT, notice: 'The passkey was removed. It signs nobody in any more.' };
}

export async function endOwnSession({ path, user }: PersonVisit<'hash'>, outside: Outside): Promise<Going> {
  await endOneSession(outside, user, path.hash);
  return { goTo: ACCOUNT, notice: 'You are signed out on that device.' };
}

export async function endOtherSessions({ user, session }: PersonVisit, outside: Outside): Promise<Going> {
  const ended = await endSessions(outside, user, session);
  return { goTo: ACCOUNT, notice: `${ended} session${ended === 1 ? ' was' : 's were'} signed out.` };
}

export const OpenForm = z.object({
  merchant: z.optional(z.string().check(z.maxLength(64))),
  next: z.optional(z.string()),
});

/** Opens a merchant's dashboard for an operator, or closes it. @throws NoSuch if the merchant does not exist. */
export async function openDashboard(
  { session, form: { merchant: merchant_id, next }, commit }: PersonVisit<never, typeof OpenForm>,
  outside: Outside,
): Promise<Going> {
  if (merchant_id !== undefined) await requireMerchant(outside, merchant_id);
  const entries = merchant_id ? [{ merchant_id, action: 'dashboard open' }] : [];
  return commit([openMerchant(session, merchant_id)], { goTo: safeNext(next) }, ...entries);
}

/** Mode to switch to: `test`, or live if missing. */
export const TestModeForm = z.object({ mode: z.optional(z.literal('test')), next: z.optional(z.string()) });

/** Switches the session between test mode and live mode. */
export async function switchTestMode(
  { session, form: { mode, next } }: PersonVisit<never, typeof TestModeForm>,
  outside: Outside,
): Promise<Going> {
  await outside.table.write([setTestMode(session, mode === 'test')]);
  return { goTo: safeNext(next) };
}
