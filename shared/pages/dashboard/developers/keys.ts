import { html } from 'hono/html';
import { type ApiKey, apiKeyRows } from '../../../merchants/merchant/api-key.table.ts';
import { hasEnded, keyModeOf, keyPrefixes, requestsPerSecondOf } from '../../../merchants/merchant/api-key.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { namesOf } from '../../../merchants/user/user.table.ts';
import type { Clock, Outside } from '../../../runtime/outside/outside.ts';
import { type KeyKind, keyKinds } from '../../../runtime/triggers/row.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { DEVELOPERS } from '../parts/addresses.ts';
import { ago, copyable, emptyState, facts, type Html, pill, section, shownDay, shownTime } from '../parts/content.ts';
import { table } from '../parts/list.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';

export async function listKeys({ merchant, user }: MerchantVisit, outside: Outside): Promise<Shown> {
  const keys = (await apiKeyRows.list(outside, merchant)).toReversed();
  const mayChange = may(user, 'keys:write');
  const makerOf = await makersOf(outside, keys);
  const list = table(keys, {
    caption: 'API keys',
    href: mayChange && (({ hint }) => `${DEVELOPERS}/keys/${hint}`),
    columns: {
      Key: shownKey,
      Created: (key) => `${shownDay(key.created_at)}, ${makerOf(key)}`,
      For: ({ kind, scope }) => [kindNames[kind], ...(scope ?? [])].join(', '),
      'Last used': (key) => lastUse(outside, key),
      State: (key) => keyState(outside, key),
    },
    isCompact: true,
    nothing: emptyState('No keys yet', 'Your server needs one key to create charges, and another to send texts.'),
  });
  return {
    title: 'API keys',
    main: html`${list}
${mayChange && newKeys()}
<p class="hint">The <a href="/docs">API reference</a> says what a key can do. Keep keys on your server, never in a page or an app.</p>`,
  };
}

function newKeys(): Html {
  return section(
    'New key',
    html`<p class="actions">${keyKinds.map(
      (kind) => html`<a class="plain button" href="${DEVELOPERS}/keys/new/${kind}">${kindNames[kind]}</a>`,
    )}</p>`,
  );
}

/** Returns a function that names the person who made a key. */
export async function makersOf(outside: Outside, keys: readonly ApiKey[]) {
  const ids = [...new Set(keys.flatMap(({ made_by = [] }) => made_by))];
  const names = await namesOf(outside, ids);
  return ({ made_by }: ApiKey) => (made_by === undefined ? 'The operator' : (names.get(made_by) ?? 'Unknown'));
}

export function aboutKey(outside: Clock, key: ApiKey, maker?: string): Html {
  return section(
    'About it',
    facts([
      ['Key', shownKey(key)],
      ['State', keyState(outside, key)],
      ['For', kindNames[key.kind]],
      ['May', key.scope?.join(', ') ?? 'Everything that this kind of key allows'],
      ['Requests a second', String(requestsPerSecondOf(key))],
      ['Last used', lastUse(outside, key)],
      ['Created', shownTime(key.created_at)],
      ['Made by', maker],
      ['Revoked', key.revoked_at && shownTime(key.revoked_at)],
    ]),
  );
}

export function shownKey({ kind, merchant_id, hint }: Pick<ApiKey, 'kind' | 'merchant_id' | 'hint'>): Html {
  return html`<code>${keyPrefixes[kind][keyModeOf({ merchant_id })]}…${hint}</code>`;
}

export function lastUse(outside: Clock, { last_used_at }: ApiKey): Html | string {
  return last_used_at === undefined ? 'Never used' : ago(outside, last_used_at);
}

function keyState(outside: Clock, key: ApiKey): Html {
  if (key.revoked_at) return pill('bad', 'Revoked');
  if (hasEnded(outside, key)) return pill('bad', 'Replaced');
  if (key.ends_at) return pill('look', `Ends ${shownTime(key.ends_at)}`);
  return keyModeOf(key) === 'test' ? pill('plain', 'Test') : pill('good', 'Live');
}

export const kindNames: Readonly<Record<KeyKind, string>> = { live: 'Charges and payments', sms: 'Texts' };

/** Reads a key kind from a path. @throws PublicError `not_found`. */
export function kindOf(name: string): KeyKind {
  const kind = keyKinds.find((one) => one === name);
  if (!kind) throw new PublicError('not_found', 'Choose live or sms.');
  return kind;
}

interface NewSecret {
  readonly title: string;
  readonly secret: string;
  readonly noun: string;
  readonly next: { readonly path: string; readonly name: string };
  readonly more?: Html | undefined;
}

/** Renders a page that shows a secret exactly once. */
export function secretOnce({ title, secret, noun, next, more }: NewSecret): Shown {
  return {
    title,
    main: section('Copy it now', [
      html`<p>It cannot be shown again. Keep it where your server keeps its secrets.</p>`,
      copyable(secret, noun),
      more ?? html``,
      html`<p><a class="plain button" href="${next.path}">${next.name}</a></p>`,
    ]),
  };
}
