/*
 * sender   SENDER / <number>   few, and read together
 */
import { cached, SETTINGS_CACHE_SECONDS } from '../../runtime/outside/cached.ts';
import { type Clock, nowIso, type Outside, type TableOutside } from '../../runtime/outside/outside.ts';
import { Changed } from '../../runtime/table/contention.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead, type TableWrite } from '../../runtime/table/table.ts';
import { Sender } from './sender.ts';

const PARTITION = 'SENDER';

/** All in one list, by number. */
export const senderRows = rows(Sender, { pk: PARTITION, sk: '<number>' });

/** Every sender, by number. */
export function listSenders(outside: TableOutside): Promise<Sender[]> {
  return senderRows.list(outside, {});
}

const senderCache = cached(SETTINGS_CACHE_SECONDS, (outside: Outside) => listSenders(outside));

/** Every sender, as it was at most two seconds ago. */
export async function rememberedSenders(outside: Outside): Promise<Sender[]> {
  return (await senderCache.get(outside, PARTITION)) ?? [];
}

/** Stores a sender in the place of what was read; refused where somebody has given the number to another owner since. */
export function putSender(sender: Sender, read: Pick<Sender, 'owner'> | undefined): TableWrite {
  return senderRows.put(sender, { ...asRead({ owner: read?.owner }), refused: givenMeanwhile(sender.number) });
}

function givenMeanwhile(number: string) {
  return () => new Changed('busy', `The number ${number} was given to somebody at the same time. Try again.`);
}

/** Removes a sender that is disabled. */
export function deleteSender(number: string): TableWrite {
  return senderRows.remove({ number }, { ...asRead({ enabled: false }), refused: changedMeanwhile });
}

function changedMeanwhile(): Changed {
  return new Changed('busy', 'The number was changed by somebody else at the same time. Try again.');
}

/** What housekeeping finds out about a sender. */
type Health = Pick<Sender, 'held_back' | 'fault' | 'full_until_ms'>;

/** Records why a sender cannot send for now, if so, and for whom its queue is full. */
export async function setHeldBack(
  outside: TableOutside,
  number: string,
  { held_back, fault, full_until_ms = {} }: Health,
): Promise<void> {
  const health = { held_back, fault, full_until_ms };
  await outside.table.update(senderRows.change({ number }, health, { when: 'attribute_exists(pk)' }));
}

/**
 * Records that a gateway rejects its account, on the first of its senders: texts pause for all of them until housekeeping, which sees
 * to the faults from then on, finds that it accepts the account again.
 */
export async function noteRejected(outside: Outside, [sender]: readonly Sender[]): Promise<void> {
  if (!sender || sender.fault) return;
  const fault: Sender['fault'] = { reason: 'gateway_rejects', since_ms: outside.now(), is_lasting: false };
  const when = 'attribute_exists(pk) AND attribute_not_exists(fault)';
  await outside.table.update(senderRows.change(sender, { fault }, { when }));
  // Here, it counts for the next text already.
  await senderCache.fresh(outside, PARTITION);
}

/** A number that accepts texts from now on, or no new ones; refused where it was removed or moved since, to a phone that only receives. */
export function setSenderEnabled({ number, gateway, enabled, in_use_since }: Sender): TableWrite {
  const when = 'attribute_exists(pk) AND #gateway = :at';
  const set = { enabled, in_use_since, receives_only: undefined };
  return senderRows.change({ number }, set, { when, values: { ':at': gateway }, refused: changedMeanwhile });
}

/** Says whose number it is; undefined where merchants share it. Refused where it was removed since. */
export function setSenderOwner(outside: Clock, number: string, owner: string | undefined): TableWrite {
  return { ...ownedBy(outside, number, owner, 'attribute_exists(pk)'), refused: changedMeanwhile };
}

/** Makes a number that nobody owns a merchant's; refused where somebody does by now. */
export function claimSender(outside: Clock, number: string, owner: string): TableWrite {
  const when = 'attribute_exists(pk) AND attribute_not_exists(#owner)';
  return { ...ownedBy(outside, number, owner, when), refused: givenMeanwhile(number) };
}

function ownedBy(outside: Clock, number: string, owner: string | undefined, when: string): TableWrite {
  const owned_since = owner && nowIso(outside);
  return senderRows.change({ number }, { owner, owned_since }, { when });
}
