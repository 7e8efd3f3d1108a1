import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { DeviceSettings } from './device.ts';
import type { Gateway, GatewayOptions } from './gateway.ts';
import { SendRequest } from './requests.ts';
import type { Message } from './texts.ts';

const RECONNECT_MS = 1_000;
const MAX_REPORTS = 11;
const TIMEOUT_MS = 30_000;
const NOTICE_MS = 200;

export interface SmsgateServer {
  readonly url: string;
  readonly token: string;
  readonly reach?: ((url: string) => string) | undefined;
}

const Registered = z.object({ id: z.string(), token: z.string(), login: z.string(), password: z.string() });
const Pulled = z.array(z.looseObject({ id: z.string() }));
const Hooks = z.array(z.object({ id: z.string(), url: z.string(), event: z.string(), deviceId: z.string().nullish() }));

/**
 * Registers a phone with a new account, as the app does when Cloud Server is first turned on.
 * @throws if the server rejects the registration.
 */
export async function registerPhone(
  url: string,
  privateToken: string,
  { name, sims }: Pick<DeviceSettings, 'name' | 'sims'>,
) {
  const simCards = sims.map(({ simNumber }) => ({ slotIndex: simNumber - 1, simNumber }));
  const answer = await call({ url, token: privateToken }, 'POST', '/device', { name, simCards });
  return Registered.parse(JSON.parse(answer));
}

/**
 * Simulates SMSGate's app. It listens to server-sent events, pulls messages and webhooks, and reports each change in a
 * message's state. (In the app: `GatewayService`, `SSEForegroundService`, `SendStateWorker`.)
 */
export class App {
  readonly #gateway: Gateway;
  readonly #server: SmsgateServer;
  readonly #ending = new AbortController();
  #listening = new AbortController();
  /** Pending state reports per message, sent one by one. */
  readonly #reports = new Map<string, Promise<void>>();
  #pulling: Promise<void> | undefined;
  #isOnline = false;
  /** Wait before a state report is first retried: twice as long as for webhooks. The wait doubles with each retry. */
  readonly #reportAgainMs: number;
  readonly #timers: NodeJS.Timeout[];

  constructor(
    gateway: Gateway,
    server: SmsgateServer,
    { pingMs, retryBaseMs }: Pick<GatewayOptions, 'pingMs' | 'retryBaseMs'>,
  ) {
    this.#gateway = gateway;
    this.#server = server;
    this.#reportAgainMs = 2 * retryBaseMs;
    this.#timers = [setInterval(() => this.#notice(), NOTICE_MS), setInterval(() => this.#pull(), pingMs)];
    this.#notice();
    void this.#listen();
  }

  report(message: Message): void {
    const before = this.#reports.get(message.id);
    const reported = Promise.resolve(before).then(() => this.#report(message));
    this.#reports.set(message.id, reported);
    void reported.then(() => {
      if (this.#reports.get(message.id) === reported) this.#reports.delete(message.id);
    });
  }

  stop(): void {
    this.#ending.abort();
    this.#listening.abort();
    for (const timer of this.#timers) clearInterval(timer);
  }

  #notice(): void {
    const isOnline = this.#gateway.devices.some(({ isOn }) => isOn);
    if (isOnline === this.#isOnline) return;
    this.#isOnline = isOnline;
    if (isOnline) this.#sync();
    else this.#listening.abort();
  }

  #sync(): void {
    void this.#syncWebhooks().catch(ignoreUntilNext);
    this.#pull();
  }

  /** Reconnects until stopped. After each connection, pulls everything that was missed. */
  async #listen(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      if (this.#isOnline) await this.#hear().catch(ignoreUntilNext);
      await sleep(RECONNECT_MS, undefined, { signal: this.#ending.signal }).catch(ignoreUntilNext);
    }
  }

  async #hear(): Promise<void> {
    this.#listening = new AbortController();
    const response = await fetch(mobileUrl(this.#server.url, '/events'), {
      headers: { authorization: `Bearer ${this.#server.token}`, accept: 'text/event-stream' },
      signal: this.#listening.signal,
    });
    if (!response.ok || !response.body)
      throw new Error(`The server opened no event stream (status ${response.status})`);
    this.#sync();
    let text = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.#heard(/^event: ?(\w+)/m.exec(block)?.[1]);
    }
  }

  #heard(event: string | undefined): void {
    if (event === 'MessageEnqueued') this.#pull();
    if (event === 'WebhooksUpdated') void this.#syncWebhooks().catch(ignoreUntilNext);
  }

  async #syncWebhooks(): Promise<void> {
    const hooks = Hooks.parse(JSON.parse(await this.#call('GET', '/webhooks')));
    const { reach = (url) => url } = this.#server;
    this.#gateway.webhooks = hooks.map(({ deviceId = null, url, ...hook }) => ({ ...hook, deviceId, url: reach(url) }));
  }

  /** Runs one pull at a time. A running pull can miss a message that is added meanwhile. */
  #pull(): void {
    const pulled = Promise.resolve(this.#pulling).then(() => this.#pullOnce().catch(ignoreUntilNext));
    this.#pulling = pulled;
  }

  async #pullOnce(): Promise<void> {
    const pulled = Pulled.parse(JSON.parse(await this.#call('GET', '/message')));
    // The list is newest first. Queue it oldest first, because the phone sends the last queued message first.
    for (const one of pulled.toReversed()) {
      const known = this.#gateway.found(one.id);
      if (known) this.report(known);
      else this.#gateway.accept(SendRequest.parse({ ...one, deviceId: null, ttl: null }));
    }
  }

  async #report(message: Message): Promise<void> {
    for (let tries = 0; tries < MAX_REPORTS && !this.#ending.signal.aborted; tries += 1) {
      try {
        while (!this.#isOnline) await sleep(NOTICE_MS, undefined, { signal: this.#ending.signal });
        const { id, state, states, phoneNumbers, failure: error } = message;
        const recipients = phoneNumbers.map((phoneNumber) => ({ phoneNumber, state, error }));
        await this.#call('PATCH', '/message', [{ id, state, recipients, states }]);
        return;
      } catch {
        await sleep(this.#reportAgainMs * 2 ** tries, undefined, { signal: this.#ending.signal }).catch(
          ignoreUntilNext,
        );
      }
    }
  }

  async #call(method: string, path: string, body?: object): Promise<string> {
    if (!this.#isOnline) throw new Error('The phone is offline');
    return call(this.#server, method, path, body);
  }
}

function mobileUrl(url: string, path: string): string {
  return `${url.replace(/\/3rdparty\/v1$/, '/mobile/v1')}${path}`;
}

async function call({ url, token }: SmsgateServer, method: string, path: string, body?: object): Promise<string> {
  const response = await fetch(mobileUrl(url, path), {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} failed with status ${response.status}: ${text.slice(0, 300)}`);
  return text;
}

/** The app retries on the next event, ping or connection. */
function ignoreUntilNext(): void {}
