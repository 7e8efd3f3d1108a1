import * as z from 'zod/mini';
import { Network } from '../../ghana/network.ts';
import { isoOf } from '../../runtime/outside/outside.ts';
import type { Job } from '../../runtime/outside/queues.ts';
import type { Item } from '../../runtime/table/table.ts';
import type { RowChange } from '../../runtime/triggers/stream.ts';
import { HOUR_MS } from '../../runtime/values/calendar.ts';
import { fallOf, unexplainedBy } from '../../wallets/chain/chain.table.ts';
import { OVERTAKEN_MS } from '../../wallets/chain/chain.ts';
import type { SuspectedReversal } from '../../wallets/wallet/wallet-notice.table.ts';

/** Time after which any delayed earlier text should have arrived. */
export const CHECKED_AFTER_SECONDS = OVERTAKEN_MS / 1000 + 5;

export const ProofJob = z.object({ receipt_id: z.string() });
export type ProofJob = z.infer<typeof ProofJob>;

/**
 * Builds a job that re-evaluates a payment, either now or after `delaySeconds`, when no earlier text can still arrive.
 */
export function proofJob(receipt_id: string, delaySeconds = 0): Job {
  return { body: { receipt_id } satisfies ProofJob, group: 'proofs', delaySeconds };
}

/** Queued when a wallet's balance has fallen. The worker then re-evaluates every reversal that may explain the fall. */
export const FallJob = z.object({
  kind: z.literal('fall'),
  network: Network,
  momo_number: z.string(),
  /**
   * Time of the oldest text to examine (ISO). In a follow-up job, this is the position in `list` at which to continue.
   */
  since: z.string(),
  list: z.optional(z.object({ merchant_id: z.optional(z.string()), name: z.enum(['unread', 'decided']) })),
});
export type FallJob = z.infer<typeof FallJob>;

export const UnexplainedJob = z.object({ kind: z.literal('unexplained'), receipt: z.string() });
export type UnexplainedJob = z.infer<typeof UnexplainedJob>;

/** Queued for each payment that may have been reversed without a text. */
export const SuspectedJob = z.object({
  kind: z.literal('suspected'),
  network: Network,
  momo_number: z.string(),
  transaction_id: z.string(),
});
export type SuspectedJob = z.infer<typeof SuspectedJob>;

export function suspectedJobs({ payments, network, momo_number }: SuspectedReversal): Job[] {
  return payments.map(({ transaction_id }) => {
    const body: SuspectedJob = { kind: 'suspected', network, momo_number, transaction_id };
    return { body, group: 'proofs' };
  });
}

export function gapJobs(change: RowChange): Job[] {
  const fall = change.after && fallJob(change.after);
  const receipt = unexplainedBy(change);
  const unexplained = { kind: 'unexplained', receipt: receipt ?? '' } satisfies UnexplainedJob;
  return [...(fall ? [fall] : []), ...(receipt === undefined ? [] : [{ body: unexplained, group: 'proofs' }])];
}

const SLACK_MS = HOUR_MS;

function fallJob(row: Item): Job | undefined {
  const fall = fallOf(row);
  if (!fall) return undefined;
  const { since_ms, ...wallet } = fall;
  return { body: { kind: 'fall', ...wallet, since: isoOf(since_ms - SLACK_MS) } satisfies FallJob, group: 'proofs' };
}
