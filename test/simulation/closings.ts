import { type Charge, chargeRows } from '../../shared/money/charge/charge.table.ts';
import { cameWith } from '../../shared/money/charge/origin.ts';
import { paymentsOf } from '../../shared/money/payment/payment.ts';
import { type Closing, type ClosingState, closingOf } from '../../shared/money/till/closing.ts';
import { stickersOf, type Till, tillRows } from '../../shared/money/till/till.table.ts';
import { dayOf } from '../../shared/runtime/values/calendar.ts';
import type { Kiosk } from './kiosk.ts';

type Item = Readonly<Record<string, unknown>>;

/**
 * Returns wrong daily closings. For each shop and day, the listed payments and the totals per place must equal the
 * payments that arrived.
 */
export async function wrongWithClosings(kiosk: Kiosk): Promise<string[]> {
  const found: string[] = [];
  for (const { id } of kiosk.shops) {
    const theirs = kiosk.items().filter(({ merchant_id }) => merchant_id === id);
    const receipts = theirs.filter(({ sk, amount_pesewas }) => sk === 'RECEIPT' && amount_pesewas !== undefined);
    const charges = theirs.filter(({ sk }) => sk === 'TRANSACTION').map((item) => chargeRows.parse({ ...item }));
    const tills = await tillRows.list(kiosk.outside, { merchant_id: id });
    for (const day of new Set(receipts.filter(isRead).map(dayOfItem))) {
      const closing = await closingOf(kiosk.outside, id, tills, day);
      const ofDay = receipts.filter((one) => isRead(one) && dayOfItem(one) === day);
      const arrived = sum(ofDay.filter(({ marked }) => !marked).map(pesewasOf));
      const byHand = sum(ofDay.filter(({ marked, state }) => marked && state === 'matched').map(pesewasOf));
      const { cash, transfers } = closing.marked;
      if (cash.pesewas + transfers.pesewas !== byHand) found.push(`${id} on ${day}: ${byHand} were marked by hand`);
      const named = sum([...closing.now.values()].map(({ pesewas }) => pesewas));
      if (closing.arrived.pesewas !== arrived || named !== arrived)
        found.push(
          `${id} on ${day}: ${arrived} arrived, the closing says ${closing.arrived.pesewas} and names ${named}`,
        );
      found.push(...wrongPlaces(closing, charges, tills, day).map((what) => `${id} on ${day}: ${what}`));
    }
  }
  return found;
}

function wrongPlaces(closing: Closing, charges: readonly Charge[], tills: readonly Till[], day: string): string[] {
  const stickers = new Set(tills.flatMap(stickersOf));
  const isAt: Partial<Record<ClosingState, (charge: Charge) => boolean>> = {
    till: ({ state, goods }) => state === 'success' && goods?.kind === 'take',
    sticker: ({ state, ...charge }) => state === 'success' && stickers.has(cameWith(charge).link ?? ''),
    link: ({ state, origin }) => state === 'success' && origin.kind === 'link' && !stickers.has(origin.slug),
    request: ({ state, origin }) => state === 'success' && origin.kind === 'request',
    charge: ({ state, origin }) => state === 'success' && ['api', 'dashboard', 'bundle'].includes(origin.kind),
    part: ({ state }) => state === 'pending',
  };
  return [...closing.now].flatMap(([place, { pesewas }]) => {
    const isHere = isAt[place];
    if (!isHere) return [];
    const paid = charges.filter(isHere).flatMap((charge) => paymentsOf(charge).filter(({ marked }) => !marked));
    const must = sum(
      paid.flatMap(({ received_at, amount_pesewas }) =>
        dayOf(Date.parse(received_at)) === day ? [amount_pesewas] : [],
      ),
    );
    return must === pesewas ? [] : [`${pesewas} at ${place}, where charges have ${must}`];
  });
}

function isRead({ state }: Item): boolean {
  return state === 'held' || state === 'matched';
}

function dayOfItem({ received_at }: Item): string {
  return dayOf(Date.parse(String(received_at)));
}

function pesewasOf({ amount_pesewas }: Item): number {
  return Number(amount_pesewas);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, one) => total + one, 0);
}
