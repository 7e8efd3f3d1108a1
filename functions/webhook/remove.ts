import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { endpointRows } from '../../shared/webhook/endpoint.table.ts';
import { manifest } from '../manifest.ts';

/** Removes a merchant's webhook, if any. */
export const handler = merchantRoute(manifest['webhook/remove'], {}, async ({ holder, commit }) =>
  commit([endpointRows.remove(holder)], ok('Webhook removed', {})),
);
