import { beforeEach, describe, expect, test } from 'vitest';
import { type Contact, findContact, listContacts } from '../../../shared/texts/contact/contact.table.ts';
import { expectWords } from '../../support/answers.ts';
import { agree } from '../../support/contacts.ts';
import { noticeIn } from '../../support/dashboard.ts';
import { type Merchant, type Person, type Scene, scene } from '../../support/scene.ts';

const CONTACTS = '/dashboard/many/contacts';
const LIST = `${CONTACTS}/add/list`;
const AMA = '+233241234567';
const AMAS = `${CONTACTS}/233241234567`;

let world: Scene;
let merchant: Merchant;
let owner: Person;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  merchant = await world.createMerchant();
  owner = await merchant.signIn('owner');
});

describe('one contact', () => {
  const KOFI = { number: '0551112223', name: 'Kofi' };

  test('is saved with a number alone, and with that they agreed, when it is ticked', async () => {
    const today = world.iso().slice(0, 10);
    expect((await see(`${CONTACTS}/add`)).text).toContain(`value="${today}"`);
    expect((await add({ number: '020 111 2223' })).status).toBe(303);
    const answer = await add({ ...KOFI, agreed: 'on', day: today, how: 'Form in the shop' });
    expect(noticeIn(answer.cookies)).toBe('1 contact added.');
    const [first, second] = await stored();
    expect(first).not.toHaveProperty('consent');
    const consent = { at: `${today}T00:00:00.000Z`, how: 'Form in the shop', by: owner.user.user_id };
    expect(second).toMatchObject({ number: '+233551112223', name: 'Kofi', consent });
  });

  test('keeps that they agreed where only their name is changed', async () => {
    await agree(world, merchant.id, [AMA]);
    expect(noticeIn((await add({ number: '0241234567', name: 'Ama', day: '2026-01-20' })).cookies)).toBe(
      '1 contact changed.',
    );
    expect(await stored()).toMatchObject([{ name: 'Ama', consent: { how: 'Form in the shop' } }]);
  });

  test.each([
    ['without a number', { name: 'Kofi' }, 'Number is missing'],
    ['with a wrong number', { number: '12' }, 'Number &quot;12&quot; is not'],
    ['agreed, without how', { ...KOFI, agreed: 'on', day: '2026-01-20' }, 'How they agreed is missing'],
    ['agreed, without a day', { ...KOFI, agreed: 'on', how: 'Form' }, 'When they agreed is missing'],
    [
      'agreed, in the future',
      { ...KOFI, agreed: 'on', day: '2099-01-01', how: 'Form' },
      'When they agreed must not be in the future',
    ],
    ['with how, not ticked', { ...KOFI, how: 'Form' }, 'How they agreed is there: tick that they agreed'],
  ])('%s is refused at its field', async (_, form, told) => {
    const answer = await add(form);
    expect([answer.status, answer.text.includes(told), await stored()]).toEqual([400, true, []]);
  });
});

test('while there are none, the list says how to add one, and so do the customers', async () => {
  expectWords((await see(CONTACTS)).text, ['>Add one</a>'], ['name="number"']);
  expect((await owner.visit('/dashboard/records/customers')).text).toContain(`href="${CONTACTS}/add"`);
});

describe('a table of contacts', () => {
  test.each([
    ['number and name', '0241234567,Ama\n0201112223\n'],
    ['name and number', 'Ama,024 123 4567\n,0201112223'],
  ])('is pasted without a line that names its columns: %s', async (_, csv) => {
    expect((await addMany({ csv })).status).toBe(303);
    expect((await stored()).map(({ number, name }) => [number, name])).toEqual([
      ['+233201112223', undefined],
      [AMA, 'Ama'],
    ]);
  });

  test('is pasted, and is stored with what its lines do not say', async () => {
    const csv =
      'Name,Number,Town\r\nAma,024 123 4567,Accra\r\n\r\n"Mensah, Kofi",+233 20 111 2223,Kumasi\r\nAma B,0241234567,\r\n';
    const { status } = await addMany({ csv, agreed_on: '2026-01-02', agreed_how: 'Form in the shop' });
    expect(status).toBe(303);
    expect(await stored()).toMatchObject([
      { number: '+233201112223', name: 'Mensah, Kofi', consent: { how: 'Form in the shop', by: owner.user.user_id } },
      { number: AMA, name: 'Ama B', consent: { at: '2026-01-02T00:00:00.000Z' } },
    ]);
    const { text } = await see(CONTACTS);
    expect(text).toContain('Mensah, Kofi');
    expect((await see(AMAS)).text).toContain(owner.user.name);
  });

  test.each([
    [
      'of Excel in UTF-8, with semicolons',
      Buffer.from('\ufeffnumber;name;agreed_on;agreed_how\r\n0241234567;Ɛsi;3/1/2026;Ticked a box\r\n'),
    ],
    ['of Excel in its own characters', Buffer.from('phone;name\r\n0241234567;Zo\xe9\r\n', 'latin1')],
    ['of Excel with tabs', Buffer.from('\ufeffmobile\tname\r\n0241234567\tAma\r\n', 'utf16le')],
  ])('is uploaded %s', async (_, file) => {
    const files = { file };
    const { status } = await owner.visit(LIST, { form: {}, files });
    expect(status).toBe(303);
    const [contact] = await stored();
    expect(contact?.number).toBe(AMA);
    expect(contact?.name).toMatch(/^(Ɛsi|Zoé|Ama)$/);
    if (contact?.name === 'Ɛsi') expect(contact.consent).toMatchObject({ at: '2026-01-03T00:00:00.000Z' });
  });

  test.each([
    [
      'a wrong number',
      'number\n0241234567\n12\n0201112223\n99',
      ['line 3: &quot;12&quot; is not', 'line 5: &quot;99&quot; is not'],
    ],
    ['no column of numbers', 'name\nAma', ['Pasted list has no column &quot;number&quot;: the first line must']],
    ['a line of another length', 'number,name\n0241234567', ['line 2: has 1 cell,']],
    ['lines without names, and more in one', '0241234567,Ama\n0201112223,Kofi,Kumasi', ['line 2: has 3 cells,']],
    ['a quotation mark that is not closed', 'number,name\n0241234567,"Ama', ['is not closed']],
    ['a column twice', 'number,number\n1,2', ['twice']],
    [
      'when they agreed, and not how',
      'number,agreed_on\n0241234567,2026-01-02',
      ['line 2: how they agreed must not be empty'],
    ],
    [
      'a day that is none',
      'number,agreed_on,agreed_how\n0241234567,2026-02-31,Form',
      ['line 2: when they agreed must be a day'],
    ],
    ['a day in the future', 'number,agreed_on,agreed_how\n0241234567,2099-01-01,Form', ['must not be in the future']],
    ['too many lines', `number\n${'0241234567\n'.repeat(1_001)}`, ['has 1001 contacts, and takes 1000: divide it']],
    ['nothing', 'number\n', ['has no contact']],
  ])('with %s is refused whole, with its lines', async (_, csv, told) => {
    const answer = await addMany({ csv });
    expect(answer.status).toBe(400);
    for (const one of told) expect(answer.text).toContain(one);
    expect(await stored()).toEqual([]);
  });

  test('that is sent twice is stored once, and leaves one entry', async () => {
    const once = `${merchant.id}.abc`;
    for (let n = 0; n < 2; n++) expect((await addMany({ csv: 'number\n0241234567', once })).status).toBe(303);
    const noted = { by: owner.user.user_id, after: { added: 1, updated: 0 } };
    expect(await merchant.audit(/^contacts store$/)).toMatchObject([noted]);
  });
});

test('a contact is found by their number in any form', async () => {
  await agree(world, merchant.id, [AMA, '+233201112223']);
  const { text } = await owner.visit(CONTACTS, { query: { number: '024-123-4567' } });
  expectWords(text, ['024 123 4567'], ['020 111 2223']);
});

test('a consent is withdrawn, and a contact removed, by who may send texts', async () => {
  await agree(world, merchant.id, [AMA]);
  const viewer = await merchant.signIn('viewer');
  expect((await see(AMAS, viewer)).text).not.toContain('Withdraw');
  for (const path of [`${AMAS}/withdraw`, `${AMAS}/remove`, `${CONTACTS}/add`, LIST])
    expect((await viewer.visit(path, { form: {} })).status).toBe(403);
  await send(`${AMAS}/withdraw`);
  expect(await findContact(world.outside, merchant.id, AMA)).not.toHaveProperty('consent');
  const old = { csv: 'number\n0241234567', agreed_on: '2026-01-01', agreed_how: 'An old list' };
  expect(noticeIn((await addMany(old)).cookies)).toContain('1 consent not saved: withdrawn after that day.');
  expect((await see(AMAS)).text).toContain('Withdrew');
  await send(`${AMAS}/remove`);
  expect(await stored()).toEqual([]);
  expect((await merchant.audit(/^contact /)).map(({ about }) => about)).toEqual(['…4567', '…4567']);
});

test('another merchant’s contact is not found', async () => {
  await agree(world, merchant.id, [AMA]);
  const other = await world.signIn('owner', (await world.createMerchant()).id);
  expect((await see(AMAS, other)).status).toBe(404);
  for (const what of ['withdraw', 'remove'])
    expect((await other.visit(`${AMAS}/${what}`, { form: {} })).status).toBe(404);
  expect(await stored()).toHaveLength(1);
});

function see(path: string, by = owner) {
  return by.visit(path);
}

function send(path: string, form: Record<string, string> = {}) {
  return owner.visit(path, { form });
}

function add(form: Record<string, string>) {
  return send(`${CONTACTS}/add`, form);
}

function addMany(form: Record<string, string>) {
  return send(LIST, form);
}

async function stored(): Promise<Contact[]> {
  return (await listContacts(world.outside, merchant.id, {})).contacts;
}
