import { createHmac } from 'node:crypto';
import * as z from 'zod';
import type { Device } from './device.ts';

/** One event on its way to one webhook. The body is built once; every try signs it anew. */
export const Callback = z.object({
  deviceId: z.string(),
  url: z.string(),
  body: z.string(),
  /** Events that a person waits for are not queued behind reports. */
  isUrgent: z.boolean(),
  tries: z.int(),
  dueAtEpochMs: z.number(),
});
export type Callback = z.infer<typeof Callback>;

/** How one try ended: the status that was answered, or why there was none. */
export interface Delivery {
  url: string;
  status?: number;
  error?: string;
}

const TRIES = 14;
const TIMEOUT_MS = 5_000;
/** Of those that are not urgent: a phone is no load generator. */
const POSTS_AT_ONCE = 8;

interface OutboxOptions {
  /** The pause after the first try; each further one is twice as long. */
  retryBaseMs: number;
  device: (deviceId: string) => Device | undefined;
  changed: () => void;
}

interface Entry {
  callback: Callback;
  isPosting: boolean;
  tried: (delivery: Delivery) => void;
}

/** The callbacks that no webhook has accepted yet. They wait while their phone is off. */
export class Outbox {
  readonly #options: OutboxOptions;
  #entries: Entry[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  get callbacks(): Callback[] {
    return this.#entries.map(({ callback }) => callback);
  }

  /** Resolves when the first try is through, or is put off because the phone is off. */
  async add(callback: Callback): Promise<Delivery> {
    const { promise, resolve } = Promise.withResolvers<Delivery>();
    this.#entries.push({ callback, isPosting: false, tried: resolve });
    if (this.#options.device(callback.deviceId)?.isOn !== true) {
      resolve({ url: callback.url, error: 'The phone is off: it will post this when it is on again.' });
    }
    this.pump();
    return promise;
  }

  /** Posts what is due, and comes back when the next one is. */
  pump(): void {
    clearTimeout(this.#timer);
    if (this.#closing.signal.aborted) return;
    const now = Date.now();
    const waiting = this.#entries.filter(({ callback, isPosting }) => {
      return !isPosting && this.#options.device(callback.deviceId)?.isOn === true;
    });
    const due = waiting.filter(({ callback }) => callback.dueAtEpochMs <= now);
    const free =
      POSTS_AT_ONCE - this.#entries.filter(({ callback, isPosting }) => isPosting && !callback.isUrgent).length;
    const urgent = due.filter(({ callback }) => callback.isUrgent);
    const others = due.filter(({ callback }) => !callback.isUrgent).slice(0, free);
    for (const entry of [...urgent, ...others]) void this.#try(entry);

    // Those that are due but found no place go when a post ends.
    const later = waiting.map(({ callback }) => callback.dueAtEpochMs).filter((dueAt) => dueAt > now);
    if (later.length > 0) this.#timer = setTimeout(() => this.pump(), Math.min(...later) - now);
  }

  /** Callbacks in progress stay in `callbacks`: better posted twice than never. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#closing.abort();
  }

  async #try(entry: Entry): Promise<void> {
    const { callback } = entry;
    entry.isPosting = true;
    const delivery = await this.#post(callback);
    entry.isPosting = false;
    entry.tried(delivery);
    if (this.#closing.signal.aborted) return;

    callback.tries += 1;
    callback.dueAtEpochMs = Date.now() + this.#options.retryBaseMs * 2 ** (callback.tries - 1);
    const isTaken = delivery.status !== undefined && delivery.status >= 200 && delivery.status < 300;
    if (isTaken || callback.tries >= TRIES) this.#entries = this.#entries.filter((other) => other !== entry);
    this.#options.changed();
    this.pump();
  }

  async #post({ url, body, deviceId }: Callback): Promise<Delivery> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signingKey = this.#options.device(deviceId)?.settings.signingKey ?? '';
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Timestamp': timestamp,
          'X-Signature': createHmac('sha256', signingKey)
            .update(body + timestamp)
            .digest('hex'),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      // Read to the end, so that the connection can be used again.
      await response.arrayBuffer();
      return { url, status: response.status };
    } catch (error) {
      return { url, error: describe(error) };
    }
  }
}

/** `fetch` says only "fetch failed" and hides why in the cause. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
