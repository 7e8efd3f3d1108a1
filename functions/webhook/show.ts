import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { endpointRows } from '../../shared/webhook/endpoint.table.ts';
import { noEndpoint, presentEndpoint } from '../../shared/webhook/endpoint.ts';
import { manifest } from '../manifest.ts';

/** Returns a merchant's webhook and its delivery status. */
export const handler = merchantRoute(manifest['webhook/show'], {}, async ({ holder }, outside) => {
  const endpoint = await endpointRows.find(outside, holder);
  if (!endpoint) throw noEndpoint();
  return ok('Webhook', presentEndpoint(endpoint));
});
