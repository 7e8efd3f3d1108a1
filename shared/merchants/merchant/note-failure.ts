import type { Failure } from '../../runtime/http/middleware/middleware.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { ApiKey } from './api-key.table.ts';
import { putFailedRequest } from './failed-request.table.ts';

/** What a function keeps of one key's failures for as long as it remembers the key, so that a loop of them costs nothing. */
export const MAX_NOTED_FAILURES = 5;
const counts = new WeakMap<ApiKey, number>();

/** Keeps a request that failed, for the developer to look up. It never fails for it. */
export async function noteFailure(
  outside: Pick<Outside, 'table' | 'now' | 'log'>,
  key: ApiKey,
  failure: Failure,
): Promise<void> {
  const count = counts.get(key) ?? 0;
  if (count >= MAX_NOTED_FAILURES) return;
  counts.set(key, count + 1);
  try {
    await putFailedRequest(outside, key, failure);
  } catch (error) {
    outside.log.warn('failure_not_noted', { merchant_id: key.merchant_id, error });
  }
}
