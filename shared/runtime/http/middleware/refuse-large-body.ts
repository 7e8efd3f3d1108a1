import type { CalledRow } from '../../triggers/row.ts';
import { PublicError } from '../../values/errors.ts';
import type { Middleware } from './middleware.ts';

const MAX_BODY_KILOBYTES = 256;

/**
 * Before anything reads it: a parser's effort grows with the body. API Gateway lets 10 MB through, and nothing here needs
 * more than a few kilobytes.
 */
export function refuseLargeBody(row: CalledRow): Middleware {
  return {
    before: ({ event: { body = '', isBase64Encoded } }) => {
      if (row.on === 'default' || (row.on === 'http' && row.method === 'GET')) return;
      const bytes = isBase64Encoded ? (body.length * 3) / 4 : Buffer.byteLength(body);
      const { maxBodyKilobytes = MAX_BODY_KILOBYTES } = row;
      if (bytes <= maxBodyKilobytes * 1024) return;
      throw new PublicError(
        'body_too_large',
        `The body has more than ${maxBodyKilobytes} KB. Send less in one request.`,
      );
    },
  };
}
