import { html } from 'hono/html';
import texts from '../../shared/pages/dashboard/assets.json' with { type: 'json' };
import {
  ago,
  arrived,
  copyable,
  emptyState,
  facts,
  type Html,
  money,
  moneySum,
  notice,
  pill,
  quiet,
  section,
  shareButton,
  type Tone,
  tabs,
  tile,
  tiles,
  timeline,
} from '../../shared/pages/dashboard/parts/content.ts';
import {
  choice,
  type FormPlace,
  field,
  fields,
  fileField,
  foldedForm,
  form,
  radios,
  textField,
  tick,
} from '../../shared/pages/dashboard/parts/form.ts';
import { leadGroups, leadList } from '../../shared/pages/dashboard/parts/leads.ts';
import { type Columns, chips, foldedFilters, pagination, table } from '../../shared/pages/dashboard/parts/list.ts';
import { linePlot, plot } from '../../shared/pages/dashboard/parts/plot.ts';
import { dayLabels } from '../../shared/pages/dashboard/parts/plot-figures.ts';
import { printable } from '../../shared/pages/dashboard/parts/print.ts';
import { actionOf, titleLine } from '../../shared/pages/dashboard/parts/title.ts';
import { check } from '../../shared/pages/frame/drawings.ts';
import { framed, monogram } from '../../shared/pages/frame/frame.ts';
import { icon } from '../../shared/pages/frame/icon.ts';
import { inCurrency } from '../../shared/pages/frame/in-currency.ts';
import { qrCode } from '../../shared/pages/frame/qr-code.ts';
import type { Answer } from '../../shared/runtime/http/answer.ts';
import { realOutside } from '../../shared/runtime/outside/real-outside.ts';
import { HOUR_MS } from '../../shared/runtime/values/calendar.ts';
import type { OwnAnswer } from './front.ts';

export const COMPONENTS = '/local/components';

/** Serves a page with every dashboard component in each state. */
export const componentsAnswer: OwnAnswer = async (path) => (path === COMPONENTS ? componentsPage() : undefined);

async function componentsPage(): Promise<Answer> {
  return framed(realOutside(), 200, {
    title: 'Components',
    style: texts['dashboard.css'],
    script: texts['dashboard.js'],
    main: html`<main id="main">
${titleLine(
  'Components',
  [
    { name: 'Plain action', address: COMPONENTS, isPlain: true },
    { name: 'Main action', address: COMPONENTS },
  ],
  { name: 'List', path: COMPONENTS },
)}
${tabsAndChips()}
${section('Buttons', buttons())}
${section('Badges', badges())}
${notice('good', html`Something was done. <a href="${COMPONENTS}">The next step</a>`)}
${notice('waiting', 'Something is awaiting an owner’s approval.')}
${notice('look', 'Something needs a look.')}
${section('Form', form(VISIT, { path: '/form', submit: 'Save' }, controls('new-')))}
${section('Refused form', form(refused('is too high', 'amount'), { path: '/form', submit: 'Save' }, controls()))}
${section('Refused form without a field at fault', form(refused('Somebody else changed this.'), { path: '/form', submit: 'Save' }))}
${foldedForm(VISIT, 'Folded form', { path: '/folded', submit: 'Remove it', isDangerous: true }, html`<p>No more payments can be taken at this till.</p>`)}
${foldedForm({ ...VISIT, refused: { ...refused('is missing', 'reason').refused, path: '/folded' } }, 'Folded form after a refusal', { path: '/folded', submit: 'Set aside' }, field('reason', 'Reason'))}
${tiles(
  tile('Key figure', money(123_450)),
  tile('With a hint', '12', { hint: '3 more than yesterday', href: COMPONENTS }),
  tile('Urgent', '2', { hint: 'to check', href: COMPONENTS, isUrgent: true }),
)}
<section class="summary"><h2>Sum that is not verified</h2>${moneySum({ payments: 3, pesewas: 123_450, unverifiedPesewas: 123_450 })}</section>
<section class="summary"><h2>Sum that is partly verified</h2>${moneySum({ payments: 3, pesewas: 123_450, unverifiedPesewas: 3_600 })}</section>
${quiet('Quiet section', html`<p class="field"><label for="cedis">Amount</label>${inCurrency('cedis', html`<input id="cedis" aria-describedby="cedis-currency" value="36.50">`)}</p>`)}
${leadGroups({ Leads: [{ name: 'Lead in a group', path: COMPONENTS, now: 'On' }], Others: [{ name: 'Another lead', path: COMPONENTS, now: 'Off' }] })}
${leadList([
  { name: 'Lead', path: COMPONENTS, now: 'Its current state' },
  { name: 'Lead with more', path: COMPONENTS, now: 'On', more: 'for three phones' },
])}
${emptyState('No links yet', 'A link takes payments for one thing.', actionOf({ name: 'New link', address: COMPONENTS }))}
${table(PAYMENTS, { caption: 'Table', columns: COLUMNS, href: () => COMPONENTS })}
${table(PAYMENTS, { caption: 'Compact table', columns: COLUMNS, href: () => COMPONENTS, isCompact: true })}
${section('Table in a section', table(PAYMENTS, { caption: 'Table in a section', columns: COLUMNS }))}
${pagination({ here: COMPONENTS, query: { cursor: 'second' } }, { next: 'third' })}
${section('Row list', rowList())}
<section class="waits look"><h2>Row list that waits</h2>${rowList()}</section>
<ul class="cards-list" role="list">${PAYMENTS.map(card)}</ul>
${section('Facts', facts(FACTS))}
${section('Steps', steps())}
${section('Timeline', timeline(TONES.map((tone, n) => ({ at: `2026-11-2${n}T10:00:00Z`, what: tone, more: n % 2 === 0 ? 'With more about it' : undefined, tone }))))}
${section('Conversation', thread())}
${section('Message', html`<blockquote class="words">Payment received for GHS 36.00 from KOFI MENSAH. Current Balance: GHS 1,036.00.</blockquote>`)}
${section('Bars', plot({ title: 'Money in, GHS', unit: 'GHS', unitValue: 100, part: 'Not verified' }, BARS))}
${section('Line with a gap', linePlot({ title: 'Balance, GHS', gap: 'Gap: money moved without a text', unitValue: 100, stretches: LINE, rows: BARS, columns: { Day: ({ label }) => label, GHS: { figure: ({ shown }) => shown } } }))}
${section('Monogram and QR code', [monogram('Ama Stores', undefined), await qrCode('https://example.com/pay/kente', 'QR code of a link')])}
${printable()}
</main>`,
  });
}

const TONES: readonly Tone[] = ['good', 'waiting', 'look', 'bad', 'plain'];

function tabsAndChips(): Html {
  const visit = { here: COMPONENTS, query: {} };
  const three = ['First', 'Current', 'Third'].map((name) => ({
    name,
    address: COMPONENTS,
    isCurrent: name === 'Current',
  }));
  return html`${tabs('Tabs of the menu', three, { areOfMenu: true })}
${chips(visit, {
  label: 'Chips',
  parameter: 'status',
  options: [
    ['', 'All'],
    ['waiting', 'Waiting'],
    ['paid', 'Paid'],
    ['look', 'To check'],
    ['refunded', 'Refunded'],
  ],
})}
${foldedFilters(visit, 'Folded filters', [field('customer', 'Customer'), field('from', 'From', { type: 'date' })])}`;
}

function buttons(): Html {
  return html`<p class="actions">${actionOf({ name: 'Main', address: COMPONENTS })}${actionOf({ name: 'Plain', address: COMPONENTS, isPlain: true })}${shareButton('Kente')}<button class="button" disabled>Disabled</button><button class="plain button" disabled>Plain, disabled</button><button class="dangerous button">Dangerous</button></p>
${form(VISIT, { path: '/small', submit: 'In a row', isSmall: true })}
${copyable('MK-1234567890', 'reference')}
<details><summary>Folded text</summary><p>Unfolded text.</p></details>
<details open><summary>Open text</summary><p>Unfolded text, with a <a href="${COMPONENTS}">link</a>, <code>code</code> and a <b>strong</b> word.</p></details>`;
}

function badges(): Html {
  const doubted = { amount: 'GHS 36.00', doubt: { badge: 'Not verified', lookFirst: '', warning: '' } } as const;
  return html`<p class="pills">${TONES.map((tone) => pill(tone, tone))}</p>
<p>${arrived(doubted)}</p>
<p>${arrived({ amount: 'GHS 36.00', doubt: undefined })}</p>
<p class="hint">A hint, ${ago(CLOCK, '2026-11-22T11:48:00Z')}</p>
<p class="fault">A fault</p>`;
}

const CLOCK = { now: () => Date.parse('2026-11-22T12:00:00Z') };

const VISIT: FormPlace = {
  once: 'once',
  refused: undefined,
  addressOf: (path) => `#${path}`,
  here: COMPONENTS,
  form: undefined,
};

function refused(message: string, name?: string) {
  return {
    ...VISIT,
    refused: {
      path: '/form',
      action: '#/form',
      typed: { amount: '2000', note: 'For the second term', agreed: 'on' },
      code: 'invalid_request',
      message,
      errors: name ? [{ field: name, message }] : [],
      isShown: false,
    },
  } as const;
}

/** `before` is an id prefix that keeps the ids of two forms apart. */
function controls(before = '') {
  return fields`${field(`${before}amount`, 'Amount', { inputMode: 'decimal', hint: 'In cedis' })}
<div class="fields">${field(`${before}day`, 'Day', { type: 'date', value: '2026-11-22' })}${choice(
    `${before}network`,
    'Network',
    {
      options: [
        ['MTN', 'MTN'],
        ['AT', 'AT'],
      ],
    },
  )}</div>
${textField(`${before}note`, 'Note', { rows: 2 })}
${fileField(`${before}list`, 'List', { accept: '.csv', hint: 'A spreadsheet file' })}
${tick(`${before}agreed`, 'The customer agreed')}
${radios(`${before}counts`, 'Options with longer words', {
  value: 'part',
  options: [
    ['part', 'Part payment: the rest is still due'],
    ['full', 'Full payment: the bill will be marked as paid'],
  ],
})}`;
}

interface Payment {
  readonly customer: string;
  readonly about: string;
  readonly pesewas: number;
  readonly tone: Tone;
  readonly state: string;
}

const PAYMENTS: readonly Payment[] = [
  { customer: 'Kofi Mensah', about: 'Two yards of kente', pesewas: 3_600, tone: 'good', state: 'Paid' },
  { customer: 'Akosua Boateng', about: 'Thread', pesewas: 120_050, tone: 'look', state: 'To check' },
  {
    customer: 'Extracurricular-materials-of-the-second-term',
    about: 'School fees',
    pesewas: 99_999_999,
    tone: 'waiting',
    state: 'Waiting',
  },
];

const COLUMNS: Columns<Payment> = {
  Customer: ({ customer }) => customer,
  For: ({ about }) => about,
  Amount: { figure: ({ pesewas }) => money(pesewas) },
  Begun: () => ago(CLOCK, '2026-11-21T09:00:00Z'),
  State: ({ tone, state }) => pill(tone, state),
};

function rowList(): Html {
  return html`<ul class="rows" role="list">${PAYMENTS.map(({ customer, about, pesewas }) => html`<li><a href="${COMPONENTS}"><b>${customer}</b><span>${money(pesewas)}</span><span class="hint">${about}</span></a></li>`)}</ul>`;
}

function card({ customer, about, pesewas, tone, state }: Payment): Html {
  return html`<li class="card"><p class="head-line"><a href="${COMPONENTS}">${money(pesewas)} from ${customer}</a><span class="pills">${pill(tone, state)}</span></p>
<p class="hint">${about}</p>
<p class="actions">${actionOf({ name: 'Give to a bill', address: COMPONENTS, isPlain: true })}</p></li>`;
}

const FACTS = [
  ['Amount', money(3_600)],
  ['Reference', html`<span class="number">MK-1234567890</span>`],
  ['Note', 'A value of more than a line is a sentence of its own, which stands below its name.'],
] as const;

function steps(): Html {
  return html`<ol class="steps" role="list"><li class="done"><p>${icon(check)}A finished step</p></li><li><p>The <a href="${COMPONENTS}">next step</a></p></li></ol>`;
}

function thread(): Html {
  return html`<ol class="thread" role="list"><li><p>Is my order ready?</p></li><li class="ours"><p>Yes, please come.</p></li></ol>`;
}

const BARS = [12_000, 30_050, 0, 7_000, 45_000, 1_000, 21_500].map((value, n) => {
  const part = n % 3 === 1 ? value / 2 : 0;
  return {
    ...dayLabels(`2026-11-${16 + n}`, 7),
    value,
    shown: (value / 100).toFixed(2),
    part,
    shownPart: (part / 100).toFixed(2),
    isMarked: n === 6,
  };
});

const LINE = [
  [place(0, 10_000), place(5, 14_000), place(20, 9_000)],
  [place(30, 20_000), place(60, 26_500)],
];

function place(hours: number, value: number) {
  return { ms: CLOCK.now() + hours * HOUR_MS, value };
}
