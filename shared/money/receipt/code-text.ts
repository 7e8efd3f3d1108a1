import { shownMoney } from '../../ghana/money.ts';
import { fitName } from '../../texts/sms/segments.ts';
import type { Transaction } from '../transaction/transaction.table.ts';

/** The text that carries a code to the number that paid: a single SMS, however long the merchant's name. */
export function codeText(
  code: string,
  { merchant_name }: Pick<Transaction, 'merchant_name'>,
  amountPesewas: number,
): string {
  return fitName(
    merchant_name,
    { orElse: 'the shop', maxSegments: 1 },
    (name) =>
      `${code} is your code to confirm ${shownMoney(amountPesewas)} to ${name}. Nobody from the shop or the network will ask you for it.`,
  );
}
