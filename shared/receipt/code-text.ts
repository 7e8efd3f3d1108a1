import { shownAmount } from '../ghana/money.ts';
import { sizeOf } from '../sms/segments.ts';
import type { Transaction } from '../transaction/transaction.table.ts';

/** The text that carries a code to the number that paid: a single SMS, however long the merchant's name. */
export function codeText(
  code: string,
  { merchant_name }: Pick<Transaction, 'merchant_name'>,
  amountPesewas: number,
): string {
  const textTo = (name: string) =>
    `${code} is your code to confirm GHS ${shownAmount(amountPesewas)} to ${name}. Nobody from the shop or the network will ask you for it.`;
  let name = plainName(merchant_name);
  while (sizeOf(textTo(name)).segments > 1) name = name.slice(0, -1).trimEnd();
  return textTo(name || 'the shop');
}

/** A name in the characters of a GSM-7 SMS, on one line. Characters without an equivalent are left out. */
function plainName(name: string): string {
  return [...name.replace(/ɛ/g, 'e').replace(/Ɛ/g, 'E').replace(/ɔ/g, 'o').replace(/Ɔ/g, 'O').normalize('NFKD')]
    .filter((character) => sizeOf(character).encoding === 'GSM-7')
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}
