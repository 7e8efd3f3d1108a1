import type { Outside } from '../../outside/outside.ts';
import type { CalledRow } from '../../triggers/row.ts';
import type { Middleware } from './middleware.ts';

/**
 * The log line of a merchant's request, or of a person's at the dashboard. A request without a valid key or session has none: the access log of API Gateway has a line for every
 * request, with all but the merchant, the code and what the function itself took. `request_id` is the same in both.
 */
export function logRequest(outside: Outside, row: CalledRow): Middleware {
  const log: Middleware['after'] = ({
    event: { caller, requestContext },
    internal: { startedMs = 0, code },
    response,
  }) => {
    if (!caller || !response || row.on === 'default') return;
    outside.log.info('request', {
      route: `${row.on === 'http' ? row.method : requestContext.http.method} ${row.path}`,
      request_id: requestContext.requestId,
      ...(caller.merchant_id && { merchant_id: caller.merchant_id }),
      ...(caller.user_id && { user_id: caller.user_id }),
      status: response.statusCode,
      ...(code && { code }),
      duration_ms: outside.now() - startedMs,
    });
  };
  return {
    before: ({ internal }) => {
      internal.startedMs = outside.now();
    },
    after: log,
    onError: log,
  };
}
