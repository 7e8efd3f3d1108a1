import { MovedOn } from '../transaction/change-transaction.table.ts';
import { PaymentUsed } from './payment-use.table.ts';
import { ReceiptChanged } from './receipt.table.ts';

/** Whether another writer came first: to the receipt, to its charge, or to the payment through another of its texts. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof MovedOn || error instanceof ReceiptChanged || error instanceof PaymentUsed;
}

/** Reads and decides again if what was read has changed by the time of the write. */
export async function whileOthersWrite<Result>(readAndWrite: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readAndWrite();
    } catch (error) {
      if (!isOvertaken(error) || attempt === 5) throw error;
    }
  }
}
