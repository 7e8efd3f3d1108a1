import { ApiError, ConnectionError } from './errors.ts';
import { routeWords } from './generated/route-words.ts';
import { VERSION } from './generated/version.ts';
import { List } from './list.ts';

export interface ClientOptions {
  /** The service's URL, such as `https://pay.example.com`. Plain http is allowed only for this machine. */
  readonly baseUrl: string;
  /** The key for charges, receipts and wallets. Starts with `sk_live_`, or `sk_test_` in test mode. */
  readonly secretKey?: string;
  /** The key for texts, codes and credits. Starts with `sk_sms_`, or `sk_sms_test_` in test mode. */
  readonly smsSecretKey?: string;
  /** Maximum number of retries after no response or a retryable error. Defaults to 2. */
  readonly maxRetries?: number;
  /** Timeout per attempt, in milliseconds. Defaults to 30 seconds. */
  readonly timeoutMs?: number;
  /** A replacement for the runtime's `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Options for one request. */
export interface RequestOptions {
  /**
   * Requests with the same key take effect only once in 24 hours. By default, each POST gets a new key. Pass a stored
   * key if your program might restart between attempts.
   */
  readonly idempotencyKey?: string;
  /** Aborts the request and its retries. The request may still have taken effect. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
}

/** Options for a webhook request. Each kind of key has its own webhook. */
export interface WebhookRequestOptions extends RequestOptions {
  /** Defaults to `live`, or to `sms` if the client only has an SMS key. */
  readonly webhookOf?: KeyKind;
}

export type KeyKind = 'live' | 'sms';

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below `baseUrl`, with the ids filled in. */
  readonly path: string;
  /** The kinds of key that the operation accepts. */
  readonly keys: readonly KeyKind[];
  readonly query?: object;
  readonly body?: unknown;
}

/** The prefixes for each kind of key. */
const PREFIXES: Readonly<Record<KeyKind, readonly string[]>> = {
  live: ['sk_live_', 'sk_test_'],
  sms: ['sk_sms_'],
};

/** Wait before the first retry. Doubles with each retry. */
const FIRST_WAIT_MS = 500;
/** Maximum wait before a retry. If the service requests a longer wait, the client throws the error instead. */
const MAX_WAIT_MS = 20_000;

export class Transport {
  readonly #options: ClientOptions;
  readonly #baseUrl: string;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#baseUrl = checkedBaseUrl(options.baseUrl);
    checkKey('secretKey', options.secretKey, 'live');
    checkKey('smsSecretKey', options.smsSecretKey, 'sms');
    if (!options.secretKey && !options.smsSecretKey)
      throw new TypeError('Set `secretKey` for charges, `smsSecretKey` for texts, or both.');
  }

  /** Returns the response's `data`. Its type is generated from the API reference. */
  data<T>(operation: Operation, options?: WebhookRequestOptions): Promise<T> {
    return this.#send(operation, options, (text) => envelopeOf<{ data: T }>(text)?.data);
  }

  /** Returns a complete response as text, such as CSV. */
  text(operation: Operation, options?: WebhookRequestOptions): Promise<string> {
    return this.#send(operation, options, (text) => text);
  }

  /** Returns a list whose entries are in `data[entries]`. */
  list<Item, Data extends object>(
    operation: Operation,
    entries: keyof Data,
    options?: WebhookRequestOptions,
  ): List<Item, Data> {
    return new List(async (cursor) => {
      const query = { ...operation.query, ...(cursor && { cursor }) };
      type Answer = { data: Data & Record<typeof entries, readonly Item[]>; meta: { next: string | null } };
      const { data, meta } = await this.#send({ ...operation, query }, options, envelopeOf<Answer>);
      return { items: data[entries], data, next: meta.next };
    });
  }

  async #send<T>(
    operation: Operation,
    options: WebhookRequestOptions = {},
    read: (text: string) => T | undefined,
  ): Promise<T> {
    const { method, body } = operation;
    const url = `${this.#baseUrl}${operation.path}${queryOf(operation.query)}`;
    // Every retry sends the same idempotency key and body.
    const idempotencyKey = method === 'POST' ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const sent: RequestInit = {
      method,
      // A redirect could send the key to another service.
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${this.#keyFor(operation, options.webhookOf)}`,
        accept: 'application/json',
        'user-agent': `momo-kiosk-client/${VERSION}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const maxRetries = options.maxRetries ?? this.#options.maxRetries ?? 2;
    for (let tries = 0; ; tries += 1) {
      options.signal?.throwIfAborted();
      const outcome = await this.#try(url, sent, idempotencyKey, options);
      const answer = typeof outcome === 'string' ? read(outcome) : undefined;
      if (answer !== undefined) return answer;
      const error = typeof outcome === 'string' ? this.#unreadable(idempotencyKey) : outcome;
      const waitMs = waitBefore(error, tries);
      if (tries >= maxRetries || waitMs === undefined) throw error;
      await sleep(waitMs, options.signal);
    }
  }

  /** Makes one attempt and returns the body or the error. @throws the abort reason of the caller's signal. */
  async #try(
    url: string,
    sent: RequestInit,
    idempotencyKey: string | undefined,
    { signal, timeoutMs = this.#options.timeoutMs ?? 30_000 }: RequestOptions,
  ): Promise<string | ApiError | ConnectionError> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const request = this.#options.fetch ?? fetch;
    let response: Response;
    let text: string;
    try {
      response = await request(url, { ...sent, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
      text = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      const why = timeout.aborted ? `within ${timeoutMs} ms` : `(${cause instanceof Error ? cause.message : cause})`;
      return new ConnectionError(`No response from ${this.#baseUrl} ${why}.`, { cause, idempotencyKey });
    }
    if (response.ok) return text;
    return new ApiError(response.status, parsed(text) ?? {}, {
      retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
      idempotencyKey,
    });
  }

  #unreadable(idempotencyKey: string | undefined): ConnectionError {
    const message = `The response from ${this.#baseUrl} is not from a Momo Kiosk. Is one deployed there?`;
    return new ConnectionError(message, { idempotencyKey });
  }

  /** Returns the key to use. @throws TypeError if the client has none of the accepted keys. */
  #keyFor({ keys, path }: Operation, wanted?: KeyKind): string {
    const { secretKey, smsSecretKey } = this.#options;
    const owned = { live: secretKey, sms: smsSecretKey };
    for (const kind of wanted ? [wanted] : keys) {
      const key = keys.includes(kind) && owned[kind];
      if (key) return key;
    }
    const missing = (wanted ?? keys[0]) === 'sms' ? 'smsSecretKey' : 'secretKey';
    throw new TypeError(`${path} requires the \`${missing}\` client option.`);
  }
}

/** Returns the wait before a retry, or undefined if there should be no retry. */
function waitBefore(error: ApiError | ConnectionError, tries: number): number | undefined {
  const ownMs = FIRST_WAIT_MS * 2 ** tries * (0.5 + Math.random() / 2);
  if (error instanceof ConnectionError) return ownMs;
  // Other errors are permanent.
  if (error.status !== 429 && error.status < 500) return undefined;
  const askedMs = (error.retryAfterSeconds ?? 0) * 1000;
  return askedMs > MAX_WAIT_MS ? undefined : Math.max(askedMs, ownMs);
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/**
 * Encodes an id as a path segment. @throws TypeError if the value is not an id. A server decodes a slash or a question
 * mark, and the path would then be that of another operation.
 */
export function segment(name: string, value: string): string {
  if (typeof value !== 'string' || !/^[\w+ -]+$/.test(value) || routeWords.includes(value))
    throw new TypeError(`\`${name}\` is ${JSON.stringify(value)}, which is not an id. Pass the id.`);
  return encodeURIComponent(value);
}

function queryOf(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return given.length > 0 ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : '';
}

function checkedBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isHere = url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const is = `\`baseUrl\` is ${JSON.stringify(baseUrl)}`;
  if (!url || (url.protocol !== 'https:' && !isHere)) {
    const scheme = /^(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(baseUrl) ? 'http' : 'https';
    const meant = baseUrl && !baseUrl.includes('//') ? `: did you mean ${scheme}://${baseUrl}?` : '.';
    throw new TypeError(`${is}. Use the https address of your Momo Kiosk${meant}`);
  }
  if (/\/api(\/v1)?\/*$/.test(url.pathname)) throw new TypeError(`${is}. Remove /api/v1 from the end.`);
  return url.href.replace(/(?<!\/)\/+$/, '');
}

function checkKey(option: string, key: string | undefined, kind: KeyKind): void {
  const prefixes = PREFIXES[kind];
  if (key !== undefined && !prefixes.some((prefix) => key.startsWith(prefix)))
    throw new TypeError(`\`${option}\` does not start with ${prefixes.map((prefix) => `\`${prefix}\``).join(' or ')}.`);
}

function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}

/**
 * Parses a successful response. Does not validate `data`: the service's own tests check responses against the API
 * reference.
 */
function envelopeOf<T extends { data: unknown }>(text: string): T | undefined {
  const body = parsed(text);
  return body && 'data' in body ? (body as T) : undefined;
}

function parsed(text: string): object | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}
