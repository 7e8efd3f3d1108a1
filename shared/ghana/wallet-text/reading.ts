import type { Network } from '../network.ts';

export interface WalletPayment extends MayNeedProof {
  readonly kind: 'payment';
  readonly network: Network;
  readonly amountPesewas: number;
  readonly payerName: string;
  /** True if the payer is a bank, a payment switch or an agent. */
  readonly payerIsInstitution: boolean;
  /** Phone number such as `+233241234567`, or null if the text has none. */
  readonly payerPhone: string | null;
  /**
   * The payer's network, as stated in the reference. The payer may have typed both this and the phone number, so
   * neither identifies the payer.
   */
  readonly via: string | null;
  /** The reference, exactly as the payer typed it. */
  readonly reference: string | null;
  readonly transactionId: string;
  /** Balance after this payment. */
  readonly balancePesewas: number | null;
  /** Fees and taxes combined. */
  readonly chargesPesewas: number | null;
}

/**
 * Set if unknown words surround the network's sentence, or if the payer's name or the end of the reference may be a
 * status. Such a text counts only if its balance continues the wallet's chain.
 */
interface MayNeedProof {
  readonly needsProof?: true;
}

/** Any wallet text other than a payment. Fields are null if the text does not mention them. */
export interface WalletMovement extends MayNeedProof {
  readonly kind: 'money_in' | 'money_out' | 'no_money';
  readonly network: Network;
  readonly amountPesewas: number | null;
  readonly chargesPesewas: number | null;
  readonly balancePesewas: number | null;
  readonly transactionId: string | null;
  /** The other party, such as an agent, a bank or a payee. */
  readonly counterparty: string | null;
  /** The sender's message about incoming money. */
  readonly message?: string;
  /** The final recipient of a transfer to another network. */
  readonly sentTo?: { readonly name: string; readonly phone: string };
  /** Set if a payment to this wallet failed because its balance limit was reached. */
  readonly refusedPayment?: { readonly payerName: string; readonly amountPesewas: number };
}

/** The result of parsing a text from a merchant's phone. Amounts are in pesewas. */
export type Reading =
  | WalletPayment
  | WalletMovement
  /**
   * A reversed payment. `isInOwnWords` is false if a payer may have typed the words. `isCertain` is also false if the
   * network may merely be announcing or denying the reversal.
   */
  | {
      readonly kind: 'reversal';
      readonly network: Network;
      readonly transactionIds: readonly string[];
      readonly isInOwnWords: boolean;
      readonly isCertain: boolean;
      /** Set if the text reports a reversal in other words. Its id then never concerns a payment that has not arrived. */
      readonly isReworded?: true;
      /** Amounts in the text, without balances and fees. */
      readonly amountsPesewas: readonly number[];
      /** Balance after the reversal, if the text states it. */
      readonly reportedPesewas: number | null;
    }
  /** An unparsed text that may contain a password or code. Its digits are never stored. */
  | { readonly kind: 'secret'; readonly network: Network }
  /**
   * A text that can be read in two ways, or whose other words deny its sentence. It needs manual review. The balances
   * follow from the figures before the payer's words. A fee behind these words is unknown, and counts as 0.
   */
  | {
      readonly kind: 'unclear';
      readonly network: Network;
      readonly beforePesewas: number;
      readonly afterPesewas: number;
    }
  /** A network's text that could not be parsed and needs manual review. */
  | { readonly kind: 'unread'; readonly network: Network }
  /** A text from an unknown sender. Probably fraud if the text looks like a payment. */
  | { readonly kind: 'stranger'; readonly looksLikePayment: boolean };

/** True if a text is left to a person unless its balance continues the wallet's chain. */
export function needsProof(reading: Reading): boolean {
  return 'needsProof' in reading && reading.needsProof === true;
}

/** Returns what counts of a text that no balance verifies. If it needs proof or is unclear, a person must read it. */
export function withoutProof(reading: Reading): Reading {
  if (!needsProof(reading) && reading.kind !== 'unclear') return reading;
  return 'network' in reading ? { kind: 'unread', network: reading.network } : reading;
}

/**
 * Returns the balances before and after an unclear text: a position without an id. It may advance a chain whose head
 * has the balance before it, and verifies nothing. Returns undefined for any other text.
 */
export function unclearMovementOf(
  reading: Reading,
  { at_ms }: { readonly at_ms: number },
): { readonly before: number; readonly after: number; readonly at_ms: number } | undefined {
  if (reading.kind !== 'unclear') return undefined;
  return { before: reading.beforePesewas, after: reading.afterPesewas, at_ms };
}

/** Upper bound on the fee for an incoming payment, as a share of its amount and at least GHS 1. */
const MAX_CHARGED = { share: 0.05, leastPesewas: 100 };

/** True if the new balance is lower than the incoming amount minus the fee, which no genuine text claims. */
export function isImpossible(reading: Reading): boolean {
  if (reading.kind !== 'payment' && reading.kind !== 'money_in') return false;
  const { amountPesewas, balancePesewas, chargesPesewas } = reading;
  if (amountPesewas === null || balancePesewas === null) return false;
  // Cap the stated fee, because a forger can write any fee. Assume the cap if no fee is stated.
  const mostCharged = Math.max(MAX_CHARGED.leastPesewas, amountPesewas * MAX_CHARGED.share);
  return balancePesewas < amountPesewas - Math.min(chargesPesewas ?? mostCharged, mostCharged);
}
