import { beforeEach, describe, expect, test } from 'vitest';
import { erasureOf } from '../../../infra/admin/personal-data.ts';
import { customersOf } from '../../../shared/pages/dashboard/customers/paying-customers.ts';
import { type Contact, findContact, listContacts } from '../../../shared/texts/contact/contact.table.ts';
import { expectWords } from '../../support/answers.ts';
import { agree, wrote } from '../../support/contacts.ts';
import { noticeIn } from '../../support/dashboard.ts';
import { reversal, telecel } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';

const CUSTOMERS = '/dashboard/customers';
const LIST = `${CUSTOMERS}/add/list`;
const AMA = '+233241234567';
const AMAS = `${CUSTOMERS}/233241234567`;
const KOFI = '+233551112223';

let world: Scene;
let shop: Shop;
let owner: Person;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop({ network: 'TELECEL', number: '+233201234567' });
  owner = await shop.signIn('owner');
});

describe('the list of paying customers', () => {
  test('groups payments by number, e-mail address or name', async () => {
    await paid({ customer_phone: '0241111111', customer_name: 'Esi Owusu' });
    await paid({ customer_phone: '0241111111', customer_name: 'Esi O.', amount: 4 }, { amount: '4.00' });
    await paid({}, { from: 'AMA DANSO', phone: '233207777777' });
    await shop.charge({ amount: 5, customer_name: 'Never Paid' });
    const { text } = await look('paid');
    expect(cellsOf(text)).toEqual([
      ['AMA DANSO', '020 777 7777', 'Not verified', '1', 'GHS 36.00'],
      ['Esi O.', '024 111 1111', 'Not verified', '2', 'GHS 40.00'],
    ]);
    expectWords(text, [], ['Never Paid']);
  });

  test('is paginated', async () => {
    for (let n = 0; n < 101; n++)
      await paid({ amount: 1, customer_phone: `02411${String(n).padStart(5, '0')}` }, { amount: '1.00' });
    const first = await look('paid');
    expect(cellsOf(first.text).length).toBe(100);
    expect(first.text).toContain('From 100 paid bills');
    const [, more = ''] = /rel="next" href="[^"]+cursor=([^"&]+)/.exec(first.text) ?? [];
    const last = [expect.any(String), '024 110 0000', 'Not verified', '1', 'GHS 1.00'];
    expect(cellsOf((await look('paid', owner, { cursor: decodeURIComponent(more) })).text)).toEqual([last]);
  });

  test("excludes other shops' customers and erased customers", async () => {
    const esi = { customer_phone: '0241111111', customer_name: 'Esi Owusu' };
    const reference = await paid(esi, { from: 'ESI OWUSU', phone: '233241111111' });
    const foreign = await world.signIn('owner', (await world.createShop()).id);
    expect((await look('paid', foreign)).text).toContain('No customers yet');
    const [row] = (await world.rows('TRANSACTION')).filter((one) => one.reference === reference);
    const erased = row && (await erasureOf(world.outside, { phone: '+233241111111' }, row));
    if (!erased || !('write' in erased)) throw new Error('Nothing was erased');
    await world.outside.table.write([erased.write]);
    expect((await look('paid')).text).not.toMatch(/Esi Owusu|024 111/i);
  });

  test('excludes reversed payments', async () => {
    const reference = await shop.charge({ amount: 36, customer_phone: '0241111111' });
    for (const amount of ['6.00', '30.00']) await shop.pay(telecel({ reference, amount }));
    const gone = telecel({ reference: await shop.charge({ amount: 9, customer_phone: '0241111111' }), amount: '9.00' });
    await shop.pay(gone);
    await shop.arrive({ sender: 'T-CASH', text: reversal(gone.id).text });
    const found = await world.rows('TRANSACTION');
    const both = await Promise.all(found.map((one) => world.chargeRow(String(one.reference))));
    const ended = both.flatMap((each) => (each?.state === 'success' || each?.state === 'reversed' ? [each] : []));
    const [one, ...others] = customersOf(ended);
    expect(others).toEqual([]);
    expect(one?.pesewas).toBeGreaterThanOrEqual(36_00);
  });
});

describe('the form to add a contact', () => {
  test('requires only a number', async () => {
    const today = world.iso().slice(0, 10);
    expect((await owner.visit(`${CUSTOMERS}/add`)).text).toContain(`value="${today}"`);
    expect((await add({ number: '020 111 2223' })).status).toBe(303);
    const answer = await add({ number: '0551112223', name: 'Kofi', agreed: 'on', day: today, how: 'Form in the shop' });
    expect(noticeIn(answer.cookies)).toBe('1 contact added.');
    const [first, second] = await stored();
    expect(first).not.toHaveProperty('consent');
    const consent = { at: `${today}T00:00:00.000Z`, how: 'Form in the shop', by: owner.user.user_id };
    expect(second).toMatchObject({ number: '+233551112223', name: 'Kofi', consent });
  });

  test('keeps existing consent if only the name changes', async () => {
    await agree(world, shop.id, [AMA]);
    expect(noticeIn((await add({ number: '0241234567', name: 'Ama', day: '2026-01-20' })).cookies)).toBe(
      '1 contact changed.',
    );
    expect(await stored()).toMatchObject([{ name: 'Ama', consent: { how: 'Form in the shop' } }]);
  });

  test.each([
    ['no number', { name: 'Kofi' }, 'Number is missing'],
    ['an invalid number', { number: '12' }, 'Number &quot;12&quot; is not'],
    [
      'consent without a description',
      { number: '0551112223', name: 'Kofi', agreed: 'on', day: '2026-01-20' },
      'How they agreed is missing',
    ],
    [
      'consent without a date',
      { number: '0551112223', name: 'Kofi', agreed: 'on', how: 'Form' },
      'When they agreed is missing',
    ],
    [
      'consent dated in the future',
      { number: '0551112223', name: 'Kofi', agreed: 'on', day: '2099-01-01', how: 'Form' },
      'When they agreed must not be in the future',
    ],
    [
      'a description without consent',
      { number: '0551112223', name: 'Kofi', how: 'Form' },
      'How they agreed can only be filled in if they agreed: tick the box',
    ],
  ])('shows an error at the field for %s', async (_, form, told) => {
    const answer = await add(form);
    expect([answer.status, answer.text.includes(told), await stored()]).toEqual([400, true, []]);
  });
});

test.each(['paid', 'contacts', 'stopped'])('an empty list has a button to add a contact: %s', async (list) => {
  expectWords((await look(list)).text, ['class="empty"', `href="${CUSTOMERS}/add"`], ['name="number"']);
});

describe('the contact import', () => {
  test.each([
    ['number and name', '0241234567,Ama\n0201112223\n'],
    ['name and number', 'Ama,024 123 4567\n,0201112223'],
  ])('accepts a list without a header: %s', async (_, csv) => {
    expect((await addMany({ csv })).status).toBe(303);
    expect((await stored()).map(({ number, name }) => [number, name])).toEqual([
      ['+233201112223', undefined],
      [AMA, 'Ama'],
    ]);
  });

  test('uses defaults for empty cells', async () => {
    const csv =
      'Name,Number,Town\r\nAma,024 123 4567,Accra\r\n\r\n"Mensah, Kofi",+233 20 111 2223,Kumasi\r\nAma B,0241234567,\r\n';
    expect((await addMany({ csv, agreed_on: '2026-01-02', agreed_how: 'Form in the shop' })).status).toBe(303);
    expect(await stored()).toMatchObject([
      { number: '+233201112223', name: 'Mensah, Kofi', consent: { how: 'Form in the shop', by: owner.user.user_id } },
      { number: AMA, name: 'Ama B', consent: { at: '2026-01-02T00:00:00.000Z' } },
    ]);
    expect((await look('contacts')).text).toContain('Mensah, Kofi');
    expect((await owner.visit(AMAS)).text).toContain(owner.user.name);
  });

  test.each([
    [
      'semicolon-separated UTF-8 from Excel',
      Buffer.from('\ufeffnumber;name;agreed_on;agreed_how\r\n0241234567;Ɛsi;3/1/2026;Ticked a box\r\n'),
    ],
    ['Latin-1 from Excel', Buffer.from('phone;name\r\n0241234567;Zo\xe9\r\n', 'latin1')],
    ['tab-separated UTF-16 from Excel', Buffer.from('\ufeffmobile\tname\r\n0241234567\tAma\r\n', 'utf16le')],
  ])('accepts a file of %s', async (_, file) => {
    const files = { file };
    expect((await owner.visit(LIST, { form: {}, files })).status).toBe(303);
    const [contact] = await stored();
    expect(contact?.number).toBe(AMA);
    expect(contact?.name).toMatch(/^(Ɛsi|Zoé|Ama)$/);
    if (contact?.name === 'Ɛsi') expect(contact.consent).toMatchObject({ at: '2026-01-03T00:00:00.000Z' });
  });

  test.each([
    [
      'an invalid number',
      'number\n0241234567\n12\n0201112223\n99',
      ['line 3: &quot;12&quot; is not', 'line 5: &quot;99&quot; is not'],
    ],
    [
      'no number column',
      'name\nAma',
      [
        'Pasted list has no column &quot;number&quot;. The first line must contain the column names.',
        'It contains &quot;name&quot;. Accepted names: number, phone,',
      ],
    ],
    ['a line with too few cells', 'number,name\n0241234567', ['line 2: has 1 cell,']],
    ['an extra cell in a line', '0241234567,Ama\n0201112223,Kofi,Kumasi', ['line 2: has 3 cells,']],
    [
      'an unclosed quotation mark',
      'number,name\n0241234567,"Ama',
      ['because line 2 has a misplaced or unclosed quotation mark'],
    ],
    ['a duplicate column', 'number,number\n1,2', ['twice']],
    [
      'a consent date without a description',
      'number,agreed_on\n0241234567,2026-01-02',
      ['line 2: how they agreed must not be empty'],
    ],
    [
      'an invalid date',
      'number,agreed_on,agreed_how\n0241234567,2026-02-31,Form',
      ['line 2: when they agreed must be a day'],
    ],
    ['a future date', 'number,agreed_on,agreed_how\n0241234567,2099-01-01,Form', ['must not be in the future']],
    ['too many lines', `number\n${'0241234567\n'.repeat(1_001)}`, ['has more than 1000 contacts. Split the file.']],
    ['no contacts', 'number\n', ['has no contact']],
  ])('fails with line numbers for %s', async (_, csv, told) => {
    const answer = await addMany({ csv });
    expect(answer.status).toBe(400);
    for (const one of told) expect(answer.text).toContain(one);
    expect(await stored()).toEqual([]);
  });

  test('runs once if the form is submitted twice', async () => {
    const once = `${shop.id}.abc`;
    for (let n = 0; n < 2; n++) expect((await addMany({ csv: 'number\n0241234567', once })).status).toBe(303);
    const noted = { by: owner.user.user_id, after: { added: 1, updated: 0 } };
    expect(await shop.audit(/^contacts store$/)).toMatchObject([noted]);
  });
});

describe('number search', () => {
  test.each(['paid', 'contacts', 'stopped'])('finds a number in any format in the list “%s”', async (list) => {
    for (const customer_phone of ['0241234567', '0551112223']) await paid({ customer_phone });
    await agree(world, shop.id, [AMA, KOFI]);
    for (const number of [AMA, KOFI]) await wrote(world, 'STOP', shop.id, number);
    await world.followChanges();
    expectWords((await look(list)).text, ['024 123 4567', '055 111 2223']);
    expectWords((await look(list, owner, { number: '024-123-4567' })).text, ['024 123 4567'], ['055 111 2223']);
    const unknown = (await look(list, owner, { number: '0201112229' })).text;
    expectWords(unknown, ['class="empty"', 'name="number"'], ['024 123 4567']);
    expect((await look(list, owner, { number: '12' })).text).toContain('This is not a phone number');
  });

  test('keeps the selected list and the number', async () => {
    await wrote(world, 'STOP', shop.id, AMA);
    const { text } = await look('stopped', owner, { number: '024 123 4567' });
    expect(text).toContain('<input type="hidden" name="list" value="stopped">');
    expect(text).toContain(`href="${CUSTOMERS}?list=paid&amp;number=024+123+4567"`);
  });
});

describe('customer lists', () => {
  test.each([
    ['owner', 'Have paid Contacts Wrote STOP'],
    ['manager', 'Have paid Contacts Wrote STOP'],
    ['viewer', 'Have paid Contacts Wrote STOP'],
    ['cashier', 'Contacts Wrote STOP'],
    ['developer', 'Contacts Wrote STOP'],
  ] as const)('show the %s the tabs %s', async (role, names) => {
    await paid({ customer_phone: '0241111111', customer_name: 'Esi Owusu' });
    const by = await shop.signIn(role);
    for (const list of ['paid', '', 'unknown']) {
      const { text } = await look(list, by);
      const [, tabs = ''] = /aria-label="Which people">(.*?)<\/nav>/s.exec(text) ?? [];
      expect([...tabs.matchAll(/<a [^>]*>([^<]*)/g)].map(([, name]) => name).join(' ')).toBe(names);
      // Customer totals require the permission to see reports.
      expect(text.includes('Esi Owusu')).toBe(names.startsWith('Have paid'));
    }
  });
});

describe('the opt-out list', () => {
  test('includes a person until they reply START', async () => {
    await wrote(world, 'STOP', shop.id, KOFI);
    expect((await look('stopped')).text).toContain('055 111 2223');
    expect((await owner.visit(`${CUSTOMERS}/stopped.csv`)).text).toContain('"055 111 2223","STOP"');
    world.clock.nowMs += 1_000;
    await wrote(world, 'START', shop.id, KOFI);
    expect((await look('stopped')).text).toContain('No one has sent STOP');
    expect((await look('stopped', owner, { number: KOFI })).text).toContain('This number has not sent STOP');
  });
});

test('only roles that may send texts can edit contacts', async () => {
  await agree(world, shop.id, [AMA]);
  const viewer = await shop.signIn('viewer');
  expect((await viewer.visit(AMAS)).text).not.toContain('Withdraw');
  for (const path of [`${AMAS}/withdraw`, `${AMAS}/remove`, `${CUSTOMERS}/add`, LIST])
    expect((await viewer.visit(path, { form: {} })).status).toBe(403);
  await owner.visit(`${AMAS}/withdraw`, { form: {} });
  expect(await findContact(world.outside, shop.id, AMA)).not.toHaveProperty('consent');
  const old = { csv: 'number\n0241234567', agreed_on: '2026-01-01', agreed_how: 'An old list' };
  expect(noticeIn((await addMany(old)).cookies)).toContain(
    '1 consent not saved, because the person withdrew after that day.',
  );
  expect((await owner.visit(AMAS)).text).toContain('Withdrew');
  await owner.visit(`${AMAS}/remove`, { form: {} });
  expect(await stored()).toEqual([]);
  expect((await shop.audit(/^contact /)).map(({ about }) => about)).toEqual(['…4567', '…4567']);
});

async function look(list: string, by = owner, more: Record<string, string> = {}) {
  return by.visit(CUSTOMERS, { query: { list, ...more } });
}

async function paid(said: object = {}, receipt: Parameters<typeof telecel>[0] = {}) {
  world.clock.nowMs += 1000;
  const reference = await shop.charge({ amount: 36, ...said });
  await shop.pay(telecel({ reference, ...receipt }));
  return reference;
}

function add(form: Record<string, string>) {
  return owner.visit(`${CUSTOMERS}/add`, { form });
}

function addMany(form: Record<string, string>) {
  return owner.visit(LIST, { form });
}

async function stored(): Promise<Contact[]> {
  return (await listContacts(world.outside, shop.id, {})).contacts;
}

/** Column that depends on the date. */
const LAST_PAID = 3;

/** Returns each row's customer, contact, state, charges and total. */
function cellsOf(text: string): string[][] {
  const [, body = ''] = /<tbody[^>]*>([\s\S]*?)<\/tbody>/.exec(text) ?? [];
  return [...body.matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/g)].map(([, row = '']) => {
    const cells = [...row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = '']) =>
      cell.replace(/<[^>]*>/g, '').trim(),
    );
    return cells.filter((_, n) => n !== LAST_PAID);
  });
}
