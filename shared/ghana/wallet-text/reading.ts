import type { Network } from '../network.ts';

export interface WalletPayment {
  readonly kind: 'payment';
  readonly network: Network;
  readonly amountPesewas: number;
  readonly payerName: string;
  /** True if the payer is a bank, a switch or an agent, whose name does not identify a person. */
  readonly payerIsInstitution: boolean;
  /** A phone number such as `+233…`, or null if the text does not contain one. */
  readonly payerPhone: string | null;
  /**
   * The payer's network, as stated in the reference. A payer could have typed both this network and the phone number.
   * Use them to parse the reference and to text a code to the phone number, but never to recognise a returning payer.
   */
  readonly via: string | null;
  /** Exactly what the payer typed. */
  readonly reference: string | null;
  readonly transactionId: string;
  /** Balance including this payment. */
  readonly balancePesewas: number | null;
  /** Fees and taxes combined. */
  readonly chargesPesewas: number | null;
}

/** The contents of a text about any other movement of money. A field is null if the text does not mention it. */
export interface WalletMovement {
  readonly kind: 'money_in' | 'money_out' | 'no_money';
  readonly network: Network;
  readonly amountPesewas: number | null;
  readonly chargesPesewas: number | null;
  readonly balancePesewas: number | null;
  readonly transactionId: string | null;
  /** The other party: an agent, a bank or the payee. */
  readonly counterparty: string | null;
  /** The final recipient named in the text, if the other party is a switch that forwards money to another network. */
  readonly sentTo?: { readonly name: string; readonly phone: string };
  /**
   * Set if somebody's payment failed because the wallet had reached its limit. The network informs only the wallet's
   * owner.
   */
  readonly refusedPayment?: { readonly payerName: string; readonly amountPesewas: number };
}

/** The result of parsing a text from a merchant's phone. Amounts are in pesewas. */
export type Reading =
  | WalletPayment
  | WalletMovement
  /**
   * The network reversed a payment. Contains the transaction ids found in the text. `isCertain` is true if the text
   * reports a completed reversal in the network's own words from its first character. Otherwise, the network may deny
   * or only announce the reversal, or anybody could have typed those words.
   */
  | {
      readonly kind: 'reversal';
      readonly network: Network;
      readonly transactionIds: readonly string[];
      readonly isCertain: boolean;
      /** Balance after the reversal, if the text states it. */
      readonly reportedPesewas: number | null;
    }
  /**
   * A text that could not be parsed and may contain a password or code of the merchant. Its digits are never stored.
   */
  | { readonly kind: 'secret'; readonly network: Network }
  /** A text from a network that could not be parsed with certainty. A person must check it. */
  | { readonly kind: 'unread'; readonly network: Network }
  /** The sender is not a network. If its text looks like a payment, it is probably fraud. */
  | { readonly kind: 'stranger'; readonly looksLikePayment: boolean };

/**
 * Upper bound on the fee for an incoming payment: more than any network charges, and at least one cedi for very small
 * amounts.
 */
const MAX_CHARGED = { share: 0.05, leastPesewas: 100 };

/**
 * True if a text contradicts itself: it reports incoming money, but the new balance is lower than the amount minus the
 * fee.
 */
export function isImpossible(reading: Reading): boolean {
  if (reading.kind !== 'payment' && reading.kind !== 'money_in') return false;
  const { amountPesewas, balancePesewas, chargesPesewas } = reading;
  if (amountPesewas === null || balancePesewas === null) return false;
  // Limit the stated fee to the upper bound, and use the bound if no fee is stated. Forgers can write any fee, and must
  // not gain by leaving it out.
  const mostCharged = Math.max(MAX_CHARGED.leastPesewas, amountPesewas * MAX_CHARGED.share);
  return balancePesewas < amountPesewas - Math.min(chargesPesewas ?? mostCharged, mostCharged);
}
