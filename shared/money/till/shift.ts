import { nowIso, type Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { newUlid } from '../../runtime/values/ids.ts';
import { findLink, setLinkFields } from '../link/link.table.ts';
import {
  listOpenTills,
  MAX_TILLS,
  markEnded,
  requireTill,
  ShiftChanged,
  setShift,
  type Till,
  tillRows,
} from './till.table.ts';

/** A new till of a merchant's, and the write for it. @throws PublicError `invalid_request` for one too many. */
export async function addTill(outside: Outside, merchant_id: string, name: string) {
  if ((await listOpenTills(outside, merchant_id)).length >= MAX_TILLS)
    throw new PublicError('invalid_request', `You have ${MAX_TILLS} tills, the maximum. Remove one that is not used.`);
  const till: Till = {
    merchant_id,
    till_id: newUlid(outside),
    name,
    created_at: nowIso(outside),
  };
  return { till, writes: [tillRows.createOnce(till)] };
}

/**
 * The writes that begin a shift of a person's at a till. `insteadOf` is the shift of somebody else that ends by it, which the person was
 * shown. None where theirs is open already.
 * @throws PublicError `not_found`, ShiftChanged where another shift is open than the one that was shown.
 */
export async function beginShift(
  outside: Outside,
  merchantId: string,
  tillId: string,
  { by, insteadOf }: { readonly by: string; readonly insteadOf: string | undefined },
): Promise<TableWrite[]> {
  const till = await requireOpen(outside, merchantId, tillId);
  if (till.shift?.by === by) return [];
  if (till.shift?.shift_id !== insteadOf) throw new ShiftChanged();
  const shift = { shift_id: newUlid(outside), by, began_at: nowIso(outside) };
  return [setShift(till, shift)];
}

/** The writes that end a shift; none where it has ended. @throws PublicError `not_found`. */
export async function endShift(
  outside: Outside,
  merchantId: string,
  tillId: string,
  shiftId: string,
): Promise<TableWrite[]> {
  const till = await requireTill(outside, merchantId, tillId);
  return till.shift?.shift_id === shiftId ? [setShift(till, undefined)] : [];
}

/** The writes that end a till, its sticker, and the shift that is open there; none where it has ended. @throws PublicError `not_found`. */
export async function endTill(outside: Outside, merchantId: string, tillId: string): Promise<TableWrite[]> {
  const till = await requireTill(outside, merchantId, tillId);
  if (till.ended_at) return [];
  const ended_at = nowIso(outside);
  const link = till.sticker === undefined ? undefined : await findLink(outside, till.sticker);
  const sticker = link ? [setLinkFields(link, { ...link, ends_at: ended_at }, ['ends_at'])] : [];
  return [markEnded(till, ended_at), ...sticker];
}

/** A till that has not ended. @throws PublicError `not_found`. */
export async function requireOpen(outside: Outside, merchantId: string, tillId: string): Promise<Till> {
  const till = await requireTill(outside, merchantId, tillId);
  if (!till.ended_at) return till;
  throw new PublicError('not_found', 'This till was removed. Choose another one.');
}
