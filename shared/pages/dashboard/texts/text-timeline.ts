import { html } from 'hono/html';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { isTwin } from '../../../merchants/merchant/twin.ts';
import type { Message } from '../../../texts/sms/message.table.ts';
import type { Send } from '../../../texts/sms/send.table.ts';
import type { Html } from '../html.ts';
import { type Happening, timeline } from '../parts/timeline.ts';
import { failureInWords } from './failure-in-words.ts';
import { meaningOf } from './text-state.ts';

/** What happened to one text, from its writing to its end. */
export function textTimeline(send: Send, message: Message): Html {
  const paid = !isTwin(send.merchant_id);
  const happened = [
    step(send.created_at, 'Accepted', paid ? 'It cost one credit.' : 'A test costs nothing.'),
    step(message.sending_at, 'Given to the phone', `It leaves from ${shownNumber(send.from)}.`),
    step(message.sent_at, 'Sent by the phone', message.delivered_at ? undefined : meaningOf('sent'), 'good'),
    step(message.delivered_at, 'Delivered', meaningOf('delivered'), 'good'),
    step(message.failed_at, 'Failed', failureInWords(message.failure_reason), 'bad'),
    step(message.failed_at, 'Credit given back', paid ? 'One credit, in the same moment.' : undefined),
  ];
  const known = happened.filter((one) => one !== undefined);
  const waits = message.state === 'pending' && html`<p class="hint">${meaningOf('pending')}</p>`;
  return html`${timeline(paid ? known : known.filter(({ what }) => what !== 'Credit given back'))}${waits}`;
}

function step(
  at: string | undefined,
  what: string,
  more: string | undefined,
  tone: Happening['tone'] = 'plain',
): Happening | undefined {
  return at === undefined ? undefined : { at, what, more, tone };
}
