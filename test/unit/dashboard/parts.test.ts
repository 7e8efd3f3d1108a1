import { html } from 'hono/html';
import { describe, expect, test } from 'vitest';
import { doubtOf } from '../../../shared/money/payment/shown-payment.ts';
import {
  ago,
  copyable,
  facts,
  type Html,
  paymentPill,
  pill,
  shownDay,
  timeline,
} from '../../../shared/pages/dashboard/parts/content.ts';
import {
  choice,
  field,
  fileField,
  form,
  type Part,
  textField,
  tick,
} from '../../../shared/pages/dashboard/parts/form.ts';
import { chips, foldedFilters, pagination, table } from '../../../shared/pages/dashboard/parts/list.ts';
import { plot } from '../../../shared/pages/dashboard/parts/plot.ts';

const HURTFUL = '"><script>alert(1)</script>\'`&';
const visit = { once: 'page', refused: undefined, addressOf: () => '/x', here: '/y', form: undefined };

test.each<[string, (text: string) => Html]>([
  ['a table cell', (text) => table([text], { caption: text, href: () => text, columns: { [text]: () => text } })],
  ['a fact', (text) => facts([[text, text]])],
  ['a state', (text) => pill('good', text)],
  ['a text to copy', (text) => copyable(text, text)],
  ['an event of the timeline', (text) => timeline([{ at: '2026-11-20T08:00:00.000Z', what: text, more: text }])],
  [
    'a plot',
    (text) =>
      plot({ title: text, unit: text, part: 'Not verified' }, [
        { label: text, value: 1, shown: text, part: 1, shownPart: text, isMarked: true, tick: [text] },
      ]),
  ],
  ['a query', (text) => pagination({ here: `/x?q=${encodeURIComponent(text)}`, query: { q: text } }, { next: text })],
  ['a filter', (text) => foldedFilters({ here: '/x', query: { q: text } }, text, field('q', text))],
  [
    'a rejected form',
    (text) =>
      form(
        {
          ...visit,
          once: text,
          addressOf: () => text,
          refused: {
            path: '/',
            action: text,
            code: 'invalid_request',
            isShown: false,
            typed: { a: text, b: text, c: text },
            message: text,
            errors: [
              { field: 'a', message: text },
              { field: text, message: text },
            ],
          },
        },
        { path: '/', submit: text },
        [
          field('a', text, { hint: text }),
          textField('b', text),
          choice('c', text, { options: [[text, text]] }),
          tick('d', text),
        ],
      ),
  ],
])('%s escapes user input', async (_, render) => {
  const shown = String(await render(HURTFUL));
  expect(shown).toContain('alert');
  expect(shown).not.toContain('<script');
});

describe('forms', () => {
  const answered = { action: '/x', typed: { amount: '4' }, code: 'invalid_request', isShown: false } as const;
  const FORM = { ...answered, path: '/here', message: 'no', errors: [] };
  const show = async (refused: Parameters<typeof form>[0]['refused']) =>
    String(
      await form({ ...visit, refused }, { path: '/here', submit: 'Send' }, field('amount', 'Amount', { value: '5' })),
    );

  const begins = async (where: Partial<Parameters<typeof form>[0]>, before: Part) => {
    const fields = [before, field('amount', 'Amount'), textField('note', 'Note')];
    const shown = await form({ ...visit, ...where }, { path: '/here', submit: 'Send' }, fields);
    return [...String(shown).matchAll(/id="(\w+)"[^>]* autofocus/g)].map(([, id]) => id);
  };

  const file = fileField('file', 'File', { accept: '.csv' });
  const list = choice('network', 'Network', { options: [] });
  const box = tick('kept', 'Kept');

  test('focus the first text field if it is empty and the page has one form', async () => {
    expect(await begins({ here: '/x?from=menu' }, file)).toEqual(['amount']);
    expect(await begins({ here: '/y' }, file)).toEqual([]);
    // Users should read what is above the form first, such as a preview.
    expect(await begins({ here: '/x', form: {} }, file)).toEqual([]);
    const filled = field('name', 'Name', { value: 'Ama' });
    for (const before of [list, box, filled]) expect(await begins({ here: '/x' }, before)).toEqual([]);
  });

  test('show the currency in an amount field', async () => {
    const fields = [field('amount', 'Amount', { inputMode: 'decimal', hint: 'All of it' }), field('count', 'Count')];
    const shown = String(await form(visit, { path: '/here', submit: 'Send' }, fields));
    expect(shown).toMatch(
      /<span id="amount-currency">GHS<\/span><input [^>]*aria-describedby="amount-currency amount-hint"/,
    );
    expect(shown).not.toContain('count-currency');
  });

  test('focus the invalid field after a rejection', async () => {
    const errors = [{ field: 'note', message: 'is missing' }];
    const refused = { ...FORM, errors };
    expect(await begins({ here: '/x', refused }, file)).toEqual(['note']);
  });

  test('show an error once if two forms have the same action', async () => {
    const refused = { ...FORM, message: 'It was closed meanwhile.' };
    const one = () => form({ ...visit, refused }, { path: '/here', submit: 'Send' });
    const shown = String(await html`${one()}${one()}`);
    expect(shown.match(/It was closed meanwhile/g)).toHaveLength(1);
  });

  test('show field errors at the field and other errors above the form', async () => {
    const errors = [
      { field: 'amount', message: 'must be more' },
      { field: 'other', message: 'is not a field of this request' },
    ];
    const shown = await show({ ...FORM, errors });
    expect(shown).toContain('<span class="fault" id="amount-error">Amount must be more</span>');
    expect(shown).toContain('aria-describedby="amount-error" aria-invalid="true"');
    expect(shown).toContain('role="alert">other: is not a field of this request</p>');
    expect(shown).toContain('value="4"');
    expect(shown.match(/class="fault"/g)).toHaveLength(2);
  });

  test('show the first three invalid lines of a list', async () => {
    const errors = Array.from({ length: 20 }, (_, n) => ({ field: 'amount', line: n + 2, message: 'must be more' }));
    const told =
      'Nothing was done: 20 lines cannot be used (line 2: must be more; line 3: must be more; line 4: must be more; and 17 more). Correct the list, then send it again.';
    const shown = await show({ ...FORM, errors });
    expect(shown.match(/must be more/g)).toHaveLength(3);
    expect(shown).toContain(`id="amount-error">${told}</span>`);
    const elsewhere = errors.map((one) => ({ ...one, field: 'csv' }));
    expect(await show({ ...FORM, errors: elsewhere })).toContain(`role="alert">${told}</p>`);
  });

  test('link an error to the page that fixes it', async () => {
    const shown = await show({ ...FORM, code: 'consent_missing' });
    expect(shown).toContain('href="/dashboard/customers/add"');
    expect(await show({ ...FORM })).not.toContain('class="actions"');
  });

  test('restore rejected values only in their own row', async () => {
    const refused = { ...FORM, action: '/y' };
    expect(await show(refused)).not.toContain('class="fault"');
    expect(refused.isShown).toBe(false);
  });

  test('ignore values from other forms', async () => {
    const shown = await show({ ...FORM, path: '/other' });
    expect(shown).toContain('value="5"');
    expect(shown).not.toContain('class="fault"');
  });
});

test('pagination keeps the filter', async () => {
  const visit = { here: '/dashboard/charges?status=success&cursor=abc', query: { status: 'success', cursor: 'abc' } };
  const shown = String(await pagination(visit, { next: 'def' }));
  expect(shown).toContain('href="/dashboard/charges?status=success&amp;cursor=def"');
  expect(shown).toContain('href="/dashboard/charges?status=success"');
  expect(String(await pagination({ here: '/x', query: {} }, { next: null }))).toBe('');
});

test('a plot includes its values as a table', async () => {
  const days = [
    { label: '19 Nov', value: 1, shown: '0.01' },
    { label: '20 Nov', value: 1_000_000, shown: '10,000.00', part: 4_000, shownPart: '40.00' },
  ];
  const of = { title: 'Money in', unit: 'GHS', unitValue: 100, part: 'Not verified' } as const;
  const shown = String(await plot(of, days));
  expect(shown).toContain('10,000.00</td>');
  expect(shown).toContain('40.00</td>');
  const [legend = '', drawn = ''] = shown.split('<svg role="img"');
  expect([...legend.matchAll(/<rect class="(\w+)"[^>]*><\/svg> ([\w ]+)/g)].map(([, ...one]) => one)).toEqual([
    ['solid', 'Verified'],
    ['hollow', 'Not verified'],
  ]);
  expect(drawn.match(/class="hollow"/g)).toHaveLength(1);
  expect(String(await plot(of, days.slice(0, 1)))).not.toContain('Not verified');
});

test.each([
  [{ tone: 'good', label: 'Paid' }, 'verified', ['good Paid']],
  [{ tone: 'good', label: 'Paid' }, 'unverified', ['look Not verified']],
  [{ tone: 'good', label: 'Taken' }, 'contradicted', ['look In doubt']],
  [{ tone: 'look', label: 'In doubt' }, 'contradicted', ['look In doubt']],
  [{ tone: 'plain', label: 'Expired' }, 'unverified', ['plain Expired', 'look Not verified']],
] as const)('%j of %s money is shown as %j', async (state, backing, badges) => {
  const shown = String(await paymentPill(state, { doubt: doubtOf(backing) }));
  expect([...shown.matchAll(/"pill (\w+)">([^<]+)/g)].map(([, tone, label]) => `${tone} ${label}`)).toEqual(badges);
});

test('a timeline is sorted by time', async () => {
  const paid = { at: '2026-11-20T09:00:00.000Z', what: 'Paid', tone: 'good' } as const;
  const shown = String(await timeline([paid, { at: '2026-11-20T08:00:00.000Z', what: html`Created` }]));
  expect(shown.indexOf('Created')).toBeLessThan(shown.indexOf('Paid'));
  expect(shown).toContain('20 Nov 2026, 08:00');
});

test.each([
  [-5, 'now'],
  [9, 'now'],
  [10, '10 s ago'],
  [59, '59 s ago'],
  [60, '1 min ago'],
  [3_599, '59 min ago'],
  [7_200, '2 h ago'],
  [86_400, '1 day ago'],
  [200_000, '2 days ago'],
])('%i seconds are shown as %s', async (seconds, words) => {
  const at = '2026-11-20T08:00:00.000Z';
  const later = { now: () => Date.parse(at) + seconds * 1000 };
  expect(String(await ago(later, at))).toContain(`>${words}</time>`);
  expect(shownDay(at)).toBe('20 Nov 2026');
});

test('a table hides empty columns', async () => {
  const columns = { Name: (one: string) => one, Why: () => '', State: () => pill('good', 'Fine') };
  const namesIn = async (entries: string[]) =>
    [...String(await table(entries, { caption: 'All', columns })).matchAll(/role="columnheader">([^<]*)</g)].map(
      ([, name]) => name,
    );
  expect(await namesIn(['a', 'b'])).toEqual(['Name', 'State']);
  expect(await namesIn([])).toEqual(['Name', 'Why', 'State']);
});

test('a long value is shown below its label', async () => {
  const [short, long] = await Promise.all(
    ['x'.repeat(60), `<b>${'x'.repeat(61)}</b>`].map((one) => facts([['a', one]])),
  );
  expect(String(short)).not.toContain('class="long"');
  expect(String(long)).toContain('class="long"');
});

test('filter chips keep the other filters and reset the page', async () => {
  const at = { here: '/x?status=a', query: { status: 'a', q: 'kofi & co', cursor: 'c' } };
  const options = [
    ['', 'All'],
    ['a', 'One'],
  ] as const;
  const shown = String(await chips(at, { label: 'Which', parameter: 'status', options }));
  expect(shown).toContain('<a href="/x?q=kofi+%26+co">All</a>');
  expect(shown).toContain('<a href="/x?status=a&amp;q=kofi+%26+co" aria-current="page">One</a>');
});
