import { html } from 'hono/html';
import { shownNumber } from '../../../ghana/shown-number.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { textAddress } from '../addresses.ts';
import { section } from '../parts/status.ts';
import type { MerchantVisit, Shown } from '../visit.ts';
import { requireSend, what } from './show.ts';
import { textTimeline } from './text-timeline.ts';

/** What happened to the text to one of a send's numbers, which are counted from 1. */
export async function showRecipient(visit: MerchantVisit<'id' | 'n'>, outside: Outside): Promise<Shown> {
  const { send, messages } = await requireSend(visit, outside);
  const message = messages.find(({ index }) => String(index + 1) === visit.path.n);
  const number = message && send.to[message.index];
  if (!message || number === undefined) throw new PublicError('not_found', 'There is no such text.');
  return {
    title: `Text to ${shownNumber(number)}`,
    main: html`<p><a href="${textAddress(send.send_id)}">All ${send.to.length} numbers</a></p>
${section('What happened', textTimeline(send, message))}
${what({ send, messages: [message] })}`,
  };
}
