import { merchantRoute } from '../../shared/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { getWebhookEndpoint, putWebhookEndpoint } from '../../shared/webhook/endpoint.table.ts';
import { noEndpoint, presentEndpointAndSecret, withNewSecret } from '../../shared/webhook/endpoint.ts';
import { manifest } from '../manifest.ts';

/** Creates a new secret for a webhook; for 24 hours both sign. */
export const handler = merchantRoute(manifest['webhook/roll-secret'], {}, async ({ holder, commit }, outside) => {
  const current = await getWebhookEndpoint(outside, holder);
  if (!current) throw noEndpoint();
  const endpoint = withNewSecret(outside, current);
  const answer = ok('Webhook secret rolled', presentEndpointAndSecret(endpoint));
  return commit([putWebhookEndpoint(endpoint, current)], answer);
});
