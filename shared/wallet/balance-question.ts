/** The text that asks a wallet's owner what it holds: a single SMS. It goes to the shop's contact, who need not know it. */
export function balanceQuestion(momoNumber: string): string {
  const local = momoNumber.replace('+233', '0');
  return `A text of MoMo ${local} is missing or forged. Its owner has to look in the wallet and say what it holds: at Wallets of the dashboard, or to the operator.`;
}
