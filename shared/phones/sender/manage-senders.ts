import { type Clock, nowIso, type TableOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { NoSuch } from '../../runtime/values/no-such.ts';
import { FORWARDER } from '../gateway/forwarder.ts';
import { listSenders, putSender, setSenderEnabled } from './sender.table.ts';
import { DEFAULT_MESSAGES_PER_HOUR, type Sender, sameSim } from './sender.ts';

export type SenderPlace = Pick<Sender, 'number' | 'network' | 'gateway' | 'device_id' | 'sim_number'>;

export interface PlacedSender extends SenderPlace {
  readonly messages_per_hour?: number | undefined;
  /** True for a number that receives payments but does not send texts. Unset to keep the current setting. */
  readonly receives_only?: boolean | undefined;
  /** A merchant's id, or `NOBODY`. Unset to keep the current owner. */
  readonly owner?: string | undefined;
}

export const NOBODY = 'none';

/**
 * Adds a sender, or moves an existing one to the given phone and SIM. Enables the sender unless it only receives. An
 * existing sender keeps its rate limit unless a new one is given.
 */
export function addSender(outside: TimedOutside, placed: PlacedSender): Promise<Sender> {
  return retryIfChanged(async () => {
    const { sender, writes } = addedSender(outside, await listSenders(outside), placed);
    await outside.table.write(writes);
    return sender;
  });
}

export function addedSender(
  outside: Clock,
  senders: readonly Sender[],
  { messages_per_hour, receives_only, owner: ownerId, ...place }: PlacedSender,
): { readonly sender: Sender; readonly writes: readonly TableWrite[] } {
  const current = senders.find(({ number }) => number === place.number);
  const now = nowIso(outside);
  const isReceiver = place.gateway === FORWARDER || (receives_only ?? current?.receives_only ?? false);
  const owner = ownerId === undefined ? current?.owner : ownerId === NOBODY ? undefined : ownerId;
  const owned_since = owner === current?.owner ? current?.owned_since : now;
  const sender = {
    ...place,
    messages_per_hour: messages_per_hour ?? current?.messages_per_hour ?? DEFAULT_MESSAGES_PER_HOUR,
    enabled: !isReceiver,
    ...(isReceiver && { receives_only: true }),
    ...(owner && { owner, ...(owned_since && { owned_since }) }),
    full_until_ms: current?.full_until_ms,
    created_at: current?.created_at ?? now,
    in_use_since: now,
  };
  return { sender, writes: [putSender(sender, current)] };
}

/**
 * Enables or disables a sender.
 * @throws NoSuch if the sender does not exist.
 * @throws PublicError `invalid_request` when enabling a sender that cannot send.
 */
export async function prepareSwitch(outside: TimedOutside, number: string, enabled: boolean) {
  const { receives_only, ...before } = await requireSender(outside, number);
  if (enabled && before.gateway === FORWARDER)
    throw new PublicError(
      'invalid_request',
      `${number} can only receive, because its phone uses a forwarding app. To send texts, move the number to a phone with SMSGate.`,
    );
  const isSo = before.enabled === enabled && !receives_only;
  const sender = isSo ? before : { ...before, enabled, in_use_since: nowIso(outside) };
  const entry = { action: enabled ? 'sender enable' : 'sender disable', about: number };
  return { sender, writes: isSo ? [] : [setSenderEnabled(sender)], entry };
}

export async function requireSender(outside: TableOutside, number: string): Promise<Sender> {
  return (await listSenders(outside)).find((sender) => sender.number === number) ?? noSender(number);
}

/** Returns a second number on the same SIM, if any. Receipts do not say which of the two numbers was paid. */
export function otherInSim(
  senders: readonly Sender[],
  place: Pick<Sender, 'number' | 'gateway' | 'device_id' | 'sim_number'>,
): Sender | undefined {
  return senders.find((sender) => sender.number !== place.number && sameSim(sender, place));
}

/** Returns the command that assigns a number to a phone. Placeholders are in capitals. */
export function placingCommand({ number, network }: Pick<Sender, 'number' | 'network'>): string {
  return `sender add --number ${number} --network ${network} --gateway phone --device DEVICE --sim SLOT --receive-only`;
}

export function simTaken({ sim_number, device_id }: SenderPlace, other: Pick<Sender, 'number'>): string {
  return `SIM ${sim_number} of the phone ${device_id} is already used by ${other.number}. Move that number first`;
}

function noSender(number: string): never {
  throw new NoSuch('sender', `There is no sender ${number}.`);
}
