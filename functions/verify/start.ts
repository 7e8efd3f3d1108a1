import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { rememberedSenders } from '../../shared/phones/sender/sender.table.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { refuseContention } from '../../shared/runtime/table/contention.ts';
import { startVerification } from '../../shared/texts/verification/verify.ts';
import { VerifyRequest } from '../../shared/texts/verification/verify-request.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(
  manifest['verify/start'],
  { body: VerifyRequest, readAhead: rememberedSenders },
  ({ merchant, body, commit }, outside) =>
    startVerification(outside, merchant, body, (writes, { data }) =>
      refuseContention('Too many requests are using this credit balance at once.', () =>
        commit(writes, ok(`Queued a code from ${data.from}`, data)),
      ),
    ),
);
