import { html } from 'hono/html';
import { may } from '../../../merchants/user/permissions.ts';
import { CHANGES } from '../addresses.ts';
import type { Html } from '../html.ts';
import type { MerchantVisit } from '../visit.ts';

/** Says to those whose changes wait that they do, and of which the others are. */
export function ownerDecides({ user }: Pick<MerchantVisit, 'user'>): Html | undefined {
  if (!may(user, 'settings:write') || may(user, 'settings:approve')) return undefined;
  return html`<p class="hint">A new number, another order, another name or a higher limit <a href="${CHANGES}">waits for an owner</a>. Removing a number or lowering a limit acts at once.</p>`;
}
