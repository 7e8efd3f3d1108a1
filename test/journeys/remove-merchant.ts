import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Deployment } from '../../shared/runtime/stage/deployment.ts';
import type { Item } from '../../shared/runtime/table/table.ts';

/** What a run leaves a trace under. */
export interface Traces {
  readonly merchantId: string;
  /** The numbers of its wallets, which nobody else has. */
  readonly wallets: readonly string[];
  /** Of the operator's texts, which belong to no merchant. */
  readonly sendIds: string[];
  /** Numbers that codes went to. */
  readonly codedNumbers: string[];
}

/**
 * Deletes every row that came of a merchant, and says how many there were. Reads the table until it has found none for some
 * seconds: workers may still be writing about what was already deleted. Only a run of journeys has a merchant to remove.
 */
export async function removeMerchant(
  deployment: Pick<Deployment, 'outside' | 'table'>,
  traces: Traces,
): Promise<number> {
  // What was learned of a row that is deleted still tells whose a late one is.
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
  // What belongs to the merchant tells under which other ids more is stored.
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

/** Under which more is stored: its charges, payments, events and texts. */
function idsIn({ reference, receipt_id, transaction_id, event_id, send_id }: Item): string[] {
  return [reference, receipt_id, transaction_id, event_id, send_id].filter((id) => typeof id === 'string');
}
