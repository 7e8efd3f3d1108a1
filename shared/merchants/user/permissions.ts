import { keyPermissions } from '../../runtime/triggers/row.ts';

/**
 * What a person may do at a merchant: what a key may, and more. `operator` is for the people who run the stage, over all merchants.
 */
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

/** What the people of a merchant are. */
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

/** What each role may do. A wallet's balance is for owners and the operator alone, and so is where the money goes. */
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
  operator: new Set(permissions),
};

/** What is about the shop itself, and not about its charges and texts, which test mode has too. */
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

/** Whether what this permission is for is the same in test mode. */
export function isOfTheShop(permission: Permission): boolean {
  return ofTheShop.has(permission);
}

/** Whose rights: those of the role, and of them only what `at_most` has, too. */
export interface Rights {
  readonly role: Role;
  readonly at_most?: Role;
}

export function may({ role, at_most = role }: Rights, permission: Permission): boolean {
  return permissionsOf[role].has(permission) && permissionsOf[at_most].has(permission);
}
