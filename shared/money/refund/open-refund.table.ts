/*
 * open refund   REFUND#<id> / REFUND                  a refund that has not been closed by a transfer's text: while it is open, and for a month after a
 *                                                     person marked it as sent
 *   gsi2        OPEN_REFUND#<merchant>#<pesewas> / <noted_at>#<id>
 * transfer      REFUND_TRANSFER#<network>#<id> / REFUND_TRANSFER   the refund that a transfer closed
 */
import * as z from 'zod/mini';
import type { Network } from '../../ghana/network.ts';
import { type Clock, endsIn, type TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { createItem, type TableWrite } from '../../runtime/table/table.ts';
import { DAY_MS } from '../../runtime/values/calendar.ts';
import type { Refund } from '../payment/payment.ts';

const OpenRefund = z.object({ refund_id: z.string(), reference: z.string() });
export type OpenRefund = z.infer<typeof OpenRefund>;

export const openRefundRows = rows(OpenRefund, { pk: 'REFUND#<refund_id>', sk: 'REFUND' });
const partition = (merchantId: string, amountPesewas: number) => `OPEN_REFUND#${merchantId}#${amountPesewas}`;

interface OfCharge {
  readonly reference: string;
  readonly merchant_id: string;
  readonly expires_at_epoch_seconds?: number | undefined;
}

export function openRefund(
  { merchant_id, reference, expires_at_epoch_seconds }: OfCharge,
  { refund_id, amount_pesewas, noted_at }: Refund,
): TableWrite {
  const open: OpenRefund = { refund_id, reference };
  const listed = { gsi2pk: partition(merchant_id, amount_pesewas), gsi2sk: `${noted_at}#${refund_id}` };
  return { put: { Item: openRefundRows.item({ ...listed, ...open, expires_at_epoch_seconds }) } };
}

/** Maximum delay of a transfer's text, and maximum age of a payment that may have been refunded without a record. */
export const TRANSFER_TOLD_MS = 30 * DAY_MS;

/**
 * Keeps the row of a refund that a person marked as sent, so that the transfer's text closes this refund and no other.
 */
export function awaitTransfer(outside: Clock, refund_id: string): TableWrite {
  return openRefundRows.change({ refund_id }, endsIn(outside, TRANSFER_TOLD_MS / 1000));
}

/**
 * Lists a merchant's refunds of a given amount that no transfer's text has closed, newest first. Eventually consistent.
 */
export async function listOpenRefunds(
  outside: TableOutside,
  merchantId: string,
  amountPesewas: number,
  limit: number,
): Promise<OpenRefund[]> {
  const page = { newestFirst: true, limit };
  const { items } = await outside.table.listIndex('gsi2', partition(merchantId, amountPesewas), page);
  return items.map(openRefundRows.parse);
}

/**
 * Records which refund a transfer closed. The record is kept as long as the charge. Writes nothing if the transfer has
 * already closed a refund.
 */
export function useTransfer(
  network: Network,
  transactionId: string,
  { refund_id, reference }: OpenRefund,
  { expires_at_epoch_seconds }: Pick<OfCharge, 'expires_at_epoch_seconds'>,
): TableWrite {
  const key = { pk: `REFUND_TRANSFER#${network}#${transactionId}`, sk: 'REFUND_TRANSFER' };
  return createItem({ ...key, refund_id, reference, expires_at_epoch_seconds }, () => undefined);
}
