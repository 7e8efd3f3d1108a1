import type { TableOutside } from '../../runtime/outside/outside.ts';
import type { Charge } from '../charge/charge.table.ts';
import { hasEndedUnpaid } from '../payment/backing.ts';
import type { Payment } from '../payment/payment.ts';
import { type EndedParts, type HeldPart, proofOfReceipt } from '../payment/shown-payment.ts';
import { getReceipts, isSecond, type View } from './receipt.table.ts';
import { isAssignable, type Receipt } from './receipt.ts';

/**
 * Reads the current state of the parts of an expired, cancelled or reversed charge from their receipts. Returns
 * undefined for any other charge, without a read.
 */
export async function endedPartsOf(
  outside: TableOutside,
  charge: Charge,
  view: View = (receipt) => receipt,
): Promise<EndedParts | undefined> {
  const { parts = [] } = charge;
  if (!hasEndedUnpaid(charge) || parts.length === 0) return undefined;
  const stored = await getReceipts(
    outside,
    parts.map(({ receipt_id }) => receipt_id),
  );
  const receipts = stored.map(view);
  const found = new Map(receipts.map((receipt) => [receipt.receipt_id, receipt]));
  // Once a payment request has been paid again, the parts of its reversed charge count as second payments.
  const isHeld = ({ receipt_id, reason, suggested_reference, set_aside }: Receipt) =>
    suggested_reference === charge.reference &&
    set_aside === undefined &&
    !(charge.second_receipts?.includes(receipt_id) && isSecond({ reason }, charge));
  // These parts are held as soon as the charge's end is written.
  const isEnding = (receipt: Receipt): receipt is Receipt & HeldPart =>
    receipt.state === 'matched' && receipt.reference === charge.reference && receipt.amount_pesewas !== undefined;
  return {
    parts: parts.map((part) => asKnown(part, found.get(part.receipt_id))),
    held: [...receipts.filter(isEnding), ...receipts.filter(isAssignable).filter(isHeld)],
  };
}

export function withParts(charge: Charge, ended: EndedParts | undefined): Charge {
  return ended ? { ...charge, parts: [...ended.parts] } : charge;
}

function asKnown(part: Payment, receipt: Receipt | undefined): Payment {
  const isGone = !receipt || receipt.reason === 'reversed';
  return { ...part, looked_by: receipt?.looked_by, proof: isGone ? { state: 'unproven' } : proofOfReceipt(receipt) };
}
