import { isoOf, type Outside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { type Charge, madeBetween } from '../charge/charge.table.ts';
import { statusOf } from '../charge/charge.ts';
import { findCharges } from '../charge/lookup.table.ts';
import { OPENED_LIFETIME_SECONDS } from '../link/open-link-charge.ts';
import { stickersOf, type Till } from './till.table.ts';

/** Maximum number of charges to read, newest first. Limits the cost of a flood of charges. */
export const MAX_OPENED = 8;
const MAX_OF_AMOUNT = 100;

/**
 * Lists the pending charges for a given amount that were opened at a till's sticker, newest first. A customer who paid
 * without a reference may have opened one of them.
 */
export async function listOpenAtSticker(outside: Outside, till: Till, amountPesewas: number): Promise<Charge[]> {
  const charges = await listOfAmount(outside, till, amountPesewas);
  return charges.filter((charge) => isOpenAt(outside, till, charge, amountPesewas)).slice(0, MAX_OPENED);
}

export async function listOfAmount(outside: Outside, till: Till, amountPesewas: number): Promise<Charge[]> {
  if (stickersOf(till).length === 0) return [];
  const between = madeBetween({ fromMs: Date.parse(stickerLiveSince(outside)), toMs: outside.now() });
  const page = { between, newestFirst: true, limit: MAX_OF_AMOUNT } as const;
  const { entries } = await findCharges(outside, till.merchant_id, [`amount:${amountPesewas}`], page);
  return entries.filter((charge) => isOfSticker(till, charge));
}

export function isOfSticker({ till_id }: Pick<Till, 'till_id'>, { origin }: Pick<Charge, 'origin'>): boolean {
  return origin.kind === 'sticker' && origin.till_id === till_id;
}

export function isOpenAt(outside: Outside, till: Till, charge: Charge, amountPesewas: number): boolean {
  const isUnpaid = statusOf(outside, charge) === 'pending' && !charge.parts?.length && !charge.disputed;
  return isOfSticker(till, charge) && isUnpaid && charge.amount_pesewas === amountPesewas;
}

/**
 * Returns the earliest creation time (ISO) of a charge that may still be paid. Allows for the charge's lifetime and for
 * the delay of a payment's text.
 */
export function stickerLiveSince({ now }: Pick<TimedOutside, 'now'>): string {
  return isoOf(now() - (OPENED_LIFETIME_SECONDS + 10 * 60) * 1000);
}
