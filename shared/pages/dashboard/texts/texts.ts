import { html } from 'hono/html';
import { shownCount } from '../../../ghana/money.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { totalsOfToday } from '../../../money/booking/days.ts';
import { addUp, type TotalName } from '../../../money/booking/totals.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { listSendsByQuery, listSendsInStates } from '../../../texts/sms/list-sends.ts';
import type { SendAndMessages } from '../../../texts/sms/message.table.ts';
import { newestSendId } from '../../../texts/sms/send.table.ts';
import { manyAddress, TEXTS, textAddress } from '../parts/addresses.ts';
import { ago, emptyState, type Html, shortened } from '../parts/content.ts';
import { chips, listPage } from '../parts/list.ts';
import { pageVersion } from '../parts/page-version.ts';
import { foldedPlots, plot } from '../parts/plot.ts';
import { hourLabels } from '../parts/plot-figures.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';
import { mainStateOf } from './text.ts';

const MAX_SHOWN_CHARACTERS = 80;
/** Value of the filter for texts that have left or will leave, but were not reported as delivered. */
const UNDELIVERED = 'undelivered';
const STATES = [
  ['', 'All'],
  [UNDELIVERED, 'Waiting'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
  ['scheduled', 'Scheduled'],
] as const;

export async function listTexts(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant, query, user } = visit;
  const isFirst = !query.cursor && !query.status;
  const today = isFirst && (await totalsOfToday(outside, merchant.merchant_id));
  return listPage(visit, {
    title: 'Texts',
    caption: 'Texts that were sent',
    actions: [may(user, 'texts:send') && { name: 'Send a text', address: `${TEXTS}/send` }],
    above: () =>
      html`${chips(visit, { label: 'Which texts', parameter: 'status', options: STATES })}${today && textsToday(today)}`,
    perPage: 25,
    read: async (page) => {
      const list = query.status === UNDELIVERED ? listUndelivered : listSendsByQuery;
      const { entries, next } = await list(outside, merchant.merchant_id, page, query);
      return { entries: joinBulks(entries), next };
    },
    href: ({ send: { bulk, send_id } }) => (bulk ? manyAddress(bulk.id) : textAddress(send_id)),
    columns: {
      To: (listed) => recipientsOf(listed, merchant.contact),
      From: ({ send }) => html`<span class="number">${shownNumber(send.from)}</span>`,
      Created: ({ send }) => ago(outside, send.created_at),
      Text: ({ send }) => excerpt(send.message),
      State: ({ messages, isWhole }) => mainStateOf(messages, isWhole),
    },
    isCompact: true,
    nothing: query.status
      ? emptyState('No texts in this state', 'Choose another state, or view all texts.')
      : emptyState('No texts yet', 'Texts that you or your website send appear here.'),
  });
}

const listUndelivered: typeof listSendsByQuery = (outside, merchantId, page, query) =>
  listSendsInStates(outside, merchantId, page, { query, states: ['pending', 'sending', 'sent'] });

interface ListedSend extends SendAndMessages {
  /** False for a bulk send that has other parts on other pages. */
  readonly isWhole: boolean;
}

/** Joins the parts of a bulk send, which has up to 50 numbers per part. */
function joinBulks(entries: readonly SendAndMessages[]): ListedSend[] {
  const byBulk = Map.groupBy(entries, ({ send }) => send.bulk?.id ?? send.send_id);
  return [...byBulk.values()].flatMap((parts) => {
    const [first] = parts;
    if (!first) return [];
    const isWhole = parts.length >= (first.send.bulk?.parts ?? 1);
    return [{ send: first.send, messages: parts.flatMap(({ messages }) => messages), isWhole }];
  });
}

/** Names the recipients. `own` is the shop's own contact, which gets texts about its wallets. */
function recipientsOf(
  { send: { to }, messages: { length }, isWhole }: ListedSend,
  own: string | undefined,
): Html | string {
  if (!isWhole) return html`<span class="number">Over ${length} numbers</span>`;
  if (length === 1 && to[0] === own) return 'You';
  return html`<span class="number">${length > 1 ? `${length} numbers` : shownNumber(to[0] ?? '')}</span>`;
}

/** Plots today's sent and failed texts. Deliveries are not counted by hour. */
function textsToday({ hours, isMore }: Awaited<ReturnType<typeof totalsOfToday>>): Html | false {
  const { texts_accepted, texts_failed } = addUp(hours);
  if (texts_accepted + texts_failed === 0) return false;
  const byHour = (title: string, name: TotalName) =>
    plot(
      { title, unit: 'Texts', per: 'Hour' },
      hours.map((hour, n) => ({ ...hourLabels(n), value: hour[name], shown: shownCount(hour[name]) })),
    );
  const figures = `Today: ${isMore ? 'at least ' : ''}${counted(texts_accepted, 'text')}, ${shownCount(texts_failed)} failed`;
  return foldedPlots(
    figures,
    html`${isMore && html`<p class="hint">There are too many texts today for this page to add up. See the reports for complete totals.</p>`}
${byHour('Texts today', 'texts_accepted')}${texts_failed > 0 && byHour('Failed today', 'texts_failed')}`,
  );
}

/** Returns a version that changes with every new text, and at regular intervals. */
export async function versionOfTexts({ merchant }: MerchantVisit, outside: Outside): Promise<string> {
  return pageVersion(outside, [await newestSendId(outside, merchant.merchant_id)]);
}

export function excerpt(text: string): string {
  return shortened(text, MAX_SHOWN_CHARACTERS);
}
