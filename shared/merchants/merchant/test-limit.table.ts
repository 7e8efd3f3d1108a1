/**
 * test use   TEST_USE#<test_account> / <day>   the number of charges, payments and texts that test keys created on that
 *                                              day, and of events stored without a webhook
 */
import type { Clock } from '../../runtime/outside/outside.ts';
import { countUpTo, type Limit } from '../../runtime/table/limits.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { isTestAccount } from './test-account.ts';

/** Maximum number of test objects per day. Stops runaway loops, and costs the operator at most about $0.10. */
export const MAX_TEST_OBJECTS_PER_DAY = 2_000;

/** Counts new objects in a test account. The write fails above the limit. */
export function countTests(outside: Clock, merchantId: string, count = 1): TableWrite[] {
  if (!isTestAccount(merchantId)) return [];
  const limit: Limit = {
    ...perDay(merchantId),
    most: { counted: MAX_TEST_OBJECTS_PER_DAY },
    refused: `Test keys can create at most ${MAX_TEST_OBJECTS_PER_DAY} charges, payments and texts a day. Nothing was done. Wait until midnight in Accra.`,
  };
  return [countUpTo(outside, limit, count)];
}

export const MAX_KEPT_EVENTS_PER_DAY = 2_000;

/** Counts a stored event. Above the limit, the transaction is skipped without an error. */
export function countKeptEvent(
  outside: Clock,
  { merchant_id, is_kept }: { readonly merchant_id: string; readonly is_kept?: boolean | undefined },
): TableWrite[] {
  if (!is_kept) return [];
  const most = { events_kept: MAX_KEPT_EVENTS_PER_DAY };
  return [countUpTo(outside, { ...perDay(merchant_id), most, refused: () => undefined })];
}

function perDay(merchantId: string): Pick<Limit, 'key' | 'per'> {
  return { key: (day) => ({ pk: `TEST_USE#${merchantId}`, sk: day }), per: 'day' };
}
