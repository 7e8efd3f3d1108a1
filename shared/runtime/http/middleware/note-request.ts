import type { CalledRow } from '../../triggers/row.ts';
import type { Middleware } from './middleware.ts';

/** Keeps of a request what its caller may look up later: that the key was used, and what failed. */
export function noteRequest(row: CalledRow): Middleware {
  return {
    after: ({ event: { caller } }) => caller?.notes?.use,
    onError: async ({ event: { caller, requestContext }, internal: { code }, response }) => {
      if (!caller?.notes || !response || row.on !== 'http') return;
      const { method, path: route } = row;
      const { statusCode: status } = response;
      const failure = { method, route, status, ...(code && { code }), request_id: requestContext.requestId };
      await Promise.all([caller.notes.use, caller.notes.failed(failure)]);
    },
  };
}
