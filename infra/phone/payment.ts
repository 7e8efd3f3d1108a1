import { CURRENCY } from '../../shared/ghana/country.ts';
import { Network, networkExamples, networks } from '../../shared/ghana/network.ts';
import type { NetworkExamples, NetworkFacts } from '../../shared/ghana/network-facts.ts';
import { DAY_MS } from '../../shared/runtime/values/calendar.ts';

/** A payment as it reached a wallet, or as its money went back to the payer. */
interface WalletPayment {
  amountPesewas: number;
  /** The wallet's balance after it. */
  balancePesewas: number;
  payerName: string;
  /** `+233…` */
  payerPhone: string;
  /** What the payer typed; empty for nothing. */
  reference: string;
  transactionId: string;
  paidAt: Date;
}

type Reversal = Pick<WalletPayment, 'transactionId' | 'amountPesewas' | 'balancePesewas'>;

export interface ReceiptWriter {
  network: Network;
  /** Whom the SMS is from. */
  sender: string;
  /** Whether it names the payer's number. */
  tellsPhone: boolean;
  newTransactionId: () => string;
  /** About the id that the network gave out at a moment, in milliseconds since 1970. */
  idAt: (ms: number) => number;
  write: (payment: WalletPayment) => string;
  writeSentBack: (payment: WalletPayment) => string;
}

/** Of the networks whose receipts are known: an invented wording would prove nothing. */
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
    tellsPhone: receipt.text.includes('{phone}'),
    newTransactionId: risingIds(idAt, transactionId.digits),
    idAt,
    write: (payment) => filled(receipt.text, payment),
    writeSentBack: (payment) => filled(sent, payment),
  };
}

function filled(text: string, payment: WalletPayment): string {
  // Ghana's time is UTC all year.
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
 * A network counts everybody's payments with one counter, and the service takes an id out of order for an older payment, or for a
 * forgery. So the ids here rise with time, at the pace that each network's were seen to rise.
 */
function risingIds(idAt: ReceiptWriter['idAt'], digits: number): () => string {
  let last = 0;
  return () => {
    last = Math.max(last + 1, idAt(Date.now()));
    return String(last).padStart(digits, '0');
  };
}

/** How a network says that it took a payment back. No text of one is known: the service reads any in such words. */
export function reversalText({ transactionId, amountPesewas, balancePesewas }: Reversal): string {
  return `Transaction ${transactionId} of ${CURRENCY} ${ghs(amountPesewas)} has been reversed. Current Balance: ${CURRENCY} ${ghs(balancePesewas)}`;
}

/** The network of a name as people write it: `Telecel Cash` is TELECEL. */
export function knownNetwork(name: string): Network | undefined {
  return Network.options.find((known) => name.trim().toUpperCase().startsWith(known));
}

function ghs(pesewas: number): string {
  return (pesewas / 100).toFixed(2);
}

/** A pending charge, as the phone's page offers it. */
export interface OpenCharge {
  reference: string;
  /** What is still to be paid. */
  amountPesewas: number;
  /** `+…`: the number that it is paid to. */
  momoNumber: string;
  network: string;
  customerName?: string | undefined;
  description?: string | undefined;
  checkoutUrl?: string | undefined;
}

/** What became of a payment. */
export interface Outcome {
  /** In a sentence. */
  said: string;
  /** Whether it is counted for a charge. */
  isCounted: boolean;
}

/** The charge whose reference a payer typed, in whatever case and spacing. */
export function chargeOfReference(charges: readonly OpenCharge[], typed: string): OpenCharge | undefined {
  return charges.find(({ reference }) => plain(reference) === plain(typed));
}

function plain(reference: string): string {
  return reference.toUpperCase().replace(/[^A-Z0-9]/g, '');
}
