import { parsePhoneNumber } from '../../../ghana/phone-number.ts';
import { NoSuch } from '../../../runtime/values/no-such.ts';
import type { Wallet } from '../../../wallets/chain/chain.table.ts';
import { OPERATOR_PHONES, OPERATOR_WALLETS } from '../addresses.ts';

/** Addresses have numbers without their `+`, which some programs take for a space. */
export function senderAddress(number: string): string {
  return `${OPERATOR_PHONES}/${number.slice(1)}`;
}

export function operatorWalletAddress({ network, momo_number }: Wallet): string {
  return `${OPERATOR_WALLETS}/${network}/${momo_number.slice(1)}`;
}

/** The number in an address. @throws NoSuch where it is none. */
export function numberIn(written: string): string {
  const number = parsePhoneNumber(`+${written}`);
  if (number !== `+${written}`) throw new NoSuch('sender', `There is no number ${written}.`);
  return number;
}
