import type { PageMeta } from './responses.ts';

export interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Each as in `Set-Cookie`. */
  readonly cookies?: readonly string[];
  /** Whether the body is base64 of binary data. */
  readonly isBase64Encoded?: boolean;
}

/** The success envelope; `data` may hold `JSON.rawJSON` numbers. A page of a list has `meta`. */
export function ok<Data extends object>(message: string, data: Data, meta?: PageMeta): Answer {
  return jsonAnswer(200, JSON.stringify({ status: true, message, data, meta }));
}

export function redirect(location: string, statusCode: 302 | 303 = 302): Answer {
  return { statusCode, headers: { location, 'cache-control': 'no-store' }, body: '' };
}

export function jsonAnswer(statusCode: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    statusCode,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body,
  };
}

/** Whether a client wants the envelope where a browser gets a page. No browser says either of its own accord. */
export function asksForJson(headers: Readonly<Record<string, string | undefined>>): boolean {
  return [headers.accept, headers['content-type']].some((type) => type?.includes('application/json'));
}

/** Whether a client accepts a gzipped body: it names gzip or `*`, and not with `q=0`. */
export function acceptsGzip(headers: Readonly<Record<string, string | undefined>>): boolean {
  const weights = new Map(
    (headers['accept-encoding'] ?? '').split(',').map((part) => {
      const [coding = '', weight = ''] = part.toLowerCase().split(';');
      return [coding.trim(), Number(/^\s*q=([\d.]+)\s*$/.exec(weight)?.[1] ?? 1)];
    }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
