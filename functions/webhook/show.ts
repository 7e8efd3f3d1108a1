import { merchantEndpoint } from '../../shared/merchant/endpoint.ts';
import { ok } from '../../shared/runtime/http.ts';
import { getWebhookEndpoint } from '../../shared/webhook/endpoint.table.ts';
import { noEndpoint, presentEndpoint } from '../../shared/webhook/endpoint.ts';
import { manifest } from '../manifest.ts';

/** Shows where a merchant's events go and whether they arrive there. */
export const handler = merchantEndpoint(manifest['webhook/show'], {}, async ({ merchant }, outside) => {
  const endpoint = await getWebhookEndpoint(outside, merchant.merchant_id);
  if (!endpoint) throw noEndpoint();
  return ok('Webhook', presentEndpoint(endpoint));
});
