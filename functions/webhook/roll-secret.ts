import { merchantEndpoint } from '../../shared/merchant/endpoint.ts';
import { ok } from '../../shared/runtime/http.ts';
import { getWebhookEndpoint, putWebhookEndpoint } from '../../shared/webhook/endpoint.table.ts';
import { noEndpoint, presentEndpointAndSecret, withNewSecret } from '../../shared/webhook/endpoint.ts';
import { manifest } from '../manifest.ts';

/** Gives a webhook a new secret; for 24 hours both sign. */
export const handler = merchantEndpoint(manifest['webhook/roll-secret'], {}, async ({ merchant, commit }, outside) => {
  const standing = await getWebhookEndpoint(outside, merchant.merchant_id);
  if (!standing) throw noEndpoint();
  const endpoint = withNewSecret(outside, standing);
  const answer = ok('Webhook secret rolled', presentEndpointAndSecret(endpoint));
  return commit([putWebhookEndpoint(endpoint, standing)], answer);
});
