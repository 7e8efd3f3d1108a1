import type { PhoneEvent } from '../gateway/phone-event.table.ts';
import { readWalletText } from '../wallet-text/read-wallet-text.ts';

/** What is kept of a wallet's text once it is settled: its figures about the wallet, and no names or wording. */
export function settledTextOf({ event }: PhoneEvent) {
  const reading = readWalletText(event.payload.sender, event.payload.message);
  if (!('balancePesewas' in reading)) return { kind: reading.kind };
  const { kind, network, transactionId, amountPesewas, chargesPesewas, balancePesewas } = reading;
  return {
    kind,
    network,
    transaction_id: transactionId,
    amount_pesewas: amountPesewas,
    charges_pesewas: chargesPesewas,
    balance_pesewas: balancePesewas,
  };
}
