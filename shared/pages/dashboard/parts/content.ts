import { html, raw } from 'hono/html';
import type { PlainPesewas } from '../../../ghana/arrived.ts';
import { shownMoney } from '../../../ghana/money.ts';
import type { ShownPayment } from '../../../money/payment/shown-payment.ts';
import type { Clock } from '../../../runtime/outside/outside.ts';
import { inWords } from '../../../runtime/values/calendar.ts';
import { counted } from '../../../runtime/values/counted.ts';
import * as icons from '../../frame/drawings.ts';
import { icon } from '../../frame/icon.ts';
import { icons as dashboardIcons } from './icons.ts';

export type Html = ReturnType<typeof html>;

/** `good` is done, `waiting` goes on by itself, `look` needs a person, `bad` is over without success, `plain` is none of these. */
export type Tone = 'good' | 'waiting' | 'look' | 'bad' | 'plain';

/** A state in a word, also told by a shape and not by colour alone. */
export function pill(tone: Tone, word: string): Html {
  return html`<span class="pill ${tone}">${word}${icon(shapes[tone])}</span>`;
}

/** Drawn, and not written: some fonts lack the signs, and show a gap in their place. */
const shapes: Readonly<Record<Tone, string>> = {
  good: icons.check,
  waiting: icons.clock,
  look: icons.fault,
  bad: dashboardIcons.close,
  plain: dashboardIcons.dash,
};

/** Where a list has nothing, and what to do about that. */
export function emptyState(title: string, text: Html | string, action?: Html): Html {
  return html`<div class="empty"><h2>${title}</h2><p>${text}</p>${action}</div>`;
}

/** In place of what nobody could pay. */
export function noNumberYet(): Html {
  return emptyState(
    'No MoMo number is ready yet',
    'Customers need a number to pay to. An owner adds it at Wallets, Numbers, and sees there whether one waits for support.',
  );
}

/** Each with its name; those that are undefined are left out. */
export type Facts = readonly (readonly [name: string, value: Html | string | undefined])[];

export function facts(entries: Facts): Html {
  const known = entries.filter(([, value]) => value !== undefined && value !== '');
  return html`<dl>${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** An amount, which stays with its currency on a narrow screen. */
export function money<Pesewas extends number>(pesewas: PlainPesewas<Pesewas>): Html {
  return html`<span class="figure">${shownMoney(pesewas)}</span>`;
}

/** An amount that arrived, with a badge where it is not verified. */
export function arrived(shown: Pick<ShownPayment, 'amount' | 'doubt'>): Html {
  const figure = html`<span class="figure">${shown.amount}</span>`;
  return shown.doubt ? html`<span class="pills">${figure}${doubtPill(shown)}</span>` : figure;
}

/** The badge of money that is not verified; nothing for other money. */
export function doubtPill({ doubt }: Pick<ShownPayment, 'doubt'>): Html | string {
  return doubt ? html` ${pill('look', doubt.badge)}` : '';
}

/** A figure that counts, as a tile which leads to what it counts. */
export function tile(
  name: string,
  figure: Html | string,
  { href, hint, isUrgent }: { href?: string; hint?: string; isUrgent?: boolean } = {},
): Html {
  const inner = html`<span class="name">${name}</span><b>${figure}</b>${hint && html`<span class="hint">${hint}</span>`}`;
  const urgent = isUrgent ? ' urgent' : '';
  return href === undefined
    ? html`<div class="tile${urgent}">${inner}</div>`
    : html`<a class="tile${urgent}" href="${href}">${inner}</a>`;
}

/** Tiles beside each other. */
export function tiles(...each: readonly Html[]): Html {
  return html`<div class="tiles">${each}</div>`;
}

/** A section of a page, under a heading. */
export function section(heading: string, content: Html | readonly Html[]): Html {
  return html`<section><h2>${heading}</h2>
${content}
</section>`;
}

/** A text to copy at a tap; without a script it can be selected. */
export function copyable(text: string, noun: string): Html {
  return html`<span class="copyable"><code translate="no">${text}</code><button type="button" class="copy" data-copy="${text}"${raw(' hidden')}>Copy<span class="unseen"> the ${noun}</span></button></span>`;
}

/** `20 Nov 2026, 14:03`. */
export function shownTime(at: string): string {
  const { day, time } = inWords(at);
  return `${day}, ${time}`;
}

/** `20 Nov 2026`. */
export function shownDay(at: string): string {
  return inWords(at).day;
}

/** The beginning of a text, for a list. */
export function shortened(text: string, maxCharacters: number): string {
  const characters = [...text];
  return characters.length > maxCharacters ? `${characters.slice(0, maxCharacters).join('')}…` : text;
}

/** How long ago something was, in words. */
export function ago(outside: Clock, at: string): Html {
  return html`${age(outside, at)} ago`;
}

/** The same for where there is little room, as in a table: `12 s`, `1 min`. The whole time is in its title. The till's script counts on. */
export function age({ now }: Clock, at: string): Html {
  const seconds = Math.max(0, Math.round((now() - Date.parse(at)) / 1000));
  return html`<time datetime="${at}" title="${shownTime(at)}" data-age>${shortly(seconds)}</time>`;
}

function shortly(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : counted(Math.floor(seconds / 86_400), 'day');
}

export interface Happening {
  /** ISO. */
  readonly at: string;
  readonly what: Html | string;
  readonly more?: Html | string | undefined;
  readonly tone?: Tone;
}

/** What happened, the first thing first. */
export function timeline(happenings: readonly Happening[]): Html {
  const inOrder = happenings.toSorted((one, other) => one.at.localeCompare(other.at));
  return html`<ol class="timeline" role="list">${inOrder.map(
    ({
      at,
      what,
      more,
      tone = 'plain',
    }) => html`<li class="${tone}"><time datetime="${at}">${shownTime(at)}</time><div><b>${what}</b>${more && html`<div class="hint">${more}</div>`}</div></li>
`,
  )}</ol>`;
}

interface Tab {
  readonly address: string;
  readonly name: string | Html;
  readonly isCurrent: boolean;
}

/** A choice between a few lists, or the places of the menu, the current one marked. */
export function tabs(name: string, choices: readonly Tab[], { areOfMenu = false } = {}): Html {
  return html`<nav class="tabs${areOfMenu && ' of-menu'}" aria-label="${name}">${choices.map(
    (one) => html`<a href="${one.address}"${one.isCurrent && raw(' aria-current="page"')}>${one.name}</a>`,
  )}</nav>`;
}

/** Where somebody sends these words by WhatsApp: to a number (`+233…`), or to whom they choose there. */
export function whatsAppUrl(words: string, number = ''): string {
  return `https://wa.me/${number.replace('+', '')}?text=${encodeURIComponent(words)}`;
}

/** A part that the script replaces by itself where it has changed. A page has the same ones in every state, some of them empty. */
export function refreshed(content: Html | string): Html {
  return html`<div data-part>${content}</div>`;
}
