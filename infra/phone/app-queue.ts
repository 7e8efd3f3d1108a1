/** One event on its way to one webhook, as the app keeps it. */
export interface QueuedPost {
  /** Tries that failed. */
  tries: number;
  dueAtEpochMs: number;
}

/** A post that failed so often, after its first try, is given up: 45.5 hours later. */
const MAX_RETRIES = 15;
const POSTS_PER_BATCH = 20;
export const RETRY_BASE_MS = 5_000;

/**
 * The app's one queue for all that it posts (its `WebhookQueueProcessorWorker`, from 1.52 on): it takes up to twenty that are due, the
 * longest due first, and posts them one after the other, whatever event and webhook they are of, and goes on until the queue is empty.
 * It pauses, as long as before a first retry, after a batch of which none was taken, and while none is due: then a new event waits for the end of the pause. Time is the
 * caller's, so that an hour of it can be played in a moment.
 */
export class AppQueue<Post extends QueuedPost> {
  readonly #retryBaseMs: number;
  #posts: Post[] = [];

  /** `retryBaseMs`: the pause after the first failed try; each further one is twice as long. */
  constructor(retryBaseMs = RETRY_BASE_MS) {
    this.#retryBaseMs = retryBaseMs;
  }

  get posts(): readonly Post[] {
    return this.#posts;
  }

  add(post: Post): void {
    this.#posts.push(post);
  }

  /** What is posted next, in this order. */
  batch(nowMs: number): Post[] {
    const due = this.#posts.filter(({ dueAtEpochMs }) => dueAtEpochMs <= nowMs);
    return due.toSorted((one, other) => one.dueAtEpochMs - other.dueAtEpochMs).slice(0, POSTS_PER_BATCH);
  }

  /** Records how a try ended. */
  tried(post: Post, isTaken: boolean, nowMs: number): void {
    if (isTaken || post.tries >= MAX_RETRIES) {
      this.#posts = this.#posts.filter((other) => other !== post);
      return;
    }
    post.dueAtEpochMs = nowMs + this.#retryBaseMs * 2 ** post.tries;
    post.tries += 1;
  }
}
