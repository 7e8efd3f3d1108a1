import { localNumber } from '../../ghana/shown-number.ts';

/** The text that asks a wallet's owner what it holds: a single SMS. It goes to the shop's contact, who need not know it. */
export function balanceQuestion(momoNumber: string): string {
  const local = localNumber(momoNumber);
  return `A text of MoMo ${local} is missing or forged. Its owner has to look in the wallet and say what it holds: at Wallets of the dashboard, or to the operator.`;
}

/**
 * The text that asks about money sent to the bank: a single SMS. How much, and what was left, is on the page alone: whoever forges such a text
 * with a balance would learn from the difference what the wallet holds. Where a yes is not enough, it asks for the balance.
 */
export function pushQuestion(momoNumber: string, isYesEnough: boolean): string {
  const local = localNumber(momoNumber);
  return !isYesEnough
    ? `Did you send money from MoMo ${local} to your bank? Its texts are unclear: name the wallet's balance at Wallets of the dashboard, or to the operator.`
    : `Did you send money from MoMo ${local} to your bank just now? See how much at Wallets of the dashboard, and say yes or no there, or to the operator.`;
}
