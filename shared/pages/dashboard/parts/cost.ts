import { isTwin } from '../../../merchants/merchant/twin.ts';
import type { TableOutside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { getCredits } from '../../../texts/credits/credits.table.ts';

/** What so many texts of a merchant cost, as pages say it; undefined for a test, which costs nothing. */
export function costOf(merchantId: string | undefined, texts: number): string | undefined {
  return isTwin(merchantId) ? undefined : counted(texts, 'credit');
}

/** The same at the end of what a form did. */
export function forCredits(merchantId: string, texts: number): string {
  const cost = costOf(merchantId, texts);
  return cost === undefined ? '' : `, for ${cost}`;
}

/** How many credits there are for texts; undefined where none are needed. */
export async function creditsLeft(outside: TableOutside, merchantId: string): Promise<number | undefined> {
  return isTwin(merchantId) ? undefined : (await getCredits(outside, merchantId)).balance;
}
