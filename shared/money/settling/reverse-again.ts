import { readWalletText } from '../../ghana/wallet-text/read-wallet-text.ts';
import { accountRows } from '../../merchants/merchant/merchant.table.ts';
import { nowIso } from '../../runtime/outside/outside.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { LAST_SORT } from '../../runtime/table/table.ts';
import { HOUR_MS } from '../../runtime/values/calendar.ts';
import { type FallJob, proofJob } from '../receipt/proof-job.ts';
import { listReceipts } from '../receipt/receipt.table.ts';
import type { Receipt } from '../receipt/receipt.ts';
import { settleReversal } from './settle-reversal.ts';

/**
 * Time during which a reversal is retried. Delayed earlier texts should arrive within this time. If the owner enters a
 * balance later, a `FallJob` retries the reversal.
 */
const LOOKED_AT_FOR_MS = HOUR_MS;
const LOOKED_AT_AGAIN_SECONDS = 15 * 60;

/**
 * Retries a reversal that the wallet's balance chain did not confirm. An earlier text may have arrived since, or the
 * owner may have entered a balance.
 */
export async function reverseAgain(outside: WorkerOutside, stored: Receipt): Promise<void> {
  const { receipt_id, sender, text, received_at, momo_number, merchant_id } = stored;
  const reading = readingOf(stored);
  if (reading.kind !== 'reversal') return;
  const ends = endOfRetention(outside, nowIso(outside));
  const origin = { momo_number, sender, text, received_at, merchant_id, ...ends };
  const outcome = await settleReversal(outside, reading, origin, { isAgain: true });
  const isRecent = outside.now() - Date.parse(received_at) < LOOKED_AT_FOR_MS;
  if (outcome !== 'not shown' || !isRecent) return;
  await outside.queues.send('settle-receipt', [proofJob(receipt_id, LOOKED_AT_AGAIN_SECONDS)]);
}

function readingOf({ sender = '', text = '' }: Receipt) {
  return readWalletText(sender, text);
}

const LOOKED_AT_ONCE = 100;

/**
 * Queues the stored reversals that may explain a fall in their wallet's balance, however old they are. Includes
 * reversals that a person set aside, or that had no merchant on arrival.
 */
export async function findReversals(outside: WorkerOutside, job: FallJob): Promise<void> {
  const { momo_number, since } = job;
  for (const list of job.list ? [job.list] : await listsOf(outside, momo_number)) {
    const page = { between: [since, LAST_SORT], limit: LOOKED_AT_ONCE } as const;
    const { receipts, next } = await listReceipts(outside, list.merchant_id, list.name, page);
    const found = receipts.filter((one) => one.momo_number === momo_number && readingOf(one).kind === 'reversal');
    const jobs = found.map(({ receipt_id }) => proofJob(receipt_id));
    const rest = next ? [{ body: { ...job, since: next.sort, list } satisfies FallJob, group: 'proofs' }] : [];
    if (jobs.length + rest.length > 0) await outside.queues.send('settle-receipt', [...jobs, ...rest]);
  }
}

async function listsOf(outside: WorkerOutside, momoNumber: string) {
  const accounts = await accountRows.list(outside, { number: momoNumber });
  const names = ['unread', 'decided'] as const;
  const owners = [undefined, ...accounts.map(({ merchant_id }) => merchant_id)];
  return owners.flatMap((merchant_id) => names.map((name) => ({ merchant_id, name })));
}
