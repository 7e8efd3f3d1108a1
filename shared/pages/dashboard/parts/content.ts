import { html, raw } from 'hono/html';
import type { PlainPesewas } from '../../../ghana/arrived.ts';
import { shownCount, shownMoney } from '../../../ghana/money.ts';
import { doubtOf, type ShownPayment } from '../../../money/payment/shown-payment.ts';
import { type Clock, nowIso } from '../../../runtime/outside/outside.ts';
import { DAY_SECONDS, HOUR_SECONDS, inWords } from '../../../runtime/values/calendar.ts';
import { counted } from '../../../runtime/values/counted.ts';
import * as icons from '../../frame/drawings.ts';
import { icon } from '../../frame/icon.ts';
import { icons as dashboardIcons } from './icons.ts';

export type Html = ReturnType<typeof html>;

/**
 * Tone of a status. `good`: done. `waiting`: continues automatically. `look`: needs a person. `bad`: failed. `plain`:
 * anything else.
 */
export type Tone = 'good' | 'waiting' | 'look' | 'bad' | 'plain';

export interface Remark {
  readonly tone: Tone;
  readonly label: string;
}

/** Renders a one-word status badge, whose icon has the same meaning as its colour. */
export function pill(tone: Tone, label: Html | string, shape = shapes[tone]): Html {
  return html`<span class="pill ${tone}">${label}${icon(shape)}</span>`;
}

/** Badge icons, drawn as SVG because some fonts lack these symbols. */
const shapes: Readonly<Record<Tone, string>> = {
  good: icons.check,
  waiting: icons.clock,
  look: icons.fault,
  bad: dashboardIcons.close,
  plain: dashboardIcons.dash,
};

/** Renders a message about the page. Screen readers announce it on opening if `isNews` is true. */
export function notice(tone: 'good' | 'waiting' | 'look', text: Html | string, { isNews = false } = {}): Html {
  return html`<p class="notice ${tone === 'good' ? 'good' : 'look'}"${isNews && raw(' role="status"')}>${icon(shapes[tone])}<span>${text}</span></p>`;
}

export function emptyState(title: string, text: Html | string, action?: Html): Html {
  return html`<div class="empty"><h2>${title}</h2><p>${text}</p>${action}</div>`;
}

export function noNumberYet(): Html {
  return emptyState(
    'No MoMo number is ready yet',
    'Customers need a number to pay to. An owner can add one under Wallets, Numbers. That page also shows whether a number is waiting for support.',
  );
}

/** Labelled values. Undefined values are omitted. A total follows its parts. A long value is below its label on a phone. */
export type Facts = readonly (readonly [name: string, value: Html | string | undefined, kind?: 'total' | 'long'])[];

export function facts(entries: Facts): Html {
  const known = entries.filter(([, value]) => value !== undefined && value !== '');
  return html`${known.length > 0 && html`<dl>${known.map(([name, value, kind = isLong(value) ? 'long' : '']) => html`<div${kind && html` class="${kind}"`}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`}`;
}

/** Values longer than this are shown below their label on a phone. */
const MAX_VALUE_CHARACTERS = 60;

function isLong(value: Html | string | undefined): boolean {
  return String(value).replace(/<[^<>]*>/g, '').length > MAX_VALUE_CHARACTERS;
}

export function money<Pesewas extends number>(pesewas: PlainPesewas<Pesewas>): Html {
  return html`<span class="number">${shownMoney(pesewas)}</span>`;
}

/** Renders an amount and its badge, for a cell of their own. A sentence has `amountText` instead. */
export function arrived(shown: Pick<ShownPayment, 'amount' | 'doubt'>): Html {
  const figure = html`<span class="number">${shown.amount}</span>`;
  return shown.doubt ? html`<span class="pills">${figure}${doubtPill(shown)}</span>` : figure;
}

/** Returns the badge for unverified money, or an empty string. */
export function doubtPill({ doubt }: Pick<ShownPayment, 'doubt'>): Html | string {
  return doubt ? html` ${pill('look', doubt.badge)}` : '';
}

/** Renders the badge of a payment that no bill shows as paid. Test payments have none. */
export function proofPill({ doubt, backing }: Pick<ShownPayment, 'doubt' | 'backing'>): Html | string {
  return backing === 'verified' ? html` ${pill('good', 'Verified')}` : doubtPill({ doubt });
}

/** The sum of several payments. The unverified part counts too. */
export interface MoneyIn {
  readonly payments: number;
  readonly pesewas: number;
  readonly unverifiedPesewas: number;
}

/** Says how many payments there are, and if none of their money is verified. In words, as in every sentence. */
function paymentsHint({ payments, pesewas, unverifiedPesewas }: MoneyIn): Html {
  const isUnverified = unverifiedPesewas > 0 && unverifiedPesewas >= pesewas;
  return html`${shownCount(payments)} payment${payments !== 1 && 's'}${isUnverified && ' on bills, not verified'}`;
}

/** Renders an amber badge if a sum is not verified or contains unverified money. `of`: what the amount is a part of. */
export function sumPill({ pesewas, unverifiedPesewas }: Omit<MoneyIn, 'payments'>, of = ' of it'): Html | string {
  if (unverifiedPesewas === 0) return '';
  return unverifiedPesewas < pesewas
    ? pill('look', html`<span>${money(unverifiedPesewas)}${of} not verified</span>`)
    : doubtPill({ doubt: doubtOf('unverified') });
}

/** Renders a sum as a section's main figure. */
export function moneySum(sum: MoneyIn, figure = money(sum.pesewas), more: readonly string[] = []): Html {
  return html`<p class="amount">${figure}${sumPill(sum)}</p>
${[paymentsHint(sum), ...more].map((one) => html`<p class="hint">${one}</p>`)}`;
}

/**
 * Renders the state of a payment. If there is a doubt, shows a single amber badge. The badge does not begin with “Paid”,
 * because a cashier who reads only that word would hand over goods.
 */
export function paymentPill({ tone, label }: Remark, { doubt }: Pick<ShownPayment, 'doubt'>): Html {
  if (!doubt || label === doubt.badge) return pill(tone, label);
  if (tone === 'good') return pill('look', doubt.badge);
  if (label === PARTLY_PAID.label) return pill('look', `${label}, ${doubt.badge.toLowerCase()}`);
  return html`<span class="pills">${pill(tone, label)}${doubtPill({ doubt })}</span>`;
}

export const PARTLY_PAID: Remark = { tone: 'waiting', label: 'Partly paid' };

/** Renders the paid part of an amount. Hollow, like the bars of charts, if the part is not verified. */
export function paidBar({ pesewas, doubt }: ShownPayment, totalPesewas: number): Html {
  return html`<progress${doubt && raw(' class="hollow"')} aria-label="Paid${doubt && `, ${doubt.badge.toLowerCase()}`}" max="${totalPesewas}" value="${pesewas}"></progress>`;
}

export function tile(
  name: string,
  figure: Html | string,
  { href, hint, isUrgent }: { href?: string; hint?: string; isUrgent?: boolean } = {},
): Html {
  const inner = html`<span class="hint">${name}</span><b>${figure}</b>${hint && html`<span class="hint">${hint}</span>`}`;
  const urgent = isUrgent ? ' look' : '';
  return href === undefined
    ? html`<div class="tile${urgent}">${inner}</div>`
    : html`<a class="tile${urgent}" href="${href}">${inner}</a>`;
}

export function tiles(...each: readonly Html[]): Html {
  return html`<div class="tiles">${each}</div>`;
}

export function section(heading: string, content: Html | readonly Html[]): Html {
  return html`<section><h2>${heading}</h2>
${content}
</section>`;
}

/** Renders a less important section, without a card. */
export function quiet(heading: string, content: Html | readonly Html[]): Html {
  return html`<section class="quiet"><h2>${heading}</h2>
${content}
</section>`;
}

/** Renders text with a copy button. Without JavaScript, the text can be selected. */
export function copyable(text: string, noun: string): Html {
  return html`<span class="copyable"><code translate="no">${text}</code><button type="button" class="copy" data-copy="${text}"${raw(' hidden')}>Copy<span class="unseen"> the ${noun}</span></button></span>`;
}

/** Formats a time as `20 Nov 2026, 14:03`. */
export function shownTime(at: string): string {
  const { day, time } = inWords(at);
  return `${day}, ${time}`;
}

/** Renders the time of today, or else the day, such as `14:03` or `20 Nov`. */
export function timeToday(clock: Clock, at: string): Html {
  const { day, time } = inWords(at);
  const short = day === shownDay(nowIso(clock)) ? time : day.replace(/ \d+$/, '');
  return html`<time class="hint" datetime="${at}" title="${shownTime(at)}">${short}</time>`;
}

/** Formats a day of this year as `20 Nov`, and of another year as `20 Nov 2026`. */
export function shortDay(clock: Clock, at: string): string {
  const isThisYear = at.slice(0, 4) === nowIso(clock).slice(0, 4);
  return isThisYear ? shownDay(at).replace(/ \d+$/, '') : shownDay(at);
}

/** Formats a day as `20 Nov 2026`. */
export function shownDay(at: string): string {
  return inWords(at).day;
}

export function shortened(text: string, maxCharacters: number): string {
  const characters = [...text];
  return characters.length > maxCharacters ? `${characters.slice(0, maxCharacters).join('')}…` : text;
}

/** Renders an age, such as `now` or `1 min ago`. The till's script keeps it current. */
export function ago(clock: Clock, at: string): Html {
  return html`<time datetime="${at}" title="${shownTime(at)}" data-age>${age(clock, at)}</time>`;
}

export function age({ now }: Clock, at: string): string {
  const seconds = Math.max(0, Math.round((now() - Date.parse(at)) / 1000));
  return seconds < NOW_SECONDS ? 'now' : `${shortly(seconds)} ago`;
}

/** Shorter ages are shown as `now`. Also used by `till.js`. */
const NOW_SECONDS = 10;

function shortly(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < HOUR_SECONDS) return `${Math.floor(seconds / 60)} min`;
  return seconds < DAY_SECONDS
    ? `${Math.floor(seconds / HOUR_SECONDS)} h`
    : counted(Math.floor(seconds / DAY_SECONDS), 'day');
}

export interface Happening {
  readonly at: string;
  readonly what: Html | string;
  readonly more?: Html | string | undefined;
  readonly tone?: Tone;
}

export function timeline(happenings: readonly Happening[]): Html {
  const inOrder = happenings.toSorted((one, other) => one.at.localeCompare(other.at));
  return html`<ol class="timeline" role="list">${inOrder.map(
    ({
      at,
      what,
      more,
      tone = 'plain',
    }) => html`<li class="${tone}"><time class="hint" datetime="${at}">${shownTime(at)}</time><div><b>${what}</b>${more && html`<div class="hint">${more}</div>`}</div></li>
`,
  )}</ol>`;
}

interface Tab {
  readonly address: string;
  readonly name: string | Html;
  readonly isCurrent: boolean;
}

export function tabs(name: string, choices: readonly Tab[], { areOfMenu = false } = {}): Html {
  return html`<nav class="tabs${areOfMenu && ' of-menu'}" aria-label="${name}">${choices.map(
    (one) => html`<a href="${one.address}"${one.isCurrent && raw(' aria-current="page"')}>${one.name}</a>`,
  )}</nav>`;
}

/** Renders what a payer typed. A short text, such as a reference, stays on one line. */
export function typedWords(typed: string): Html {
  return typed.length > MAX_ON_ONE_LINE ? html`“${typed}”` : html`<span class="number">“${typed}”</span>`;
}

/** Characters that fit on one line of the narrowest phone. */
const MAX_ON_ONE_LINE = 20;

/** Returns a WhatsApp link that sends this text to a number (`+233…`) or to a chat that the person chooses. */
export function whatsAppUrl(words: string, number = ''): string {
  return `https://wa.me/${number.replace('+', '')}?text=${encodeURIComponent(words)}`;
}

/**
 * Renders a WhatsApp button for a text with a link. Without a number, the script opens the phone's share sheet if
 * possible.
 */
export function shareButton(
  words: string,
  { number, isMain = false }: { number?: string | undefined; isMain?: boolean } = {},
): Html {
  return html`<a class="${!isMain && 'plain '}button" href="${whatsAppUrl(words, number)}"${number === undefined && html` data-share="${words}"`} target="_blank" rel="noreferrer">Share on WhatsApp</a>`;
}

/** Marks a section that the script replaces when it changes. A page must have the same sections in every state. */
export function refreshed(content: Html | string): Html {
  return html`<div data-part>${content}</div>`;
}
