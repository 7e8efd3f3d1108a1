import { shownAmount } from '../ghana/money.ts';

/** The text that asks a wallet's owner whether it holds so much: a single SMS. */
export function balanceQuestion(momoNumber: string, balancePesewas: number): string {
  const local = momoNumber.replace('+233', '0');
  return `Is the balance of MoMo ${local} now GHS ${shownAmount(balancePesewas)}? One of its texts is missing or forged. Look in the wallet and tell your operator: yes or no.`;
}

/** The text that asks about money sent to the bank: a single SMS. Without an amount, as two texts differ, a yes would not be enough. */
export function pushQuestion(momoNumber: string, balancePesewas: number, amountPesewas: number | undefined): string {
  const local = momoNumber.replace('+233', '0');
  return amountPesewas === undefined
    ? `Did you send money from MoMo ${local} to your bank? Its texts are unclear. Look in the wallet and tell your operator the balance that it shows.`
    : `Did you send GHS ${shownAmount(amountPesewas)} from MoMo ${local} to your bank, leaving GHS ${shownAmount(balancePesewas)}? Tell your operator: yes or no.`;
}
