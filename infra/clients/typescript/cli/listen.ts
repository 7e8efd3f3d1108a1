import {
  ApiError,
  ConnectionError,
  type MomoKiosk,
  type WebhookDelivery,
  type WebhookListEventsQuery,
  webhooks,
} from 'momo-kiosk-client';
import { Problem } from './problem.ts';

const POLL_MS = 2_000;
/** Each poll rereads the last minute, because events are not always stored in order. */
const OVERLAP_MS = 60_000;
/** Every five minutes, a poll rereads the last hour, in case the stage stored events late. */
const LONG_OVERLAP_MS = 60 * 60_000;
const LONG_EVERY_POLLS = 150;
/** Maximum number of pages per poll, in case a list never ends. */
const MAX_PAGES = 100;
/** Maximum wait that the stage can request. */
const MAX_WAIT_SECONDS = 60;
/** Same timeout as the stage's webhooks. */
const TIMEOUT_MS = 15_000;
/** Waits before the second and later attempts. */
const RETRY_MS = [2_000, 5_000, 15_000, 60_000];

export interface Stage {
  readonly url: string;
  readonly momo: MomoKiosk;
  /** Raw bodies of the listed events, keyed by event id. */
  readonly bodies: Map<string, string>;
  readonly isTest: boolean;
  readonly isSms: boolean;
  /** The stage's time at its last response, in milliseconds since 1970. This computer's clock may be wrong. */
  readonly nowMs: () => number;
}

export interface Listening {
  readonly to: URL;
  /** The event types to post. Defaults to all types. */
  readonly types?: readonly string[] | undefined;
  readonly secret: string;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface Outside {
  readonly now: () => number;
  /** Monotonic clock in milliseconds. */
  readonly elapsedMs: () => number;
  readonly fetch: typeof fetch;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface Listed extends Pick<WebhookDelivery, 'id' | 'type' | 'created_at'> {
  readonly body: string;
}

interface Waiting {
  readonly event: Listed;
  readonly tries: number;
  readonly dueMs: number;
}

/**
 * Posts a stage's new events to `to`, oldest first, until aborted. Does not affect the stage's own webhook.
 * @throws Problem if the stage rejects the key, has no events for it, or is unreachable at startup.
 */
export async function listen(outside: Outside, stage: Stage, listening: Listening): Promise<void> {
  const { signal } = listening;
  try {
    await follow(outside, stage, listening);
  } catch (error) {
    if (!signal.aborted) throw problemOf(stage, error);
  }
}

async function follow(outside: Outside, stage: Stage, listening: Listening): Promise<void> {
  const { types, print, signal, to } = listening;
  const known = await begin(outside, stage, listening);
  const startMs = stage.nowMs();
  let readMs = startMs;
  print(`Posting events from ${new Date(readMs).toISOString()} on to ${to.href}. Press Ctrl-C to stop.`);
  let waiting: Waiting[] = [];
  let isLost = false;
  for (let polls = 1; !signal.aborted; polls += 1) {
    await outside.sleep(POLL_MS, signal);
    const isLong = polls % LONG_EVERY_POLLS === 0;
    // Limits how far back a poll reads if the stage's clock is set back.
    const fromMs = Math.max(readMs - (isLong ? LONG_OVERLAP_MS : OVERLAP_MS), startMs - LONG_OVERLAP_MS);
    try {
      const listed = await eventsFrom(outside, stage, fromMs, listening);
      if (isLong && !stage.isTest) await remark(stage, listening);
      readMs = stage.nowMs();
      for (const event of listed) {
        if (known.has(event.id)) continue;
        known.add(event.id);
        if (types?.includes(event.type) ?? true) waiting.push({ event, tries: 0, dueMs: outside.elapsedMs() });
      }
      if (isLost) print('The stage is responding again. Events that happened in the meantime will follow.');
      isLost = false;
    } catch (error) {
      const problem = problemOf(stage, error);
      if (signal.aborted || !mayPass(error) || !(problem instanceof Problem)) throw error;
      if (!isLost) print(`${problem.message} Retrying. No event will be lost.`);
      isLost = true;
      await outside.sleep(waitMsOf(error), signal);
    }
    const after: Waiting[] = [];
    for (const one of waiting)
      after.push(...(one.dueMs > outside.elapsedMs() ? [one] : await post(outside, one, listening)));
    waiting = after;
  }
}

/** Retries while the stage is too busy. @returns the ids of existing events. */
async function begin(outside: Outside, stage: Stage, listening: Listening): Promise<Set<string>> {
  for (let tries = 1; ; tries += 1) {
    try {
      await remark(stage, listening);
      const events = await eventsFrom(outside, stage, stage.nowMs() - LONG_OVERLAP_MS, listening);
      return new Set(events.map(({ id }) => id));
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (tries === 1) listening.print(`${stage.url} responded: ${error.message} Still trying.`);
      await outside.sleep(Math.max(POLL_MS, waitMsOf(error)), listening.signal);
    }
  }
}

function waitMsOf(error: unknown): number {
  const waitSeconds = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0;
  return Math.min(waitSeconds, MAX_WAIT_SECONDS) * 1000;
}

/** Posts an event and prints the result. @returns a list with the event if another attempt is due. */
async function post(outside: Outside, { event, tries }: Waiting, listening: Listening): Promise<Waiting[]> {
  const { to, secret, print, signal } = listening;
  if (signal.aborted) return [];
  const { body } = event;
  // Each attempt gets a new signature, as from the stage.
  const timestamp = Math.floor(outside.now() / 1000);
  const headers = await webhooks.sign(body, secret, { id: event.id, timestamp });
  const result = await answerOf(outside, { to, signal }, { ...headers, 'content-type': 'application/json' }, body);
  const line = `${event.created_at} ${event.type} ${event.id} → ${result.message}`;
  const waitMs = RETRY_MS[tries];
  if (result.isAccepted || signal.aborted) print(line);
  else if (waitMs === undefined) print(`${line} Gave up after ${tries + 1} attempts.`);
  else {
    print(`${line} Attempt ${tries + 2} will follow in ${waitMs / 1000} s.`);
    return [{ event, tries: tries + 1, dueMs: outside.elapsedMs() + waitMs }];
  }
  return [];
}

async function answerOf(
  outside: Outside,
  { to, signal: ends }: Pick<Listening, 'to' | 'signal'>,
  headers: Record<string, string>,
  body: string,
) {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const signal = AbortSignal.any([timeout, ends]);
    const answer = await outside.fetch(to, { method: 'POST', headers, body, redirect: 'manual', signal });
    await answer.body?.cancel();
    const { status, ok } = answer;
    const isRedirect = status >= 300 && status < 400;
    return {
      isAccepted: ok,
      message: ok ? `${status}` : `${status}.${isRedirect ? ' Redirects are not followed.' : ''}`,
    };
  } catch (error) {
    if (ends.aborted) return { isAccepted: false, message: 'stopped before your server responded.' };
    const message = timeout.aborted
      ? `no response within ${TIMEOUT_MS / 1000} seconds.`
      : `no response from ${to.origin} (${codeOf(error)}). Is your server running there?`;
    return { isAccepted: false, message };
  }
}

/** @throws ConnectionError if the response is not a list of events. */
async function eventsFrom(
  outside: Outside,
  { momo, bodies }: Stage,
  fromMs: number,
  { print, signal }: Listening,
): Promise<Listed[]> {
  const events: Listed[] = [];
  const query: WebhookListEventsQuery = { from: new Date(fromMs).toISOString(), per_page: 100 };
  let pages = 0;
  bodies.clear();
  try {
    do {
      const { items, next } = await pageOf(outside, momo, query, signal);
      for (const { id, type, created_at } of items) events.push({ id, type, created_at, body: bodies.get(id) ?? '' });
      pages += 1;
      query.cursor = next ?? undefined;
    } while (query.cursor !== undefined && pages < MAX_PAGES);
  } catch (error) {
    throw error instanceof TypeError ? new ConnectionError(error.message) : error;
  }
  if (query.cursor !== undefined) print(`Only the newest ${MAX_PAGES} pages of events were read.`);
  return events.reverse();
}

/** Waits at a later page if the key's rate limit is reached. Starting again would reach the limit again. */
async function pageOf(outside: Outside, momo: MomoKiosk, query: WebhookListEventsQuery, signal: AbortSignal) {
  for (;;) {
    try {
      return await momo.webhook.listEvents(query, { signal }).page();
    } catch (error) {
      if (query.cursor === undefined || !(error instanceof ApiError) || error.status !== 429) throw error;
      await outside.sleep(Math.max(POLL_MS, waitMsOf(error)), signal);
    }
  }
}

/**
 * Checks that the stage stores events for this key, and warns if the stage does not send all requested types. Also
 * updates the stage's time.
 */
async function remark({ momo, isTest, isSms }: Stage, { types, print, signal }: Listening): Promise<void> {
  const webhook = await momo.webhook.show({ signal }).catch((error) => {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  });
  if (!isTest && !webhook?.enabled)
    throw new Problem(
      'The stage keeps live events only while a webhook is set with this kind of key. Set one, or listen with a test key.',
    );
  const other = (types ?? []).filter((type) => (isSms ? isAboutCharges(type) : !webhook && isAboutTexts(type)));
  if (other.length > 0)
    print(`This kind of key does not get ${other.join(', ')}. Use a key for ${isSms ? 'charges' : 'texts'}.`);
  const missing = isTest ? [] : (types ?? []).filter((type) => !(webhook?.events?.some((one) => one === type) ?? true));
  if (missing.length > 0)
    print(
      `The webhook does not include ${missing.join(', ')}, so the stage does not keep these events. Add them to it.`,
    );
  if (isSms && !webhook)
    print(
      'If a webhook is set only with the key for charges, that webhook also gets the events about texts. In that case, listen with that key.',
    );
}

export function isAboutTexts(type: string): boolean {
  return /^(?:sms|credits)\./.test(type);
}

function isAboutCharges(type: string): boolean {
  return !isAboutTexts(type) && type !== 'webhook.test';
}

/** True for temporary errors, such as the response of a network's sign-in page. */
function mayPass(error: unknown): boolean {
  return error instanceof ConnectionError || isBusy(error) || (error instanceof ApiError && error.code === undefined);
}

function isBusy(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 429 || error.status >= 500);
}

function problemOf({ url }: Stage, error: unknown): unknown {
  if (error instanceof ConnectionError) {
    const code = error.cause === undefined ? 'it is not a Momo Kiosk' : codeOf(error.cause);
    return new Problem(`No response from ${url} (${code}). Check your network and MOMO_KIOSK_URL.`);
  }
  if (!(error instanceof ApiError)) return error;
  if (error.status === 401)
    return new Problem(`${url} does not accept this key. Check MOMO_KIOSK_KEY, and that MOMO_KIOSK_URL is its stage.`);
  if (error.code === undefined && error.status < 500)
    return new Problem(`${url} is not a Momo Kiosk (it responded with ${error.status}). Check MOMO_KIOSK_URL.`);
  return new Problem(`${url} answered: ${error.message}`);
}

/** Returns the cause's code: `ECONNREFUSED` is more helpful than `fetch failed`. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message;
}
