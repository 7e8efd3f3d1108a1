import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { testEvent } from '../../shared/webhook/change-webhook.ts';
import { presentEvent } from '../../shared/webhook/present-event.ts';
import { manifest } from '../manifest.ts';

/** Sends a test event. */
export const handler = merchantRoute(manifest['webhook/test'], {}, async ({ holder, commit }, outside) => {
  const { event, writes } = await testEvent(outside, holder);
  return commit(writes, ok('Test event queued', presentEvent(event, true)));
});
