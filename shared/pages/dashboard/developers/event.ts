import { html } from 'hono/html';
import { may } from '../../../merchants/user/permissions.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { bodyFor } from '../../../webhook/body-for.ts';
import { replayEvent } from '../../../webhook/change-webhook.ts';
import { getEventAndAttempts, getWebhookEvent } from '../../../webhook/event.table.ts';
import { noEvent, type WebhookAttempt, type WebhookEvent } from '../../../webhook/event.ts';
import { DEVELOPERS, eventAddress } from '../addresses.ts';
import { readerOf } from '../charges/reader.ts';
import type { Html } from '../html.ts';
import { form } from '../parts/form.ts';
import { facts, section } from '../parts/status.ts';
import { type Happening, timeline } from '../parts/timeline.ts';
import { shownTime } from '../shown-time.ts';
import type { Going, MerchantVisit, Shown } from '../visit.ts';
import { linksOf } from './event-links.ts';
import { eventState } from './events.ts';

/** One event: what was posted, and what the merchant's server answered to each try. */
export async function showEvent(visit: MerchantVisit<'id'>, outside: Outside): Promise<Shown> {
  const found = await getEventAndAttempts(outside, visit.path.id);
  if (found?.event.merchant_id !== visit.merchant.merchant_id) throw noEvent();
  const { event, attempts } = found;
  const { event_id, type } = event;
  const resend = {
    path: '/events/{id}/resend',
    action: `${eventAddress(event_id)}/resend`,
    submit: 'Send it again',
  };
  const tries =
    attempts.length > 0 ? timeline(attempts.map(happening)) : html`<p>None yet: it is about to be sent.</p>`;
  return {
    title: type,
    main: html`${section('About it', [
      html`<div data-part>${about(visit.user, event)}</div>`,
      may(visit.user, 'webhooks:write') ? form(visit, { ...resend, isSmall: true }, () => []) : html``,
    ])}
${section('Tries', html`<div data-part>${tries}</div>`)}
${section('What is posted', [
  html`<p class="hint">With the headers webhook-id: ${event_id}, webhook-timestamp and webhook-signature.</p>`,
  html`<pre tabindex="0"><code>${indented(bodyFor(readerOf(visit.user), event))}</code></pre>`,
])}
<p><a href="${DEVELOPERS}/events?kind=${event.key_kind}">All events</a></p>`,
  };
}

function about(user: User, event: WebhookEvent): Html {
  return facts([
    ['State', eventState(event)],
    ['Happened', shownTime(event.created_at)],
    ['Next try', event.next_try_at && shownTime(event.next_try_at)],
    ...linksOf(user, event),
    ['Id', html`<code>${event.event_id}</code>`],
  ]);
}

function happening({ number, started_at, duration_ms, status_code, answer, error }: WebhookAttempt): Happening {
  const isGood = status_code !== undefined && status_code >= 200 && status_code < 300;
  const said = answer ? html`<pre tabindex="0"><code>${answer}</code></pre>` : html`<p>It said nothing more.</p>`;
  return {
    at: started_at,
    what: `Try ${number}: ${status_code === undefined ? 'no answer' : `answered ${status_code}`} after ${duration_ms} ms`,
    more: status_code === undefined ? (error ?? 'The connection failed.') : said,
    tone: isGood ? 'good' : 'bad',
  };
}

/** As it is posted, with line breaks for people. Numbers stay as they are written. */
function indented(body: string): string {
  let depth = 0;
  return body.replace(/"(?:[^"\\]|\\.)*"|\[\]|\{\}|[{}[\],:]/g, (token) => {
    if (token === '{' || token === '[') return `${token}${line(++depth)}`;
    if (token === '}' || token === ']') return `${line(--depth)}${token}`;
    return token === ',' ? `,${line(depth)}` : token === ':' ? ': ' : token;
  });
}

function line(depth: number): string {
  return `\n${'  '.repeat(Math.max(0, depth))}`;
}

/** Sends it again, under the same id, with ten tries of its own. */
export async function resendEvent(visit: MerchantVisit<'id'>, outside: Outside): Promise<Going> {
  const event = await getWebhookEvent(outside, visit.path.id);
  if (event?.merchant_id !== visit.merchant.merchant_id) throw noEvent();
  const { writes } = await replayEvent(outside, event, event.event_id);
  const notice = 'The event is on its way again. This page shows what your server answers.';
  return visit.commit(writes, { goTo: eventAddress(event.event_id), notice });
}
