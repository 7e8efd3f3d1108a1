import { HOME } from '../addresses.ts';

export const REPORTS = `${HOME}/reports`;
export const NEW_CHARGE = '/dashboard/charges/new';
export const HELD = '/dashboard/charges/held';
export const FAILED_TEXTS = '/dashboard/texts?status=failed';
export const CREDITS = '/dashboard/texts/credits';
export const WEBHOOKS = '/dashboard/developers/webhooks';

export function chargeAddress(reference: string): string {
  return `/dashboard/charges/${encodeURIComponent(reference)}`;
}

/** Where the owner of a wallet says whether it held what its texts say. */
export function balanceAddress({ network, number }: { readonly network: string; readonly number: string }): string {
  return `${HOME}/balance/${network}/${number.replace(/^\+/, '')}`;
}
