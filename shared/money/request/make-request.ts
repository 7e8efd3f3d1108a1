import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { retentionOf } from '../../merchants/merchant/test-account.ts';
import { countTests } from '../../merchants/merchant/test-limit.table.ts';
import { nowIso, type Outside } from '../../runtime/outside/outside.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { listRequestMoney, noMoreRequestMoney } from '../charge/request-money.table.ts';
import { changeRequest, createRequest, type PaymentRequest, requireRequest } from './request.table.ts';
import { type NewRequest, newRequest } from './request.ts';
import { readSums, requestStateOf, type Sums } from './sums.ts';

export function makeRequest<Result>(
  outside: Outside,
  merchant: Merchant,
  body: NewRequest,
  commit: (request: PaymentRequest, writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  // With about 10^17 possible slugs, a retry is almost never needed.
  return retryIfChanged(() => {
    const request = newRequest(outside, merchant, body);
    return commit(request, [createRequest(request), ...countTests(outside, merchant.merchant_id)]);
  });
}

/**
 * Cancels a payment request. Does nothing if it is already cancelled.
 * @throws PublicError `not_found`, `request_closed` if the request is paid, `busy`.
 */
export function cancelRequest<Result>(
  outside: Outside,
  merchantId: string,
  slug: string,
  commit: (request: PaymentRequest, sums: Sums, writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  return retryIfChanged(async () => {
    const request = await requireRequest(outside, merchantId, slug);
    // Read the unrecorded money before the totals. If more arrives after this read, the cancellation fails.
    const money = await listRequestMoney(outside, slug);
    const sums = await readSums(outside, request);
    const state = requestStateOf(request, sums);
    if (state === 'cancelled') return commit(request, sums, []);
    if (state === 'paid')
      throw new PublicError('request_closed', 'This request is already paid, so there is nothing to cancel.');
    const cancelled_at = nowIso(outside);
    const kept = endOfRetention(retentionOf(outside, merchantId), cancelled_at);
    const fields = { state: 'cancelled', cancelled_at, remind_at: undefined, ...kept } as const;
    const writes = [changeRequest(request, fields), ...noMoreRequestMoney(slug, sums.charges, money)];
    return commit({ ...request, ...fields }, sums, writes);
  });
}
