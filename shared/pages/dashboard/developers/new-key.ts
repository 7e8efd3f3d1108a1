import { html } from 'hono/html';
import * as z from 'zod/mini';
import { recordAudit } from '../../../merchants/audit/audit.table.ts';
import { keyPrefixes, scopesOfKind } from '../../../merchants/merchant/api-key.ts';
import { prepareApiKey } from '../../../merchants/merchant/manage-keys.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { type KeyPermission, keyPermissions } from '../../../runtime/triggers/row.ts';
import { DEVELOPERS } from '../addresses.ts';
import { choice, tick } from '../parts/field.ts';
import { form } from '../parts/form.ts';
import { section } from '../parts/status.ts';
import type { Going, MerchantVisit, Shown } from '../visit.ts';
import { kindNames, kindOf } from './key-kind.ts';
import { secretOnce } from './secret-once.ts';

const Tick = z.optional(z.literal('on'));

/** Without a tick the key has no scope. */
export const NewKeyForm = z.object({
  mode: z.enum(['real', 'test'], 'must be live or test'),
  'charges:read': Tick,
  'charges:write': Tick,
  'receipts:read': Tick,
  'receipts:assign': Tick,
  'refunds:write': Tick,
  'texts:read': Tick,
  'texts:send': Tick,
  'credits:read': Tick,
  'webhooks:read': Tick,
  'webhooks:write': Tick,
} satisfies Record<KeyPermission | 'mode', unknown>);

const explained: Readonly<Record<KeyPermission, string>> = {
  'charges:read': 'See charges',
  'charges:write': 'Create and cancel charges',
  'receipts:read': 'See payments that were not matched',
  'receipts:assign': 'Give a payment to a charge',
  'refunds:write': 'Note refunds',
  'texts:read': 'See texts and senders',
  'texts:send': 'Send texts',
  'credits:read': 'See credits',
  'webhooks:read': 'See the webhook and its events',
  'webhooks:write': 'Change and test the webhook',
};

/** Where a key is made. */
export async function showNewKey(visit: MerchantVisit<'kind'>): Promise<Shown> {
  const kind = kindOf(visit.path.kind);
  const facts = { path: '/keys/new/{kind}', action: `${DEVELOPERS}/keys/new/${kind}`, submit: 'Make the key' };
  const { real, test } = keyPrefixes[kind];
  return {
    title: `New key: ${kindNames[kind].toLowerCase()}`,
    main: section(
      'What it may do',
      form(visit, facts, (filled) => [
        choice(filled, {
          name: 'mode',
          label: 'For',
          value: visit.session.is_test ? 'test' : 'real',
          options: [
            ['real', `Live: real payments and texts (${real}…)`],
            ['test', `Test: no money, no phones (${test}…)`],
          ],
        }),
        html`<fieldset><legend>Only this</legend><p class="hint">Tick nothing and it may do all of it. The less a key may do, the less harm it does in the wrong hands.</p>${scopesOfKind[
          kind
        ].map((one) => tick(filled, { name: one, label: `${explained[one]} (${one})` }))}</fieldset>`,
      ]),
    ),
  };
}

/** Makes a key, which is shown on this answer alone. */
export async function makeKey(
  visit: MerchantVisit<'kind', z.infer<typeof NewKeyForm>>,
  outside: Outside,
): Promise<Shown | Going> {
  const { merchant, form: given, user, commit, path } = visit;
  const kind = kindOf(path.kind);
  const ticked = keyPermissions.filter((one) => given[one] === 'on');
  const options = { mode: given.mode, ...(ticked.length > 0 && { scope: ticked }) };
  const { key, writes } = await prepareApiKey(outside, merchant.merchant_id, kind, options);
  const hint = key.slice(-4);
  const noted = recordAudit(outside, {
    merchant_id: merchant.merchant_id,
    by: user.user_id,
    action: 'key create',
    about: hint,
    after: { kind, test: given.mode === 'test', ...(ticked.length > 0 && { scope: ticked.join(', ') }) },
  });
  // A second tap leads to the list: the key can be seen once.
  const notice = `A key that ends in ${hint} was made. It was shown once: revoke it if you have not copied it.`;
  await commit([...writes, noted], { goTo: DEVELOPERS, notice });
  return secretOnce('Your new key', key, 'key', { path: DEVELOPERS, name: 'To all keys' });
}
