/** A payment as it reached a wallet. */
interface WalletPayment {
  amountPesewas: number;
  /** The wallet's balance with this payment in it. */
  balancePesewas: number;
  payerName: string;
  /** `+233…` */
  payerPhone: string;
  /** What the payer typed; empty for nothing. */
  reference: string;
  transactionId: string;
  paidAt: Date;
}

interface ReceiptWriter {
  /** Whom the SMS is from. */
  sender: string;
  newTransactionId: () => string;
  write: (payment: WalletPayment) => string;
}

/**
 * The SMS that each network sends to whoever is paid from person to person, in the wording seen in 2025 and 2026. AT has
 * none: no verified sample of its receipts exists, and an invented one would prove nothing.
 */
export const receiptWriters: Partial<Record<KnownNetwork, ReceiptWriter>> = {
  MTN: {
    sender: 'MobileMoney',
    newTransactionId: risingIds(50_000_000_000, 67_000_000),
    write: ({ amountPesewas, balancePesewas, payerName, reference, transactionId }) => {
      const balance = ghs(balancePesewas);
      // The space before the first full stop is MTN's. So is what is missing: the payer's number and the time.
      return (
        `Payment received for GHS ${ghs(amountPesewas)} from ${payerName} Current Balance: GHS ${balance} . ` +
        `Available Balance: GHS ${balance}. Reference: ${reference}. Transaction ID: ${transactionId}. TRANSACTION FEE: 0.00`
      );
    },
  },
  TELECEL: {
    sender: 'T-CASH',
    newTransactionId: risingIds(19_000_000_000, 10_700_000, 16),
    write: ({ amountPesewas, balancePesewas, payerName, payerPhone, reference, transactionId, paidAt }) => {
      // Ghana's time is UTC all year.
      const [date, time] = paidAt.toISOString().split(/[T.]/);
      return (
        `${transactionId} Confirmed. You have received GHS${ghs(amountPesewas)} from ${payerPhone.slice(1)} - ${payerName} ` +
        `on ${date} at ${time}. Your Telecel Cash balance is GHS${ghs(balancePesewas)}.\nReference: ${reference}.\n` +
        'Stay alert. Never share your PIN or OTP with anyone.'
      );
    },
  },
};

/**
 * A network counts everybody's payments with one counter, and the service takes an id out of order for an older payment, or for a
 * forgery. So the ids here rise with time, at the pace that each network's were seen to rise.
 */
function risingIds(first: number, idsADay: number, digits = 11): () => string {
  let last = 0;
  return () => {
    const days = (Date.now() - Date.UTC(2026, 0)) / (24 * 60 * 60 * 1000);
    last = Math.max(last + 1, first + Math.floor(days * idsADay));
    return String(last).padStart(digits, '0');
  };
}

const knownNetworks = ['MTN', 'TELECEL', 'AT'] as const;
export type KnownNetwork = (typeof knownNetworks)[number];

/** How a network says that it took a payment back. No text of one is known: the service reads any in such words. */
export function reversalText(payment: {
  transactionId: string;
  amountPesewas: number;
  balancePesewas: number;
}): string {
  const { transactionId, amountPesewas, balancePesewas } = payment;
  return `Transaction ${transactionId} of GHS ${ghs(amountPesewas)} has been reversed. Current Balance: GHS ${ghs(balancePesewas)}`;
}

/** The network of a name as people write it: `Telecel Cash` is TELECEL. */
export function knownNetwork(name: string): KnownNetwork | undefined {
  return knownNetworks.find((known) => name.trim().toUpperCase().startsWith(known));
}

function ghs(pesewas: number): string {
  return (pesewas / 100).toFixed(2);
}
