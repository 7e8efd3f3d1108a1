/*
 * low credits   CREDITS_LOW#<merchant> / LOW#<threshold>#<top-up>   that a balance fell below its threshold: once for each top-up
 *                                                                 that had lifted it, however often refunds and texts cross it
 */
import * as z from 'zod/mini';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { Item, TableWrite } from '../../runtime/table/table.ts';
import { isLow, merchantOfCredits, parseCredits } from './credits.table.ts';

const LowCredits = z.object({
  merchant_id: z.string(),
  balance: z.number(),
  threshold: z.number(),
  noticed_at: z.string(),
});
export type LowCredits = z.infer<typeof LowCredits>;

export function parseLowCredits(item: Item): LowCredits {
  return z.parse(LowCredits, item);
}

/**
 * Stores that a merchant's credits became low by a change of its balance; undefined if they did not. The change is what was
 * committed, so of all sends at once it is the one that crossed the threshold.
 */
export function noteLowCredits(
  outside: Pick<Outside, 'now'>,
  before: Item | undefined,
  after: Item,
): TableWrite | undefined {
  const credits = parseCredits(after);
  if (isLow(parseCredits(before)) || !isLow(credits)) return undefined;
  const merchant_id = merchantOfCredits(after);
  const { balance, low_below: threshold, lifted_by = 'unknown' } = credits;
  const noticed: LowCredits = { merchant_id, balance, threshold, noticed_at: new Date(outside.now()).toISOString() };
  return {
    put: {
      Item: { pk: `CREDITS_LOW#${merchant_id}`, sk: `LOW#${threshold}#${lifted_by}`, ...noticed },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
    refused: () => undefined,
  };
}
