import { gzipSync } from 'node:zlib';
import { type Answer, acceptsGzip } from './answer.ts';

/** Text that is the same for every visitor, so it is compressed only once. */
export interface StaticText {
  readonly text: string;
  readonly gzipBase64: string;
}

export function staticText(text: string): StaticText {
  return { text, gzipBase64: gzipSync(text).toString('base64') };
}

export function staticAnswer(
  { text, gzipBase64 }: StaticText,
  requestHeaders: Readonly<Record<string, string | undefined>>,
  contentType: string,
  maxAgeSeconds: number,
): Answer {
  const headers = {
    'content-type': contentType,
    'cache-control': `public, max-age=${maxAgeSeconds}`,
    vary: 'accept-encoding',
  };
  return acceptsGzip(requestHeaders)
    ? {
        statusCode: 200,
        headers: { ...headers, 'content-encoding': 'gzip' },
        body: gzipBase64,
        isBase64Encoded: true,
      }
    : { statusCode: 200, headers, body: text };
}
