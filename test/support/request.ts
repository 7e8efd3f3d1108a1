import { requireDocumented } from './reference.ts';

export interface HttpRequest {
  readonly key?: string;
  readonly body?: object | string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
}

/**
 * Sends an HTTP request and checks the response against the API reference. Does not follow redirects. `json` defaults
 * to `{}`.
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
