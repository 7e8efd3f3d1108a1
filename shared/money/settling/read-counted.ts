import type { TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { chargeRows } from '../charge/charge.table.ts';
import {
  createReceipt,
  getReceipts,
  paymentUseRows,
  releasePayment,
  removeReceipt,
  replaceReceipt,
  usePayment,
} from '../receipt/receipt.table.ts';
import { isNotThere, type PaymentReceipt, paymentReceiptId, type Receipt } from '../receipt/receipt.ts';
import { foreignUse, loseUse } from '../receipt/typed-use.ts';
import { changePayment } from './change-payment.ts';
import { paymentOf } from './matched-receipt.ts';

/**
 * Replaces the details of a counted payment, which a person typed or a text without the SIM number stated, with the
 * details in its text with the number. From then on, this text's proof counts. Returns undefined if another text has
 * already used the id and keeps the id. `current`: the stored text.
 */
export async function readCounted(
  outside: TimedOutside,
  counted: Receipt,
  arrived: Omit<PaymentReceipt, 'state'>,
  { current }: { readonly current?: Receipt | undefined } = {},
): Promise<TableWrite[] | undefined> {
  const { network, transaction_id } = arrived;
  const use = await paymentUseRows.find(outside, { network, transaction_id });
  const { merchant_id = '', matched_by, looked_by, reference = '', reversal_doubt_at, marked } = counted;
  const { reversal_suspected_at } = counted;
  const proof = reversal_doubt_at === undefined ? arrived.proof : ({ state: 'unproven' } as const);
  const read = { ...arrived, proof, reversal_suspected_at };
  const isOwn = use?.receipt_id === counted.receipt_id;
  const foreign = isOwn ? undefined : await foreignUse(outside, use, read);
  if (use && !isOwn && !foreign) return undefined;
  const charge = await chargeRows.find(outside, { reference });
  // A text that was held next to the typed receipt replaces it.
  const isThere = counted.receipt_id === paymentReceiptId(network, read.momo_number, transaction_id);
  const text = isThere ? { ...read, receipt_id: counted.receipt_id } : read;
  // Other texts that still contradict the payment.
  const others = await getReceipts(outside, counted.contradicted_by?.filter((id) => id !== current?.receipt_id) ?? []);
  const idsOf = (receipts: readonly Receipt[]) =>
    receipts.length > 0 ? receipts.map(({ receipt_id }) => receipt_id) : undefined;
  const doubts = { contradicted_by: idsOf(others), agreed_by: idsOf(others.filter(isNotThere)) };
  const changed = charge
    ? changePayment(
        outside,
        charge,
        counted.receipt_id,
        ({ matched_by, looked_by, counted_in, counted_pesewas, counted_at }) =>
          paymentOf(text, { matched_by, looked_by, counted_in, counted_pesewas, counted_at }),
      )
    : [];
  const receipt: Receipt = {
    ...text,
    ...{ merchant_id, matched_by, looked_by, reference, reversal_doubt_at },
    ...doubts,
    state: 'matched',
  };
  const stored = isThere ? counted : current;
  const used = { reference, merchant_id };
  const left = [counted, ...(current ? [current] : [])].filter(({ receipt_id }) => receipt_id !== text.receipt_id);
  return [
    ...left.map(removeReceipt),
    stored ? replaceReceipt(stored, receipt) : createReceipt(receipt),
    ...(marked ? releasePayment({ network, transaction_id, marked }, used, counted) : []),
    // If what counted has the id, a person matched it knowing which bill was marked with the id.
    ...usePayment(text, used, { isTyped: isOwn || marked !== undefined, foreign: isOwn || foreign ? use : undefined }),
    ...(foreign ? await loseUse(outside, foreign, text, merchant_id) : []),
    ...changed,
  ];
}
