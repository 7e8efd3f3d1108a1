import { html, raw } from 'hono/html';
import * as z from 'zod/mini';
import { parsePhoneNumber } from '../../../ghana/phone-number.ts';
import { shownNumber, wholeNumber } from '../../../ghana/shown-number.ts';
import { retentionOf } from '../../../merchants/merchant/test-account.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { endOfRetention } from '../../../runtime/outside/retention.ts';
import { DAY_MS } from '../../../runtime/values/calendar.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { MAX_ANSWERS_PER_DAY } from '../../../texts/conversation/conversation.table.ts';
import { findOptOut, type OptOut } from '../../../texts/conversation/opt-out.table.ts';
import { type Answer, answerRows, getThread, newestAnswer, replyRows } from '../../../texts/inbox/inbox.table.ts';
import { asCauser } from '../../../texts/sms/causer.ts';
import { parseMessageId } from '../../../texts/sms/message-id.ts';
import { type Send, sendRows } from '../../../texts/sms/send.table.ts';
import { acceptSend } from '../../../texts/sms/send.ts';
import { ANSWERS, textAddress, threadAddress } from '../parts/addresses.ts';
import { ago, emptyState, type Html, notice, pill, refreshed, section, shownTime } from '../parts/content.ts';
import { forCredits } from '../parts/cost.ts';
import { formSection, textField } from '../parts/form.ts';
import { listPage } from '../parts/list.ts';
import { pageVersion } from '../parts/page-version.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { TypedText } from './send.ts';
import { excerpt } from './texts.ts';

const FORGED = html`<p class="hint">A sender’s number can be forged, so a reply does not prove who wrote it. Never hand over goods because of a reply.</p>`;

/** Shows replies, newest first. Each page lists a person once, with their newest reply. */
export function showInbox(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant, user } = visit;
  const ask = may(user, 'settings:write') ? html`<a class="button" href="${ANSWERS}">Turn on replies</a>` : undefined;
  return listPage(visit, {
    title: 'Replies',
    caption: 'People who replied',
    perPage: 25,
    read: async (page) => {
      const { entries: answers, next } = await answerRows.page(outside, merchant, page);
      const people = [...Map.groupBy(answers, ({ number }) => number).values()];
      const entries = people.flatMap(([newest, ...older]) => (newest ? [{ ...newest, older: older.length }] : []));
      return { entries, next };
    },
    above: (count) => count > 0 && FORGED,
    href: ({ number }) => threadAddress(number),
    columns: {
      From: ({ number }) => html`<span class="number">${shownNumber(number)}</span>`,
      To: ({ to }) => html`<span class="number">${shownNumber(to)}</span>`,
      When: ({ received_at }) => ago(outside, received_at),
      Text: ({ keyword, message, withheld }) => (keyword ? '' : withheld ? HIDDEN[withheld].short : excerpt(message)),
      More: ({ keyword, older }) => html`${older > 0 && `${older} more`}${keyword && html` ${keywordPill(keyword)}`}`,
    },
    isCompact: true,
    nothing: merchant.answers
      ? emptyState(
          'No replies yet',
          'Texts to your own numbers appear here. A number shared by several shops has no inbox.',
        )
      : emptyState(
          'Replies are not kept',
          'Replies to your own numbers stay on the phone until you turn this on.',
          ask,
        ),
  });
}

export async function versionOfInbox({ merchant }: MerchantVisit, outside: Outside): Promise<string> {
  return pageVersion(outside, [await newestAnswer(outside, merchant.merchant_id)]);
}

function keywordPill(keyword: NonNullable<Answer['keyword']>): Html {
  const words = { stop: 'Stop', start: 'Start', help: 'Help' };
  return pill('plain', words[keyword]);
}

/** The reply form has its own path, because pages at a form's URL do not reload. */
export const REPLY = '/inbox/{number}/reply';
export const ReplyForm = z.object({ message: TypedText });

export async function showThread(visit: MerchantVisit<'number'>, outside: Outside): Promise<Shown> {
  const { merchant, user } = visit;
  const { number, answers, replies, hasMore } = await requireThread(visit, outside);
  const [sends, optOut] = await Promise.all([
    sendsOf(outside, merchant.merchant_id, [
      ...replies.map(({ send_id }) => send_id),
      ...answers.flatMap(({ in_reply_to = '' }) => parseMessageId(in_reply_to)?.sendId ?? []),
    ]),
    findOptOut(outside, merchant.merchant_id, number),
  ]);
  const lines = [...answers.map(lineOfAnswer), ...sends.map(lineOfSend)].toSorted((a, b) => (a.at < b.at ? -1 : 1));
  const isFull = isFullDay(
    outside,
    answers.filter(({ keyword }) => !keyword),
  );
  return {
    title: shownNumber(number),
    main: html`${optOut?.opted_out && notice('look', optedOut(optOut))}
${section('Conversation', [
  FORGED,
  html`${hasMore && html`<p class="hint">Only the newest messages are shown.</p>`}`,
  refreshed(html`<ol class="thread" role="list">${lines.map(({ shown }) => shown)}</ol>`),
  html`${isFull && html`<p class="hint">${MAX_ANSWERS_PER_DAY} texts a day are kept per number. The rest of today’s texts stay on the phone.</p>`}`,
])}
${may(user, 'texts:send') && replyForm(visit, lastOf(answers))}`,
  };
}

function replyForm(visit: MerchantVisit<'number'>, { to }: Answer): Html {
  const hint = `Your reply will be sent from ${wholeNumber(to)}, the number they wrote to, for one credit.`;
  return formSection(
    visit,
    'Reply',
    { path: REPLY, submit: 'Send' },
    textField('message', 'Text', { rows: 3, hint, isRequired: true }),
  );
}

export async function reply(visit: MerchantVisit<'number', typeof ReplyForm>, outside: Outside): Promise<Going> {
  const { merchant, user, form, commit } = visit;
  const { merchant_id } = merchant;
  const { number, answers } = await requireThread(visit, outside);
  const { send, writes } = await acceptSend(outside, merchant, {
    to: [number],
    message: form.message,
    by: asCauser(user),
    from: lastOf(answers).to,
  });
  const { send_id, created_at } = send;
  const ends = endOfRetention(retentionOf(outside, merchant_id), created_at);
  const noted = replyRows.create({ merchant_id, number, send_id, created_at, ...ends });
  const going = {
    goTo: threadAddress(number),
    notice: `Your text is on the way from ${shownNumber(send.from)}${forCredits(merchant_id, 1)}.`,
  };
  return commit([...writes, noted], going, { action: 'sms send', about: send_id, after: { texts: 1 } });
}

async function requireThread({ path, merchant }: Pick<MerchantVisit<'number'>, 'path' | 'merchant'>, outside: Outside) {
  const number = parsePhoneNumber(`+${path.number}`);
  const thread = number && (await getThread(outside, merchant.merchant_id, number));
  if (!thread || thread.answers.length === 0)
    throw new PublicError('not_found', 'There are no messages from this number.');
  return { number, ...thread };
}

function lastOf(answers: readonly Answer[]): Answer {
  const last = answers.at(-1);
  if (!last) throw new Error('The thread has no reply');
  return last;
}

function isFullDay({ now }: Outside, answers: readonly Answer[]): boolean {
  const first = answers.at(-MAX_ANSWERS_PER_DAY);
  return first !== undefined && now() - Date.parse(first.created_at) < DAY_MS;
}

async function sendsOf(outside: Outside, merchantId: string, sendIds: readonly string[]): Promise<Send[]> {
  const sends = await sendRows.findMany(
    outside,
    [...new Set(sendIds)].map((send_id) => ({ send_id })),
  );
  return sends.filter(({ merchant_id }) => merchant_id === merchantId);
}

interface Line {
  readonly at: string;
  readonly shown: Html;
}

const HIDDEN = {
  looks_private: {
    short: 'Hidden: it may contain a code',
    explanation: 'This text is hidden. It looks like a code, or a text from a bank or wallet. Read it on the phone.',
  },
  may_hold_code: {
    short: 'Hidden: it may contain a code',
    explanation:
      'This text is hidden. A code was sent to this number, and the text contains digits. Read it on the phone.',
  },
} as const;

function lineOfAnswer({ message, withheld, received_at: at, keyword }: Answer): Line {
  const words = withheld ? html`<i>${HIDDEN[withheld].explanation}</i>` : html`${message}`;
  return { at, shown: line('theirs', at, words, keyword && keywordPill(keyword)) };
}

function lineOfSend({ send_id, message, created_at: at }: Send): Line {
  const link = html`<a href="${textAddress(send_id)}">See what happened to this text</a>`;
  return { at, shown: line('ours', at, html`${message}`, link) };
}

function line(side: 'theirs' | 'ours', at: string, words: Html, more: Html | undefined): Html {
  const who = side === 'ours' ? 'You wrote' : 'They wrote';
  return html`<li class="${raw(side)}"><span class="unseen">${who}: </span><p>${words}</p><span class="hint">${shownTime(at)}${more && html` · ${more}`}</span></li>
`;
}

function optedOut({ word, at }: Pick<OptOut, 'word' | 'at'>): string {
  return `They wrote ${word} on ${shownTime(at)}. They get no marketing or reminders from you. Answering their questions is not marketing.`;
}
