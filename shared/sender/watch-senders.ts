import { isDeepStrictEqual } from 'node:util';
import { findGatewayAccount } from '../gateway/accounts.ts';
import { askLastSeen } from '../gateway/smsgate.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { laneEndsMs } from './pace.table.ts';
import { listSenders, setHeldBack } from './sender.table.ts';
import type { Sender } from './sender.ts';

/** A phone that the gateway has not heard from for this long is off or unreachable. */
export const NOT_SEEN_MS = 15 * 60 * 1000;
/** A merchant's texts that would wait longer than this are refused. */
export const FULL_MS = 24 * 60 * 60 * 1000;

/**
 * Pauses the senders that cannot send, and for each merchant those on which too many of its texts wait; releases them again; and
 * counts the phones that are off.
 */
export async function watchSenders(outside: WorkerOutside): Promise<void> {
  const senders = await listSenders(outside);
  const gateways = [...new Set(senders.map(({ gateway }) => gateway))];
  const lastSeen = new Map(
    await Promise.all(gateways.map(async (gateway) => [gateway, await phonesOf(outside, gateway)] as const)),
  );
  const notSeen = new Set<string>();
  for (const sender of senders) {
    const held_back = whyHeldBack(outside, sender, lastSeen.get(sender.gateway)?.get(sender.device_id));
    const full_until_ms = await fullQueues(outside, sender.number);
    if (held_back && sender.enabled) notSeen.add(`${sender.gateway} ${sender.device_id}`);
    if (held_back === sender.held_back && isDeepStrictEqual(full_until_ms, sender.full_until_ms ?? {})) continue;
    await setHeldBack(outside, sender.number, { held_back, full_until_ms });
    if (held_back === sender.held_back) continue;
    outside.log.warn(held_back ? `sender_${held_back}` : 'sender_back', { gateway: sender.gateway });
  }
  outside.metrics.count('phones_not_heard', notSeen.size);
}

/** The merchants with more waiting texts than leave in a day, each with the time at which that ends. */
async function fullQueues(outside: Outside, number: string): Promise<Record<string, number>> {
  const ends = await laneEndsMs(outside, number);
  const full = [...ends].filter(([, endMs]) => endMs - outside.now() > FULL_MS);
  return Object.fromEntries(full.map(([merchant, endMs]) => [merchant, Math.ceil(endMs - FULL_MS)]));
}

async function phonesOf(outside: Outside, gateway: string): Promise<ReadonlyMap<string, number>> {
  try {
    const account = await findGatewayAccount(outside, gateway);
    return account ? await askLastSeen(outside, account) : new Map();
  } catch (error) {
    // A gateway that does not answer says nothing about its phones: their known state remains.
    outside.log.warn('gateway_silent', { gateway, error });
    return new Map();
  }
}

function whyHeldBack(outside: Outside, sender: Sender, lastSeenMs: number | undefined): 'phone_not_seen' | undefined {
  const isUnknown = lastSeenMs === undefined || Number.isNaN(lastSeenMs);
  if (isUnknown) return sender.held_back === 'phone_not_seen' ? 'phone_not_seen' : undefined;
  return outside.now() - lastSeenMs > NOT_SEEN_MS ? 'phone_not_seen' : undefined;
}
