/*
 * till   TILL#<merchant> / <till>                       a counter in a shop, and its open shift
 * take   TAKE#<merchant>#<till> / <time>#<reference>    a payment that a cashier took at the till; the outcome is stored on its charge
 */
import * as z from 'zod/mini';
import { retentionOf } from '../../merchants/merchant/test-account.ts';
import type { Outside, TableOutside } from '../../runtime/outside/outside.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import { Changed } from '../../runtime/table/contention.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead, type TableWrite } from '../../runtime/table/table.ts';
import { PublicError, TRY_AGAIN } from '../../runtime/values/errors.ts';

export const Shift = z.object({
  shift_id: z.string(),
  by: z.string(),
  began_at: z.string(),
});
export type Shift = z.infer<typeof Shift>;

const Till = z.object({
  merchant_id: z.string(),
  till_id: z.string(),
  name: z.string(),
  created_at: z.string(),
  /** Set once the till has been removed. The row stays, because taps refer to it. */
  ended_at: z.optional(z.string()),
  sticker: z.optional(z.string()),
  /** Previous stickers, oldest first. Their charges can still be paid. */
  former_stickers: z.optional(z.array(z.string())),
  shift: z.optional(Shift),
});
export type Till = z.infer<typeof Till>;

export const MAX_TILLS = 20;

export const tillRows = rows(Till, {
  pk: 'TILL#<merchant_id>',
  sk: '<till_id>',
  changed: `Somebody else is changing this till. ${TRY_AGAIN}`,
});

export async function listOpenTills(outside: TableOutside, merchant_id: string): Promise<Till[]> {
  return (await tillRows.list(outside, { merchant_id })).filter(({ ended_at }) => ended_at === undefined);
}

export async function requireTill(outside: TableOutside, merchant_id: string, till_id: string): Promise<Till> {
  const till = await tillRows.find(outside, { merchant_id, till_id });
  if (till) return till;
  throw new PublicError('not_found', 'You have no till with this id.');
}

/** Sets or closes a till's shift. Fails with `ShiftChanged` if the shift has changed since it was read. */
export function setShift(till: Till, shift: Shift | undefined): TableWrite {
  return tillRows.change(till, { shift }, { ...openAsRead({ shift: till.shift }), refused: () => new ShiftChanged() });
}

/** Removes a till and closes its shift. Fails if the shift or the sticker has changed since it was read. */
export function markEnded(till: Till, ended_at: string): TableWrite {
  const { shift, sticker } = till;
  const read = openAsRead({ shift, sticker });
  return tillRows.change(till, { shift: undefined, ended_at }, { ...read, refused: tillRows.changed });
}

export function setSticker(till: Till, sticker: string): TableWrite {
  const fields = { sticker, former_stickers: stickersOf(till) };
  const read = openAsRead({ sticker: till.sticker });
  return tillRows.change(till, fields, { ...read, refused: tillRows.changed });
}

export function stickersOf({ sticker, former_stickers = [] }: Pick<Till, 'sticker' | 'former_stickers'>): string[] {
  return [...former_stickers, ...(sticker === undefined ? [] : [sticker])];
}

/** Requires an unchanged shift. Fails with `ShiftChanged` if it has ended or another one has begun. */
export function whileShiftIs(till: Till): TableWrite {
  return tillRows.check(till, { ...openAsRead({ shift: till.shift }), refused: () => new ShiftChanged() });
}

function openAsRead(read: Partial<Till>) {
  const { when, values } = asRead({ ...read, ended_at: undefined });
  return { when: `attribute_exists(pk) AND ${when}`, values };
}

export class ShiftChanged extends Changed {
  constructor() {
    super(
      'charge_not_pending',
      'Your shift has ended: somebody else started theirs at this till, or closed yours. Nothing was taken. Start a new shift to continue.',
    );
  }
}

const Take = z.object({
  merchant_id: z.string(),
  till_id: z.string(),
  shift_id: z.string(),
  by: z.string(),
  at: z.string(),
  reference: z.string(),
  receipt_id: z.string(),
  amount_pesewas: z.number(),
});
export type Take = z.infer<typeof Take>;

export const takeRows = rows(Take, { pk: 'TAKE#<merchant_id>#<till_id>', sk: '<at>#<reference>' });

export function createTake(outside: Pick<Outside, 'retentionDays'>, take: Take): TableWrite {
  return takeRows.createOnce({ ...take, ...endOfRetention(retentionOf(outside, take.merchant_id), take.at) });
}
