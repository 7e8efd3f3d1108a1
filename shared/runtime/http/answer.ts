import type { PageMeta } from './responses.ts';

export interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly cookies?: readonly string[];
  readonly isBase64Encoded?: boolean;
}

/** Builds the success envelope. `data` may contain `JSON.rawJSON` numbers. `meta` is set for a page of a list. */
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

/** Returns true if the client asks for the JSON envelope. Browsers never do so on their own. */
export function asksForJson(headers: Readonly<Record<string, string | undefined>>): boolean {
  return [headers.accept, headers['content-type']].some((type) => type?.includes('application/json'));
}

export function acceptsGzip(headers: Readonly<Record<string, string | undefined>>): boolean {
  const weights = new Map(
    (headers['accept-encoding'] ?? '').split(',').map((part) => {
      const [coding = '', weight = ''] = part.toLowerCase().split(';');
      return [coding.trim(), Number(/^\s*q=([\d.]+)\s*$/.exec(weight)?.[1] ?? 1)];
    }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
