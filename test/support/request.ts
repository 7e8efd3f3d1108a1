export interface HttpRequest {
  readonly key?: string;
  /** An object is sent as JSON, a string as it is. */
  readonly body?: object | string;
  readonly headers?: Record<string, string>;
  /** By default POST with a body, GET without. */
  readonly method?: string;
}

/** A request to the service over HTTP; no redirect is followed. `json` is `{}` where the answer is not JSON. */
export async function requestAt(baseUrl: string, path: string, { key, body, headers = {}, method }: HttpRequest = {}) {
  const response = await fetch(`${baseUrl}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    redirect: 'manual',
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
}
