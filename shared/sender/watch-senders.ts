import { findGatewayAccount } from '../gateway/accounts.ts';
import { askLastSeen } from '../gateway/smsgate.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { lanesEndMs } from './pace.table.ts';
import { listSenders, setHeldBack } from './sender.table.ts';
import type { Sender } from './sender.ts';

/** A phone that the gateway has not heard from for this long is off or unreachable. */
export const NOT_SEEN_MS = 15 * 60 * 1000;
/** Texts that would wait longer than this are refused. */
export const FULL_MS = 24 * 60 * 60 * 1000;

/** Pauses the senders that cannot send in good time, releases those that can send again, and counts the phones that are off. */
export async function watchSenders(outside: WorkerOutside): Promise<void> {
  const senders = await listSenders(outside);
  const gateways = [...new Set(senders.map(({ gateway }) => gateway))];
  const lastSeen = new Map(
    await Promise.all(gateways.map(async (gateway) => [gateway, await phonesOf(outside, gateway)] as const)),
  );
  const notSeen = new Set<string>();
  for (const sender of senders) {
    const held_back = await whyHeldBack(outside, sender, lastSeen.get(sender.gateway)?.get(sender.device_id));
    if (held_back === 'phone_not_seen' && sender.enabled) notSeen.add(`${sender.gateway} ${sender.device_id}`);
    if (held_back === sender.held_back) continue;
    await setHeldBack(outside, sender.number, held_back);
    outside.log.warn(held_back ? `sender_${held_back}` : 'sender_back', { gateway: sender.gateway });
  }
  outside.metrics.count('phones_not_seen', notSeen.size);
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

async function whyHeldBack(
  outside: Outside,
  sender: Sender,
  lastSeenMs: number | undefined,
): Promise<Sender['held_back']> {
  const isUnknown = lastSeenMs === undefined || Number.isNaN(lastSeenMs);
  if (isUnknown && sender.held_back === 'phone_not_seen') return 'phone_not_seen';
  if (!isUnknown && outside.now() - lastSeenMs > NOT_SEEN_MS) return 'phone_not_seen';
  return (await lanesEndMs(outside, sender.number)) - outside.now() > FULL_MS ? 'queue_full' : undefined;
}
