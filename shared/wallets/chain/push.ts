import * as z from 'zod/mini';
import type { Reading } from '../../ghana/wallet-text/reading.ts';
import { DAY_MS } from '../../runtime/values/calendar.ts';

/**
 * A transfer from the wallet to a bank. MTN's text about the transfer states a balance but no amount, so the owner is
 * asked.
 */

export const Push = z.object({
  id: z.number(),
  balance: z.number(),
  at_ms: z.number(),
  arrived_ms: z.number(),
  asked_ms: z.optional(z.number()),
});
export type Push = z.infer<typeof Push>;

const MAX_PUSHES = 4;
const KEPT_MS = DAY_MS;

export function pushOf(reading: Reading, origin: Pick<Push, 'at_ms' | 'arrived_ms'>): Push | undefined {
  if (reading.kind !== 'money_out') return undefined;
  const { transactionId, amountPesewas, balancePesewas } = reading;
  if (transactionId === null || balancePesewas === null || amountPesewas !== null) return undefined;
  return { ...origin, id: Math.min(Number(transactionId), Number.MAX_SAFE_INTEGER), balance: balancePesewas };
}

export function withPush(pushes: readonly Push[] = [], push: Push): Push[] | undefined {
  if (pushes.some(({ id, balance }) => id === push.id && balance === push.balance)) return undefined;
  return [...pushes.filter(({ arrived_ms }) => push.arrived_ms - arrived_ms < KEPT_MS), push].slice(-MAX_PUSHES);
}
