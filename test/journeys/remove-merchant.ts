import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Deployment } from '../../shared/runtime/stage/deployment.ts';
import type { Item } from '../../shared/runtime/table/table.ts';

/** Ids under which a run of the journeys stores rows. */
export interface Traces {
  readonly merchantId: string;
  /** The merchant's wallet numbers, which no other merchant has. */
  readonly wallets: readonly string[];
  /** Ids of the operator's texts, which do not belong to any merchant. */
  readonly sendIds: string[];
  /** Numbers to which codes have been sent. */
  readonly codedNumbers: string[];
}

/**
 * Deletes every row caused by a merchant and returns the number of deleted rows. Scans the table until no such row has
 * been found for some seconds, because workers may still be writing rows about deleted ones. Only journeys remove a
 * merchant.
 */
export async function removeMerchant(
  deployment: Pick<Deployment, 'outside' | 'table'>,
  traces: Traces,
): Promise<number> {
  // Keep the ids from deleted rows, because they also identify rows that are written later.
  const ids = new Set([traces.merchantId, ...traces.wallets]);
  let removed = 0;
  let quietScans = 0;
  while (quietScans < QUIET_SCANS) {
    const found = await rowsOf(deployment, traces, ids);
    for (const { pk, sk } of found) await deployment.outside.table.write([{ delete: { Key: { pk, sk } } }]);
    removed += found.length;
    quietScans = found.length > 0 ? 0 : quietScans + 1;
    await sleep(1_000);
  }
  return removed;
}

const QUIET_SCANS = 3;

async function rowsOf(
  { table }: Pick<Deployment, 'table'>,
  { merchantId, wallets, sendIds, codedNumbers }: Traces,
  ids: Set<string>,
): Promise<{ pk: string; sk: string }[]> {
  const client = DynamoDBDocumentClient.from(table.client);
  const isOfMerchant = (item: Item) => item.merchant_id === merchantId || wallets.includes(String(item.momo_number));
  for (const id of sendIds) ids.add(id);
  const rows: { pk: string; sk: string; isOurs: boolean }[] = [];
  // The merchant's rows contain the other ids under which rows are stored.
  for await (const { Items = [] } of paginateScan({ client }, { TableName: table.name, ConsistentRead: true })) {
    for (const item of Items) {
      const isOurs = isOfMerchant(item);
      if (isOurs) for (const id of idsIn(item)) ids.add(id);
      rows.push({ pk: String(item.pk), sk: String(item.sk), isOurs });
    }
  }
  const codes = new Set(codedNumbers.map((number) => `CODE#${number}`));
  const isTrace = (part: string) => ids.has(part) || part.startsWith(`${merchantId}-`);
  return rows.filter(({ pk, sk, isOurs }) => isOurs || codes.has(pk) || `${pk}#${sk}`.split('#').some(isTrace));
}

/** Returns the ids in a row under which more rows are stored: charges, payments, events and texts. */
function idsIn({ reference, receipt_id, transaction_id, event_id, send_id }: Item): string[] {
  return [reference, receipt_id, transaction_id, event_id, send_id].filter((id) => typeof id === 'string');
}
