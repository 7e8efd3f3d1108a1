import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { changeUrl } from '../../shared/webhook/change-webhook.ts';
import { presentEndpointAndSecret, WebhookRequest } from '../../shared/webhook/endpoint.ts';
import { manifest } from '../manifest.ts';

/** Sets the URL and event types of a merchant's webhook, and returns its signing secret. */
export const handler = merchantRoute(
  manifest['webhook/set'],
  { body: WebhookRequest },
  async ({ holder, body, commit }, outside) => {
    const { endpoint, writes } = await changeUrl(outside, holder, body);
    return commit(writes, ok('Webhook set', presentEndpointAndSecret(endpoint)));
  },
);
