import type { Network } from '../network.ts';

/** What a payment's text says. */
export interface WalletPayment {
  readonly kind: 'payment';
  readonly network: Network;
  readonly amountPesewas: number;
  readonly payerName: string;
  /** A bank, a switch or an agent, whose name identifies no person. */
  readonly payerIsInstitution: boolean;
  /** `+233…`; null if the text names none. */
  readonly payerPhone: string | null;
  /**
   * The network from which another one delivered this payment, as the reference says. A payer could type it, and the phone
   * with it: good to read the reference by and to send a code to the phone, never to know somebody again.
   */
  readonly via: string | null;
  /** What the payer typed, and nothing around it. */
  readonly reference: string | null;
  readonly transactionId: string;
  /** The balance with this payment in it. */
  readonly balancePesewas: number | null;
  /** Fees and taxes together. */
  readonly chargesPesewas: number | null;
}

/** What the text of any other movement says. Each is null if the text does not say it. */
export interface WalletMovement {
  readonly kind: 'money_in' | 'money_out' | 'no_money';
  readonly network: Network;
  readonly amountPesewas: number | null;
  readonly chargesPesewas: number | null;
  readonly balancePesewas: number | null;
  readonly transactionId: string | null;
  /** The other side: an agent, a bank, who was paid. */
  readonly counterparty: string | null;
  /** Where the other side is a switch that delivers to another network: who got the money there, as the text says. */
  readonly sentTo?: { readonly name: string; readonly phone: string };
  /** The wallet was over its limit and somebody's payment failed; nobody else is notified of that. */
  readonly refusedPayment?: { readonly payerName: string; readonly amountPesewas: number };
}

/** What a text at a merchant's phone says; amounts in pesewas. */
export type Reading =
  | WalletPayment
  | WalletMovement
  /**
   * The network reversed a payment: the transaction ids that it names. `isCertain`: it says so in the network's own words from
   * the first on; otherwise anybody may have written it into a text of the network's.
   */
  | {
      readonly kind: 'reversal';
      readonly network: Network;
      readonly transactionIds: readonly string[];
      readonly isCertain: boolean;
      /** The balance after it, if the text states one. */
      readonly reportedPesewas: number | null;
    }
  /** Not understood, and it may hold a password or code of the merchant's: its digits are never stored. */
  | { readonly kind: 'secret'; readonly network: Network }
  /** A network's text that is not understood with certainty: for a person to read. */
  | { readonly kind: 'unread'; readonly network: Network }
  /** The sender is not a network. If the text looks like a payment nevertheless, treat it as fraudulent. */
  | { readonly kind: 'stranger'; readonly looksLikePayment: boolean };

/** What a network may keep of money that comes in: more than any of them does, and a cedi on the smallest amounts. */
const MAX_CHARGED = { share: 0.05, leastPesewas: 100 };

/** Whether a text contradicts itself: its money came in, and the balance after that is less than the money. */
export function isImpossible(reading: Reading): boolean {
  if (reading.kind !== 'payment' && reading.kind !== 'money_in') return false;
  const { amountPesewas, balancePesewas, chargesPesewas } = reading;
  if (amountPesewas === null || balancePesewas === null) return false;
  // A forger writes any fee, and one who leaves it out must gain nothing.
  const mostCharged = Math.max(MAX_CHARGED.leastPesewas, amountPesewas * MAX_CHARGED.share);
  return balancePesewas < amountPesewas - Math.min(chargesPesewas ?? mostCharged, mostCharged);
}
