import { nowIso, type TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { type Charge, chargeRows } from '../charge/charge.table.ts';
import { paymentsOf } from '../payment/payment.ts';
import {
  createReceipt,
  getReceipts,
  paymentUseRows,
  releasePayment,
  removeReceipt,
  replaceReceipt,
  usePayment,
} from '../receipt/receipt.table.ts';
import { isNotThere, NOT_THERE, type PaymentReceipt, paymentReceiptId, type Receipt } from '../receipt/receipt.ts';
import { foreignUse, loseUse } from '../receipt/typed-use.ts';
import { changePayment } from './change-payment.ts';
import { heldAgain, paymentOf } from './matched-receipt.ts';
import { UNDONE } from './undo-payment.ts';
import { readKept } from './without-payment.ts';

/**
 * Replaces the details of a counted payment, which a person typed or a text without the SIM number stated, with the
 * details in its text with the number. From then on, this text's proof counts. Returns undefined if another text has
 * already used the id and keeps the id. `current`: the stored text. `byPerson`: set if a person says that this text reports
 * the payment. What counted is then set aside, and the doubt about the charge ends, unless other texts doubt it.
 */
export async function readCounted(
  outside: TimedOutside,
  counted: Receipt,
  arrived: Omit<PaymentReceipt, 'state'>,
  { current, byPerson }: { readonly current?: Receipt | undefined; readonly byPerson?: ByPerson | undefined } = {},
): Promise<TableWrite[] | undefined> {
  const { network, transaction_id } = arrived;
  const use = await paymentUseRows.find(outside, { network, transaction_id });
  const { merchant_id = '', matched_by, reference = '', reversal_doubt_at, marked } = counted;
  const { looked_by = counted.looked_by } = byPerson ?? {};
  const read = reversal_doubt_at === undefined ? arrived : { ...arrived, proof: { state: 'unproven' } as const };
  const isOwn = use?.receipt_id === counted.receipt_id;
  const foreign = isOwn ? undefined : await foreignUse(outside, use, read);
  if (use && !isOwn && !foreign) return undefined;
  const charge = await chargeRows.find(outside, { reference });
  // A text that was held next to the typed receipt replaces it.
  const isThere = !byPerson && counted.receipt_id === paymentReceiptId(network, read.momo_number, transaction_id);
  const text = isThere ? { ...read, receipt_id: counted.receipt_id } : read;
  // Other texts that still contradict the payment.
  const others = await getReceipts(outside, counted.contradicted_by?.filter((id) => id !== current?.receipt_id) ?? []);
  const idsOf = (receipts: readonly Receipt[]) =>
    receipts.length > 0 ? receipts.map(({ receipt_id }) => receipt_id) : undefined;
  const doubts = { contradicted_by: idsOf(others), agreed_by: idsOf(others.filter(isNotThere)) };
  const mayEnd = byPerson && others.length === 0 && reversal_doubt_at === undefined;
  const rest = charge && mayEnd ? await restOf(outside, charge, counted) : undefined;
  const changed = charge
    ? changePayment(
        outside,
        charge,
        { receipt_id: counted.receipt_id, isDoubtOver: rest?.isCertain === true },
        ({ matched_by, looked_by: known, counted_in, counted_pesewas, counted_at }) =>
          paymentOf(text, { matched_by, looked_by: looked_by ?? known, counted_in, counted_pesewas, counted_at }),
      )
    : [];
  const receipt: Receipt = {
    ...text,
    ...{ merchant_id, matched_by, looked_by, reference, reversal_doubt_at },
    ...doubts,
    ...(byPerson && { first_undone: true }),
    state: 'matched',
  };
  const stored = isThere ? counted : current;
  const used = { reference, merchant_id };
  const left = [counted, ...(current ? [current] : [])].filter(({ receipt_id }) => receipt_id !== text.receipt_id);
  const why = marked ? UNDONE : NOT_THERE;
  const undone =
    byPerson &&
    heldAgain(counted, {
      set_aside: { at: nowIso(outside), by: byPerson.by, why },
      ...(!marked && { reason: 'conflict', suggested_reference: reference }),
    });
  const writes = [
    ...(undone ? [replaceReceipt(counted, undone)] : left.map(removeReceipt)),
    stored ? replaceReceipt(stored, receipt) : createReceipt(receipt),
    ...(marked ? releasePayment({ network, transaction_id, marked }, used, counted) : []),
    // If what counted has the id, a person matched it knowing which bill was marked with the id.
    ...usePayment(text, used, { isTyped: isOwn || marked !== undefined, foreign: isOwn || foreign ? use : undefined }),
    ...(foreign ? await loseUse(outside, foreign, text, merchant_id) : []),
    ...changed,
    ...(rest?.isCertain ? rest.unchanged : []),
  ];
  return writes;
}

export interface ByPerson {
  readonly by: string;
  /** The same person, who vouches for the text. Undefined if the wallet's texts verify it. */
  readonly looked_by: string | undefined;
}

/** Reads the other payments of a charge whose texts conflict. */
async function restOf(outside: TimedOutside, charge: Charge, { receipt_id }: Receipt) {
  const others = paymentsOf(charge).filter((one) => one.receipt_id !== receipt_id);
  return charge.disputed?.why === 'conflict' ? readKept(outside, others) : undefined;
}
