/**
 * pending change   CHANGE#<merchant> / WAITS#<0-9>            a change proposed by somebody who may not approve it.
 *                                                             Kept for seven days, at most ten at a time
 * change made      CHANGE#<merchant> / MADE#<time>#<random>   a change that is shown to the other owners for seven days
 * changes seen     CHANGE#<merchant> / SEEN#<user>            the newest change that an owner has seen
 */
import * as z from 'zod/mini';
import {
  type Clock,
  endsIn,
  type IdOutside,
  nowIso,
  nowSeconds,
  type TimedOutside,
} from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead, type Item, putItem, type TableWrite } from '../../runtime/table/table.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { newUlid } from '../../runtime/values/ids.ts';
import { replaceMerchant } from './merchant.table.ts';
import type { Merchant } from './merchant.ts';
import {
  type AddedNumber,
  applyChange,
  MoneyChange,
  moneyChangesOf,
  NamedBalance,
  type NotifiedChange,
  PriceChange,
} from './money-change.ts';
import { isTestAccount } from './test-account.ts';

/** Retention of changes. Older proposals refer to outdated settings. */
const KEPT_SECONDS = 7 * DAY_SECONDS;
export const MAX_WAITING = 10;

const WaitingChange = z.object({
  /** Changes with every write, so that a decision applies only to the version that was shown. */
  id: z.string(),
  merchant_id: z.string(),
  place: z.number(),
  change: MoneyChange,
  by: z.string(),
  /** Set if the operator must decide, because the phone number may belong to somebody else. */
  needs: z.optional(z.literal('operator')),
  at: z.string(),
  expires_at_epoch_seconds: z.number(),
});
export type WaitingChange = z.infer<typeof WaitingChange>;

const MadeChange = z.object({
  changes: z.array(z.union([MoneyChange, PriceChange, NamedBalance])),
  by: z.string(),
  proposed_by: z.optional(z.string()),
  at: z.string(),
});
export type MadeChange = z.infer<typeof MadeChange>;

const Seen = z.object({ user_id: z.string(), until: z.string() });

export interface ShopChanges {
  readonly waiting: readonly WaitingChange[];
  readonly made: readonly MadeChange[];
  /** Time of the newest change that each user has seen (ISO). */
  readonly seenUntil: ReadonlyMap<string, string>;
}

const partitionOf = (merchantId: string) => `CHANGE#${merchantId}`;
const waitingRows = rows(WaitingChange, {
  pk: 'CHANGE#<merchant_id>',
  sk: ({ place }: Pick<WaitingChange, 'place'>) => `WAITS#${place}`,
});

/** Lists a merchant's pending and recent changes, at most one page. */
export async function listChanges(outside: TimedOutside, merchantId: string): Promise<ShopChanges> {
  // Pending changes sort last, so a page in reverse order includes them.
  const page = await outside.table.listPage(partitionOf(merchantId), { newestFirst: true });
  const items = page.items.filter((item) => isKept(outside, item)).reverse();
  const of = (kind: string) => items.filter(({ sk }) => String(sk).startsWith(`${kind}#`));
  return {
    waiting: of('WAITS')
      .map(waitingRows.parse)
      .sort((one, other) => one.at.localeCompare(other.at)),
    made: of('MADE')
      .map((item) => z.parse(MadeChange, item))
      .reverse(),
    seenUntil: new Map(of('SEEN').map((item) => [z.parse(Seen, item).user_id, z.parse(Seen, item).until])),
  };
}

function isKept({ now }: Clock, { expires_at_epoch_seconds }: Item): boolean {
  return Number(expires_at_epoch_seconds) * 1000 > now();
}

/**
 * Stores changes as pending. Each replaces the user's own pending change to the same setting.
 * @throws PublicError `invalid_request` if too many changes are pending.
 */
export function proposeChanges(
  outside: IdOutside,
  { merchant_id, by, needs }: Pick<WaitingChange, 'merchant_id' | 'by' | 'needs'>,
  changes: readonly MoneyChange[],
  { waiting }: Pick<ShopChanges, 'waiting'>,
): TableWrite[] {
  const free = PLACES.filter((place) => !waiting.some((one) => one.place === place));
  return changes.map((change) => {
    const replaced = waiting.find(
      (one) => one.by === by && one.needs === needs && (needs || aboutOf(one.change) === aboutOf(change)),
    );
    const place = replaced?.place ?? free.shift();
    if (place === undefined)
      throw new PublicError(
        'invalid_request',
        `${MAX_WAITING} changes are already awaiting an owner’s approval. Withdraw one first.`,
      );
    const waits: WaitingChange = {
      id: newUlid(outside),
      merchant_id,
      place,
      change,
      by,
      at: nowIso(outside),
      ...(needs && { needs }),
      ...endsIn(outside, KEPT_SECONDS),
    };
    const isFree = 'attribute_not_exists(pk) OR expires_at_epoch_seconds <= :now';
    return waitingRows.put(waits, {
      ...(replaced ? asRead({ id: replaced.id }) : { when: isFree, values: { ':now': nowSeconds(outside) } }),
      refused: () => new PublicError('busy', 'Somebody else has just changed the list of pending changes. Try again.'),
    });
  });
}

const PLACES = Array.from({ length: MAX_WAITING }, (_, place) => place);

/** Identifies the setting that a change affects. */
function aboutOf(change: MoneyChange): string {
  if (change.kind === 'order') return change.kind;
  return `${change.kind} ${change.kind === 'limit' ? change.limit : change.number}`;
}

/** Returns new phone numbers that need the operator's approval. */
export function numbersForOperator(
  { momo_accounts }: Merchant,
  { waiting }: Pick<ShopChanges, 'waiting'>,
): (WaitingChange & { change: AddedNumber })[] {
  return waiting.flatMap((one) => {
    const { needs, change } = one;
    const isOpen =
      needs === 'operator' && change.kind === 'add' && !momo_accounts.some(({ number }) => number === change.number);
    return isOpen ? [{ ...one, change }] : [];
  });
}

/** Removes a pending change. The write fails if the change is no longer pending. */
export function endWaiting(waiting: WaitingChange): TableWrite {
  return waitingRows.remove(waiting, { ...asRead({ id: waiting.id }), refused: noLongerWaits });
}

/** Applies a pending change. Returns undefined if the setting has changed since the proposal. */
export function approve(
  outside: IdOutside,
  merchant: Merchant,
  waiting: WaitingChange,
  by: string,
): { after: Merchant; writes: TableWrite[] } | undefined {
  const after = applyChange(merchant, waiting.change);
  if (!after) return undefined;
  const changes = moneyChangesOf(merchant, after);
  const notifications = tellOwners(outside, merchant.merchant_id, changes, { by, proposed_by: waiting.by });
  return { after, writes: [endWaiting(waiting), ...replaceMerchant(merchant, after), ...notifications] };
}

export function noLongerWaits(): PublicError {
  return new PublicError('invalid_request', 'This change is no longer pending, so nothing was done. Reload the list.');
}

/** Notifies owners of changes to payment accounts or prices. Commit this write together with the change. */
export function tellOwners(
  outside: IdOutside,
  merchantId: string,
  changes: readonly NotifiedChange[],
  who: Pick<MadeChange, 'by' | 'proposed_by'>,
): TableWrite[] {
  if (changes.length === 0 || isTestAccount(merchantId)) return [];
  const at = nowIso(outside);
  const made: MadeChange = { changes: [...changes], at, ...who };
  const key = { pk: partitionOf(merchantId), sk: `MADE#${at}#${outside.randomBytes(6).toString('hex')}` };
  return [putItem({ ...key, ...made, ...endsIn(outside, KEPT_SECONDS) })];
}

/** Records the newest change that an owner has seen, unless a newer one is recorded. */
export function noteSeen(
  outside: Clock,
  { merchant_id, user_id, until }: { readonly merchant_id: string; readonly user_id: string; readonly until: string },
): TableWrite {
  const seen = {
    pk: partitionOf(merchant_id),
    sk: `SEEN#${user_id}`,
    user_id,
    until,
    ...endsIn(outside, KEPT_SECONDS),
  };
  const when = 'attribute_not_exists(pk) OR #until < :until';
  return putItem(seen, { when, values: { ':until': until }, refused: () => undefined });
}
