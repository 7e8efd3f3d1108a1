import { html } from 'hono/html';
import * as z from 'zod/mini';
import { shownCount } from '../../../ghana/money.ts';
import type { KeyHolder } from '../../../merchants/merchant/key-holder.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import { withoutIds } from '../../../money/receipt/shown-receipt.ts';
import { choiceOf } from '../../../runtime/http/pagination.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { keyKinds } from '../../../runtime/triggers/row.ts';
import { inWords } from '../../../runtime/values/calendar.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { parseJson } from '../../../runtime/values/json.ts';
import { replayEvent } from '../../../webhook/change-webhook.ts';
import { getEventAndAttempts, newestEventKey, webhookEventRows } from '../../../webhook/event.table.ts';
import { noEvent, statusOfEvent, type WebhookAttempt, type WebhookEvent } from '../../../webhook/event.ts';
import { readerOf } from '../charges/reader.ts';
import { chargeLink, DEVELOPERS, eventAddress, heldAddress, textAddress } from '../parts/addresses.ts';
import {
  emptyState,
  type Facts,
  facts,
  type Happening,
  type Html,
  pill,
  section,
  shownTime,
  timeline,
} from '../parts/content.ts';
import { form } from '../parts/form.ts';
import { chips, listPage } from '../parts/list.ts';
import { pageVersion } from '../parts/page-version.ts';
import { foldedPlots, plot } from '../parts/plot.ts';
import type { PlotPoint } from '../parts/plot-figures.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { kindNames } from './keys.ts';

/** Returns a version that changes with every new event, and at regular intervals. */
export async function versionOfEvents(visit: MerchantVisit, outside: Outside): Promise<string> {
  return pageVersion(outside, [await newestEventKey(outside, holderIn(visit))]);
}

function holderIn({ merchant, query }: MerchantVisit): KeyHolder {
  return { merchant_id: merchant.merchant_id, key_kind: choiceOf(query, 'kind', keyKinds) ?? 'live' };
}

export function listEvents(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const holder = holderIn(visit);
  const kind = {
    current: holder.key_kind,
    options: keyKinds.map((one) => [one, kindNames[one]] as const),
  };
  return listPage<WebhookEvent>(visit, {
    title: 'Events',
    above: (_, events) => html`${chips(visit, { label: 'Which webhook', parameter: 'kind', ...kind })}
${answersPlot(events)}`,
    read: (page) => webhookEventRows.page(outside, holder, page),
    href: ({ event_id }) => eventAddress(event_id),
    columns: {
      Event: ({ type }) => type,
      When: ({ created_at }) => shownTime(created_at),
      Attempts: ({ tries }) => (tries > 0 ? counted(tries, 'attempt') : ''),
      State: eventState,
    },
    isCompact: true,
    nothing: emptyState(
      'No events',
      html`Once a <a href="${DEVELOPERS}/webhooks">webhook</a> is set, its events from the last 30 days appear here. Test events appear without a webhook, for seven days.`,
    ),
  });
}

/** Plots the list's completed events by the time of their last attempt. Reading a whole day would cost too much. */
function answersPlot(events: readonly WebhookEvent[]): Html | false {
  const ended = events.flatMap(({ ended_by, state }) =>
    ended_by ? [{ ...ended_by, isGood: state === 'delivered' }] : [],
  );
  if (ended.length === 0) return false;
  const times = ended.flatMap(({ isGood, duration_ms }) => (isGood ? [duration_ms] : [])).toSorted((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)];
  const half = median === undefined ? '' : `, half of them within ${shownCount(median)} ms`;
  let before = '';
  const points = ended.toReversed().map(({ started_at, duration_ms, isGood }): PlotPoint => {
    const { day, time } = inWords(started_at);
    const tick = [time, day === before ? '' : day.split(' ').slice(0, 2).join(' ')];
    before = day;
    const shown = shownCount(duration_ms);
    return {
      label: `${day}, ${time}`,
      tick,
      value: duration_ms,
      shown,
      ...(!isGood && { part: duration_ms, shownPart: shown }),
    };
  });
  return foldedPlots(
    `${times.length} of ${ended.length} delivered${half}`,
    plot({ title: 'Your server’s response time, ms', unit: 'ms', per: 'When', part: 'Not delivered' }, points),
  );
}

function eventState({ tries, ended_by, ...event }: WebhookEvent): Html {
  const status = statusOfEvent(event);
  if (status === 'delivered' && ended_by?.error) return pill('look', 'Check the response');
  if (status === 'delivered') return pill('good', 'Delivered');
  if (status === 'gave_up') return pill('bad', 'Given up');
  if (status === 'kept') return pill('plain', 'Not sent');
  return tries > 0 ? pill('look', 'Failing') : pill('waiting', 'On its way');
}

export async function showEvent(visit: MerchantVisit<'id'>, outside: Outside): Promise<Shown> {
  const found = await getEventAndAttempts(outside, visit.path.id);
  if (found?.event.merchant_id !== visit.merchant.merchant_id) throw noEvent();
  const { event, attempts } = found;
  const { event_id, type } = event;
  const tries =
    attempts.length > 0
      ? timeline(attempts.map(happening))
      : html`<p>${event.is_kept ? 'None, because no webhook receives this test event.' : 'None yet. It is about to be sent.'}</p>`;
  return {
    title: type,
    back: { name: 'Events', path: `${DEVELOPERS}/events?kind=${event.key_kind}` },
    main: html`${section('Details', [
      html`<div data-part>${about(visit.user, event)}</div>`,
      may(visit.user, 'webhooks:write') && !event.is_kept
        ? form(visit, { path: '/events/{id}/resend', submit: 'Resend it', isSmall: true })
        : html``,
    ])}
${section('Attempts', html`<div data-part>${tries}</div>`)}
${section('What we send', [
  html`<p class="hint">We send this body with the headers webhook-id: ${event_id}, webhook-timestamp and webhook-signature.</p>`,
  html`<pre tabindex="0"><code>${indented(withoutIds(readerOf(visit.user), event.body))}</code></pre>`,
])}`,
  };
}

function about(user: User, event: WebhookEvent): Html {
  return facts([
    ['State', eventState(event)],
    ['Happened', shownTime(event.created_at)],
    ['Next attempt', event.state === 'pending' ? event.next_try_at && shownTime(event.next_try_at) : undefined],
    ...linksOf(user, event),
    ['Id', html`<code>${event.event_id}</code>`],
  ]);
}

function happening({ number, started_at, duration_ms, status_code, answer, error }: WebhookAttempt): Happening {
  const isGood = status_code !== undefined && status_code >= 200 && status_code < 300;
  const body = answer ? html`<pre tabindex="0"><code>${answer}</code></pre>` : html`<p>The response was empty.</p>`;
  const problem = error ?? (status_code === undefined && 'The connection failed.');
  return {
    at: started_at,
    what: `Attempt ${number}: ${status_code === undefined ? 'no response' : `response ${status_code}`} after ${duration_ms} ms`,
    more: html`${problem && html`<p>${problem}</p>`}${status_code !== undefined && body}`,
    tone: isGood ? (error ? 'look' : 'good') : 'bad',
  };
}

/** Pretty-prints the webhook's body. Numbers keep their original notation. */
function indented(body: string): string {
  let depth = 0;
  return body.replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)|\[\]|\{\}|[{}[\],:]/g, (token) => {
    if (token === '{' || token === '[') return `${token}${line(++depth)}`;
    if (token === '}' || token === ']') return `${line(--depth)}${token}`;
    return token === ',' ? `,${line(depth)}` : token === ':' ? ': ' : token;
  });
}

function line(depth: number): string {
  return `\n${'  '.repeat(Math.max(0, depth))}`;
}

export async function resendEvent(visit: MerchantVisit<'id'>, outside: Outside): Promise<Going> {
  const event = await webhookEventRows.find(outside, { event_id: visit.path.id });
  if (event?.merchant_id !== visit.merchant.merchant_id) throw noEvent();
  const { writes } = await replayEvent(outside, event, event.event_id);
  const notice = 'The event is being resent. This page will show your server’s response.';
  return visit.commit(writes, { goTo: eventAddress(event.event_id), notice });
}

const PostedEvent = z.object({
  data: z.object({
    id: z.optional(z.string()),
    reference: z.nullish(z.string()),
    suggested_reference: z.nullish(z.string()),
  }),
});

/** Links to the event's subject, if the person may open it. */
function linksOf(user: User, { type, body }: Pick<WebhookEvent, 'type' | 'body'>): Facts {
  const { id, reference, suggested_reference } = parseJson(PostedEvent, body)?.data ?? {};
  const isHeld = type === 'receipt.held';
  const charge = isHeld ? suggested_reference : type.startsWith('charge.') && reference;
  const payment = (isHeld || type === 'receipt.unread') && id;
  const text = type.startsWith('sms.') && id;
  return [
    ['Charge', charge ? chargeLink(charge) : undefined],
    [
      'Payment',
      payment && may(user, 'receipts:assign') ? html`<a href="${heldAddress(payment)}">In To check</a>` : undefined,
    ],
    ['Text', text ? html`<a href="${textAddress(text)}">In Texts</a>` : undefined],
  ];
}
