import { html } from 'hono/html';
import { shownNumber } from '../../../ghana/shown-number.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { getSendAndMessages, type SendAndMessages } from '../../../texts/sms/message.table.ts';
import { parseMessageId } from '../../../texts/sms/message-id.ts';
import { sizeOf } from '../../../texts/sms/segments.ts';
import { textAddress } from '../addresses.ts';
import { chargeLink } from '../charges/addresses.ts';
import type { Html } from '../html.ts';
import { facts, section } from '../parts/status.ts';
import { table } from '../parts/table.ts';
import { shownTime } from '../shown-time.ts';
import type { MerchantVisit, Shown } from '../visit.ts';
import { failureInWords } from './failure-in-words.ts';
import { meaningOf, statePill, statesOf } from './text-state.ts';
import { textTimeline } from './text-timeline.ts';

/** One send: what it said, and what became of it at each number. */
export async function showText(visit: MerchantVisit<'id'>, outside: Outside): Promise<Shown> {
  const found = await requireSend(visit, outside);
  const { send, messages } = found;
  const [only] = messages.length === 1 ? messages : [];
  return {
    title: only ? `Text to ${shownNumber(send.to[0] ?? '')}` : `Text to ${send.to.length} numbers`,
    main: html`${what(found)}
${only ? section('What happened', part(textTimeline(send, only))) : section('To whom', part(recipients(found)))}`,
  };
}

/** @throws PublicError `not_found` for what is not this merchant's. */
export async function requireSend(
  { path, merchant }: Pick<MerchantVisit<'id'>, 'path' | 'merchant'>,
  outside: Outside,
): Promise<SendAndMessages> {
  const place = parseMessageId(path.id);
  const found = place && (await getSendAndMessages(outside, place.sendId));
  if (found?.send.merchant_id !== merchant.merchant_id) throw new PublicError('not_found', 'There is no such text.');
  return found;
}

/** What a send said. */
export function what({ send, messages }: SendAndMessages): Html {
  const { reference } = send;
  const { segments, encoding } = sizeOf(send.message);
  return section('Text', [
    html`<blockquote class="words">${send.message}</blockquote>`,
    facts([
      ['State', html`<span data-part>${statesOf(messages)}</span>`],
      ['From', shownNumber(send.from)],
      ['Written', shownTime(send.created_at)],
      ['Charge', reference && chargeLink(reference)],
      ['Size', `${segments} SMS (${encoding})`],
      ['Metadata', send.metadata],
    ]),
  ]);
}

function recipients({ send, messages }: SendAndMessages): Html {
  const rows = messages.map(({ state, failure_reason, index }) => ({
    href: `${textAddress(send.send_id)}/${index + 1}`,
    cells: [
      shownNumber(send.to[index] ?? ''),
      statePill(state),
      state === 'failed' ? failureInWords(failure_reason) : meaningOf(state),
    ],
  }));
  return table('Each number', [{ name: 'To' }, { name: 'State' }, { name: 'What that means' }], rows);
}

/** What an open page replaces when it has changed. */
function part(content: Html): Html {
  return html`<div data-part>${content}</div>`;
}
