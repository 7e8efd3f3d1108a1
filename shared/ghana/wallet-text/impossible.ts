import type { Reading } from './reading.ts';

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
