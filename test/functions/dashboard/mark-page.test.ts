import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, inWords } from '../../../shared/runtime/values/calendar.ts';
import { noticeIn } from '../../support/dashboard.ts';
import { wordsOf } from '../../support/page-words.ts';
import { mtn, newNumber, placeNumber } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';

// The words and fields of the form to mark a bill as paid. mark.test.ts tests what the form does.

const PAYMENT = { payer: 'Ama Sample', transaction_id: '51000770077' };

let world: Scene;
let shop: Shop;
let manager: Person;
let reference: string;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.goToNoon();
  shop = await world.createShop();
  manager = await shop.signIn('manager');
  reference = await shop.charge({ amount: 77, customer_name: 'Ama Sample', description: 'Cloth' });
});

describe('the form to mark a bill as paid', () => {
  test('shows the bill and says to count the cash', async () => {
    expect(bodyOf(await open('how=cash'))).toEqual([
      ...['The bill', 'Amount', 'GHS 77.00', 'Customer', 'Ama Sample', 'For', 'Cloth', 'Reference', reference],
      ...['Created', `${inWords(world.iso()).day}, 12:00`, 'State', 'Waiting'],
      'Paid in cash',
      'Count the cash first. No message will confirm this payment.',
      'The payment will stay unverified. Your website may therefore hold the order. You can release it there.',
      ...['Amount', 'GHS', 'Who paid', 'Accept less than the amount due'],
    ]);
  });

  test('asks for the details shown in the wallet', async () => {
    expect(bodyOf(await open('how=transfer')).slice(13)).toEqual([
      'Paid by MoMo',
      'Check your MoMo balance first. Type what your wallet shows, not what the customer says.',
      'The payment will stay unverified. Your website may therefore hold the order. You can release it there.',
      ...['Amount', 'GHS'],
      ...['Who paid', 'The name shown in your wallet.'],
      ...['Transaction ID', 'As shown in your wallet. Each ID can be used for only one bill.'],
      ...['Accept less than the amount due'],
    ]);
  });

  test.each([
    [
      'cash',
      'I have the cash: mark as paid',
      ['how: hidden cash', 'amount: decimal 77 (required, 16)', 'payer: text (100)', 'enough: checkbox'],
    ],
    [
      'transfer',
      'The money is there: mark as paid',
      [
        'how: hidden transfer',
        'amount: decimal 77 (required, 16)',
        'payer: text (required, 100)',
        'transaction_id: numeric (required, 100)',
        'enough: checkbox',
      ],
    ],
  ])('has the fields and the button for %s', async (how, button, fields) => {
    const page = await open(`how=${how}`);
    expect(fieldsOf(page)).toEqual(fields);
    expect(page).toContain(`<form method="post" action="/dashboard/charges/${reference}/mark">`);
    expect(page).toContain(`>${button}</button>`);
    expect(page).toContain('<h1>Mark the bill as paid?</h1>');
    expect(backOf(page)).toBe(`/dashboard/charges/${reference}: The bill`);
    expect(page).not.toContain('autofocus');
  });

  test('defaults to cash for an unknown kind of payment', async () => {
    expect(fieldsOf(await open('how=gold'))).toContain('how: hidden cash');
  });

  test('asks which number was paid if the shop has several', async () => {
    const [first, second] = [shop.number, await addTelecel()];
    const page = await open('how=transfer');
    expect(bodyOf(page)).toContain('Paid to');
    const options = [...page.matchAll(/<option value="(\+\d+)"[^>]*>([^<]*)/g)].map(([, value]) => value);
    expect(options).toEqual([first, second]);
    expect(fieldsOf(page)).toContain('number: select');
    expect(fieldsOf(await open('how=cash'))).not.toContain('number: select');
  });

  test.each([
    ['numeric', ['MTN', 'TELECEL']],
    ['text', ['MTN', 'AT']],
  ] as const)('has a %s keyboard for transaction IDs from %j', async (keyboard, [first, second]) => {
    const accounts = [first, second].map((network) => ({ number: newNumber(), network, account_name: 'A' }));
    await shop.change({ momo_accounts: accounts });
    world.clock.nowMs += 2 * 60_000;
    expect(fieldsOf(await open('how=transfer'))).toContain(`transaction_id: ${keyboard} (required, 100)`);
  });

  test.each([
    [30, 'A code of “Router” will be sent at once. This cannot be undone.'],
    [900, 'The code of “Router” stays on hold until you release it.'],
  ])('says what happens to the stock code for a bill of GHS %i', async (amount, words) => {
    const { json } = await shop.call('link/create', { body: { title: 'Router', amount, codes: ['CODE-1'] } });
    reference = (await world.openLink(json.data.slug)).reference;
    for (const how of ['cash', 'transfer'])
      expect(bodyOf(await open(`how=${how}`))).toContain(`The payment will stay unverified. ${words}`);
  });

  test('asks for an unread message’s transaction ID', async () => {
    await addTelecel();
    await shop.arrive({ ...mtn(), text: 'Payment received for GHS 77.00 in words that nobody knows' });
    const [unread] = await shop.listed('unread');
    const page = await open(`text=${encodeURIComponent(String(unread?.id))}`);
    const words = bodyOf(page);
    expect(words.slice(13, 17)).toEqual([
      'The message',
      // A manager does not see amounts in unread messages, because one could be the balance.
      'Payment received for GHS … in words that nobody knows',
      'Paid by MoMo',
      'Check your MoMo balance first. Type what your wallet shows, not what the message says.',
    ]);
    expect(words).not.toContain('Paid to');
    expect(fieldsOf(page)).toEqual(expect.arrayContaining(['how: hidden text', `text: hidden ${unread?.id}`]));
  });

  test('has no fields once a cancelled bill can no longer be paid', async () => {
    await shop.call('transaction/cancel', { parameters: { reference } });
    world.clock.nowMs += 40 * DAY_MS;
    manager = await shop.signIn('manager');
    const page = await open('how=cash');
    expect(bodyOf(page)).toEqual([
      'This bill is not waiting for a payment',
      'This bill can no longer be marked as paid.',
    ]);
    expect(fieldsOf(page)).toEqual([]);
  });

  test('suggests the amount still due on a partly paid bill', async () => {
    await mark({ how: 'cash', amount: '30' });
    expect(fieldsOf(await open('how=cash'))).toContain('amount: decimal 47 (required, 16)');
  });

  test('does not offer to accept a smaller amount a second time', async () => {
    await mark({ how: 'cash', amount: '50', enough: 'on' });
    const page = await open('how=cash');
    expect(fieldsOf(page)).toEqual(['how: hidden cash', 'amount: decimal 27 (required, 16)', 'payer: text (100)']);
    expect(bodyOf(page).slice(-3)).toEqual(['Amount', 'GHS', 'Who paid']);
  });
});

describe('a bill’s page', () => {
  test('offers cash and MoMo for an unpaid bill', async () => {
    const page = await open();
    expect(page).toMatch(/<h2>Record a payment yourself<\/h2>.*<h2>Details<\/h2>/s);
    expect(page).toContain(`href="/dashboard/charges/${reference}/mark?how=cash">Paid in cash</a>`);
    expect(page).toContain(`href="/dashboard/charges/${reference}/mark?how=transfer">Paid by MoMo</a>`);
    expect(page).not.toContain('Undo it');
  });

  test('explains the effect of undoing a mark', async () => {
    await mark({ how: 'transfer', amount: '77', ...PAYMENT });
    const page = await open();
    expect(page).not.toContain('Record a payment yourself');
    expect(page).toContain('<h2>Marked as paid by mistake?</h2>');
    expect(page).toContain('Undo it</summary>');
    expect(page).toContain(`action="/dashboard/charges/${reference}/unmark"`);
    expect(page).toContain('The bill waits for its payment again. Your website will be notified.');
    expect(page).toContain('<button class="dangerous button">Undo the mark</button>');
  });
});

test('the bill search for an unread message starts empty', async () => {
  await shop.arrive({ ...mtn(), text: 'Payment received for GHS 77.00 in words that nobody knows' });
  const [unread] = await shop.listed('unread');
  const path = `/dashboard/held/${unread?.id}/mark`;
  const empty = await manager.visit(path);
  const words = wordsOf(empty.text).split('\n');
  expect(words.slice(words.indexOf('Which bill was this payment for?'))).toEqual([
    'Which bill was this payment for?',
    'Customer, amount, order number or reference',
  ]);
  expect(backOf(empty.text)).toBe(`/dashboard/held/${unread?.id}: The message`);
  expect(empty.text).toContain(`<form method="get" action="${path}">`);
  expect(empty.text).toContain('<input id="q" name="q" value="" autocomplete="off" required>');
  const found = await manager.visit(path, { query: { q: reference } });
  expect(found.text).toContain(`href="/dashboard/charges/${reference}/mark?text=${unread?.id}"`);
  expect(found.text).toContain(`<input id="q" name="q" value="${reference}" autocomplete="off" required>`);
  expect(found.text).toContain(`<form method="get" action="${path}">`);
});

test.each([
  ['77', 'The bill is marked as paid. You can undo this within a day.'],
  ['30', 'Counted as a part: GHS\u00a047.00 is still due.'],
])('marking GHS %s as paid shows: %s', async (amount, notice) => {
  expect(noticeIn((await mark({ how: 'cash', amount })).cookies)).toBe(notice);
});

test('undoing a mark shows a notice', async () => {
  await mark({ how: 'cash', amount: '77' });
  const undone = await manager.visit(`/dashboard/charges/${reference}/unmark`, { form: {} });
  expect(noticeIn(undone.cookies)).toBe('The mark is undone.');
});

test('a cash mark that sends a code at once cannot be undone, and its notice does not offer it', async () => {
  const { json } = await shop.call('link/create', { body: { title: 'Wi-Fi', amount: 20, codes: ['CODE-1'] } });
  ({ reference } = await world.openLink(json.data.slug));
  expect(noticeIn((await mark({ how: 'cash', amount: '20' })).cookies)).toBe('The bill is marked as paid.');
  await world.tell(3);
  expect((await manager.visit(`/dashboard/charges/${reference}/unmark`, { form: {} })).status).toBe(409);
});

async function open(query?: string): Promise<string> {
  const asked = query === undefined ? {} : { query: Object.fromEntries(new URLSearchParams(query)) };
  return (await manager.visit(`/dashboard/charges/${reference}${query === undefined ? '' : '/mark'}`, asked)).text;
}

function mark(form: Record<string, string>) {
  return manager.visit(`/dashboard/charges/${reference}/mark`, { form });
}

async function addTelecel(): Promise<string> {
  const number = newNumber();
  await placeNumber(world.outside, number);
  const accounts = [
    { number: shop.number, network: 'MTN' as const, account_name: 'A' },
    { number, network: 'TELECEL' as const, account_name: 'A' },
  ];
  await shop.change({ momo_accounts: accounts });
  // The dashboard caches a shop for a minute.
  world.clock.nowMs += 2 * 60_000;
  return number;
}

/** Returns the address and the name of the page's back link. */
function backOf(page: string): string {
  const [, address, name] = /<p class="up"><a href="([^"]*)">.*<\/span>([^<]*)<\/a>/.exec(page) ?? [];
  return `${address}: ${name}`;
}

/** Returns the page's lines below its title. */
function bodyOf(page: string): string[] {
  const lines = wordsOf(page).split('\n');
  return lines.slice(lines.indexOf('Mark the bill as paid?') + 1);
}

/** Describes the form's fields: name, kind, value, and in parentheses whether it is required and its maximum length. */
function fieldsOf(page: string): string[] {
  const [form = ''] = /<form[^>]*\/mark">.*?<\/form>/s.exec(page) ?? [];
  return [...form.matchAll(/<(input|select)\b([^>]*)>/g)].flatMap(([, tag, attributes = '']) => {
    const of = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1];
    const limits = [/ required/.test(attributes) && 'required', of('maxlength')].filter(Boolean).join(', ');
    const kind = tag === 'select' ? tag : (of('inputmode') ?? of('type'));
    const words = [kind, of('value'), limits && `(${limits})`].filter(Boolean).join(' ');
    return of('name') === 'once' ? [] : [`${of('name')}: ${words}`];
  });
}
