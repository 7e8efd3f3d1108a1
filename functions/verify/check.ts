import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { isTestAccount } from '../../shared/merchants/merchant/test-account.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { refuseContention } from '../../shared/runtime/table/contention.ts';
import type { CheckResponse } from '../../shared/texts/verification/responses.ts';
import { checkCode } from '../../shared/texts/verification/verify.ts';
import { CheckRequest } from '../../shared/texts/verification/verify-request.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(
  manifest['verify/check'],
  { body: CheckRequest, writesBefore: true },
  ({ merchant, body, commit }, outside) =>
    refuseContention('Too many of your codes are being checked at once.', () =>
      checkCode(outside, merchant, body, (writes, verified) =>
        commit(
          writes,
          ok<CheckResponse>(verified ? 'The code is correct' : 'The code is wrong or no longer valid', {
            id: body.id,
            livemode: !isTestAccount(merchant.merchant_id),
            verified,
          }),
        ),
      ),
    ),
);
