import { isTestAccount } from '../../../merchants/merchant/test-account.ts';
import type { TableOutside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { type Credits, getCredits } from '../../../texts/credits/credits.table.ts';
import { type Html, tile } from './content.ts';

/** Describes the cost of texts. Returns undefined in test mode, where they are free. */
export function costOf(merchantId: string | undefined, texts: number): string | undefined {
  return isTestAccount(merchantId) ? undefined : counted(texts, 'credit');
}

export function forCredits(merchantId: string, texts: number): string {
  const cost = costOf(merchantId, texts);
  return cost === undefined ? '' : `, for ${cost}`;
}

export async function creditsLeft(outside: TableOutside, merchantId: string): Promise<number | undefined> {
  return isTestAccount(merchantId) ? undefined : (await getCredits(outside, merchantId)).balance;
}

export function owedTiles({ owed }: Credits, name: string): Html[] {
  const hint =
    'These credits were reversed after they had been used. They will be taken from the next credits that are added.';
  return owed > 0 ? [tile(name, String(owed), { hint, isUrgent: true })] : [];
}
