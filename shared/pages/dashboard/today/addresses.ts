import type { Wallet } from '../../../wallets/chain/chain.table.ts';
import { DEVELOPERS, HOME, TEXTS } from '../addresses.ts';
import { CHARGES } from '../charges/addresses.ts';

export const REPORTS = `${HOME}/reports`;
export const NEW_CHARGE = `${CHARGES}/new`;
export const FAILED_TEXTS = `${TEXTS}?status=failed`;
export const CREDITS = `${TEXTS}/credits`;
export const WEBHOOKS = `${DEVELOPERS}/webhooks`;

/** Where the owner of a wallet says whether it held what its texts say. */
export function balanceAddress({ network, momo_number }: Wallet): string {
  return `${HOME}/balance/${network}/${momo_number.slice(1)}`;
}
