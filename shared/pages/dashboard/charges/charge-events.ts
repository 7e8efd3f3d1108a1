import { html } from 'hono/html';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import type { Transaction } from '../../../money/transaction/transaction.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { causeOfHeld, causesOf } from '../../../webhook/causes.ts';
import { getEventsAndNewestTries } from '../../../webhook/event.table.ts';
import { eventIdOf, type WebhookAttempt, type WebhookEvent } from '../../../webhook/event.ts';
import { eventAddress } from '../addresses.ts';
import type { Happening } from '../parts/timeline.ts';
import { shownTime } from '../shown-time.ts';

/** What the merchant's server was told of a charge and of the payments held for it, with the newest tries: two reads. */
export async function eventsOf(
  outside: Outside,
  charge: Transaction,
  held: readonly Receipt[],
): Promise<readonly Happening[]> {
  const causes = [
    ...causesOf(charge),
    ...held.map((receipt) => ({ type: 'receipt.held' as const, cause: causeOfHeld(receipt) })),
  ];
  const ids = causes.map(({ type, cause }) => eventIdOf(charge.merchant_id, type, cause));
  const found = await getEventsAndNewestTries(outside, ids);
  return found.map(({ event, attempts }) => ({
    at: event.created_at,
    what: html`<a href="${eventAddress(event.event_id)}">Webhook ${event.type}</a>`,
    more: [STATES[event.state](event), ...attempts.map(tryOf)].join(' · '),
    tone: event.state === 'gave_up' ? 'bad' : 'plain',
  }));
}

const STATES: Readonly<Record<WebhookEvent['state'], (event: WebhookEvent) => string>> = {
  delivered: ({ tries }) => `Your server took it${tries > 1 ? ` at try ${tries}` : ''}`,
  gave_up: ({ tries }) => `Given up after ${tries} tries: your server never took it`,
  pending: ({ tries, next_try_at }) =>
    tries === 0
      ? 'On its way to your server'
      : `Your server has not taken it yet${next_try_at ? `; next try ${shownTime(next_try_at)}` : ''}`,
};

function tryOf({ number, started_at, duration_ms, status_code, error }: WebhookAttempt): string {
  return `try ${number}, ${shownTime(started_at)}: ${status_code ?? error ?? 'no answer'} after ${duration_ms} ms`;
}
