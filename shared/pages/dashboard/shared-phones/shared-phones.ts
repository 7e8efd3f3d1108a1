import { html } from 'hono/html';
import { isPhoneLocked } from '../../../merchants/user/pin-tries.ts';
import { listSharedPhones, type SharedPhone } from '../../../merchants/user/shared-phone.table.ts';
import { namesOf } from '../../../merchants/user/user.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { SHARED_PHONES } from '../parts/addresses.ts';
import { ago, emptyState, type Html, pill } from '../parts/content.ts';
import { table } from '../parts/list.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';

export async function showSharedPhones({ merchant }: MerchantVisit, outside: Outside): Promise<Shown> {
  const phones = await listSharedPhones(outside, merchant.merchant_id);
  const names = await namesOf(
    outside,
    phones.map(({ added_by }) => added_by),
  );
  const list = table(phones, {
    caption: 'This shop’s shared phones',
    href: ({ phone_id }) => `${SHARED_PHONES}/${phone_id}`,
    columns: {
      Name: ({ name }) => name,
      'Added by': ({ added_by }) => names.get(added_by) ?? 'Support',
      Browser: ({ browser = '' }) => browser,
      'Last used': ({ used_at }) => (used_at ? ago(outside, used_at) : 'Never used'),
      State: phonePill,
    },
    isCompact: true,
    nothing: emptyState('None yet', 'Add a cashier to create the first shared phone.'),
  });
  return {
    title: 'Shared phones',
    actions: [{ name: 'Add a cashier', address: `${SHARED_PHONES}/add` }],
    main: html`<p>On a shared phone, people sign in with a six-digit PIN. Everyone then has a cashier’s permissions, whatever their role. A phone that is not used for 30 days is removed automatically.</p>
${list}`,
  };
}

export function phonePill(phone: SharedPhone): Html {
  if (phone.link_hash !== undefined) return pill('waiting', 'Link not opened');
  if (phone.copied_at !== undefined) return pill('look', 'Copied');
  return isPhoneLocked(phone) ? pill('look', 'Locked') : pill('good', 'In use');
}
