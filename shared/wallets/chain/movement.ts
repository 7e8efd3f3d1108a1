import type { Reading } from '../../ghana/wallet-text/reading.ts';
import type { Movement } from './chain.ts';

/**
 * What a wallet's text says that was in it before and after; undefined where it does not say it. A text by which nothing moved proves
 * nothing, as anybody could repeat it.
 */
export function movementOf(
  reading: Reading,
  origin: Pick<Movement, 'at_ms' | 'arrived_ms' | 'receipt_id'> & { readonly sender: string },
): Movement | undefined {
  if (reading.kind !== 'payment' && reading.kind !== 'money_in' && reading.kind !== 'money_out') return undefined;
  const { transactionId, amountPesewas, balancePesewas: after, chargesPesewas } = reading;
  if (transactionId === null || amountPesewas === null || after === null) return undefined;
  const moved = (reading.kind === 'money_out' ? -amountPesewas : amountPesewas) - (chargesPesewas ?? 0);
  // An id with more digits than a number holds is no network's: as this one it is from a time that has not come.
  const id = Math.min(Number(transactionId), Number.MAX_SAFE_INTEGER);
  return { ...origin, sender: origin.sender.toLowerCase(), id, before: after - moved, after };
}
