import { parsePhoneNumber } from '../../../ghana/phone-number.ts';
import { localNumber } from '../../../ghana/shown-number.ts';
import type { Merchant, MomoAccount } from '../../../merchants/merchant/merchant.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { SETTINGS } from '../addresses.ts';

export const NUMBERS = `${SETTINGS}/numbers`;

export function numberAddress(number: string): string {
  return `${NUMBERS}/${localNumber(number)}`;
}

/** The account that a path names. @throws PublicError `not_found` for a number that is not this merchant's. */
export function accountOf({ momo_accounts }: Merchant, written: string): MomoAccount {
  const number = parsePhoneNumber(written);
  const account = momo_accounts.find((one) => one.number === number);
  if (!account) throw new PublicError('not_found', 'You are not paid on this number.');
  return account;
}
