/*
 * change that waits   CHANGE#<merchant> / WAITS#<0-9>             proposed by who may not decide it alone, for seven days. Ten places: more
 *                                                                 do not wait
 * change made         CHANGE#<merchant> / MADE#<time>#<random>    told to the owners who did not make it, for seven days
 * changes seen        CHANGE#<merchant> / SEEN#<user>             up to when an owner has seen them
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
import { PublicError } from '../../runtime/values/errors.ts';
import { newUlid } from '../../runtime/values/ids.ts';
import { replaceMerchant } from './merchant.table.ts';
import type { Merchant } from './merchant.ts';
import {
  type AddedNumber,
  applyChange,
  MoneyChange,
  moneyChangesOf,
  PriceChange,
  type ToldChange,
} from './money-change.ts';
import { isTwin } from './twin.ts';

/** An owner looks at the dashboard once a week at least; what was proposed longer ago was made against another shop. */
const KEPT_SECONDS = 7 * 24 * 60 * 60;
/** More than a shop needs, and few enough to read. */
export const MAX_WAITING = 10;

const WaitingChange = z.object({
  /** A new one whenever it is written: a decision names what its maker has seen. */
  id: z.string(),
  merchant_id: z.string(),
  place: z.number(),
  change: MoneyChange,
  /** The id of the person. */
  by: z.string(),
  /** Who decides about it, where an owner must not: of a number that may be somebody else's. */
  needs: z.optional(z.literal('operator')),
  at: z.string(),
  expires_at_epoch_seconds: z.number(),
});
export type WaitingChange = z.infer<typeof WaitingChange>;

const MadeChange = z.object({
  changes: z.array(z.union([MoneyChange, PriceChange])),
  /** The id of a person, or a key as the audit names it. */
  by: z.string(),
  /** Who had proposed what an owner approved. */
  proposed_by: z.optional(z.string()),
  at: z.string(),
});
export type MadeChange = z.infer<typeof MadeChange>;

const Seen = z.object({ user_id: z.string(), until: z.string() });

export interface ShopChanges {
  /** Oldest first. */
  readonly waiting: readonly WaitingChange[];
  /** Newest first. */
  readonly made: readonly MadeChange[];
  /** Up to when each person has seen what was made (ISO). */
  readonly seenUntil: ReadonlyMap<string, string>;
}

const partitionOf = (merchantId: string) => `CHANGE#${merchantId}`;
const waitingRows = rows(WaitingChange, {
  pk: 'CHANGE#<merchant_id>',
  sk: ({ place }: Pick<WaitingChange, 'place'>) => `WAITS#${place}`,
});

/** Everything that waits at a merchant, and what was made last: one page, so that no key that sets prices all day makes it long. */
export async function listChanges(outside: TimedOutside, merchantId: string): Promise<ShopChanges> {
  // What waits sorts last, so it is on the page whatever was made.
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

/** DynamoDB deletes late. */
function isKept({ now }: Clock, { expires_at_epoch_seconds }: Item): boolean {
  return Number(expires_at_epoch_seconds) * 1000 > now();
}

/**
 * Has changes wait, each in place of one of the same thing by the same person. For the operator one number of a person waits. Refused if
 * another took the place meanwhile.
 * @throws PublicError `invalid_request` where too many wait.
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
      throw new PublicError('invalid_request', `${MAX_WAITING} changes wait for an owner already: withdraw one first.`);
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
      refused: () => new PublicError('busy', 'Somebody else changed what waits at the same time. Try again.'),
    });
  });
}

const PLACES = Array.from({ length: MAX_WAITING }, (_, place) => place);

/** What a change is about: one person has one that waits about each. */
function aboutOf(change: MoneyChange): string {
  if (change.kind === 'order') return change.kind;
  return `${change.kind} ${change.kind === 'limit' ? change.limit : change.number}`;
}

/** The numbers that wait for the operator, but for those that the shop has meanwhile. */
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

/** Ends a change that waits; refused where exactly this one does not wait any more. */
export function endWaiting(waiting: WaitingChange): TableWrite {
  return waitingRows.remove(waiting, { ...asRead({ id: waiting.id }), refused: noLongerWaits });
}

/**
 * Makes a change that waits, and ends it, in one transaction; undefined where the shop is not any more what it was proposed for. A change
 * that was replaced, or a shop that was changed meanwhile, refuses the write.
 */
export function approve(
  outside: IdOutside,
  merchant: Merchant,
  waiting: WaitingChange,
  by: string,
): { after: Merchant; writes: TableWrite[] } | undefined {
  const after = applyChange(merchant, waiting.change);
  if (!after) return undefined;
  const changes = moneyChangesOf(merchant, after);
  const told = tellOwners(outside, merchant.merchant_id, changes, { by, proposed_by: waiting.by });
  return { after, writes: [endWaiting(waiting), ...replaceMerchant(merchant, after), ...told] };
}

/** The answer to a decision about a change that was decided, replaced or withdrawn before. */
export function noLongerWaits(): PublicError {
  return new PublicError(
    'invalid_request',
    'This change does not wait any more: look at what waits now. Nothing was done.',
  );
}

/** Tells a merchant's owners what was changed of where its money goes, or of a price, in the transaction that changes it; nothing if nothing was. */
export function tellOwners(
  outside: IdOutside,
  merchantId: string,
  changes: readonly ToldChange[],
  who: Pick<MadeChange, 'by' | 'proposed_by'>,
): TableWrite[] {
  // What is done to tests is nobody's money.
  if (changes.length === 0 || isTwin(merchantId)) return [];
  const at = nowIso(outside);
  const made: MadeChange = { changes: [...changes], at, ...who };
  const key = { pk: partitionOf(merchantId), sk: `MADE#${at}#${outside.randomBytes(6).toString('hex')}` };
  return [putItem({ ...key, ...made, ...endsIn(outside, KEPT_SECONDS) })];
}

/** Notes that an owner has seen what was changed until then. What they have seen later stays seen. */
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
