import { CURRENCY } from '../../shared/ghana/country.ts';
import { Network, networkExamples, networks } from '../../shared/ghana/network.ts';
import type { NetworkExamples, NetworkFacts } from '../../shared/ghana/network-facts.ts';
import { DAY_MS } from '../../shared/runtime/values/calendar.ts';

interface WalletPayment {
  amountPesewas: number;
  balancePesewas: number;
  payerName: string;
  payerPhone: string;
  reference: string;
  transactionId: string;
  paidAt: Date;
}

type Reversal = Pick<WalletPayment, 'transactionId' | 'amountPesewas' | 'balancePesewas'>;

export interface ReceiptWriter {
  network: Network;
  sender: string;
  includesPhone: boolean;
  newTransactionId: () => string;
  /** Returns the network's approximate transaction id at a time (milliseconds since 1970). */
  idAt: (ms: number) => number;
  write: (payment: WalletPayment) => string;
  writeSentBack: (payment: WalletPayment) => string;
}

/** Receipt writers keyed by network. Omits networks whose real receipts are unknown. */
export const receiptWriters = new Map(
  Network.options.flatMap((network) => {
    const examples = networkExamples[network];
    return examples ? [[network, { network, ...receiptWriter(networks[network], examples) }] as const] : [];
  }),
);

function receiptWriter(
  { senders: [sender], idsADay, transactionId }: NetworkFacts,
  { receipt, sent }: NetworkExamples,
): Omit<ReceiptWriter, 'network'> {
  const idAt = (ms: number) => receipt.firstId + Math.floor(((ms - Date.UTC(2026, 0)) / DAY_MS) * idsADay);
  return {
    sender,
    includesPhone: receipt.text.includes('{phone}'),
    newTransactionId: risingIds(idAt, transactionId.digits),
    idAt,
    write: (payment) => filled(receipt.text, payment),
    writeSentBack: (payment) => filled(sent, payment),
  };
}

function filled(text: string, payment: WalletPayment): string {
  // Ghana is on UTC all year.
  const [date = '', time = ''] = payment.paidAt.toISOString().split(/[T.]/);
  const parts: Record<string, string> = {
    amount: ghs(payment.amountPesewas),
    balance: ghs(payment.balancePesewas),
    name: payment.payerName,
    phone: payment.payerPhone.slice(1),
    reference: payment.reference,
    id: payment.transactionId,
    date,
    time,
  };
  return text.replace(/\{(\w+)\}/g, (_, part) => parts[part] ?? '');
}

/**
 * Generates increasing ids at the network's observed rate. A network numbers all payments with one counter, and the
 * service treats an out-of-order id as suspicious.
 */
function risingIds(idAt: ReceiptWriter['idAt'], digits: number): () => string {
  let last = 0;
  return () => {
    last = Math.max(last + 1, idAt(Date.now()));
    return String(last).padStart(digits, '0');
  };
}

/** Returns a reversal text. No real reversal text is known, but the service recognises these words. */
export function reversalText({ transactionId, amountPesewas, balancePesewas }: Reversal): string {
  return `Transaction ${transactionId} of ${CURRENCY} ${ghs(amountPesewas)} has been reversed. Current Balance: ${CURRENCY} ${ghs(balancePesewas)}`;
}

export function knownNetwork(name: string): Network | undefined {
  return Network.options.find((known) => name.trim().toUpperCase().startsWith(known));
}

function ghs(pesewas: number): string {
  return (pesewas / 100).toFixed(2);
}

export interface OpenCharge {
  reference: string;
  amountPesewas: number;
  /** The receiving wallet's number (`+…`). */
  momoNumber: string;
  network: string;
  customerName?: string | undefined;
  description?: string | undefined;
  checkoutUrl?: string | undefined;
}

export interface Outcome {
  message: string;
  isCounted: boolean;
}

export function chargeOfReference(charges: readonly OpenCharge[], typed: string): OpenCharge | undefined {
  return charges.find(({ reference }) => plain(reference) === plain(typed));
}

function plain(reference: string): string {
  return reference.toUpperCase().replace(/[^A-Z0-9]/g, '');
}
