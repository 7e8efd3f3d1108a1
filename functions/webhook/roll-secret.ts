import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { changeSecret } from '../../shared/webhook/change-webhook.ts';
import { presentEndpointAndSecret } from '../../shared/webhook/endpoint.ts';
import { manifest } from '../manifest.ts';

/** Rotates a webhook's secret. The old secret stays valid for 24 hours. */
export const handler = merchantRoute(manifest['webhook/roll-secret'], {}, async ({ holder, commit }, outside) => {
  const { endpoint, writes } = await changeSecret(outside, holder);
  return commit(writes, ok('Webhook secret rolled', presentEndpointAndSecret(endpoint)));
});
