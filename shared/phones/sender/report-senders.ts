import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { failuresOf, type Outcomes } from '../../runtime/table/recent-outcomes.ts';
import { FORWARDER } from '../gateway/forwarder.ts';
import { listPhones } from '../gateway/phone.table.ts';
import { isLate, isSilent } from './phone-silence.ts';
import { isAvailable, isInUse, outcomesOf, type Sender } from './sender.ts';

/** This many failures among a SIM's last ten texts suggest that the SIM is out of airtime. */
const FAILING_TEXTS = 5;

/** Counts enabled senders with a lasting fault. Offline phones have a separate metric. */
export function reportHeldBack(outside: WorkerOutside, senders: readonly Sender[]): void {
  const heldBack = senders.filter(({ enabled, fault }) => enabled && fault?.is_lasting);
  for (const sender of heldBack) {
    outside.log.warn('sender_held_back', { ...idsOf(sender), ...(sender.fault && { code: sender.fault.reason }) });
  }
  outside.metrics.count('senders_held_back', heldBack.length);
}

/**
 * Counts phones in use that are offline, silent, late or `deaf` (posting everything except received texts). While a
 * phone posts no callbacks, its payments are not recognised.
 * @returns the numbers of silent phones.
 */
export async function reportUnheard(
  outside: WorkerOutside,
  senders: readonly Sender[],
  deaf: readonly Sender[],
): Promise<string[]> {
  const { phones, pingsSinceMs } = await listPhones(outside);
  const unheard = new Map<string, 'not_seen' | 'no_signed_callback' | 'does_not_hear' | 'late'>();
  for (const sender of senders.filter(isInUse)) {
    const { gateway, device_id } = sender;
    const phone = phones.find((one) => one.gateway === gateway && one.device_id === device_id);
    const reason =
      sender.held_back === 'phone_not_seen'
        ? 'not_seen'
        : isSilent(outside, sender, phone, pingsSinceMs.get(gateway))
          ? 'no_signed_callback'
          : deaf.includes(sender)
            ? 'does_not_hear'
            : gateway === FORWARDER && isLate(outside, phone) && 'late';
    if (!reason || unheard.has(`${gateway} ${device_id}`)) continue;
    unheard.set(`${gateway} ${device_id}`, reason);
    outside.log.warn('phone_not_heard', { gateway, device: device_id, code: reason });
  }
  outside.metrics.count('phones_not_heard', unheard.size);
  const isSilentPhone = ({ gateway, device_id }: Sender) =>
    (unheard.get(`${gateway} ${device_id}`) ?? 'late') !== 'late';
  return senders
    .filter(isInUse)
    .filter(isSilentPhone)
    .map(({ number }) => number);
}

/** Counts available senders that fail to send most of their texts. */
export function reportFailing(outside: WorkerOutside, senders: readonly Sender[], outcomes: readonly Outcomes[]): void {
  const failing = failingSenders(senders, outcomes);
  for (const sender of failing) outside.log.warn('sender_failing', idsOf(sender));
  outside.metrics.count('senders_failing', failing.length);
}

export function failingSenders(senders: readonly Sender[], outcomes: readonly Outcomes[]): Sender[] {
  return senders.filter(isAvailable).filter((sender) => {
    const ofSim = outcomes.find(({ whose }) => whose === outcomesOf(sender));
    return ofSim && failuresOf(ofSim) >= FAILING_TEXTS;
  });
}

function idsOf({ gateway, device_id, sim_number }: Sender) {
  return { gateway, device: device_id, sim: sim_number };
}
