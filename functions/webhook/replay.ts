import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { replayEvent } from '../../shared/webhook/change-webhook.ts';
import { presentEvent } from '../../shared/webhook/present-event.ts';
import { manifest } from '../manifest.ts';

/** Resends an event under the same id, with up to ten new attempts. */
export const handler = merchantRoute(
  manifest['webhook/replay'],
  {},
  async ({ holder, path, allows, commit }, outside) => {
    const { event, writes } = await replayEvent(outside, holder, path.id);
    return commit(writes, ok('Webhook event queued', presentEvent(event, allows('receipts:assign'))));
  },
);
