import { merchantRoute } from '../../shared/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { getWebhookEndpoint, putWebhookEndpoint } from '../../shared/webhook/endpoint.table.ts';
import { presentEndpointAndSecret, WebhookRequest, withUrl } from '../../shared/webhook/endpoint.ts';
import { getSlowness } from '../../shared/webhook/lane.table.ts';
import { manifest } from '../manifest.ts';

/** Sets the address for a merchant's events, and returns the secret that signs them. */
export const handler = merchantRoute(
  manifest['webhook/set'],
  { body: WebhookRequest },
  async ({ holder, body, commit }, outside) => {
    const current = await getWebhookEndpoint(outside, holder);
    const slowMs = await getSlowness(outside, holder, current);
    const endpoint = withUrl(outside, holder, current, body.url, slowMs);
    const answer = ok('Webhook set', presentEndpointAndSecret(endpoint));
    return commit([putWebhookEndpoint(endpoint, current)], answer);
  },
);
