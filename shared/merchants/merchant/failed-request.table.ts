/**
 * failed request   FAILED_REQUEST#<merchant> / <time>#<request id>   a failed request with an API key, kept for three
 *                                                                    days
 *
 * The row contains only the endpoint and the reason, and never the body, the query or ids from the path.
 */
import * as z from 'zod/mini';
import type { Failure } from '../../runtime/http/middleware/middleware.ts';
import { endsIn, nowIso, type Outside, type TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import { errorCodes } from '../../runtime/values/errors.ts';
import type { ApiKey } from './api-key.table.ts';

const KEPT_SECONDS = 3 * DAY_SECONDS;
export const MAX_FAILED_REQUESTS = 100;

const FailedRequest = z.object({
  at: z.string(),
  hint: z.string(),
  route: z.string(),
  method: z.string(),
  status: z.number(),
  code: z.optional(z.enum(errorCodes)),
  request_id: z.string(),
});
type FailedRequest = z.infer<typeof FailedRequest>;

const failedRows = rows(FailedRequest, { pk: 'FAILED_REQUEST#<merchant_id>', sk: '<at>#<request_id>' });

/** Lists a merchant's failed requests, newest first. May include expired rows. */
export async function listFailedRequests(outside: TableOutside, merchant_id: string): Promise<FailedRequest[]> {
  const page = { newestFirst: true, limit: MAX_FAILED_REQUESTS };
  return (await failedRows.page(outside, { merchant_id }, page)).entries;
}

/** Maximum number of failed requests recorded per key per function instance. */
export const MAX_NOTED_FAILURES = 5;
const counts = new WeakMap<ApiKey, number>();

/** Records a failed request. Never throws. */
export async function noteFailure(
  outside: Pick<Outside, 'table' | 'now' | 'log'>,
  key: ApiKey,
  failure: Failure,
): Promise<void> {
  const { merchant_id, hint } = key;
  const count = counts.get(key) ?? 0;
  if (count >= MAX_NOTED_FAILURES) return;
  counts.set(key, count + 1);
  try {
    const failed = { merchant_id, hint, ...failure, at: nowIso(outside), ...endsIn(outside, KEPT_SECONDS) };
    await outside.table.write([failedRows.createOnce(failed)]);
  } catch (error) {
    outside.log.warn('failure_not_noted', { merchant_id, error });
  }
}
