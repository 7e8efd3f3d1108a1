import { readWalletText } from '../../ghana/wallet-text/read-wallet-text.ts';
import { isImpossible, type Reading, type WalletMovement } from '../../ghana/wallet-text/reading.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import type { Wallet } from '../../wallets/chain/chain.table.ts';
import { type Movement, movementOf } from '../../wallets/chain/chain.ts';
import type { Unproven } from '../../wallets/chain/proof.ts';
import { type Push, pushOf } from '../../wallets/chain/push.ts';
import { type ArrivedText, paidNumber, receivedMs } from '../../wallets/wallet/paid-number.ts';
import { isPayment, type PaymentReceipt, paymentReceiptId, type Receipt } from './receipt.ts';

export interface WalletText {
  readonly wallet: Wallet;
  readonly movement: Movement | undefined;
  readonly push?: Push | undefined;
  readonly reason?: Extract<Unproven, 'balance_impossible'>;
}

export function walletTextOf({ phoneEvent, reading, senders }: ArrivedText): WalletText | undefined {
  if (reading.kind !== 'payment' && reading.kind !== 'money_in' && reading.kind !== 'money_out') return undefined;
  const momo_number = paidNumber(phoneEvent, senders);
  if (!momo_number) return undefined;
  const { network } = reading;
  if (isImpossible(reading)) return impossible({ network, momo_number });
  const movement = movementOf(reading, {
    sender: phoneEvent.event.payload.sender,
    at_ms: receivedMs(phoneEvent),
    arrived_ms: Date.parse(phoneEvent.arrived_at),
    ...(reading.kind === 'payment' && { receipt_id: paymentReceiptId(network, momo_number, reading.transactionId) }),
    ...(reading.kind === 'money_out' && { facts_hash: hashOf(reading) }),
  });
  const push = pushOf(reading, { at_ms: receivedMs(phoneEvent), arrived_ms: Date.parse(phoneEvent.arrived_at) });
  return { wallet: { network, momo_number }, movement, push };
}

/**
 * Hashes the payee and the amount, ignoring case, which varies between copies of a text. The fee is not hashed, because
 * it follows from the amount and the balances.
 */
function hashOf({ amountPesewas, counterparty, sentTo }: WalletMovement): string {
  const facts = [amountPesewas, counterparty, sentTo?.name, sentTo?.phone];
  return sha256(JSON.stringify(facts).toLowerCase()).slice(0, 32);
}

function walletTextOfReceipt(receipt: PaymentReceipt, reading: Extract<Reading, { kind: 'payment' }>) {
  const { momo_number, network, sender, received_at } = receipt;
  if (!momo_number || !sender) return undefined;
  if (isImpossible(reading)) return impossible({ network, momo_number });
  const at_ms = Date.parse(received_at);
  // The balance chain identifies a text by the receipt id of its payment. A conflicting receipt has a different id.
  const receipt_id = paymentReceiptId(network, momo_number, reading.transactionId);
  const movement = movementOf(reading, { sender, at_ms, arrived_ms: at_ms, receipt_id });
  return { wallet: { network, momo_number }, movement };
}

/** A text with an impossible balance never waits for a position in the chain. */
function impossible(wallet: Wallet): WalletText {
  return { wallet, movement: undefined, reason: 'balance_impossible' };
}

/** Parses a receipt's text again. Returns undefined if that is impossible, for example after the text was erased. */
export function readReceipt(receipt: Receipt) {
  const { sender, text } = receipt;
  const payment = sender && text ? readWalletText(sender, text) : undefined;
  if (payment?.kind !== 'payment' || !isPayment(receipt)) return undefined;
  const walletText = walletTextOfReceipt(receipt, payment);
  return walletText && { receipt, payment, walletText };
}
