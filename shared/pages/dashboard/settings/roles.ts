import { merchantRoles } from '../../../merchants/user/permissions.ts';
import type { Html } from '../html.ts';
import { facts } from '../parts/status.ts';

/** What each role is for, in the words of a shop. */
const uses: Readonly<Record<(typeof merchantRoles)[number], string>> = {
  owner: 'everything: also where the money goes, and who else may do what',
  manager: 'charges, held payments, refunds, texts and settings; an owner approves numbers, names and higher limits',
  cashier: 'charges and texts',
  viewer: 'looks, and changes nothing',
  developer: 'API keys and webhooks',
};

/** For a choice. */
export const roleOptions = merchantRoles.map((role) => [role, role] as const);

export function rolesExplained(): Html {
  return facts(merchantRoles.map((role) => [role, uses[role]]));
}
