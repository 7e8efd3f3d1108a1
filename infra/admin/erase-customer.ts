import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { accountRows } from '../../shared/merchants/merchant/merchant.table.ts';
import { listSenders } from '../../shared/phones/sender/sender.table.ts';
import type { AdminOutside, Deployment, Progress } from '../../shared/runtime/stage/deployment.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';
import { asCurrent } from '../../shared/runtime/table/row-shape.ts';
import { recordErasure } from './audit.table.ts';
import type { Customer } from './customer.ts';
import { type Erasure, erasureOf, namesPayer, payment, RowMoved } from './personal-data.ts';

/**
 * Erases a customer's data from every row, but keeps amounts, ids and credits. Reads the whole table, because no index
 * maps customers to rows. A dry run only counts the rows. Safe to repeat.
 * @throws OperatorError if the number is one of the service's own.
 */
export async function eraseCustomer(
  { outside, table }: Pick<Deployment, 'outside' | 'table'>,
  customer: Customer,
  { isForReal, progress = () => undefined }: { isForReal: boolean; progress?: Progress },
) {
  await refuseOwnNumber(outside, customer);
  const counts: Record<string, number> = {};
  /** Rows that are still in use. A later run can erase them. */
  const leftOut: { kind: string; id: string }[] = [];
  const settle = async (erasure: Erasure, id: string) => {
    const { kind } = erasure;
    if ('leftOut' in erasure) return void leftOut.push({ kind, id: erasure.leftOut });
    if (isForReal && !(await isWritten(outside, erasure))) return void leftOut.push({ kind, id });
    counts[kind] = (counts[kind] ?? 0) + 1;
  };

  const receiptIds = new Set<string>();
  const seen = new Set<string>();
  let rows = 0;
  const client = DynamoDBDocumentClient.from(table.client, { marshallOptions: { removeUndefinedValues: true } });
  for await (const { Items = [] } of paginateScan({ client }, { TableName: table.name, ConsistentRead: true })) {
    for (const stored of Items) {
      const row = asCurrent(stored);
      const erasure = await erasureOf(outside, customer, row);
      if (!erasure) continue;
      seen.add(String(row.pk));
      if ('write' in erasure) for (const id of erasure.receiptIds ?? []) receiptIds.add(id);
      await settle(erasure, String(row.pk));
    }
    rows += Items.length;
    progress(`Read ${rows} rows`);
  }
  // Also erase the receipts for the person's charges, because some name the payer without giving the number.
  const keys = [...receiptIds].map((id) => ({ pk: `RECEIPT#${id}`, sk: 'RECEIPT' }));
  for (const row of await outside.table.getMany(keys.filter(({ pk }) => !seen.has(pk)))) {
    if (namesPayer(row)) await settle(payment(row), String(row.pk));
  }
  if (isForReal) await outside.table.write([recordErasure(outside, customer, counts)]);
  return { counts, leftOut };
}

async function isWritten(outside: AdminOutside, { write }: Extract<Erasure, { write: object }>): Promise<boolean> {
  try {
    await outside.table.write([write]);
    return true;
  } catch (error) {
    if (error instanceof RowMoved) return false;
    throw error;
  }
}

/** Rejects the number of a merchant or sender, because such a number appears in every charge or text. */
async function refuseOwnNumber(outside: AdminOutside, customer: Customer): Promise<void> {
  if (!('phone' in customer)) return;
  const { phone } = customer;
  const accounts = await accountRows.list(outside, { number: phone });
  const senders = await listSenders(outside);
  if (accounts.length === 0 && !senders.some(({ number }) => number === phone)) return;
  throw new OperatorError(
    `${phone} belongs to the service: a merchant receives payments on it, or texts are sent from it. Enter a customer's number.`,
  );
}
