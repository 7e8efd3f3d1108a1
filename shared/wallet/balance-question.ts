import { shownAmount } from '../ghana/money.ts';

/** The text that asks a wallet's owner whether it holds so much: a single SMS. */
export function balanceQuestion(momoNumber: string, balancePesewas: number): string {
  const local = momoNumber.replace('+233', '0');
  return `Is the balance of MoMo ${local} now GHS ${shownAmount(balancePesewas)}? One of its texts is missing or forged. Look in the wallet and tell your operator: yes or no.`;
}
