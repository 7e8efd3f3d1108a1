/*
 * receipt   RECEIPT#<receipt id> / RECEIPT   a payment's id is <network>-<momo number>-<network's id>
 *   gsi1   MERCHANT#<merchant>#RECEIPT#<state> / <received_at>#<receipt id>     NOBODY#RECEIPT#… where it is not known whose it is
 */
import * as z from 'zod/mini';
import type { Outside } from '../runtime/outside/outside.ts';
import type { Item, Page, PageStart, TableWrite } from '../runtime/table/table.ts';
import { PublicError } from '../runtime/values/errors.ts';
import { Receipt, type ReceiptState } from './receipt.ts';

const keyOf = (receiptId: string) => ({ pk: `RECEIPT#${receiptId}`, sk: 'RECEIPT' });
const indexPartition = (merchantId: string | undefined, state: ReceiptState) =>
  `${merchantId === undefined ? 'NOBODY' : `MERCHANT#${merchantId}`}#RECEIPT#${state}`;

export async function getReceipt(outside: Pick<Outside, 'table'>, receiptId: string): Promise<Receipt | undefined> {
  const item = await outside.table.get(keyOf(receiptId));
  return item && parseReceipt(item);
}

export function parseReceipt(item: Item): Receipt {
  return z.parse(Receipt, item);
}

/** A page of a merchant's receipts in a state, newest first; of those that are nobody's where there is no merchant. */
export async function listReceipts(
  outside: Pick<Outside, 'table'>,
  merchantId: string | undefined,
  state: ReceiptState,
  page: Page,
): Promise<{ receipts: Receipt[]; next: PageStart | undefined }> {
  const { items, next } = await outside.table.listIndex('gsi1', indexPartition(merchantId, state), page);
  // The index is a moment behind: what has moved on since is in another list, or another merchant's.
  const receipts = items.map(parseReceipt).filter((one) => one.merchant_id === merchantId && one.state === state);
  return { receipts, next };
}

/** Keeps a receipt for the first time; refused with `ReceiptChanged` where it, or its reversal, was kept before. */
export function createReceipt(receipt: Receipt): TableWrite {
  return {
    put: { Item: itemOf(receipt), ConditionExpression: 'attribute_not_exists(pk)' },
    refused: receiptChanged,
  };
}

/** Puts `after` in the place of `before`; refused with `ReceiptChanged` where it is not in the state it was read in. */
export function replaceReceipt(before: Receipt, after: Receipt): TableWrite {
  const { state, reason } = before;
  return {
    put: {
      Item: itemOf(after),
      ConditionExpression: `#state = :state AND ${reason ? 'reason = :reason' : 'attribute_not_exists(reason)'}`,
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':state': state, ...(reason && { ':reason': reason }) },
    },
    refused: receiptChanged,
  };
}

/** Another writer was first: `receipt` is what stands now. */
export class ReceiptChanged extends PublicError {
  readonly receipt: Receipt;
  constructor(receipt: Receipt) {
    super('receipt_not_held', `The receipt is ${receipt.state} by now. Look at it again.`);
    this.receipt = receipt;
  }
}

function receiptChanged(current: unknown): ReceiptChanged {
  return new ReceiptChanged(z.parse(Receipt, current));
}

function itemOf(receipt: Receipt) {
  const { receipt_id, merchant_id, state, received_at } = receipt;
  const index = { gsi1pk: indexPartition(merchant_id, state), gsi1sk: `${received_at}#${receipt_id}` };
  return { ...keyOf(receipt_id), ...index, ...receipt };
}
