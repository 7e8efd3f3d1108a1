import { html } from 'hono/html';
import * as z from 'zod/mini';
import { recordAudit } from '../../../merchants/audit/audit.table.ts';
import { type ApiKey, KEY_CACHE_SECONDS, revokeApiKey } from '../../../merchants/merchant/api-key.table.ts';
import { requestsPerSecondOf } from '../../../merchants/merchant/api-key.ts';
import { isValid, overlapNames, prepareRoll, requireKey } from '../../../merchants/merchant/manage-keys.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { DEVELOPERS } from '../addresses.ts';
import type { Html } from '../html.ts';
import { choice } from '../parts/field.ts';
import { form } from '../parts/form.ts';
import { facts, section } from '../parts/status.ts';
import { shownTime } from '../shown-time.ts';
import type { Going, MerchantVisit, Shown } from '../visit.ts';
import { kindNames } from './key-kind.ts';
import { keyState, lastUse, shownKey } from './keys.ts';
import { secretOnce } from './secret-once.ts';

export const RollForm = z.object({ overlap: z.enum(overlapNames, 'must be one of the times') });

const overlapWords = { '1h': 'One hour', '24h': '24 hours', '7d': 'Seven days' } as const;

/** One key, and what can be done about it. */
export async function showKey(visit: MerchantVisit<'hint'>, outside: Outside): Promise<Shown> {
  const key = await requireKey(outside, visit.merchant.merchant_id, visit.path.hint);
  return {
    title: `Key …${key.hint}`,
    main: html`${section(
      'About it',
      facts([
        ['Key', shownKey(key)],
        ['State', keyState(outside, key)],
        ['For', kindNames[key.kind]],
        ['May', key.scope?.join(', ') ?? 'Everything that its kind may'],
        ['Requests a second', String(requestsPerSecondOf(key))],
        ['Last used', lastUse(outside, key)],
        ['Created', shownTime(key.created_at)],
        ['Revoked', key.revoked_at && shownTime(key.revoked_at)],
      ]),
    )}
${isValid(outside, key) && changes(visit, key)}
<p><a href="${DEVELOPERS}">All keys</a></p>`,
  };
}

function changes(visit: MerchantVisit<'hint'>, { hint, ends_at }: ApiKey): Html {
  const facts = (what: string, submit: string) => ({
    path: `/keys/{hint}/${what}`,
    action: `${DEVELOPERS}/keys/${hint}/${what}`,
    submit,
  });
  const roll = section('Roll it', [
    html`<p>Makes a new key with the same permissions. This one goes on working for a while, so that you can change your server over without a failure.</p>`,
    form(visit, facts('roll', 'Make the new key'), (filled) =>
      choice(filled, {
        name: 'overlap',
        label: 'This one ends after',
        value: '24h',
        options: overlapNames.map((name) => [name, overlapWords[name]]),
      }),
    ),
  ]);
  const revoke = section('Revoke it', [
    html`<p>Whatever uses it is refused from now on, everywhere within ${KEY_CACHE_SECONDS} seconds. It cannot be taken back.</p>`,
    form(visit, { ...facts('revoke', 'Revoke this key'), isDangerous: true }, () => []),
  ]);
  return html`${ends_at ? '' : roll}${revoke}`;
}

/** A new key in place of this one, shown on this answer alone. */
export async function rollKey(
  visit: MerchantVisit<'hint', z.infer<typeof RollForm>>,
  outside: Outside,
): Promise<Shown | Going> {
  const { merchant, path, form: given } = visit;
  const { key, ends_at, writes } = await prepareRoll(outside, merchant.merchant_id, path.hint, given.overlap);
  const notice = `The key that took its place was shown once: revoke it if you have not copied it. It ends in ${key.slice(-4)}.`;
  await visit.commit(
    [...writes, entry(visit, outside, 'key roll', { overlap: given.overlap, new_key: key.slice(-4) })],
    { goTo: DEVELOPERS, notice },
  );
  const more = html`<p>The old key, which ends in ${path.hint}, works until ${shownTime(ends_at)}.</p>`;
  return secretOnce('Your new key', key, 'key', { path: DEVELOPERS, name: 'To all keys' }, more);
}

export async function revokeKey(visit: MerchantVisit<'hint'>, outside: Outside): Promise<Going> {
  const key = await requireKey(outside, visit.merchant.merchant_id, visit.path.hint);
  const writes = [revokeApiKey(outside, key.hash), entry(visit, outside, 'key revoke')];
  return visit.commit(writes, { goTo: DEVELOPERS, notice: `The key that ends in ${key.hint} was revoked.` });
}

function entry(
  { merchant, user, path }: MerchantVisit<'hint', unknown>,
  outside: Outside,
  action: string,
  after?: Readonly<Record<string, string>>,
) {
  const about = { merchant_id: merchant.merchant_id, by: user.user_id, action, about: path.hint };
  return recordAudit(outside, { ...about, ...(after && { after }) });
}
