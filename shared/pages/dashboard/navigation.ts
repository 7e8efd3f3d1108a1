import { may, type Permission } from '../../merchants/user/permissions.ts';
import type { User } from '../../merchants/user/user.table.ts';
import {
  MERCHANT_WALLETS,
  OPERATOR_MERCHANTS,
  OPERATOR_PHONES,
  OPERATOR_REPAIR,
  OPERATOR_WALLETS,
  SETTINGS,
  TEAM,
} from './addresses.ts';
import { icons } from './icons.ts';

/** A page that the navigation leads to. */
export interface Entry {
  readonly name: string;
  readonly path: string;
  readonly needs: Permission;
  readonly icon: string;
}

/** A merchant's pages. The first four are in the bar at the bottom of a phone's screen. */
const merchantEntries: readonly Entry[] = [
  { name: 'Today', path: '/dashboard/today', needs: 'charges:read', icon: icons.today },
  { name: 'Charges', path: '/dashboard/charges', needs: 'charges:read', icon: icons.charges },
  { name: 'Held', path: '/dashboard/charges/held', needs: 'receipts:read', icon: icons.held },
  { name: 'Texts', path: '/dashboard/texts', needs: 'texts:read', icon: icons.texts },
  { name: 'Wallets', path: MERCHANT_WALLETS, needs: 'balances:read', icon: icons.money },
  { name: 'Reports', path: '/dashboard/today/reports', needs: 'reports:read', icon: icons.reports },
  { name: 'Developers', path: '/dashboard/developers', needs: 'keys:read', icon: icons.developers },
  { name: 'Settings', path: SETTINGS, needs: 'settings:read', icon: icons.settings },
  { name: 'Team', path: TEAM, needs: 'settings:read', icon: icons.team },
  { name: 'Audit', path: '/dashboard/settings/audit', needs: 'audit:read', icon: icons.repair },
];

/** The operator's pages. */
const operatorEntries: readonly Entry[] = [
  { name: 'Phones', path: OPERATOR_PHONES, needs: 'operator', icon: icons.phones },
  { name: 'Wallets', path: OPERATOR_WALLETS, needs: 'operator', icon: icons.money },
  { name: 'Merchants', path: OPERATOR_MERCHANTS, needs: 'operator', icon: icons.team },
  { name: 'Unassigned', path: `${OPERATOR_MERCHANTS}/unassigned`, needs: 'operator', icon: icons.held },
  { name: 'Repair', path: OPERATOR_REPAIR, needs: 'operator', icon: icons.repair },
];

/** How many pages a thumb reaches; beside them is the way to the others. */
export const BAR_ENTRIES = 4;

/** The pages that a person may open, of the merchant that is open and of the operator's. */
export function entriesFor(user: User, hasMerchant: boolean): readonly Entry[] {
  const entries = [...(hasMerchant ? merchantEntries : []), ...operatorEntries];
  return entries.filter(({ needs }) => may(user, needs));
}
