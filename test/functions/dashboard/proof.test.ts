import { describe, expect, test } from 'vitest';
import { FORGED, openBusyDashboard } from '../../support/busy-dashboard.ts';
import { checkEach } from '../../support/check-each.ts';
import { visitPath } from '../../support/dashboard.ts';
import { everyPage } from '../../support/dashboard-pages.ts';
import { pillsIn, plotColumn, sumOf, valuesOf, wordsOf } from '../../support/page-words.ts';

// Pages and files must mark unverified money and never advise sending it back.

const { world, people, examples } = await openBusyDashboard();
const pages = await everyPage(examples);
const amounts = [...Object.values(FORGED), '741.13', '741.17', '758.19'];
const shown = new Map<string, string[]>();

describe('a page', () => {
  const everyVisit = (check: (page: (typeof pages)[number], text: string) => unknown) =>
    checkEach(pages, async (page) =>
      check(page, (await visitPath(world, page.address, { by: page.who && people[page.who] })).text),
    );

  test('marks forged money as not verified', () =>
    everyVisit(({ pattern }, text) => {
      const forged = amounts.filter((amount) => text.includes(amount));
      shown.set(pattern, [...(shown.get(pattern) ?? []), ...forged]);
      const withoutQueries = text.replaceAll(/amount=[\d.]+/g, '');
      expect(partsOf(withoutQueries).filter((part) => namesMoney(part) && !SAID.test(part))).toEqual([]);
      expect(/(?:send|give) (?:it|the money|them) back/i.exec(text)?.[0]).toBeUndefined();
    }));

  test('shows no green badge next to a badge that warns of doubt', () =>
    everyVisit((_, text) => {
      expect(text).not.toMatch(
        /"pill good">[^<]*<svg[^>]*>(?:(?!<\/svg>).)*<\/svg><\/span>\s*<span class="pill look">/s,
      );
    }));
});

test.each([
  ['/dashboard/charges/{reference}', ['excess', 'second', 'late']],
  ['/dashboard/held', ['second', 'late']],
  ['/dashboard/held/{id}', ['second', 'late']],
  ['/dashboard/records', ['second', 'late']],
  ['/dashboard/records/case/{reference}', ['excess', 'second', 'late']],
  ['/dashboard/requests/{slug}', ['request']],
  ['/dashboard/links/{slug}', ['link']],
] as const)('the %s page includes forged money', (pattern, names) => {
  expect(shown.get(pattern)).toEqual(expect.arrayContaining(names.map((name) => FORGED[name])));
});

test.each([
  [
    'a second payment',
    FORGED.second,
    [
      'If you find only this payment, and no cash for the bill, the other one is forged',
      'Do not create a new bill for it',
    ],
  ],
  ['a late payment for a cancelled bill', FORGED.late, ['If the money is there and the goods are still wanted']],
])('the advice for %s is to check the wallet first', async (_, amount, then) => {
  const held = await Promise.all(
    (examples['/dashboard/held/{id}'] ?? []).map((one) => visitPath(world, one, { by: people.owner })),
  );
  const { text = '' } = held.find((one) => one.text.includes(`GHS ${amount}`)) ?? {};
  const [, list = ''] = /<b>What to do\.<\/b>(.*?)<div class="actions">/s.exec(text) ?? [];
  const steps = list.split('</p>').map((step) => step.replaceAll(/<[^>]+>/g, '').trim());
  const [, notice = ''] = /<p class="notice look">.*?<span>(.*?)<\/span><\/p>/s.exec(text) ?? [];
  const look = notice.replaceAll(/<[^>]+>/g, '');
  expect(look).toMatch(
    /^Check your MoMo balance first\. This payment is not verified and may be forged\. Dial \*170# on the phone with 024\s000\s\d{4}, and look for /,
  );
  expect(look).toMatch(new RegExp(`for GHS\\s${amount} from [A-Z ]+(, reference “[^”]+”)?, ID ending \\d{4}\\.`));
  expect(steps.filter(Boolean)).toEqual(then.map((words) => expect.stringContaining(words)));
  expect(text).toContain('Nothing you record here is added to any total.');
});

test('no bill has a green button on the page of an unverified payment', async () => {
  const held = await Promise.all(
    (examples['/dashboard/held/{id}'] ?? []).map((one) => visitPath(world, one, { by: people.owner })),
  );
  const buttonsFor = (amount: string) =>
    held
      .filter(({ text }) => text.includes(`<p class="amount"><span class="number">GHS ${amount}<`))
      .flatMap(({ text }) => text.match(/class="[a-z ]*button" href="[^"]*\/give\?reference/g) ?? [])
      .map((button) => button.split('"')[1]);
  expect(buttonsFor(FORGED.second)).toEqual([]);
  expect(new Set(buttonsFor(FORGED.late))).toEqual(new Set(['plain button']));
});

test('an unverified bill says which phone to look on, for what, and nothing about a reversal', async () => {
  const bills = (examples['/dashboard/charges/{reference}'] ?? []).map((one) =>
    visitPath(world, one, { by: people.owner }),
  );
  const { text = '' } = (await Promise.all(bills)).find((one) => one.text.includes(FORGED.excess)) ?? {};
  const [, ...lines] = wordsOf(text).split(/Check your MoMo balance first\.\s/);
  expect(lines[0]).toMatch(
    /^This payment is not verified and may be forged\. Dial \*170# on the phone with 024\s000\s\d{4} ?, and look for GHS\s777\.13 from [A-Z ]+, reference “MK-\d{10}”, ID/,
  );
  expect(valuesOf(text, 'Number to pay')).not.toEqual(valuesOf(text, 'Wallet it arrived on'));
  expect(walletOpenedBy(text)).toBe(lookedOn(text));
  expect(text).not.toContain('can reverse this payment');
});

test.each([
  [
    'the daily closing',
    '/dashboard/till/closing',
    /^May have to be sent back: check first\nGHS [\d,.]+ \(\d+\) Not verified$/m,
  ],
  [
    'Money in today',
    '/dashboard/today',
    /^GHS [\d,.]+ Not verified\n\d+ payments on bills, not verified\nGHS [\d,.]+ taken off today: removed from bills/m,
  ],
  ['the list of pending tasks', '/dashboard/today', /payments to check GHS [\d,.]+, not on a bill yet Not verified$/m],
])('%s shows the total of unverified money', async (_, address, sum) => {
  const { text } = await visitPath(world, address, { by: people.owner });
  expect(wordsOf(text)).toMatch(sum);
  expect(text).not.toContain('still to be sent back');
});

test.each([
  ['Last 14 days, GHS', '/dashboard/today', /Money in today\nGHS ([\d,.]+) Not verified\n/m],
  [
    'Money in, GHS',
    '/dashboard/today/reports',
    /^Money in\nGHS [\d,.]+ GHS ([\d,.]+) of it not verified\n\d+ payments$/m,
  ],
])('the chart “%s” shows unverified money as hollow bars', async (title, address, sum) => {
  const { text } = await visitPath(world, address, { by: people.owner });
  const [, unverified = ''] = sum.exec(wordsOf(text)) ?? [];
  const shares = plotColumn(text, title, 'Not verified');
  expect(sumOf(shares)).toBeCloseTo(Number(unverified.replaceAll(',', '')));
  expect(sumOf(shares)).toBeGreaterThan(0);
  expect(wordsOf(text)).toMatch(new RegExp(`\\n${title}\\nVerified\\s+Not verified\\n`));
  const [, drawn = ''] = text.split(`<figcaption>${title}</figcaption>`);
  const [, svg = ''] = /<svg role="img"(.*?)<\/figure>/s.exec(drawn) ?? [];
  expect(svg.match(/<rect class="hollow"/g)).toHaveLength(shares.filter((share) => share > 0).length);
});

// Days store how much money is unverified, but not how many bills.
test('the chart “Bills paid” is neutral, and its count says how much money is not verified', async () => {
  const { text } = await visitPath(world, '/dashboard/today/reports', { by: people.owner });
  expect(text).toContain('<figure class="plot neutral">\n<figcaption>Bills paid</figcaption>');
  expect(wordsOf(text)).toMatch(/^Paid\n\d+ GHS [\d,.]+ in bills not verified$/m);
});

test('the “Day by day” section shows each day’s unverified share', async () => {
  const { text } = await visitPath(world, '/dashboard/today/reports', { by: people.owner });
  const [, folded = ''] = /<summary>Day by day<\/summary>([\s\S]*?)<\/details>/.exec(text) ?? [];
  expect(wordsOf(folded)).toMatch(/^GHS [\d,.]+ of this money is not verified\.$/m);
});

test.each([
  ['/dashboard/today/reports/charges.csv', [FORGED.excess, FORGED.request, FORGED.link]],
  ['/dashboard/today/reports/payments.csv', [FORGED.excess, FORGED.request, FORGED.link]],
  [`${examples['/dashboard/links/{slug}']?.at(-1)}/charges.csv`, [FORGED.link]],
])('the %s file marks forged payments as “not verified”', async (address, inside) => {
  const { text } = await visitPath(world, address, { by: people.owner });
  const [columns, ...rows] = text.trim().split('\r\n');
  expect(columns).toMatch(/,"proof"$/);
  for (const amount of inside)
    expect(rows.filter((row) => row.includes(`,${amount},`)).map((row) => row.split(',').at(-1))).toEqual([
      '"not verified"',
    ]);
});

test('an unverified request leads to the bill to check below its sentence', async () => {
  const requests = (examples['/dashboard/requests/{slug}'] ?? []).map((one) =>
    visitPath(world, one, { by: people.owner }),
  );
  const { text = '' } = (await Promise.all(requests)).find((one) => one.text.includes(FORGED.request)) ?? {};
  const [, card = ''] = /<section class="summary">([\s\S]*?)<\/section>/.exec(text) ?? [];
  expect(wordsOf(card)).toMatch(/paid of GHS [\s\S]*Check your MoMo balance first\.\nCheck it on its bill$/);
});

/** Returns the number of the wallet that the link to the texts opens. */
function walletOpenedBy(page: string): string | undefined {
  return /wallets\/(\d+)">See what the texts say/.exec(page)?.[1];
}

function lookedOn(page: string): string | undefined {
  return /on the phone with ([\d\s]+), and look for/.exec(wordsOf(page))?.[1]?.replace(/\s/g, '');
}

const SAID = /not verified|in doubt/i;

/** Splits a page into its sections, list items and table rows. */
function partsOf(page: string): string[] {
  return page.split(/(?=<(?:section|tr|li|h1)\b)|<\/(?:section|tbody|ul|ol)>/);
}

/** Returns true if the part shows money. Every payment of this shop is unverified. */
function namesMoney(part: string): boolean {
  return amounts.some((amount) => part.includes(amount)) || pillsIn(part).some(isOfMoney);
}

function isOfMoney({ tone, label }: ReturnType<typeof pillsIn>[number]): boolean {
  return tone === 'good' && /^(?:Paid|Taken)/.test(label);
}
