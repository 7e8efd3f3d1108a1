import type { Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { text } from '../../runtime/values/text.ts';
import { getReceipt, listReceipts, receivedBetween, replaceReceipt } from './receipt.table.ts';
import type { Receipt, SetAside } from './receipt.ts';
import { mayAskFor, type Reader, shownIdOf, timeOfShownId } from './shown-receipt.ts';

/** Why a payment is for no charge, in a person's words. */
export const WhySetAside = text(200);

/**
 * Sets a held payment aside: it is for no charge. It stays held, confirms nothing by itself or by a claim, and a person may still take
 * it back or give it to a charge.
 * @throws PublicError `not_found`, `receipt_not_held`.
 */
export async function setAside(
  outside: Pick<Outside, 'table' | 'now'>,
  merchantId: string,
  receiptId: string,
  { by, why }: Pick<SetAside, 'by' | 'why'>,
): Promise<TableWrite[]> {
  const receipt = await requireReceipt(outside, merchantId, receiptId);
  if (receipt.state !== 'held') throw notHeld(`Only a held payment can be set aside; this one is ${receipt.state}.`);
  if (receipt.reason === 'checking')
    throw notHeld('This payment is being checked. Wait two minutes: it may pay its charge by itself.');
  if (receipt.set_aside) return [];
  return [replaceReceipt(receipt, { ...receipt, set_aside: { at: new Date(outside.now()).toISOString(), by, why } })];
}

/** Puts a payment that was set aside back among those that wait. @throws PublicError `not_found`. */
export async function takeBack(
  outside: Pick<Outside, 'table'>,
  merchantId: string,
  receiptId: string,
): Promise<TableWrite[]> {
  const receipt = await requireReceipt(outside, merchantId, receiptId);
  return receipt.set_aside ? [replaceReceipt(receipt, { ...receipt, set_aside: undefined })] : [];
}

/**
 * A receipt, for its own merchant only. Who may not see the ids of held payments finds them by what `receiptFor` shows in their place, and
 * by no other.
 * @throws PublicError `not_found`.
 */
export async function requireReceipt(
  outside: Pick<Outside, 'table'>,
  merchantId: string,
  receiptId: string,
  { seesIds }: Pick<Reader, 'seesIds'> = { seesIds: true },
): Promise<Receipt> {
  const shown = seesIds ? undefined : timeOfShownId(receiptId);
  const found = shown ? await findShown(outside, merchantId, receiptId, shown) : await getReceipt(outside, receiptId);
  if (found?.merchant_id === merchantId && (shown || mayAskFor({ seesIds }, found))) return found;
  throw new PublicError('not_found', 'No receipt of yours has this id. GET /api/v1/receipt lists those that are held.');
}

async function findShown(
  outside: Pick<Outside, 'table'>,
  merchantId: string,
  shownId: string,
  at: string,
): Promise<Receipt | undefined> {
  const between = receivedBetween({ fromMs: Date.parse(at), toMs: Date.parse(at) });
  const lists = await Promise.all(
    (['held', 'set_aside'] as const).map((list) => listReceipts(outside, merchantId, list, { between })),
  );
  return lists.flatMap(({ receipts }) => receipts).find((receipt) => shownIdOf(receipt) === shownId);
}

function notHeld(message: string): PublicError {
  return new PublicError('receipt_not_held', message);
}
