import { ApiError, ConnectionError, type MomoKiosk, type WebhookDelivery, webhooks } from 'momo-kiosk-client';
import { Problem } from './problem.ts';

const POLL_MS = 2_000;
/** Each poll also rereads the minute before the last poll, because events are not always stored in order. */
const OVERLAP_MS = 60_000;
/** Every five minutes, a poll rereads the last hour, in case a fault in the stage delayed events. */
const LONG_OVERLAP_MS = 60 * 60_000;
const LONG_EVERY_POLLS = 150;
/** The longest wait that the stage can request. */
const MAX_WAIT_SECONDS = 60;
/** The same timeout that the stage uses for webhooks. */
const TIMEOUT_MS = 15_000;
/** The waits before the second attempt and each later attempt. */
const RETRY_MS = [2_000, 5_000, 15_000, 60_000];

export interface Stage {
  readonly url: string;
  readonly momo: MomoKiosk;
  readonly isTest: boolean;
  /** The stage's time at its last answer, in milliseconds since 1970. This computer's clock may be wrong. */
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
  readonly fetch: typeof fetch;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface Waiting {
  readonly event: WebhookDelivery;
  readonly tries: number;
  readonly dueMs: number;
}

/**
 * Posts a stage's new events to `to`, oldest first, until aborted. Does not affect the stage's own webhook.
 * @throws Problem if the stage rejects the key, has no events for it, or cannot be reached at startup.
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
  await requireEvents(stage, signal);
  const known = new Set((await eventsFrom(stage, stage.nowMs() - LONG_OVERLAP_MS, signal)).map(({ id }) => id));
  let readMs = stage.nowMs();
  print(`Posting events from ${new Date(readMs).toISOString()} on to ${to.href}. Press Ctrl-C to stop.`);
  let waiting: Waiting[] = [];
  let isLost = false;
  for (let polls = 1; !signal.aborted; polls += 1) {
    await outside.sleep(POLL_MS, signal);
    const overlapMs = polls % LONG_EVERY_POLLS === 0 ? LONG_OVERLAP_MS : OVERLAP_MS;
    try {
      const found = (await eventsFrom(stage, readMs - overlapMs, signal)).filter(({ id }) => !known.has(id));
      readMs = stage.nowMs();
      for (const event of found) {
        known.add(event.id);
        if (types?.includes(event.type) ?? true) waiting.push({ event, tries: 0, dueMs: outside.now() });
      }
      if (isLost) print('The stage is responding again. Events from the meantime will follow.');
      isLost = false;
    } catch (error) {
      const problem = problemOf(stage, error);
      if (signal.aborted || !mayPass(error) || !(problem instanceof Problem)) throw error;
      if (!isLost) print(`${problem.message} Retrying. No event will be lost.`);
      isLost = true;
      const waitSeconds = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0;
      await outside.sleep(Math.min(waitSeconds, MAX_WAIT_SECONDS) * 1000, signal);
    }
    const after: Waiting[] = [];
    for (const one of waiting) after.push(...(one.dueMs > outside.now() ? [one] : await post(outside, one, listening)));
    waiting = after;
  }
}

/**
 * Posts an event and prints the result. @returns the event with its next attempt, or an empty list if it is finished.
 */
async function post(outside: Outside, { event, tries }: Waiting, listening: Listening): Promise<Waiting[]> {
  const { to, secret, print, signal } = listening;
  if (signal.aborted) return [];
  const body = JSON.stringify(event.body);
  // Each attempt gets a new signature, as on the stage.
  const timestamp = Math.floor(outside.now() / 1000);
  const headers = await webhooks.sign(body, secret, { id: event.id, timestamp });
  const result = await answerOf(outside, { to, signal }, { ...headers, 'content-type': 'application/json' }, body);
  const line = `${event.created_at} ${event.type} ${event.id} → ${result.message}`;
  const waitMs = RETRY_MS[tries];
  if (result.isAccepted || signal.aborted) print(line);
  else if (waitMs === undefined) print(`${line} Gave up after ${tries + 1} attempts.`);
  else {
    print(`${line} Attempt ${tries + 2} will follow in ${waitMs / 1000} s.`);
    return [{ event, tries: tries + 1, dueMs: outside.now() + waitMs }];
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

async function eventsFrom({ momo }: Stage, fromMs: number, signal: AbortSignal): Promise<WebhookDelivery[]> {
  const events: WebhookDelivery[] = [];
  const query = { from: new Date(fromMs).toISOString(), per_page: 100 };
  for await (const event of momo.webhook.listEvents(query, { signal })) events.push(event);
  return events.reverse();
}

/** Checks that the stage stores events for this key. The answer also sets the stage's time. */
async function requireEvents({ momo, isTest }: Stage, signal: AbortSignal): Promise<void> {
  const webhook = await momo.webhook.show({ signal }).catch((error) => {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  });
  if (!isTest && !webhook?.enabled)
    throw new Problem(
      'The stage keeps live events only while a webhook is set with this kind of key. Set one, or listen with a test key.',
    );
}

function mayPass(error: unknown): boolean {
  return (
    error instanceof ConnectionError || (error instanceof ApiError && (error.status === 429 || error.status >= 500))
  );
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
  if (error.errors.some(({ field }) => field === 'from'))
    return new Problem(`${url} runs release 1.0.0, which cannot list events by time. Update it, or use a newer stage.`);
  return new Problem(`${url} answered: ${error.message}`);
}

/** Returns the code of an error's cause, because `ECONNREFUSED` is more helpful than `fetch failed`. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message;
}
