import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Deployment } from '../../shared/runtime/stage/deployment.ts';
import type { Item } from '../../shared/runtime/table/table.ts';

/** Ids of the rows created by a run of the journeys. */
export interface Traces {
  readonly merchantId: string;
  /** The merchant's wallet numbers. */
  readonly wallets: readonly string[];
  /** Ids of texts sent by the operator. */
  readonly sendIds: string[];
  /** Numbers that received codes. */
  readonly codedNumbers: string[];
}

/**
 * Deletes every row of a merchant and returns how many there were. Repeats the scan for some seconds, because workers
 * may still write rows.
 */
export async function removeMerchant(
  deployment: Pick<Deployment, 'outside' | 'table'>,
  traces: Traces,
): Promise<number> {
  // Keep the ids of deleted rows, to find rows written later.
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
  // The merchant's rows contain the ids of further rows.
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

/** Returns the ids in a row that identify further rows. */
function idsIn({ reference, receipt_id, transaction_id, event_id, send_id }: Item): string[] {
  return [reference, receipt_id, transaction_id, event_id, send_id].filter((id) => typeof id === 'string');
}
