import type { KeyHolder } from '../../shared/merchants/merchant/key-holder.ts';
import { isoOf, nowIso, type RetryOutside, type TableOutside } from '../../shared/runtime/outside/outside.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';
import type { Page } from '../../shared/runtime/table/table.ts';
import { MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { endpointRows, type WebhookEndpoint } from '../../shared/webhook/endpoint.table.ts';
import { signatureHeaders, validSecrets } from '../../shared/webhook/endpoint.ts';
import { webhookEventRows } from '../../shared/webhook/event.table.ts';
import type { WebhookEvent } from '../../shared/webhook/event.ts';

const LOOKS_EVERY_MS = 1_000;
/** Looks back this far, because the list is sorted by time of occurrence and some events are stored late. */
const LATE_MS = 10 * MINUTE_MS;
const ANSWERS_WITHIN_MS = 10_000;

interface Listening {
  /** The URL that each event is posted to, usually on this computer. */
  readonly to: URL;
  /** Prints a line for each event. */
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal;
  readonly fetch: typeof fetch;
}

/**
 * Also posts each new event of a webhook to a second URL, with the original signature, until aborted. The webhook
 * itself is not affected, and answers from the second URL are only printed. Reads the newest events once a second.
 * @throws OperatorError if the webhook is missing or switched off, because it then has no events.
 */
export async function listenToEvents(
  outside: RetryOutside,
  holder: KeyHolder,
  { to, say, signal, fetch: post }: Listening,
): Promise<void> {
  await requireEndpoint(outside, holder);
  const seen = new Set((await newEvents(outside, holder, new Set())).map(({ event_id }) => event_id));
  say(`Listening. New events are posted to ${to.href} as well; Ctrl-C ends it.`);
  while (!signal?.aborted) {
    for (const event of await newEvents(outside, holder, seen)) {
      seen.add(event.event_id);
      // Reread each time, because the secret may have been rolled.
      const endpoint = await requireEndpoint(outside, holder);
      say(`${nowIso(outside)} ${event.type} ${event.event_id} → ${await carry(event, endpoint)}`);
    }
    await outside.sleep(LOOKS_EVERY_MS);
  }

  async function carry({ event_id, body }: WebhookEvent, endpoint: WebhookEndpoint): Promise<string> {
    const nowMs = outside.now();
    const signature = signatureHeaders(event_id, body, validSecrets(endpoint, nowMs), nowMs);
    try {
      const headers = { 'content-type': 'application/json', ...signature };
      const ends = AbortSignal.timeout(ANSWERS_WITHIN_MS);
      const { status } = await post(to, { method: 'POST', headers, body, redirect: 'manual', signal: ends });
      return String(status);
    } catch (error) {
      return `not reached: ${reasonOf(error)}`;
    }
  }
}

async function newEvents(outside: RetryOutside, holder: KeyHolder, seen: ReadonlySet<string>): Promise<WebhookEvent[]> {
  const between = [isoOf(outside.now() - LATE_MS), '~'] as const;
  const found: WebhookEvent[] = [];
  for (let start: Page['start'], isFirst = true; isFirst || start; isFirst = false) {
    const { entries: events, next } = await webhookEventRows.page(outside, holder, { start, between });
    found.push(...events.filter(({ event_id }) => !seen.has(event_id)));
    start = next;
  }
  return found;
}

async function requireEndpoint(outside: TableOutside, holder: KeyHolder): Promise<WebhookEndpoint> {
  const endpoint = await endpointRows.find(outside, holder);
  const set = 'webhook set --url https://…: any https address of yours, which need not answer yet';
  if (!endpoint) throw new OperatorError(`There is no webhook, so no events exist. Set one with ${set}.`);
  if (endpoint.disabled_at)
    throw new OperatorError(`The webhook is switched off, so no events exist. Set it again with ${set}.`);
  return endpoint;
}

/** The cause, such as `ECONNREFUSED`, is more useful than `fetch failed`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message;
}
