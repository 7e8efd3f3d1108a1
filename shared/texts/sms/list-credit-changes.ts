import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import type { PageRequest } from '../../runtime/http/pagination.ts';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import type { PageStart } from '../../runtime/table/table.ts';
import { invalidRequest } from '../../runtime/values/errors.ts';
import { msOfUlid, timeOfUlid } from '../../runtime/values/ids.ts';
import { type CreditEntry, listEntries } from '../credits/credits.table.ts';
import type { CreditEntryResponse } from '../credits/responses.ts';
import { msOfSendId, parseMessageId, timeOfSendId } from './message-id.ts';
import { listSends, type Send } from './send.table.ts';

export type CreditChange = { readonly entry: CreditEntry } | { readonly send: Send };

/** A position in the list, newest first. Credit entries come before sends of the same millisecond. */
interface Position {
  readonly ms: number;
  readonly of: 'entry' | 'send';
  readonly id: string;
}

/**
 * Lists a merchant's credit entries and sends together, newest first. The cursor is the position of the last change.
 */
export async function listCreditChanges(
  outside: TableOutside,
  merchantId: string,
  { limit, start, budget }: PageRequest,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<{ changes: CreditChange[]; next: PageStart | undefined }> {
  const shown = start && placeOf(start);
  if (isTestAccount(merchantId)) return { changes: [], next: undefined };
  // Read two more: the last change of the previous page, and one to detect a next page.
  const most = limit + 2;
  const [entries, { sends, next: moreSends }] = await Promise.all([
    listEntries(outside, merchantId, most, rangeOf('entry', timeOfUlid, { fromMs, toMs }, shown)),
    listSends(outside, merchantId, {
      between: rangeOf('send', timeOfSendId, { fromMs, toMs }, shown),
      newestFirst: true,
      limit: most,
      budget,
    }),
  ]);
  const lines = [
    ...entries.map((entry) => ({ change: { entry }, place: place('entry', entry.entry_id) })),
    ...sends.map((send) => ({ change: { send }, place: place('send', send.send_id) })),
  ];
  // End the page before the first send that was not read.
  const horizon = moreSends && place('send', moreSends.sort);
  const known = lines
    .filter(({ place }) => (!shown || isAfter(place, shown)) && !(horizon && isAfter(place, horizon)))
    .toSorted((one, other) => (isAfter(one.place, other.place) ? 1 : -1));
  const page = known.slice(0, limit);
  const last = known.length > limit ? page.at(-1)?.place : horizon;
  return { changes: page.map(({ change }) => change), next: last && cursorOf(last) };
}

function rangeOf(
  of: Position['of'],
  timeOf: (ms: number) => string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  shown: Position | undefined,
): readonly [string, string] {
  const first = timeOf(fromMs);
  // `~` sorts after every possible id.
  const end = `${timeOf(toMs)}~`;
  if (!shown) return [first, end];
  const behind = shown.of === of ? shown.id : of === 'send' ? `${timeOf(shown.ms)}~` : timeOf(shown.ms);
  const last = behind < end ? behind : end;
  return [first, last < first ? first : last];
}

function isAfter(one: Position, other: Position): boolean {
  if (one.ms !== other.ms) return one.ms < other.ms;
  if (one.of !== other.of) return one.of === 'send';
  return one.id < other.id;
}

function place(of: Position['of'], id: string): Position {
  return { ms: (of === 'send' ? msOfSendId(id) : msOfUlid(id)) ?? 0, of, id };
}

function cursorOf({ of, id }: Position): PageStart {
  return { pk: '', sk: of, sort: id };
}

/** Parses a cursor. @throws PublicError `invalid_request` if the cursor is not from this list. */
function placeOf({ sk, sort }: PageStart): Position {
  const [of, ms] = sk === 'send' ? (['send', msOfSendId(sort)] as const) : (['entry', msOfUlid(sort)] as const);
  if (ms === undefined || of !== sk)
    throw invalidRequest([
      { field: 'cursor', message: 'must be the meta.next value from an earlier page of the same list' },
    ]);
  return { ms, of, id: sort };
}

export function presentCreditChange(change: CreditChange): CreditEntryResponse {
  if ('send' in change) {
    const { send_id, to, created_at } = change.send;
    return { id: send_id, type: 'send', credits: -to.length, send_id, message_id: null, reference: null, created_at };
  }
  const { entry_id, reason, credits, message_id, reference = null, created_at } = change.entry;
  const send_id = change.entry.send_id ?? ((message_id && parseMessageId(message_id)?.sendId) || null);
  const type = ({ 'top-up': 'top_up', 'taken-back': 'taken_back', purchase: 'purchase', refund: 'refund' } as const)[
    reason
  ];
  return { id: entry_id, type, credits, send_id, message_id: message_id ?? null, reference, created_at };
}
