import type { Network } from '../network.ts';

export interface WalletPayment {
  readonly kind: 'payment';
  readonly network: Network;
  readonly amountPesewas: number;
  readonly payerName: string;
  /** True for a bank, a switch or an agent, whose name does not identify a person. */
  readonly payerIsInstitution: boolean;
  /** `+233…`, or null if the text does not include the number. */
  readonly payerPhone: string | null;
  /**
   * The network that the payment came from, as stated in the reference. A payer could have typed both the network and
   * the phone number. Use them to read the reference and to send a code to the phone, but never to identify a returning
   * payer.
   */
  readonly via: string | null;
  /** Exactly what the payer typed. */
  readonly reference: string | null;
  readonly transactionId: string;
  /** The balance including this payment. */
  readonly balancePesewas: number | null;
  /** Fees and taxes combined. */
  readonly chargesPesewas: number | null;
}

/** The contents of a text about any other movement. Each field is null if the text does not mention it. */
export interface WalletMovement {
  readonly kind: 'money_in' | 'money_out' | 'no_money';
  readonly network: Network;
  readonly amountPesewas: number | null;
  readonly chargesPesewas: number | null;
  readonly balancePesewas: number | null;
  readonly transactionId: string | null;
  /** The other party: an agent, a bank or the payee. */
  readonly counterparty: string | null;
  /** The final recipient according to the text, if the other party is a switch that delivers to another network. */
  readonly sentTo?: { readonly name: string; readonly phone: string };
  /**
   * Set if somebody's payment failed because the wallet was at its limit. Only the wallet's owner is notified of this.
   */
  readonly refusedPayment?: { readonly payerName: string; readonly amountPesewas: number };
}

/** The result of reading a text from a merchant's phone. Amounts are in pesewas. */
export type Reading =
  | WalletPayment
  | WalletMovement
  /**
   * The network reversed a payment. Contains the transaction ids in the text. `isCertain` is true if the text uses the
   * network's own words from its first character. Otherwise anybody could have typed the words into a text that the
   * network sent.
   */
  | {
      readonly kind: 'reversal';
      readonly network: Network;
      readonly transactionIds: readonly string[];
      readonly isCertain: boolean;
      /** The balance after the reversal, if the text states it. */
      readonly reportedPesewas: number | null;
    }
  /** An unread text that may contain a password or code of the merchant. Its digits are never stored. */
  | { readonly kind: 'secret'; readonly network: Network }
  /** A text from a network that cannot be read with certainty, for a person to check. */
  | { readonly kind: 'unread'; readonly network: Network }
  /** The sender is not a network. A text from it that looks like a payment is probably fraud. */
  | { readonly kind: 'stranger'; readonly looksLikePayment: boolean };

/**
 * Upper bound on the fee for an incoming payment: more than any network charges, and at least one cedi for very small
 * amounts.
 */
const MAX_CHARGED = { share: 0.05, leastPesewas: 100 };

/** True if a text contradicts itself: money came in, but the balance afterwards is less than that amount. */
export function isImpossible(reading: Reading): boolean {
  if (reading.kind !== 'payment' && reading.kind !== 'money_in') return false;
  const { amountPesewas, balancePesewas, chargesPesewas } = reading;
  if (amountPesewas === null || balancePesewas === null) return false;
  // Use the upper bound, not the fee in the text: forgers can write any fee, and must not gain by leaving it out.
  const mostCharged = Math.max(MAX_CHARGED.leastPesewas, amountPesewas * MAX_CHARGED.share);
  return balancePesewas < amountPesewas - Math.min(chargesPesewas ?? mostCharged, mostCharged);
}
