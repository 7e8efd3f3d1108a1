import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { endOfTest } from '../../merchants/merchant/test-account.ts';
import { countTests } from '../../merchants/merchant/test-limit.table.ts';
import { type Clock, isoOf, nowIso, type Outside } from '../../runtime/outside/outside.ts';
import { writeInTransactions } from '../../runtime/table/in-transactions.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { MINUTE_MS } from '../../runtime/values/calendar.ts';
import { PublicError, refuseInvalid } from '../../runtime/values/errors.ts';
import type { Given } from '../../runtime/values/read-csv.ts';
import { getOptOuts, notWithdrawnSince, type OptOutRow, recordWithdrawal } from '../conversation/opt-out.table.ts';
import { type Contact, type ContactChange, changeContact, getContacts } from './contact.table.ts';
import type { ContactGiven } from './contact-request.ts';

export interface StoredContacts {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Number of contacts whose consent was not stored, because they withdrew consent after giving it. */
  readonly withdrawn: number;
  readonly merged: number;
}

/** Contacts per transaction, with up to two writes each. DynamoDB allows 100 writes. */
const TOGETHER = 45;
/** Pause between transactions of about 90 write units. DynamoDB allows 1,000 write units per second per partition. */
const PAUSE_MS = 75;

/**
 * Stores a merchant's contacts, one per number. Can be repeated after a failure. `by` identifies who stores them.
 * `commit` performs the last transaction.
 * @throws PublicError `invalid_request` before anything is written.
 */
export async function storeContacts<Result>(
  outside: Outside,
  { merchant_id }: Pick<Merchant, 'merchant_id'>,
  { contacts: { all: given, errorAt }, by }: { readonly contacts: Given<ContactGiven>; readonly by: string },
  commit: (writes: readonly TableWrite[], stored: StoredContacts) => Promise<Result>,
): Promise<Result> {
  refuseInvalid(
    given.flatMap(({ consent }, n) =>
      isInFuture(outside, consent) ? [errorAt(n, 'consent.at', 'must not be in the future')] : [],
    ),
  );
  const merged = mergedByNumber(given);
  const agreed = [...merged.values()].filter(({ consent }) => consent).map(({ number }) => number);
  const [before, optOuts] = await Promise.all([
    getContacts(outside, merchant_id, [...merged.keys()]),
    getOptOuts(outside, merchant_id, agreed),
  ]);
  const withdrawn = [...merged.values()].filter(isOfOld(optOuts));
  for (const { consent: _, ...others } of withdrawn) merged.set(others.number, others);
  const changes = [...merged.values()].flatMap((one) => {
    const change = changeOf(outside, before.get(one.number), one, by);
    return change ? [{ number: one.number, change }] : [];
  });
  const added = changes.filter(({ number }) => !before.has(number)).length;
  const rows = changes.map(({ number, change }) => storeContact(outside, { merchant_id, number }, change));
  const first = added > 0 ? countTests(outside, merchant_id, added) : [];
  const onlySome = (stored: number) =>
    `Only ${stored} of ${rows.length} contacts have been stored so far. Repeat this request in a second to store the others. No contact will be stored twice.`;
  return writeInTransactions(outside, { rows, together: TOGETHER, first, pauseMs: PAUSE_MS, onlySome }, (writes) =>
    commit(writes, {
      added,
      updated: changes.length - added,
      unchanged: merged.size - changes.length,
      withdrawn: withdrawn.length,
      merged: given.length - merged.size,
    }),
  );
}

/**
 * Stores or changes a contact. A withdrawal of consent is recorded in the opt-out row.
 * @throws PublicError `busy` when the writes are committed, if consent has been withdrawn in the meantime.
 */
export function storeContact(
  outside: Clock,
  { merchant_id, number }: Pick<Contact, 'merchant_id' | 'number'>,
  change: ContactChange,
): TableWrite[] {
  const stored = changeContact(outside, { merchant_id, number }, change);
  if (!('consent' in change)) return [stored];
  if (change.consent)
    return [stored, notWithdrawnSince(merchant_id, number, change.consent.at, () => withdrawnNow(number))];
  const withdrawn_at = nowIso(outside);
  return [stored, recordWithdrawal({ merchant_id, number, withdrawn_at, ...endOfTest(merchant_id, withdrawn_at) })];
}

function withdrawnNow(number: string): PublicError {
  return new PublicError('busy', `Consent for ${number} has just been withdrawn. Store the contacts again.`);
}

function mergedByNumber(given: readonly ContactGiven[]): Map<string, ContactGiven> {
  const merged = new Map<string, ContactGiven>();
  for (const one of given) {
    const fields = Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined));
    merged.set(one.number, { ...merged.get(one.number), ...fields, number: one.number });
  }
  return merged;
}

const isOfOld =
  (optOuts: ReadonlyMap<string, OptOutRow>) =>
  ({ number, consent }: ContactGiven): boolean =>
    !!consent && isoOf(Date.parse(consent.at)) <= (optOuts.get(number)?.withdrawn_at ?? '');

/**
 * Returns the changed fields, or undefined if nothing changed. Writing unchanged fields could undo a simultaneous
 * withdrawal.
 */
function changeOf(
  outside: Outside,
  before: Contact | undefined,
  { name, consent }: ContactGiven,
  by: string,
): ContactChange | undefined {
  const known = before?.consent;
  const at = consent && isoOf(Date.parse(consent.at));
  // Storing the same consent again does not change who recorded it.
  const isSame = consent && known?.at === at && known?.how === consent.how;
  const stored_at = nowIso(outside);
  const change = {
    ...(name !== undefined && name !== (before?.name ?? null) && { name: name ?? undefined }),
    ...(consent !== undefined &&
      !isSame && { consent: consent && at ? { at, how: consent.how, by, stored_at } : undefined }),
  };
  return before && Object.keys(change).length === 0 ? undefined : change;
}

function isInFuture({ now }: Outside, consent: ContactGiven['consent']): boolean {
  return !!consent && Date.parse(consent.at) > now() + MINUTE_MS;
}
