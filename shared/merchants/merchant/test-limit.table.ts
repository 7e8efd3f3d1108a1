/*
 * test use   TEST_USE#<twin> / <day>   how many charges, payments and texts a merchant's test keys made on that day
 */
import { type Clock, nowSeconds, todayOf } from '../../runtime/outside/outside.ts';
import { countUpTo } from '../../runtime/table/limits.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { isTwin } from './twin.ts';

/**
 * Tests cost no credit, so nothing else would end a loop that got out of hand. Enough for a day's work on a shop and its automatic
 * tests, and at most about ten cents of the operator's.
 */
export const MAX_TEST_OBJECTS_PER_DAY = 2_000;

/** Counts what a twin makes, in the same transaction; no write for a merchant. Refused beyond the limit. */
export function countTests(outside: Clock, merchantId: string, count = 1): TableWrite[] {
  if (!isTwin(merchantId)) return [];
  const leftSeconds = DAY_SECONDS - (nowSeconds(outside) % DAY_SECONDS);
  return [
    countUpTo(
      outside,
      { pk: `TEST_USE#${merchantId}`, sk: todayOf(outside) },
      { most: MAX_TEST_OBJECTS_PER_DAY, keptSeconds: 2 * DAY_SECONDS, count },
      () =>
        new PublicError(
          'too_many_requests',
          `Test keys make at most ${MAX_TEST_OBJECTS_PER_DAY} charges, payments and texts a day. Nothing was done; wait until midnight in Accra.`,
          { headers: { 'retry-after': String(leftSeconds) } },
        ),
    ),
  ];
}
