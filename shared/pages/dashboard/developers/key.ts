import { html } from 'hono/html';
import * as z from 'zod/mini';
import { type ApiKey, KEY_CACHE_SECONDS } from '../../../merchants/merchant/api-key.table.ts';
import { keyPrefixes, namedOnly, scopesOfKind } from '../../../merchants/merchant/api-key.ts';
import {
  overlapNames,
  prepareApiKey,
  prepareRevocation,
  prepareRoll,
  requireKey,
} from '../../../merchants/merchant/manage-keys.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { asMaker } from '../../../merchants/user/user.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { type KeyPermission, keyPermissions } from '../../../runtime/triggers/row.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { DEVELOPERS } from '../parts/addresses.ts';
import { type Html, section, shownTime } from '../parts/content.ts';
import { choice, fields, form, formSection, tick, ticks } from '../parts/form.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { aboutKey, kindNames, kindOf, makersOf, secretOnce } from './keys.ts';

export const RollForm = z.object({ overlap: z.enum(overlapNames, 'must be one of the options') });

const overlapWords = { '1h': 'One hour', '24h': '24 hours', '7d': 'Seven days' } as const;

export async function showKey(visit: MerchantVisit<'hint'>, outside: Outside): Promise<Shown> {
  const key = await requireKey(outside, visit.merchant.merchant_id, visit.path.hint);
  return {
    title: `Key …${key.hint}`,
    main: html`${aboutKey(outside, key, (await makersOf(outside, [key]))(key))}
${!key.revoked_at && changes(visit, key)}`,
  };
}

function changes(visit: MerchantVisit<'hint'>, { ends_at }: ApiKey): Html {
  const roll = section('Roll it', [
    html`<p>Creates a new key with the same permissions. The old key keeps working for a while, so you can switch your server over.</p>`,
    form(
      visit,
      { path: '/keys/{hint}/roll', submit: 'Create the new key' },
      choice('overlap', 'This key expires after', {
        value: '24h',
        options: overlapNames.map((name) => [name, overlapWords[name]]),
      }),
    ),
  ]);
  const revoke = section('Revoke it', [
    html`<p>This key will stop working within ${KEY_CACHE_SECONDS} seconds. This cannot be undone.</p>
<p>Texts and reminders that it scheduled will not be sent. Their credits come back.</p>`,
    form(visit, { path: '/keys/{hint}/revoke', submit: 'Revoke this key', isDangerous: true }),
  ]);
  return html`${ends_at ? '' : roll}${revoke}`;
}

/** Rotates a key. Only this response shows the new key. */
export async function rollKey(visit: MerchantVisit<'hint', typeof RollForm>, outside: Outside): Promise<Shown | Going> {
  const { merchant, path, form: given } = visit;
  refuseGiving(visit, (await requireKey(outside, merchant.merchant_id, path.hint)).scope);
  const { key, old, writes, entry } = await prepareRoll(outside, merchant.merchant_id, path.hint, {
    overlap: given.overlap,
    madeBy: asMaker(visit.user),
  });
  const notice = `The new key, which ends in ${key.slice(-4)}, was shown once. Revoke it if you have not copied it.`;
  await visit.commit(writes, { goTo: DEVELOPERS, notice }, entry);
  const more = html`<p>The old key, which ends in ${old.hint}, works until ${shownTime(old.ends_at)}.</p>`;
  return secretOnce({
    title: 'Your new key',
    secret: key,
    noun: 'key',
    next: { path: DEVELOPERS, name: 'Back to all keys' },
    more,
  });
}

export async function revokeKey(visit: MerchantVisit<'hint'>, outside: Outside): Promise<Going> {
  const { hint } = visit.path;
  const { writes, entry } = await prepareRevocation(outside, visit.merchant.merchant_id, hint);
  return visit.commit(writes, { goTo: DEVELOPERS, notice: `The key that ends in ${hint} was revoked.` }, entry);
}

/** Returns true unless the scope contains a restricted permission that the person lacks. */
function mayGive({ user }: Pick<MerchantVisit, 'user'>, scope: readonly KeyPermission[] = []): boolean {
  return scope.every((one) => !namedOnly.has(one) || may(user, one));
}

function refuseGiving(visit: Pick<MerchantVisit, 'user'>, scope: readonly KeyPermission[] | undefined): void {
  if (!mayGive(visit, scope))
    throw new PublicError('forbidden', 'Only an owner can create a key that can read balances.');
}

/** If no box is ticked, the key has no scope. */
export const NewKeyForm = z.object({
  mode: z.enum(['real', 'test'], 'must be live or test'),
  ...ticks(keyPermissions),
});

const explained: Readonly<Record<KeyPermission, string>> = {
  'charges:read': 'See charges',
  'charges:write': 'Create and cancel charges, ask customers to pay',
  'links:write': 'Create and change payment links and their codes, cancel payment requests',
  'receipts:read': 'See payments that were not matched',
  'receipts:assign': 'Assign a payment to a charge',
  'refunds:write': 'Record refunds',
  'texts:read': 'See texts and senders',
  'texts:send': 'Send texts',
  'credits:read': 'See credits',
  'credits:buy': 'Open a checkout page to buy credits',
  'balances:read': 'See your wallets’ balances (only if this box is ticked)',
  'webhooks:read': 'See the webhook and its events',
  'webhooks:write': 'Change and test the webhook (its events contain full transaction IDs)',
};

export async function showNewKey(visit: MerchantVisit<'kind'>): Promise<Shown> {
  const kind = kindOf(visit.path.kind);
  const facts = { path: '/keys/new/{kind}', submit: 'Create the key' };
  const { real, test } = keyPrefixes[kind];
  return {
    title: `New key: ${kindNames[kind].toLowerCase()}`,
    main: formSection(visit, 'What it can do', facts, [
      choice('mode', 'For', {
        value: visit.session.is_test ? 'test' : 'real',
        options: [
          ['real', `Live (${real}…)`],
          ['test', `Test (${test}…)`],
        ],
        hint: 'Live keys are for real payments and texts. In test mode, no money moves and no texts are sent.',
      }),
      fields`<fieldset><legend>Only this</legend><p class="hint">Leave all boxes unticked to allow everything. The less a key can do, the less harm it does in the wrong hands.</p>${scopesOfKind[
        kind
      ]
        .filter((one) => mayGive(visit, [one]))
        .map((one) => tick(one, `${explained[one]} (${one})`))}</fieldset>`,
    ]),
  };
}

export async function makeKey(visit: MerchantVisit<'kind', typeof NewKeyForm>, outside: Outside) {
  const { merchant, form: given, commit, path } = visit;
  const kind = kindOf(path.kind);
  const ticked = keyPermissions.filter((one) => given[one] === 'on');
  refuseGiving(visit, ticked);
  const options = { mode: given.mode, madeBy: asMaker(visit.user), ...(ticked.length > 0 && { scope: ticked }) };
  const { key, writes, entry } = await prepareApiKey(outside, merchant.merchant_id, kind, options);
  // The key is shown once, so a second submission redirects to the list.
  const notice = `A key ending in ${key.slice(-4)} was created and shown once. Revoke it if you have not copied it.`;
  await commit(writes, { goTo: DEVELOPERS, notice }, entry);
  return secretOnce({
    title: 'Your new key',
    secret: key,
    noun: 'key',
    next: { path: DEVELOPERS, name: 'Back to all keys' },
  });
}
