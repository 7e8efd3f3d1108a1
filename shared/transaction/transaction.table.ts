/*
 * transaction   TRANSACTION#<reference> / TRANSACTION
 *   gsi1   MERCHANT#<merchant>#TRANSACTION / <created_at>#<reference>     a merchant's charges by time
 *   gsi2   OPEN#<momo number>#<pesewas> / <created_at>#<reference>        while it waits for its payment
 */
import * as z from 'zod/mini';
import { Network } from '../merchant/momo-account.ts';
import type { Outside } from '../runtime/outside.ts';
import type { Piece } from '../runtime/table.ts';
import { isReference, isSameAccessCode, referenceOfAccessCode } from './reference.ts';

export const Transaction = z.object({
  reference: z.string(),
  access_code: z.string(),
  merchant_id: z.string(),
  /** As it was when the charge was made, so that the checkout page is one read. */
  merchant_name: z.string(),
  state: z.enum(['pending', 'success', 'reversed']),
  amount_pesewas: z.number(),
  momo_number: z.string(),
  momo_network: Network,
  momo_account_name: z.string(),
  email: z.optional(z.string()),
  customer_name: z.optional(z.string()),
  callback_url: z.optional(z.string()),
  description: z.optional(z.string()),
  /** JSON text, as the merchant wrote its numbers. */
  metadata: z.optional(z.string()),
  created_at: z.string(),
  /** Not the table's time to live: a charge is kept. */
  expires_at: z.string(),
  paid_at: z.optional(z.string()),
});
export type Transaction = z.infer<typeof Transaction>;

const keyOf = (reference: string) => ({ pk: `TRANSACTION#${reference}`, sk: 'TRANSACTION' });

/** The charge of a reference, for its own merchant only; undefined for anybody else, as for one that does not exist. */
export async function getTransaction(
  outside: Outside,
  reference: string,
  merchantId: string,
): Promise<Transaction | undefined> {
  const transaction = isReference(reference) ? await read(outside, reference) : undefined;
  return transaction?.merchant_id === merchantId ? transaction : undefined;
}

/** The charge of a checkout code; undefined where the code is not exactly its own. */
export async function getTransactionByAccessCode(
  outside: Outside,
  accessCode: string,
): Promise<Transaction | undefined> {
  const reference = referenceOfAccessCode(accessCode);
  const transaction = reference ? await read(outside, reference) : undefined;
  return transaction && isSameAccessCode(accessCode, transaction.access_code) ? transaction : undefined;
}

/** Refused with `ReferenceTaken` where another charge has the reference; a repeat of the very same charge is no clash. */
export function createTransaction(transaction: Transaction): Piece {
  const { reference, access_code, merchant_id, momo_number, amount_pesewas, created_at } = transaction;
  const byTime = `${created_at}#${reference}`;
  return {
    put: {
      Item: {
        ...keyOf(reference),
        gsi1pk: `MERCHANT#${merchant_id}#TRANSACTION`,
        gsi1sk: byTime,
        gsi2pk: `OPEN#${momo_number}#${amount_pesewas}`,
        gsi2sk: byTime,
        ...transaction,
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
    refused: (standing) => (standing?.access_code === access_code ? undefined : new ReferenceTaken(reference)),
  };
}

export class ReferenceTaken extends Error {
  constructor(reference: string) {
    super(`The reference ${reference} is taken`);
  }
}

async function read(outside: Outside, reference: string): Promise<Transaction | undefined> {
  const item = await outside.table.get(keyOf(reference));
  return item && z.parse(Transaction, item);
}
