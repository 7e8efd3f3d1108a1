import { keyPermissions } from '../../runtime/triggers/row.ts';

/** All permissions of users and API keys. `operator` applies to all merchants. */
export const permissions = [
  ...keyPermissions,
  'keys:read',
  'keys:write',
  'settings:read',
  'settings:write',
  'settings:approve',
  'team:write',
  'reports:read',
  'audit:read',
  'proof:confirm',
  'codes:read',
  'till:take',
  'operator',
] as const;
export type Permission = (typeof permissions)[number];

export const merchantRoles = ['owner', 'manager', 'cashier', 'viewer', 'developer'] as const;
export const roles = [...merchantRoles, 'operator'] as const;
export type Role = (typeof roles)[number];

const LOOKS: readonly Permission[] = [
  'charges:read',
  'receipts:read',
  'texts:read',
  'credits:read',
  'settings:read',
  'reports:read',
];

/**
 * Permissions by role. Only owners and operators can access wallet balances and payment accounts. Only owners can name
 * a balance, because only they see the wallet.
 */
const permissionsOf: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  owner: new Set(permissions.filter((permission) => permission !== 'operator')),
  manager: new Set([
    ...LOOKS,
    'charges:write',
    'links:write',
    'receipts:assign',
    'refunds:write',
    'texts:send',
    'credits:buy',
    'webhooks:read',
    'keys:read',
    'settings:write',
    'audit:read',
    'codes:read',
    'till:take',
  ]),
  cashier: new Set([
    'charges:read',
    'charges:write',
    'receipts:read',
    'texts:read',
    'texts:send',
    'credits:read',
    'till:take',
  ]),
  viewer: new Set(LOOKS),
  developer: new Set([
    'charges:read',
    'texts:read',
    'credits:read',
    'webhooks:read',
    'webhooks:write',
    'keys:read',
    'keys:write',
    'settings:read',
  ]),
  operator: new Set(permissions.filter((permission) => permission !== 'proof:confirm')),
};

/** Permissions that always apply to the live merchant, even in test mode. */
const ofTheShop: ReadonlySet<Permission> = new Set([
  'keys:read',
  'keys:write',
  'settings:read',
  'settings:write',
  'settings:approve',
  'team:write',
  'audit:read',
  'balances:read',
  'proof:confirm',
]);

export function isOfTheShop(permission: Permission): boolean {
  return ofTheShop.has(permission);
}

/** The permissions of `role`, limited to those of `at_most`. */
export interface Rights {
  readonly role: Role;
  readonly at_most?: Role;
}

export function may({ role, at_most = role }: Rights, permission: Permission): boolean {
  return permissionsOf[role].has(permission) && permissionsOf[at_most].has(permission);
}
