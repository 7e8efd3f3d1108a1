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

/** @throws PublicError `invalid_request` if the merchant already has the maximum number of tills. */
export async function addTill(outside: Outside, merchant_id: string, name: string) {
  if ((await listOpenTills(outside, merchant_id)).length >= MAX_TILLS)
    throw new PublicError(
      'invalid_request',
      `You already have ${MAX_TILLS} tills, which is the maximum. Remove an unused one.`,
    );
  const till: Till = {
    merchant_id,
    till_id: newUlid(outside),
    name,
    created_at: nowIso(outside),
  };
  return { till, writes: [tillRows.createOnce(till)] };
}

/**
 * Starts a shift. If the open shift is still the one that the person was shown (`insteadOf`), closes that shift.
 * Returns no writes if the open shift is already this person's.
 * @throws PublicError `not_found`, ShiftChanged if another shift is open.
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

export async function endShift(
  outside: Outside,
  merchantId: string,
  tillId: string,
  shiftId: string,
): Promise<TableWrite[]> {
  const till = await requireTill(outside, merchantId, tillId);
  return till.shift?.shift_id === shiftId ? [setShift(till, undefined)] : [];
}

/**
 * Removes a till together with its sticker and open shift. Returns no writes if the till was already removed.
 * @throws PublicError `not_found`.
 */
export async function endTill(outside: Outside, merchantId: string, tillId: string): Promise<TableWrite[]> {
  const till = await requireTill(outside, merchantId, tillId);
  if (till.ended_at) return [];
  const ended_at = nowIso(outside);
  const link = till.sticker === undefined ? undefined : await findLink(outside, till.sticker);
  const sticker = link ? [setLinkFields(link, { ...link, ends_at: ended_at }, ['ends_at'])] : [];
  return [markEnded(till, ended_at), ...sticker];
}

export async function requireOpen(outside: Outside, merchantId: string, tillId: string): Promise<Till> {
  const till = await requireTill(outside, merchantId, tillId);
  if (!till.ended_at) return till;
  throw new PublicError('not_found', 'This till was removed. Choose another one.');
}
