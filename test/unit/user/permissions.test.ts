import { expect, test } from 'vitest';
import { isOfTheShop, may, permissions, roles } from '../../../shared/merchants/user/permissions.ts';

/** Lists all permissions again, so that every change is deliberate. */
const TABLE = `
                   owner manager cashier viewer developer operator
  charges:read     yes   yes     yes     yes    yes       yes
  charges:write    yes   yes     yes     -      -         yes
  links:write      yes   yes     -       -      -         yes
  receipts:read    yes   yes     yes     yes    -         yes
  receipts:assign  yes   yes     -       -      -         yes
  refunds:write    yes   yes     -       -      -         yes
  texts:read       yes   yes     yes     yes    yes       yes
  texts:send       yes   yes     yes     -      -         yes
  credits:read     yes   yes     yes     yes    yes       yes
  credits:buy      yes   yes     -       -      -         yes
  balances:read    yes   -       -       -      -         yes
  webhooks:read    yes   yes     -       -      yes       yes
  webhooks:write   yes   -       -       -      yes       yes
  keys:read        yes   yes     -       -      yes       yes
  keys:write       yes   -       -       -      yes       yes
  settings:read    yes   yes     -       yes    yes       yes
  settings:write   yes   yes     -       -      -         yes
  settings:approve yes   -       -       -      -         yes
  team:write       yes   -       -       -      -         yes
  reports:read     yes   yes     -       yes    -         yes
  audit:read       yes   yes     -       -      -         yes
  proof:confirm    yes   -       -       -      -         -
  codes:read       yes   yes     -       -      -         yes
  till:take        yes   yes     yes     -      -         yes
  operator         -     -       -       -      -         yes`;

test('each role has exactly the listed permissions', () => {
  const [head = [], ...rows] = TABLE.trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/));
  expect(head).toEqual(roles);
  const is = permissions.map((permission) => [
    permission,
    ...roles.map((role) => (may({ role }, permission) ? 'yes' : '-')),
  ]);
  expect(is).toEqual(rows);
});

test('a person with a limit has only the permissions of both roles', () => {
  const allowed = (rights: Parameters<typeof may>[0]) => permissions.filter((permission) => may(rights, permission));
  expect(allowed({ role: 'owner', at_most: 'cashier' })).toEqual(allowed({ role: 'cashier' }));
  expect(allowed({ role: 'viewer', at_most: 'cashier' })).toEqual([
    'charges:read',
    'receipts:read',
    'texts:read',
    'credits:read',
  ]);
});

test('in test mode, only the listed permissions apply to the live merchant', () => {
  expect(permissions.filter(isOfTheShop)).toEqual([
    'balances:read',
    'keys:read',
    'keys:write',
    'settings:read',
    'settings:write',
    'settings:approve',
    'team:write',
    'audit:read',
    'proof:confirm',
  ]);
});
