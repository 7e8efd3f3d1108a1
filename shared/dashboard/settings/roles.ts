import { merchantRoles } from '../../user/permissions.ts';

/** What each role is for, in the words of a shop. */
const roleNames: Readonly<Record<(typeof merchantRoles)[number], string>> = {
  owner: 'Owner: everything, and who else may do what',
  manager: 'Manager: charges, held payments, refunds and texts',
  cashier: 'Cashier: charges and texts, without settings',
  viewer: 'Viewer: looks and changes nothing',
  developer: 'Developer: API keys and webhooks',
};

/** For a choice. */
export const roleOptions = merchantRoles.map((role) => [role, roleNames[role]] as const);
