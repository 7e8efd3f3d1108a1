import { createHmac } from 'node:crypto';
import * as z from 'zod';
import type { Device } from './device.ts';

type QueuedPost = Pick<Callback, 'tries' | 'dueAtEpochMs'>;

/** Maximum number of retries. Their pauses add up to 45.5 hours. */
const MAX_RETRIES = 15;
const POSTS_PER_BATCH = 20;
export const RETRY_BASE_MS = 5_000;

/**
 * The app's only queue for posts (its `WebhookQueueProcessorWorker`, since 1.52). It sends up to twenty due posts one
 * by one, most overdue first, until none is due. After that, or if a whole batch was rejected, the queue pauses for as
 * long as before a first retry. New events wait, too. The caller supplies the time.
 */
export class AppQueue<Post extends QueuedPost> {
  readonly #retryBaseMs: number;
  #posts: Post[] = [];

  constructor(retryBaseMs = RETRY_BASE_MS) {
    this.#retryBaseMs = retryBaseMs;
  }

  get posts(): readonly Post[] {
    return this.#posts;
  }

  add(post: Post): void {
    this.#posts.push(post);
  }

  batch(nowMs: number): Post[] {
    const due = this.#posts.filter(({ dueAtEpochMs }) => dueAtEpochMs <= nowMs);
    return due.toSorted((one, other) => one.dueAtEpochMs - other.dueAtEpochMs).slice(0, POSTS_PER_BATCH);
  }

  tried(post: Post, isTaken: boolean, nowMs: number): void {
    if (isTaken || post.tries >= MAX_RETRIES) {
      this.#posts = this.#posts.filter((other) => other !== post);
      return;
    }
    post.dueAtEpochMs = nowMs + this.#retryBaseMs * 2 ** post.tries;
    post.tries += 1;
  }
}

/** An event for a webhook. The body is built once, but each attempt gets a new signature. */
export const Callback = z.object({
  deviceId: z.string(),
  url: z.string(),
  body: z.string(),
  tries: z.int(),
  dueAtEpochMs: z.number(),
});
export type Callback = z.infer<typeof Callback>;

export interface Delivery {
  url: string;
  status?: number;
  error?: string;
}

const TIMEOUT_MS = 30_000;

interface OutboxOptions {
  /** Pause after the first attempt. Doubles with each retry. */
  retryBaseMs: number;
  device: (deviceId: string) => Device | undefined;
  changed: () => void;
}

interface PhonesQueue {
  readonly posts: AppQueue<Callback>;
  isRunning: boolean;
  timer?: NodeJS.Timeout | undefined;
}

/** Callbacks that have not been accepted, in one queue per phone. A queue pauses while its phone is off. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #queues = new Map<string, PhonesQueue>();
  readonly #tried = new Map<Callback, (delivery: Delivery) => void>();
  readonly #closing = new AbortController();

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  get callbacks(): Callback[] {
    return [...this.#queues.values()].flatMap(({ posts }) => posts.posts);
  }

  /** Resolves after the first attempt, or at once if the phone is off. */
  async add(callback: Callback): Promise<Delivery> {
    const { promise, resolve } = Promise.withResolvers<Delivery>();
    this.#tried.set(callback, resolve);
    this.#queueOf(callback.deviceId).posts.add(callback);
    if (!this.#isOn(callback.deviceId)) {
      resolve({ url: callback.url, error: 'The phone is off: it will post this when it is on again.' });
    }
    this.pump();
    return promise;
  }

  pump(): void {
    for (const [deviceId, queue] of this.#queues) {
      if (!queue.isRunning) void this.#run(deviceId, queue);
    }
  }

  /** Keeps callbacks in progress: posting one twice is better than losing it. */
  stop(): void {
    this.#closing.abort();
    for (const { timer } of this.#queues.values()) clearTimeout(timer);
  }

  async #run(deviceId: string, queue: PhonesQueue): Promise<void> {
    const mayPost = () => this.#isOn(deviceId) && !this.#closing.signal.aborted;
    queue.isRunning = true;
    while (queue.posts.posts.length > 0 && mayPost()) {
      let taken = 0;
      for (const callback of queue.posts.batch(Date.now())) {
        if (!mayPost()) break;
        const delivery = await this.#post(callback);
        this.#tried.get(callback)?.(delivery);
        this.#tried.delete(callback);
        if (this.#closing.signal.aborted) return;
        const isTaken = delivery.status !== undefined && delivery.status >= 200 && delivery.status < 300;
        taken += isTaken ? 1 : 0;
        queue.posts.tried(callback, isTaken, Date.now());
        this.#options.changed();
      }
      if (taken > 0 || !mayPost()) continue;
      await new Promise((resolve) => {
        queue.timer = setTimeout(resolve, this.#options.retryBaseMs);
      });
    }
    queue.isRunning = false;
  }

  #queueOf(deviceId: string): PhonesQueue {
    const known = this.#queues.get(deviceId);
    if (known) return known;
    const queue: PhonesQueue = { posts: new AppQueue(this.#options.retryBaseMs), isRunning: false };
    this.#queues.set(deviceId, queue);
    return queue;
  }

  #isOn(deviceId: string): boolean {
    return this.#options.device(deviceId)?.isOn === true;
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
      // Reading the whole body lets the connection be reused.
      await response.arrayBuffer();
      return { url, status: response.status };
    } catch (error) {
      return { url, error: describe(error) };
    }
  }
}

/** Returns the cause's message. `fetch` itself only says "fetch failed". */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
