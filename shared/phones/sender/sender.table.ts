/**
 * sender   SENDER / <number>   a sending or receive-only number
 *
 * The partition is small and always read as a whole.
 */
import { cached, SETTINGS_CACHE_SECONDS } from '../../runtime/outside/cached.ts';
import { type Clock, nowIso, type Outside, type TableOutside } from '../../runtime/outside/outside.ts';
import { Changed } from '../../runtime/table/contention.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead, type TableWrite } from '../../runtime/table/table.ts';
import { Sender } from './sender.ts';

const PARTITION = 'SENDER';

export const senderRows = rows(Sender, { pk: PARTITION, sk: '<number>' });

export function listSenders(outside: TableOutside): Promise<Sender[]> {
  return senderRows.list(outside, {});
}

const senderCache = cached(SETTINGS_CACHE_SECONDS, (outside: Outside) => listSenders(outside));

/** Returns all senders from a cache that is at most two seconds old. */
export async function rememberedSenders(outside: Outside): Promise<Sender[]> {
  return (await senderCache.get(outside, PARTITION)) ?? [];
}

/** Replaces a sender. The write fails if the number's owner has changed since `read`. */
export function putSender(sender: Sender, read: Pick<Sender, 'owner'> | undefined): TableWrite {
  return senderRows.put(sender, { ...asRead({ owner: read?.owner }), refused: givenMeanwhile(sender.number) });
}

function givenMeanwhile(number: string) {
  return () => new Changed('busy', `The owner of ${number} has just changed. Try again.`);
}

export function deleteSender(number: string): TableWrite {
  return senderRows.remove({ number }, { ...asRead({ enabled: false }), refused: changedMeanwhile });
}

function changedMeanwhile(): Changed {
  return new Changed('busy', 'Somebody else has just changed this number. Try again.');
}

type Health = Pick<Sender, 'held_back' | 'fault' | 'full_until_ms'>;

/** Records why a sender cannot send, and which merchants' queues on this sender are full. */
export async function setHeldBack(
  outside: TableOutside,
  number: string,
  { held_back, fault, full_until_ms = {} }: Health,
): Promise<void> {
  const health = { held_back, fault, full_until_ms };
  await outside.table.update(senderRows.change({ number }, health, { when: 'attribute_exists(pk)' }));
}

/**
 * Records a fault on an account's first sender, because the gateway rejects the account. Housekeeping clears the fault.
 */
export async function noteRejected(outside: Outside, [sender]: readonly Sender[]): Promise<void> {
  if (!sender || sender.fault) return;
  const fault: Sender['fault'] = { reason: 'gateway_rejects', since_ms: outside.now(), is_lasting: false };
  const when = 'attribute_exists(pk) AND attribute_not_exists(fault)';
  await outside.table.update(senderRows.change(sender, { fault }, { when }));
  // Update the cache for this function instance's next text.
  await senderCache.fresh(outside, PARTITION);
}

/** Enables or disables a sender. The write fails if the number was removed, or moved to a phone that only receives. */
export function setSenderEnabled({ number, gateway, enabled, in_use_since }: Sender): TableWrite {
  const when = 'attribute_exists(pk) AND #gateway = :at';
  const set = { enabled, in_use_since, receives_only: undefined };
  return senderRows.change({ number }, set, { when, values: { ':at': gateway }, refused: changedMeanwhile });
}

/** Sets or removes a number's owner. The write fails if the number was removed. */
export function setSenderOwner(outside: Clock, number: string, owner: string | undefined): TableWrite {
  return { ...ownedBy(outside, number, owner, 'attribute_exists(pk)'), refused: changedMeanwhile };
}

/** Assigns a number without an owner to a merchant. The write fails if the number now has an owner. */
export function claimSender(outside: Clock, number: string, owner: string): TableWrite {
  const when = 'attribute_exists(pk) AND attribute_not_exists(#owner)';
  return { ...ownedBy(outside, number, owner, when), refused: givenMeanwhile(number) };
}

function ownedBy(outside: Clock, number: string, owner: string | undefined, when: string): TableWrite {
  const owned_since = owner && nowIso(outside);
  return senderRows.change({ number }, { owner, owned_since }, { when });
}
