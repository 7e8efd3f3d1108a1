import { readWalletText } from '../../ghana/wallet-text/read-wallet-text.ts';
import { isImpossible, type Reading, unclearMovementOf, type WalletMovement } from '../../ghana/wallet-text/reading.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import type { Wallet } from '../../wallets/chain/chain.table.ts';
import { type Movement, movementOf } from '../../wallets/chain/chain.ts';
import type { Unclear } from '../../wallets/chain/pass-unclear.ts';
import type { Unproven } from '../../wallets/chain/proof.ts';
import { type Push, pushOf } from '../../wallets/chain/push.ts';
import { type ArrivedText, paidNumber, receivedMs } from '../../wallets/wallet/paid-number.ts';
import { isPayment, paymentReceiptId, type Receipt } from './receipt.ts';

export interface WalletText {
  readonly wallet: Wallet;
  readonly movement: Movement | undefined;
  readonly push?: Push | undefined;
  /** Set for a text that can be read in two ways. */
  readonly unclear?: Unclear | undefined;
  readonly reason?: Extract<Unproven, 'balance_impossible'>;
}

export function walletTextOf({ phoneEvent, reading, senders }: ArrivedText): WalletText | undefined {
  const momo_number = paidNumber(phoneEvent, senders);
  if (!momo_number) return undefined;
  const { sender, message } = phoneEvent.event.payload;
  const arrived_ms = Date.parse(phoneEvent.arrived_at);
  const moved = unclearMovementOf(reading, { at_ms: receivedMs(phoneEvent) });
  if (moved && reading.kind === 'unclear') {
    const text_hash = sha256(message).slice(0, 32);
    return {
      wallet: { network: reading.network, momo_number },
      movement: undefined,
      unclear: { ...moved, arrived_ms, text_hash },
    };
  }
  return textOfWallet(momo_number, reading, { sender, at_ms: receivedMs(phoneEvent), arrived_ms });
}

/** Returns what a text to a wallet says about its balance. Returns undefined if the text reports no money. */
export function textOfWallet(
  momo_number: string,
  reading: Reading,
  origin: Pick<Movement, 'sender' | 'at_ms' | 'arrived_ms'>,
): WalletText | undefined {
  if (reading.kind !== 'payment' && reading.kind !== 'money_in' && reading.kind !== 'money_out') return undefined;
  const wallet = { network: reading.network, momo_number };
  // A text with an impossible balance never waits for a position in the chain.
  if (isImpossible(reading)) return { wallet, movement: undefined, reason: 'balance_impossible' };
  const movement = movementOf(reading, {
    ...origin,
    // The balance chain identifies a text by the receipt id of its payment. A conflicting receipt has a different id.
    ...(reading.kind === 'payment' && {
      receipt_id: paymentReceiptId(reading.network, momo_number, reading.transactionId),
    }),
    ...(reading.kind === 'money_out' && { facts_hash: hashOf(reading) }),
  });
  const { at_ms, arrived_ms } = origin;
  return { wallet, movement, push: pushOf(reading, { at_ms, arrived_ms }) };
}

/**
 * Hashes the payee and the amount, ignoring case, which varies between copies of a text. The fee is not hashed, because
 * it follows from the amount and the balances.
 */
function hashOf({ amountPesewas, counterparty, sentTo }: WalletMovement): string {
  const facts = [amountPesewas, counterparty, sentTo?.name, sentTo?.phone];
  return sha256(JSON.stringify(facts).toLowerCase()).slice(0, 32);
}

/** Parses a receipt's text again. Returns undefined if that is impossible, for example after the text was erased. */
export function readReceipt(receipt: Receipt) {
  const read = isPayment(receipt) ? readPaymentText(receipt) : undefined;
  return read && isPayment(receipt) ? { receipt, ...read } : undefined;
}

/** Parses the payment in a receipt's text, even if the text was left unread because nothing verified its balance. */
export function readPaymentText({ sender, text, momo_number, received_at }: Receipt) {
  const payment = sender && text ? readWalletText(sender, text) : undefined;
  if (payment?.kind !== 'payment' || !sender || !momo_number) return undefined;
  const at_ms = Date.parse(received_at);
  const walletText = textOfWallet(momo_number, payment, { sender, at_ms, arrived_ms: at_ms });
  return walletText && { payment, walletText };
}
