import type { KeyHolder } from '../../shared/merchants/merchant/key-holder.ts';
import { isoOf, nowIso, type RetryOutside, type TableOutside } from '../../shared/runtime/outside/outside.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';
import type { Page } from '../../shared/runtime/table/table.ts';
import { endpointRows, type WebhookEndpoint } from '../../shared/webhook/endpoint.table.ts';
import { signatureHeaders, validSecrets } from '../../shared/webhook/endpoint.ts';
import { webhookEventRows } from '../../shared/webhook/event.table.ts';
import type { WebhookEvent } from '../../shared/webhook/event.ts';

const LOOKS_EVERY_MS = 1_000;
/** The list is in the order in which things happened: what was told late, after that of others, is still found. */
const LATE_MS = 10 * 60_000;
const ANSWERS_WITHIN_MS = 10_000;

interface Listening {
  /** Where each event is posted: usually this computer. */
  readonly to: URL;
  /** A line for each event. */
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal;
  readonly fetch: typeof fetch;
}

/**
 * Posts each new event of a webhook to another address as well, signed as its server gets it, until it is aborted; the webhook itself goes on
 * as it was. What the address answers is said, and changes nothing. Once a second it reads the newest events.
 * @throws OperatorError where the webhook is not set, or switched off: then there are no events.
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
      // Read anew: its secret may have been rolled.
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

/** The events of the last minutes that are not known yet, the oldest first. */
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
  if (!endpoint) throw new OperatorError(`Without a webhook no events are made. Set one first with ${set}.`);
  if (endpoint.disabled_at)
    throw new OperatorError(`The webhook is switched off, so no events are made. Set it again with ${set}.`);
  return endpoint;
}

/** As the network says it: `ECONNREFUSED` is more than `fetch failed`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message;
}
