import { requireDocumented } from './reference.ts';

export interface HttpRequest {
  readonly key?: string;
  /** An object is sent as JSON, a string as it is. */
  readonly body?: object | string;
  readonly headers?: Record<string, string>;
  /** By default POST with a body, GET without. */
  readonly method?: string;
}

/**
 * A request to the service over HTTP, whose answer must be as the reference says; no redirect is followed. `json` is `{}` where
 * the answer is not JSON.
 */
export async function requestAt(baseUrl: string, path: string, { key, body, headers = {}, ...more }: HttpRequest = {}) {
  const method = more.method ?? (body === undefined ? 'GET' : 'POST');
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    redirect: 'manual',
  });
  const text = await response.text();
  const contentType = response.headers.get('content-type');
  requireDocumented(method, path, { status: response.status, contentType, text });
  const isJson = contentType?.startsWith('application/json');
  return { status: response.status, headers: response.headers, text, json: isJson && text ? JSON.parse(text) : {} };
}
