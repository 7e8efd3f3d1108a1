import type { Network } from '../../ghana/network.ts';
import { isTestNumber, parsePhoneNumber } from '../../ghana/phone-number.ts';
import type { Reading, WalletPayment } from '../../ghana/wallet-text/reading.ts';
import { accountRows } from '../../merchants/merchant/merchant.table.ts';
import type { PhoneEvent } from '../../phones/gateway/phone-event.table.ts';
import type { Sender } from '../../phones/sender/sender.ts';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { sendersOfPhone } from '../../wallets/wallet/paid-number.ts';
import { namedChargeOf } from '../matching/match.ts';
import { findUse } from '../receipt/receipt.table.ts';
import { paymentReceiptId } from '../receipt/receipt.ts';
import { textsAt } from '../receipt/typed-use.ts';

type OfWallet = WalletPayment | { readonly kind: Exclude<Reading['kind'], 'payment'>; readonly network: Network };

/**
 * Returns the merchant of a text whose number is unknown, if only one merchant is paid on the numbers that the text may
 * be about. Each of these numbers must be an account of this merchant, or the payment must contain the reference of one
 * of the merchant's charges. A reference alone never chooses between merchants, because the payer may type any.
 */
export async function merchantOfPhone(
  outside: TableOutside,
  { phoneEvent, senders, reading }: { phoneEvent: PhoneEvent; senders: readonly Sender[]; reading: OfWallet },
): Promise<string | undefined> {
  const { recipient, simNumber } = phoneEvent.event.payload;
  const { network } = reading;
  const here = sendersOfPhone(phoneEvent, senders);
  const reported = parsePhoneNumber(recipient ?? '');
  if (here.length === 0 || (reported && isTestNumber(reported))) return undefined;
  const numbers = new Set([...here.map(({ number }) => number), ...(reported ? [reported] : [])]);
  const found = await Promise.all(
    [...numbers].map(async (number) => {
      const accounts = await accountRows.list(outside, { number });
      const isOnPhone = here.some((sender) => sender.number === number && sender.network === network);
      return { number, accounts, isOnPhone, isPaid: accounts.some((one) => one.network === network) };
    }),
  );
  const mayBePaid = found.filter((one) => one.isPaid || one.isOnPhone || one.number === reported);
  const [merchantId, ...others] = new Set(mayBePaid.flatMap(({ accounts }) => accounts.map((one) => one.merchant_id)));
  const isPossible = mayBePaid.some(({ isOnPhone }) => isOnPhone) && mayBePaid.some(({ isPaid }) => isPaid);
  if (merchantId === undefined || others.length > 0 || !isPossible) return undefined;
  // A SIM that is not registered may have any number.
  const isRegistered = Boolean(reported) || here.some(({ sim_number }) => (simNumber ?? sim_number) === sim_number);
  const isTheirs = isRegistered && mayBePaid.every(({ isPaid }) => isPaid);
  if (reading.kind !== 'payment') return isTheirs ? merchantId : undefined;
  if (!isTheirs && !(await namedChargeOf(outside, reading, merchantId))) return undefined;
  return (await isKnown(outside, reading, merchantId, [...numbers])) ? undefined : merchantId;
}

/** True if the merchant already sees the payment, through a text with a number or a bill marked as paid. */
async function isKnown(
  outside: TableOutside,
  { network, transactionId: transaction_id }: WalletPayment,
  merchantId: string,
  numbers: readonly string[],
): Promise<boolean> {
  const payment = { network, transaction_id };
  const [texts, use] = await Promise.all([textsAt(outside, payment, numbers), findUse(outside, payment, [merchantId])]);
  const isOther = use !== undefined && use.receipt_id !== paymentReceiptId(network, undefined, transaction_id);
  return isOther || texts.some(({ momo_number }) => momo_number !== undefined);
}
