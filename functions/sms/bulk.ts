import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { rememberedSenders } from '../../shared/phones/sender/sender.table.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { refuseContention } from '../../shared/runtime/table/contention.ts';
import { counted } from '../../shared/runtime/values/counted.ts';
import { acceptBulk } from '../../shared/texts/bulk/accept-bulk.ts';
import { BulkRequest } from '../../shared/texts/bulk/bulk-request.ts';
import { presentAccepted } from '../../shared/texts/bulk/present-bulk.ts';
import { readRecipients } from '../../shared/texts/bulk/read-recipients.ts';
import { manifest } from '../manifest.ts';

/** Accepts personalised texts to up to 1,000 numbers. Each text costs one credit. */
export const handler = merchantRoute(
  manifest['sms/bulk'],
  { body: BulkRequest, readAhead: rememberedSenders },
  async ({ merchant, causer: by, body, commit }, outside) => {
    const bulk = await acceptBulk(outside, merchant, { ...readRecipients(body), by });
    const data = presentAccepted(bulk);
    const answer = ok(`Queued ${counted(data.count, 'text')} from ${data.from}`, data);
    return refuseContention('Too many requests are using this credit balance at once.', () =>
      commit(bulk.writes, answer),
    );
  },
);
