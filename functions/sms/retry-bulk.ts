import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { rememberedSenders } from '../../shared/phones/sender/sender.table.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { refuseContention } from '../../shared/runtime/table/contention.ts';
import { counted } from '../../shared/runtime/values/counted.ts';
import { presentAccepted } from '../../shared/texts/bulk/present-bulk.ts';
import type { RetriedBulkResponse } from '../../shared/texts/bulk/responses.ts';
import { retryBulk } from '../../shared/texts/bulk/retry-bulk.ts';
import { manifest } from '../manifest.ts';

/** Resends each failed text of a bulk send once. Each text costs one credit. */
export const handler = merchantRoute(
  manifest['sms/retry-bulk'],
  { readAhead: rememberedSenders },
  async ({ merchant, causer: by, path, commit }, outside) =>
    refuseContention('Too many requests are using this credit balance at once.', () =>
      retryBulk(outside, merchant, { id: path.id, by }, (retried) => {
        const data = { ...presentAccepted(retried), left_out: retried.leftOut };
        const message = `Requeued ${counted(data.count, 'text')} from ${data.from}`;
        return commit(retried.writes, ok<RetriedBulkResponse>(message, data));
      }),
    ),
);
