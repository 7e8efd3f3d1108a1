import type { Network } from '../../ghana/network.ts';
import { isTestNumber, parsePhoneNumber } from '../../ghana/phone-number.ts';
import type { Reading, WalletPayment } from '../../ghana/wallet-text/reading.ts';
import { accountRows } from '../../merchants/merchant/merchant.table.ts';
import type { PhoneEvent } from '../../phones/gateway/phone-event.table.ts';
import type { Sender } from '../../phones/sender/sender.ts';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { sendersOfPhone } from '../../wallets/wallet/paid-number.ts';
import { namedChargeOf } from '../matching/match.ts';
import { findUse, receiptRows } from '../receipt/receipt.table.ts';
import {
  isDoubtOnly,
  isPayment,
  isSameText,
  isUndoneMark,
  type PaymentReceipt,
  type Receipt,
} from '../receipt/receipt.ts';
import { textsAt } from '../receipt/texts-of-payment.ts';
import { isTextOf } from './matched-receipt.ts';

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
  return isTheirs || (await namedChargeOf(outside, reading, merchantId)) ? merchantId : undefined;
}

/** A payment's text without a SIM number, before anything is decided about it. */
type Unnumbered = Omit<PaymentReceipt, 'state'>;

/**
 * Decides if a merchant sees a payment whose number is unknown. A payment that the merchant already sees in another way
 * is hidden.
 */
export async function ownerOfText(
  outside: TableOutside,
  text: Unnumbered,
  merchantId: string,
  { event }: PhoneEvent,
): Promise<Pick<Receipt, 'merchant_id' | 'known_to'>> {
  const reported = parsePhoneNumber(event.payload.recipient ?? '');
  const isHidden = await isKnown(outside, text, merchantId, { reported });
  return isHidden ? { merchant_id: undefined, known_to: merchantId } : { merchant_id: merchantId, known_to: undefined };
}

/**
 * Returns a hidden payment as shown to its merchant and to be decided again, if the merchant no longer sees it in another
 * way.
 * `undone`: the mark as paid that is being undone.
 */
export async function shownAgain(outside: TableOutside, text: Receipt, undone?: Receipt): Promise<Receipt | undefined> {
  const { state, reason, merchant_id, known_to } = text;
  if (state !== 'held' || merchant_id !== undefined || known_to === undefined || !isPayment(text)) return undefined;
  if (await isKnown(outside, text, known_to, { undone })) return undefined;
  const isContradicted = reason === 'conflict' && text.reversal_doubt_at === undefined;
  const shown = { merchant_id: known_to, known_to: undefined, ...(!isContradicted && { reason: 'checking' as const }) };
  return { ...text, ...shown };
}

/**
 * True if the merchant already sees the payment, through a text with a number or a bill marked as paid. An undone mark
 * and an early doubt about a reversal show no payment. A mark or a payment that the text contradicts shows another
 * payment.
 */
async function isKnown(
  outside: TableOutside,
  text: Unnumbered,
  merchantId: string,
  { reported, undone }: { readonly reported?: string | undefined; readonly undone?: Receipt | undefined },
): Promise<boolean> {
  const isOther = ({ receipt_id }: Pick<Receipt, 'receipt_id'>) =>
    receipt_id !== text.receipt_id && !(undone?.marked && receipt_id === undone.receipt_id);
  const [texts, use, named] = await Promise.all([
    textsAt(outside, text, [...(text.numbers_of_phone ?? []), reported]),
    findUse(outside, text, [merchantId]),
    namedChargeOf(outside, { reference: text.payer_reference ?? null }, merchantId),
  ]);
  const used = use && isOther(use) ? await receiptRows.find(outside, use) : undefined;
  const isContradicted = (one: Receipt) =>
    one.merchant_id === merchantId &&
    (one.marked ? one.state === 'matched' && !isTextOf(one, text, named) : isPayment(one) && !isSameText(one, text));
  // Another merchant's payment with this id shows this merchant nothing.
  const isForeign = used !== undefined && used.merchant_id !== merchantId;
  if (use && isOther(use) && !isForeign && !(used && isContradicted(used))) return true;
  return texts
    .filter((one) => isOther(one) && one.momo_number !== undefined)
    .some((one) => !isUndoneMark(one) && !isDoubtOnly(one) && !isContradicted(one));
}
