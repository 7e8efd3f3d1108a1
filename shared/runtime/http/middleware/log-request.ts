import type { Outside } from '../../outside/outside.ts';
import type { DefaultRow, HttpRow } from '../../triggers/row.ts';
import type { Middleware } from './middleware.ts';

/**
 * The log line of a merchant's request. A request without a valid key has none: the access log of API Gateway has a line for every
 * request, with all but the merchant, the code and what the function itself took. `request_id` is the same in both.
 */
export function logRequest(outside: Outside, row: HttpRow | DefaultRow): Middleware {
  const log: Middleware['after'] = ({
    event: { caller, requestContext },
    internal: { startedMs = 0, code },
    response,
  }) => {
    if (!caller || !response || row.on !== 'http') return;
    outside.log.info('request', {
      route: `${row.method} ${row.path}`,
      request_id: requestContext.requestId,
      merchant_id: caller.merchant_id,
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
