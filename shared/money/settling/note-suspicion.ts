import { nowIso, type TimedOutside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import { setParts } from '../charge/change-charge.table.ts';
import { chargeRows } from '../charge/charge.table.ts';
import type { Payment } from '../payment/payment.ts';
import type { SuspectedJob } from '../receipt/proof-job.ts';
import { replaceReceipt } from '../receipt/receipt.table.ts';
import { isUndoneMark } from '../receipt/receipt.ts';
import { textOfPayment } from '../receipt/texts-of-payment.ts';
import { doubted } from './settle-reversal.ts';

/**
 * Notes on a payment that the network may have reversed it without a text. If it counts, its charge stays paid or
 * pending, but in doubt until a person decides. If it is held, it is in doubt like after a text about a reversal.
 */
export async function noteSuspicion(outside: TimedOutside, payment: SuspectedJob): Promise<void> {
  await retryIfChanged(async () => {
    const receipt = await textOfPayment(outside, payment);
    if (!receipt || receipt.reason === 'reversed') return;
    if (receipt.reversal_suspected_at) return;
    if (receipt.state === 'held') {
      if (receipt.reversal_doubt_at) return;
      // With a reason, an undone mark would count as a payment that can be assigned.
      const undone = isUndoneMark(receipt) && { reason: undefined };
      const suspected = { ...doubted(outside), unsuspected_reason: receipt.reason, ...undone };
      return outside.table.write([replaceReceipt(receipt, { ...receipt, ...suspected })]);
    }
    const { reference, receipt_id } = receipt;
    const charge = reference === undefined ? undefined : await chargeRows.find(outside, { reference });
    if (receipt.state !== 'matched' || !charge) return;
    const suspected = { reversal_suspected_at: nowIso(outside) };
    const noted = (one: Payment) => (one.receipt_id === receipt_id ? { ...one, ...suspected } : one);
    const { parts = [], payment: paying } = charge;
    await outside.table.write([
      replaceReceipt(receipt, { ...receipt, ...suspected }),
      setParts(charge, parts.map(noted), { payment: paying && noted(paying) }),
    ]);
  });
}
