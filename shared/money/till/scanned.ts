import { isoOf, type Outside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { type Charge, madeBetween } from '../charge/charge.table.ts';
import { statusOf } from '../charge/charge.ts';
import { findCharges } from '../charge/lookup.table.ts';
import { OPENED_LIFETIME_SECONDS } from '../link/open-charge.ts';
import { stickersOf, type Till } from './till.table.ts';

/** The customer who scans is at the counter: the newest are meant, and a flood of them costs no more. */
export const MAX_OPENED = 8;
/** Of the charges of an amount that were made in the last half hour, so many are looked through for those of a sticker. */
const MAX_OF_AMOUNT = 100;

/** The charges of an amount that wait to be paid at a till's sticker, the newest first: any of them may be the customer's who paid without its reference. */
export async function listOpenAtSticker(outside: Outside, till: Till, amountPesewas: number): Promise<Charge[]> {
  const charges = await listOfAmount(outside, till, amountPesewas);
  return charges.filter((charge) => isOpenAt(outside, till, charge, amountPesewas)).slice(0, MAX_OPENED);
}

/** The charges of an amount that were opened at a till's stickers and may still change, the newest first. */
export async function listOfAmount(outside: Outside, till: Till, amountPesewas: number): Promise<Charge[]> {
  if (stickersOf(till).length === 0) return [];
  const between = madeBetween({ fromMs: Date.parse(stickerLiveSince(outside)), toMs: outside.now() });
  const page = { between, newestFirst: true, limit: MAX_OF_AMOUNT } as const;
  const { entries } = await findCharges(outside, till.merchant_id, [`amount:${amountPesewas}`], page);
  return entries.filter((charge) => isOfSticker(till, charge));
}

/** Whether a charge was opened at a sticker of a till. */
export function isOfSticker({ till_id }: Pick<Till, 'till_id'>, { origin }: Pick<Charge, 'origin'>): boolean {
  return origin.kind === 'sticker' && origin.till_id === till_id;
}

/** Whether a charge of an amount was opened at a till's sticker, and nobody has paid for it yet. */
export function isOpenAt(outside: Outside, till: Till, charge: Charge, amountPesewas: number): boolean {
  const isUnpaid = statusOf(outside, charge) === 'pending' && !charge.parts?.length && !charge.disputed;
  return isOfSticker(till, charge) && isUnpaid && charge.amount_pesewas === amountPesewas;
}

/** From when on (ISO) a charge that was opened may still change by being paid: its life, and time for the text of its payment. */
export function stickerLiveSince({ now }: Pick<TimedOutside, 'now'>): string {
  return isoOf(now() - (OPENED_LIFETIME_SECONDS + 10 * 60) * 1000);
}
