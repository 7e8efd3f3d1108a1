import type { Reading } from '../../ghana/wallet-text/reading.ts';

/** What is kept of a wallet's text once it is settled: its figures about the wallet, and no names or wording. */
export function settledTextOf(reading: Reading) {
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
