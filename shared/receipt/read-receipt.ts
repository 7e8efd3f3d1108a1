import type { Network } from '../merchant/momo-account.ts';
import { readWalletText } from '../wallet-text/read-wallet-text.ts';

/** What a payment's receipt says. Nothing in it is guessed: a text that does not say all of this is no payment. */
export interface Payment {
  readonly kind: 'payment';
  readonly network: Network;
  readonly amountPesewas: number;
  readonly payerName: string;
  /** `+233…`; null where the network does not tell it. */
  readonly payerPhone: string | null;
  /** What the payer typed; null where the network carries no reference. */
  readonly reference: string | null;
  /** The network's own id: MTN's has 10 to 14 digits, Telecel's 16. */
  readonly transactionId: string;
}

export type Reading =
  | Payment
  /** The network took a payment back; every id that its text names. */
  | { readonly kind: 'reversal'; readonly network: Network; readonly transactionIds: readonly string[] }
  /** A text of a network's that is known to be no receipt: airtime, interest, a payment made. Also anybody else's text. */
  | { readonly kind: 'other' }
  /** A text of a network's that is not understood: kept for a person to read. */
  | { readonly kind: 'unread'; readonly network: Network }
  /** A text that reads as a receipt but is not from a network: a fraud attempt. */
  | { readonly kind: 'refused'; readonly why: string };

/** A wallet's text as far as it concerns who settles receipts. Never throws. */
export function readReceipt(sender: string, text: string): Reading {
  const reading = readWalletText(sender, text);
  switch (reading.kind) {
    case 'payment': {
      const { kind, network, amountPesewas, payerName, reference, transactionId, via } = reading;
      // A phone that the payer could have typed is nothing to know the payer by.
      const payerPhone = via ? null : reading.payerPhone;
      return { kind, network, amountPesewas, payerName, payerPhone, reference, transactionId };
    }
    case 'stranger':
      if (!reading.looksLikePayment) return { kind: 'other' };
      return {
        kind: 'refused',
        why: /^[+\d][\d\s()-]*$/.test(sender) ? 'the sender is a phone number' : 'the sender is no network',
      };
    case 'reversal':
    case 'unread':
      return reading;
    default:
      return { kind: 'other' };
  }
}
