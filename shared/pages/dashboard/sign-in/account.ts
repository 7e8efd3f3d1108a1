import { html } from 'hono/html';
import { listPasskeys } from '../../../merchants/user/passkey.table.ts';
import { listSessions } from '../../../merchants/user/session.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { ACCOUNT, SIGN_IN } from '../addresses.ts';
import type { Html } from '../html.ts';
import { form } from '../parts/form.ts';
import { facts, pill, section } from '../parts/status.ts';
import { table } from '../parts/table.ts';
import { ago, shownDay } from '../shown-time.ts';
import type { PersonVisit, Shown } from '../visit.ts';

/** What a person signs in with, and where they are signed in. */
export async function showAccount(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const { user } = visit;
  const [passkeys, sessions] = await Promise.all([
    listPasskeys(outside, user.user_id),
    listSessions(outside, user.user_id),
  ]);
  const passkeyRows = passkeys.map(({ credential_id, browser, created_at, used_at }) => ({
    cells: [browser, shownDay(created_at), ago(outside, used_at), removal(visit, credential_id, passkeys.length)],
  }));
  const sessionRows = sessions.map(({ hash, browser, started_at }) => ({
    cells: [
      browser,
      ago(outside, started_at),
      hash === visit.session.hash ? pill('good', 'This one') : end(visit, hash),
    ],
  }));
  const passkeyColumns = ['Made with', 'On', 'Last used', 'Remove'].map((name) => ({ name }));
  const sessionColumns = ['Browser', 'Signed in', 'End'].map((name) => ({ name }));
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
  html`<p class="hint">Make one on each phone and computer that you use: whoever loses their only one needs a new link.</p>`,
  passkeys.length > 0 ? table('Your passkeys', passkeyColumns, passkeyRows) : html`<p>You have none yet.</p>`,
  html`<p><a class="button" href="${ACCOUNT}/passkey">Add a passkey</a></p>`,
])}
${section('Signed in', [table('Where you are signed in', sessionColumns, sessionRows), endOthers(visit, sessions.length)])}`,
  };
}

function removal(visit: PersonVisit, id: string, count: number): Html {
  if (count === 1) return html`<span class="hint">Your only one</span>`;
  const action = `${SIGN_IN}/account/passkey/${id}/remove`;
  return form(visit, { path: '/account/passkey/{id}/remove', action, submit: 'Remove', isSmall: true }, () => []);
}

function end(visit: PersonVisit, hash: string): Html {
  const action = `${SIGN_IN}/account/session/${hash}/end`;
  return form(visit, { path: '/account/session/{hash}/end', action, submit: 'End', isSmall: true }, () => []);
}

function endOthers(visit: PersonVisit, count: number): Html {
  if (count < 2) return html``;
  const facts = { path: '/account/end-others', action: `${SIGN_IN}/account/end-others`, submit: 'End all others' };
  return form(visit, { ...facts, isSmall: true }, () => []);
}
