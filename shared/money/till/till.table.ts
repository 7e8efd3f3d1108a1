/*
 * till   TILL#<merchant> / <till>                       a counter of a shop, and the shift that is open there
 * take   TAKE#<merchant>#<till> / <time>#<reference>    a payment that a cashier took there; what became of it, its charge says
 */
import * as z from 'zod/mini';
import { retentionOf } from '../../merchants/merchant/twin.ts';
import type { Outside, TableOutside } from '../../runtime/outside/outside.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import { Changed } from '../../runtime/table/contention.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead, type TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';

export const Shift = z.object({
  shift_id: z.string(),
  /** The id of the cashier. */
  by: z.string(),
  began_at: z.string(),
});
export type Shift = z.infer<typeof Shift>;

const Till = z.object({
  merchant_id: z.string(),
  /** A ulid. */
  till_id: z.string(),
  /** As the shop calls it. */
  name: z.string(),
  created_at: z.string(),
  /** From when nothing is taken there any more. Its row stays: takes name it. */
  ended_at: z.optional(z.string()),
  /** The payment link that is printed for customers to scan there. */
  sticker: z.optional(z.string()),
  /** Those that it had before, the oldest first: somebody ended their links. What was opened there may still be paid. */
  former_stickers: z.optional(z.array(z.string())),
  /** The shift that is open; unset between two. */
  shift: z.optional(Shift),
});
export type Till = z.infer<typeof Till>;

/** A shop has a page of them at most; each closing reads all. */
export const MAX_TILLS = 20;

/** A merchant's are listed in the order in which they were added, those that have ended too. */
export const tillRows = rows(Till, {
  pk: 'TILL#<merchant_id>',
  sk: '<till_id>',
  changed: 'This till is changing. Try again in a second.',
});

/** Those at which payments are taken. */
export async function listOpenTills(outside: TableOutside, merchant_id: string): Promise<Till[]> {
  return (await tillRows.list(outside, { merchant_id })).filter(({ ended_at }) => ended_at === undefined);
}

/** A till of the merchant's own. @throws PublicError `not_found`. */
export async function requireTill(outside: TableOutside, merchant_id: string, till_id: string): Promise<Till> {
  const till = await tillRows.find(outside, { merchant_id, till_id });
  if (till) return till;
  throw new PublicError('not_found', 'You have no such till.');
}

/** Sets the shift of a till. Refused with `ShiftChanged` where its shift is not the one that was read. */
export function setShift(till: Till, shift: Shift | undefined): TableWrite {
  return tillRows.change(till, { shift }, { ...openAsRead({ shift: till.shift }), refused: () => new ShiftChanged() });
}

/** Ends a till as it was read, and the shift there. Refused where its shift is another by now, or its sticker. */
export function markEnded(till: Till, ended_at: string): TableWrite {
  const { shift, sticker } = till;
  const read = openAsRead({ shift, sticker });
  return tillRows.change(till, { shift: undefined, ended_at }, { ...read, refused: tillRows.changed });
}

/** Gives a till the link of its sticker. Refused where it has another than was read, or the till has ended. */
export function setSticker(till: Till, sticker: string): TableWrite {
  const fields = { sticker, former_stickers: stickersOf(till) };
  const read = openAsRead({ sticker: till.sticker });
  return tillRows.change(till, fields, { ...read, refused: tillRows.changed });
}

/** The slugs of all stickers that a till has had, the newest last. */
export function stickersOf({ sticker, former_stickers = [] }: Pick<Till, 'sticker' | 'former_stickers'>): string[] {
  return [...former_stickers, ...(sticker === undefined ? [] : [sticker])];
}

/** Holds a take to the shift that was read: refused with `ShiftChanged` where another has begun, or it has ended. */
export function whileShiftIs(till: Till): TableWrite {
  return tillRows.check(till, { ...openAsRead({ shift: till.shift }), refused: () => new ShiftChanged() });
}

/** The condition that a till has not ended, and that these are as they were read. */
function openAsRead(read: Partial<Till>) {
  const { when, values } = asRead({ ...read, ended_at: undefined });
  return { when: `attribute_exists(pk) AND ${when}`, values };
}

/** Another shift has begun at the till, or this one has ended. */
export class ShiftChanged extends Changed {
  constructor() {
    super(
      'charge_not_pending',
      'This shift has ended: somebody else began theirs at this till, or closed it. Nothing was taken. Begin a shift to go on.',
    );
  }
}

const Take = z.object({
  merchant_id: z.string(),
  till_id: z.string(),
  shift_id: z.string(),
  /** The id of the cashier. */
  by: z.string(),
  at: z.string(),
  /** The charge that was made for it. */
  reference: z.string(),
  receipt_id: z.string(),
  amount_pesewas: z.number(),
});
export type Take = z.infer<typeof Take>;

/** Of a till, listed by time. */
export const takeRows = rows(Take, { pk: 'TAKE#<merchant_id>#<till_id>', sk: '<at>#<reference>' });

/** For the transaction that takes the payment. */
export function createTake(outside: Pick<Outside, 'retentionDays'>, take: Take): TableWrite {
  return takeRows.createOnce({ ...take, ...endOfRetention(retentionOf(outside, take.merchant_id), take.at) });
}
