import * as z from 'zod/mini';
import type { Reading } from '../../ghana/wallet-text/reading.ts';

/*
 * MTN's text of money that was sent to the bank names the balance and no amount, so it links to nothing, and nothing links to what was
 * there before it. The person who sent the money has the wallet in hand, and is asked at once.
 */

/** A text that says what the wallet holds, and not by how much that is less. */
export const Push = z.object({
  id: z.number(),
  /** In pesewas, after it. */
  balance: z.number(),
  /** When it reached the phone, and when it reached us, in milliseconds since 1970. */
  at_ms: z.number(),
  arrived_ms: z.number(),
  /** When the wallet's owner was asked about it. */
  asked_ms: z.optional(z.number()),
});
export type Push = z.infer<typeof Push>;

/** Beyond it, the balance has to be typed anyway. */
const MAX_PUSHES = 4;
/** Two that come so close to each other are two candidates: one may be forged. */
const CLOSE_MS = 60 * 60_000;
const KEPT_MS = 24 * CLOSE_MS;

/** What a text says of money that was sent away without saying how much; undefined for any other. */
export function pushOf(reading: Reading, origin: Pick<Push, 'at_ms' | 'arrived_ms'>): Push | undefined {
  if (reading.kind !== 'money_out') return undefined;
  const { transactionId, amountPesewas, balancePesewas } = reading;
  if (transactionId === null || balancePesewas === null || amountPesewas !== null) return undefined;
  return { ...origin, id: Math.min(Number(transactionId), Number.MAX_SAFE_INTEGER), balance: balancePesewas };
}

/** The pushes with one more; undefined if it is known. */
export function withPush(pushes: readonly Push[] = [], push: Push): Push[] | undefined {
  if (pushes.some(({ id, balance }) => id === push.id && balance === push.balance)) return undefined;
  return [...pushes.filter(({ arrived_ms }) => push.arrived_ms - arrived_ms < KEPT_MS), push].slice(-MAX_PUSHES);
}

/** Whether another text says about the same time that money was sent away. */
export function isOneOfSeveral(pushes: readonly Push[] = [], push: Push): boolean {
  return pushes.some((one) => one.id !== push.id && Math.abs(one.arrived_ms - push.arrived_ms) < CLOSE_MS);
}
