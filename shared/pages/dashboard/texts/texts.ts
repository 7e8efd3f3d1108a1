import { html } from 'hono/html';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { metaOf, pageOf } from '../../../runtime/http/pagination.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { listSendsByQuery } from '../../../texts/sms/list-sends.ts';
import type { SendAndMessages } from '../../../texts/sms/message.table.ts';
import { newestSendId } from '../../../texts/sms/send.table.ts';
import { TEXTS, textAddress } from '../parts/addresses.ts';
import { emptyState, shownTime } from '../parts/content.ts';
import { choice } from '../parts/form.ts';
import { filters, pagination, table } from '../parts/list.ts';
import { pageVersion } from '../parts/page-version.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';
import { stateOptions, statesOf } from './text.ts';

const PER_PAGE = '25';
const MAX_SHOWN_CHARACTERS = 80;
const columns = ['To', 'Text', 'From', 'When', 'State'];

/** What a merchant sent, newest first, narrowed by state. */
export async function listTexts(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant, query, user } = visit;
  const page = pageOf({ per_page: PER_PAGE, cursor: query.cursor });
  const { entries, next } = await listSendsByQuery(outside, merchant.merchant_id, page, query);
  const send = may(user, 'texts:send') && html`<a class="button" href="${TEXTS}/send">Send a text</a>`;
  const nothing = query.status
    ? emptyState('No text is in this state', 'Choose another state, or look at all of them.')
    : emptyState('No text was sent yet', 'What you send, and what your website sends, shows here.');
  return {
    title: 'Texts',
    action: send || undefined,
    main: html`${filters(visit, (filled) => choice(filled, { name: 'status', label: 'State', options: [['', 'All'], ...stateOptions] }))}
${entries.length > 0 ? table('Texts that were sent', columns, entries.map(row)) : nothing}
${pagination(visit, metaOf(page, next))}`,
  };
}

/** Moves with each new text, and now and then besides. */
export async function versionOfTexts({ merchant }: MerchantVisit, outside: Outside): Promise<string> {
  return pageVersion(outside, [await newestSendId(outside, merchant.merchant_id)]);
}

function row({ send, messages }: SendAndMessages) {
  const [first = ''] = send.to;
  const more = send.to.length > 1 ? ` and ${send.to.length - 1} more` : '';
  return {
    href: textAddress(send.send_id),
    cells: [
      html`<span class="number">${shownNumber(first)}</span>${more}`,
      excerpt(send.message),
      html`<span class="number">${shownNumber(send.from)}</span>`,
      html`<span class="number">${shownTime(send.created_at)}</span>`,
      statesOf(messages),
    ],
  };
}

/** The beginning of a text, for a list. */
export function excerpt(text: string): string {
  const characters = [...text];
  return characters.length > MAX_SHOWN_CHARACTERS ? `${characters.slice(0, MAX_SHOWN_CHARACTERS).join('')}…` : text;
}
