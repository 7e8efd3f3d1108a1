/*
 * test use   TEST_USE#<test_account> / <day>   how many charges, payments and texts a merchant's test keys made on that day
 */
import type { Clock } from '../../runtime/outside/outside.ts';
import { countUpTo, type Limit } from '../../runtime/table/limits.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { isTestAccount } from './test-account.ts';

/**
 * Tests cost no credits, so this ends runaway loops. Enough for a day's manual and automatic tests, and at most about
 * ten US cents for the operator.
 */
export const MAX_TEST_OBJECTS_PER_DAY = 2_000;

/** Counts a test account's new objects in the same transaction; no write for a merchant. Refused above the limit. */
export function countTests(outside: Clock, merchantId: string, count = 1): TableWrite[] {
  if (!isTestAccount(merchantId)) return [];
  const limit: Limit = {
    key: (day) => ({ pk: `TEST_USE#${merchantId}`, sk: day }),
    per: 'day',
    most: { counted: MAX_TEST_OBJECTS_PER_DAY },
    refused: `Test keys make at most ${MAX_TEST_OBJECTS_PER_DAY} charges, payments and texts a day. Nothing was done; wait until midnight in Accra.`,
  };
  return [countUpTo(outside, limit, count)];
}
