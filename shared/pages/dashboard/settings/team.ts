import { html } from 'hono/html';
import { listPasskeys } from '../../../merchants/user/passkey.table.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { listUsers } from '../../../merchants/user/user.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { TEAM } from '../addresses.ts';
import { pill } from '../parts/status.ts';
import { table } from '../parts/table.ts';
import { shownDay } from '../shown-time.ts';
import type { MerchantVisit, Shown } from '../visit.ts';

/** The people of a merchant. */
export async function showTeam({ merchant, user }: MerchantVisit, outside: Outside): Promise<Shown> {
  const users = await listUsers(outside, merchant.merchant_id);
  const mayChange = may(user, 'team:write');
  // Few people work at a shop, and this page is opened rarely: a read for each.
  const passkeys = await Promise.all(users.map(({ user_id }) => listPasskeys(outside, user_id)));
  const rows = users.map(({ user_id, name, role, created_at }, n) => {
    const isYou = user_id === user.user_id;
    const state = isYou || passkeys[n]?.length ? '' : pill('waiting', 'Invited');
    return {
      ...(mayChange && { href: `${TEAM}/${user_id}` }),
      cells: [isYou ? `${name} (you)` : name, role, shownDay(created_at), state],
    };
  });
  return {
    title: 'Team',
    main: html`${mayChange && html`<p><a class="button" href="${TEAM}/invite">Invite somebody</a></p>`}
${table('The people of this shop', [{ name: 'Name' }, { name: 'Role' }, { name: 'Since' }, { name: 'State' }], rows)}`,
  };
}
