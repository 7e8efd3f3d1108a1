import * as z from 'zod/mini';
import type { Job } from '../../runtime/outside/queues.ts';

/** A payment of which more may be known: its receipt is decided about again. */
export const ProofJob = z.object({ receipt_id: z.string() });
export type ProofJob = z.infer<typeof ProofJob>;

/** The job that decides about a payment again: at once, or when no text before it can still be on its way. */
export function proofJob(receipt_id: string, delaySeconds = 0): Job {
  return { body: { receipt_id } satisfies ProofJob, group: 'proofs', delaySeconds };
}
