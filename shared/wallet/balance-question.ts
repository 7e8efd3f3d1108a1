import { shownAmount } from '../ghana/money.ts';

/** The text that asks a wallet's owner what it holds: a single SMS. It goes to the shop's contact, who need not know it. */
export function balanceQuestion(momoNumber: string): string {
  const local = momoNumber.replace('+233', '0');
  return `A text of MoMo ${local} is missing or forged. Its owner has to look in the wallet and say what it holds: at Wallets of the dashboard, or to the operator.`;
}

/**
 * The text that asks about money sent to the bank: a single SMS. What was left of which balance is on the page. Without an amount, as two
 * texts differ, a yes would not be enough.
 */
export function pushQuestion(momoNumber: string, amountPesewas: number | undefined): string {
  const local = momoNumber.replace('+233', '0');
  return amountPesewas === undefined
    ? `Did you send money from MoMo ${local} to your bank? Its texts are unclear: name the wallet's balance at Wallets of the dashboard, or to the operator.`
    : `Did you send GHS ${shownAmount(amountPesewas)} from MoMo ${local} to your bank? Say yes or no at Wallets of the dashboard, or to the operator.`;
}
