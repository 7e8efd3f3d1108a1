import { ApiError, ConnectionError } from './errors.ts';
import { VERSION } from './generated/version.ts';
import { List } from './list.ts';

export interface ClientOptions {
  /** Where the service is, such as `https://pay.example.com`. Plain http is accepted for this machine alone. */
  readonly baseUrl: string;
  /** For charges, receipts, wallets: starts with `sk_live_`, or with `sk_test_` for tests. */
  readonly secretKey?: string;
  /** For texts, codes and credits: starts with `sk_sms_`, or with `sk_sms_test_` for tests. */
  readonly smsSecretKey?: string;
  /** How often a request is repeated that got no answer, or one that says to try again; 2 if not given. */
  readonly maxRetries?: number;
  /** How long one try may take; 30 seconds if not given. */
  readonly timeoutMs?: number;
  /** In place of the `fetch` of the runtime. */
  readonly fetch?: typeof fetch;
}

/** Of one request. */
export interface RequestOptions {
  /**
   * With the same key a request takes effect once in 24 hours. Each POST has one of its own; give one that you stored to be safe across
   * a restart of your program, too.
   */
  readonly idempotencyKey?: string;
  /** Ends the request and its retries. Whether it took effect is then not known. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
}

/** Of a request for your webhook: each kind of key has one of its own. */
export interface WebhookRequestOptions extends RequestOptions {
  /** `live` if not given, or `sms` where the client has only the key for texts. */
  readonly webhookOf?: KeyKind;
}

export type KeyKind = 'live' | 'sms';

/** What an operation asks. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `baseUrl`, with its ids filled in. */
  readonly path: string;
  /** The kinds of key that it accepts. */
  readonly keys: readonly KeyKind[];
  readonly query?: object;
  readonly body?: unknown;
}

/** The kinds of keys, and how they begin. */
const PREFIXES: Readonly<Record<KeyKind, readonly string[]>> = {
  live: ['sk_live_', 'sk_test_'],
  sms: ['sk_sms_'],
};

/** The first wait before a request is repeated; each one after it is twice as long. */
const FIRST_WAIT_MS = 500;
/** A wait that the service asks for and that is longer is left to the caller, who is told how long it is. */
const MAX_WAIT_MS = 20_000;

/** Makes requests, and repeats them. */
export class Transport {
  readonly #options: ClientOptions;
  readonly #baseUrl: string;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#baseUrl = checkedBaseUrl(options.baseUrl);
    checkKey('secretKey', options.secretKey, 'live');
    checkKey('smsSecretKey', options.smsSecretKey, 'sms');
    if (!options.secretKey && !options.smsSecretKey)
      throw new TypeError('Give a `secretKey` for charges, an `smsSecretKey` for texts, or both.');
  }

  /** The `data` of the answer. The service's reference says what it is, and its tests hold its answers to it. */
  data<T>(operation: Operation, options?: WebhookRequestOptions): Promise<T> {
    return this.#send(operation, options, (text) => envelopeOf<{ data: T }>(text)?.data);
  }

  /** The whole of an answer that is not JSON, such as CSV. */
  text(operation: Operation, options?: WebhookRequestOptions): Promise<string> {
    return this.#send(operation, options, (text) => text);
  }

  /** A list whose entries are in `data[entries]`. */
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
    // Made once: what is repeated has the same key and the same bytes.
    const idempotencyKey = method === 'POST' ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const sent: RequestInit = {
      method,
      // A key is for this service alone, wherever it may point to.
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

  /** One try: the body of the answer, or the error that it is. @throws what the caller's signal says. */
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
      return new ConnectionError(`No answer from ${this.#baseUrl} ${why}.`, { cause, idempotencyKey });
    }
    if (response.ok) return text;
    return new ApiError(response.status, parsed(text) ?? {}, {
      retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
      idempotencyKey,
    });
  }

  #unreadable(idempotencyKey: string | undefined): ConnectionError {
    const message = `The answer of ${this.#baseUrl} is not that of a Momo Kiosk. Is one deployed there?`;
    return new ConnectionError(message, { idempotencyKey });
  }

  /** @throws TypeError if the client has no key for it. */
  #keyFor({ keys, path }: Operation, wanted?: KeyKind): string {
    const { secretKey, smsSecretKey } = this.#options;
    const owned = { live: secretKey, sms: smsSecretKey };
    for (const kind of wanted ? [wanted] : keys) {
      const key = keys.includes(kind) && owned[kind];
      if (key) return key;
    }
    const missing = (wanted ?? keys[0]) === 'sms' ? 'smsSecretKey' : 'secretKey';
    throw new TypeError(`${path} needs the option \`${missing}\` of the client.`);
  }
}

/** How long to wait before the request is repeated; undefined if that is of no use, or takes too long. */
function waitBefore(error: ApiError | ConnectionError, tries: number): number | undefined {
  const ownMs = FIRST_WAIT_MS * 2 ** tries * (0.5 + Math.random() / 2);
  if (error instanceof ConnectionError) return ownMs;
  // Where there are too many requests, and where something failed, the service says that the same request may succeed.
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

/** A value as part of a path. @throws TypeError for what would be another path. */
export function segment(name: string, value: string): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
    throw new TypeError(`\`${name}\` is ${JSON.stringify(value)}: give its id.`);
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
    throw new TypeError(`${is}: give the https address of your Momo Kiosk${meant}`);
  }
  if (/\/api(\/v1)?\/*$/.test(url.pathname)) throw new TypeError(`${is}: leave out the /api/v1 at its end.`);
  return url.href.replace(/\/+$/, '');
}

function checkKey(option: string, key: string | undefined, kind: KeyKind): void {
  const prefixes = PREFIXES[kind];
  if (key !== undefined && !prefixes.some((prefix) => key.startsWith(prefix)))
    throw new TypeError(`\`${option}\` does not start with ${prefixes.map((prefix) => `\`${prefix}\``).join(' or ')}.`);
}

function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}

/** The envelope of a successful answer. Its `data` is not looked into: the service's own tests hold it to the reference. */
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
