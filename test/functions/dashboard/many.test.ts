import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, test } from 'vitest';
import { shownNumber } from '../../../shared/ghana/shown-number.ts';
import { type Contact, findContact, listContacts, removeContact } from '../../../shared/texts/contact/contact.table.ts';
import { partIds } from '../../../shared/texts/sms/message-id.ts';
import { failMessage } from '../../../shared/texts/sms/text-outcome.ts';
import { expectWords } from '../../support/answers.ts';
import { agree } from '../../support/contacts.ts';
import { hiddenIn, noticeIn } from '../../support/dashboard.ts';
import { type Merchant, type Person, type Scene, scene } from '../../support/scene.ts';

const MANY = '/dashboard/many';
const CONTACTS = `${MANY}/contacts`;
const LIST = `${CONTACTS}/add/list`;
const AMA = '+233241234567';
const AMAS = `${CONTACTS}/233241234567`;
const MESSAGE = 'Hello {name}, it is <ready>';
const CSV =
  'to,name\r\n0551112221,Ama\r\n0551112222,"Kofi, B"\r\n0551112223,Esi\r\n0551112224,Yaw\r\n0551112221,Ama\r\n';

let world: Scene;
let merchant: Merchant;
let owner: Person;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  await world.createSender('+233241234567', 'device-1');
  merchant = await world.createMerchant({ credits: 100 });
  owner = await merchant.signIn('owner');
});

describe('a bulk text', () => {
  test('is previewed with three texts, the cost and the end, without sending', async () => {
    const { status, text } = await send({ csv: CSV, message: MESSAGE });
    expect(status).toBe(200);
    expectWords(text, ['Hello Ama, it is &lt;ready&gt;', 'Hello Kofi, B, it', 'Hello Esi, it']);
    expect(text).not.toContain('Hello Yaw');
    expectWords(text, ['4 of 100 credits', 'Send 4 texts', '1: the same text to the same number', ', about']);
    expect({ sends: await merchant.sends(), balance: await merchant.balance() }).toEqual({ sends: [], balance: 100 });
  });

  test('is sent once as previewed, however often the button is pressed', async () => {
    const files = { file: Buffer.from(CSV) };
    const previewed = await owner.visit(MANY, { form: { message: MESSAGE, purpose: 'reminder' }, files });
    const form = hiddenIn(previewed.text, 'step');
    expect(form).toMatchObject({ csv: CSV, message: MESSAGE, purpose: 'reminder', step: 'send' });
    const [first, second] = [await send(form), await send(form)];
    expect({ status: first.status, location: second.headers.location }).toEqual({
      status: 303,
      location: first.headers.location,
    });
    const [sent, ...others] = await merchant.sends();
    expect({ others, balance: await merchant.balance() }).toEqual({ others: [], balance: 96 });
    expect(sent).toMatchObject({ category: 'reminder', words: [['Ama'], ['Kofi, B'], ['Esi'], ['Yaw']] });
    expect(first.headers.location).toBe(`${MANY}/${sent?.send_id}`);
    expect(await merchant.audit(/^sms bulk$/)).toMatchObject([{ about: sent?.send_id, after: { texts: 4 } }]);
  });

  test.each([
    ['went to another merchant', async (number: string) => (await world.createMerchant()).giveSender(number)],
    ['is off', (number: string) => world.switchSender(number, false)],
  ])('uses another number if the previewed one %s meanwhile', async (_, gone) => {
    await world.createSender('+233201234567', 'device-2');
    world.clock.nowMs += 3_000;
    const form = hiddenIn((await send({ csv: CSV, message: MESSAGE, from: 'random' })).text, 'step');
    const shown = form.begins_from ?? '';
    await gone(shown);
    world.clock.nowMs += 3_000;
    expect((await send(form)).status).toBe(303);
    const [sent] = await merchant.sends();
    expect(['+233241234567', '+233201234567'].filter((one) => one !== shown)).toContain(sent?.from);
  });

  test('uses the previewed number, even with several to choose from', async () => {
    for (const n of [5, 6, 7, 8]) await world.createSender(`+23324123456${n + 1}`, `device-${n}`);
    world.clock.nowMs += 3_000;
    for (let n = 0; n < 4; n++) {
      const csv = `to\n055111222${n}`;
      const { text } = await send({ csv, message: 'Hello' });
      const [, named = ''] = /<dt>From<\/dt>\s*<dd>([^<]+)/.exec(text) ?? [];
      expect((await send(hiddenIn(text, 'step'))).status).toBe(303);
      const sent = (await merchant.sends()).find(({ to }) => JSON.stringify(to).includes(`55111222${n}`));
      expect(shownNumber(String(sent?.from))).toBe(named);
      // The text may move if its phone is lost meanwhile.
      expect(sent).toMatchObject({ any_sender: true });
    }
  });

  test('without enough credits has no button and is refused', async () => {
    const csv = `to\n${Array.from({ length: 101 }, (_, n) => `0551112${String(n).padStart(3, '0')}`).join('\n')}`;
    const { text } = await send({ csv, message: 'Hello' });
    const tooDear = 'You have 100 credits, and this costs 101. Nothing was sent: ask support for more.';
    expectWords(text, [tooDear], ['Send 101 texts']);
    expect({
      status: (await send({ csv, message: 'Hello', step: 'send' })).status,
      sends: await merchant.sends(),
    }).toEqual({ status: 402, sends: [] });
  });

  test.each([
    ['a missing word', { csv: 'to,name\n0551112221,Ama\n0551112222,\n' }, 'line 3: name is missing'],
    ['no table', {}, 'choose a file, or paste a table'],
    ['who has not agreed', { csv: CSV, purpose: 'marketing' }, '+233551112221 has not agreed to offers'],
    ['two tables', { csv: CSV, file: Buffer.from(CSV).toString('base64') }, 'give one of the two'],
  ])('with %s is shown again with its errors', async (_, form, told) => {
    const { status, text } = await send({ message: MESSAGE, ...form });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toContain(told);
    expect(text).toContain('Hello {name}');
  });

  test('to twenty people without consent names the first three and where to record it', async () => {
    const lines = Array.from({ length: 20 }, (_, n) => `05511122${n + 10}`);
    const { text } = await send({ csv: `to\n${lines.join('\n')}`, message: 'Half price', purpose: 'marketing' });
    expect(text.match(/has not agreed to offers/g)).toHaveLength(3);
    const faults = '20 lines cannot be used (line 2: +233551112210 ';
    expectWords(text, [faults, 'and 17 more', 'href="/dashboard/many/contacts/add"']);
  });

  test('needs the permission to send', async () => {
    const viewer = await merchant.signIn('viewer');
    expect((await viewer.visit(MANY, { form: { csv: CSV, message: MESSAGE } })).status).toBe(403);
    const page = await sent();
    const { text } = await viewer.visit(page);
    expect(text).toContain('0 of 60 done');
    expectWords(text, [], ['Cancel 60', 'again']);
    for (const what of ['cancel', 'retry'])
      expect((await viewer.visit(`${page}/${what}`, { form: {} })).status).toBe(403);
  });
});

describe("a bulk text's page", () => {
  test('shows progress, resends failed texts, and cancels the rest', async () => {
    const page = await sent();
    const id = page.slice(MANY.length + 1);
    await fail(id, [0, 1]);
    await fail(partIds(id, 2)[1] ?? '', [9]);
    const { text } = await owner.visit(page);
    expectWords(text, ['3 of 60 done', 'Cancel 57 texts', 'Send 3 texts again', 'Texts 51 to 60']);
    expect((await post(`${page}/retry`)).headers.location).not.toBe(page);
    expect(await merchant.balance()).toBe(100 - 60 + 3 - 3);
    expect((await post(`${page}/retry`)).text).toContain('Nothing was sent');
    expect((await post(`${page}/cancel`)).status).toBe(303);
    expect(await merchant.balance()).toBe(100 - 3);
    const file = await owner.visit(`${page}/results.csv`);
    const rows = parse(file.text, { bom: true, columns: true });
    expect(rows).toHaveLength(60);
    expect(rows[0]).toMatchObject({ status: 'failed' });
    expect(rows[2]).toMatchObject({ status: 'cancelled' });
  });

  test('leaves people out of a resend who have withdrawn consent', async () => {
    await agree(world, merchant.id, ['+233551112221', '+233551112222']);
    const form = { csv: 'to\n0551112221\n0551112222\n', message: 'Half price', purpose: 'marketing', step: 'send' };
    const page = String((await send(form)).headers.location);
    await fail(page.slice(MANY.length + 1), [0, 1]);
    await world.outside.table.write([removeContact(merchant.id, '+233551112222')]);
    const again = await post(`${page}/retry`);
    expect(noticeIn(again.cookies)).toBe('1 text on the way again. 1 left out.');
  });
});

describe('a contact', () => {
  const KOFI = { number: '0551112223', name: 'Kofi' };

  test('is stored with just a number, and with consent if ticked', async () => {
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

  test('keeps its consent when only the name changes', async () => {
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
    expect({ status: answer.status, saysWhy: answer.text.includes(told), stored: await stored() }).toEqual({
      status: 400,
      saysWhy: true,
      stored: [],
    });
  });
});

test('an empty list explains how to add one, and so does the page of customers', async () => {
  expectWords((await see(CONTACTS)).text, ['>Add one</a>'], ['name="number"']);
  expect((await owner.visit('/dashboard/records/customers')).text).toContain(`href="${CONTACTS}/add"`);
});

describe('a table of contacts', () => {
  test.each([
    ['number and name', '0241234567,Ama\n0201112223\n'],
    ['name and number', 'Ama,024 123 4567\n,0201112223'],
  ])('may lack a header line: %s', async (_, csv) => {
    expect((await addMany({ csv })).status).toBe(303);
    expect((await stored()).map(({ number, name }) => [number, name])).toEqual([
      ['+233201112223', undefined],
      [AMA, 'Ama'],
    ]);
  });

  test('fills missing cells with defaults', async () => {
    const csv =
      'Name,Number,Town\r\nAma,024 123 4567,Accra\r\n\r\n"Mensah, Kofi",+233 20 111 2223,Kumasi\r\nAma B,0241234567,\r\n';
    expect((await addMany({ csv, agreed_on: '2026-01-02', agreed_how: 'Form in the shop' })).status).toBe(303);
    expect(await stored()).toMatchObject([
      { number: '+233201112223', name: 'Mensah, Kofi', consent: { how: 'Form in the shop', by: owner.user.user_id } },
      { number: AMA, name: 'Ama B', consent: { at: '2026-01-02T00:00:00.000Z' } },
    ]);
    expect((await see(CONTACTS)).text).toContain('Mensah, Kofi');
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
    expect((await owner.visit(LIST, { form: {}, files })).status).toBe(303);
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
  ])('with %s is refused as a whole, with line numbers', async (_, csv, told) => {
    const answer = await addMany({ csv });
    expect(answer.status).toBe(400);
    for (const one of told) expect(answer.text).toContain(one);
    expect(await stored()).toEqual([]);
  });

  test('is stored once with one audit entry when sent twice', async () => {
    const once = `${merchant.id}.abc`;
    for (let n = 0; n < 2; n++) expect((await addMany({ csv: 'number\n0241234567', once })).status).toBe(303);
    const noted = { by: owner.user.user_id, after: { added: 1, updated: 0 } };
    expect(await merchant.audit(/^contacts store$/)).toMatchObject([noted]);
  });
});

test('finds a contact by a number in any format', async () => {
  await agree(world, merchant.id, [AMA, '+233201112223']);
  const { text } = await owner.visit(CONTACTS, { query: { number: '024-123-4567' } });
  expectWords(text, ['024 123 4567'], ['020 111 2223']);
});

test('withdraws consent and removes contacts for people who may send texts', async () => {
  await agree(world, merchant.id, [AMA]);
  const viewer = await merchant.signIn('viewer');
  expect((await see(AMAS, viewer)).text).not.toContain('Withdraw');
  for (const path of [`${AMAS}/withdraw`, `${AMAS}/remove`, `${CONTACTS}/add`, LIST])
    expect((await viewer.visit(path, { form: {} })).status).toBe(403);
  await post(`${AMAS}/withdraw`);
  expect(await findContact(world.outside, merchant.id, AMA)).not.toHaveProperty('consent');
  const old = { csv: 'number\n0241234567', agreed_on: '2026-01-01', agreed_how: 'An old list' };
  expect(noticeIn((await addMany(old)).cookies)).toContain('1 consent not saved: withdrawn after that day.');
  expect((await see(AMAS)).text).toContain('Withdrew');
  await post(`${AMAS}/remove`);
  expect(await stored()).toEqual([]);
  expect((await merchant.audit(/^contact /)).map(({ about }) => about)).toEqual(['…4567', '…4567']);
});

function see(path: string, by = owner) {
  return by.visit(path);
}

function add(form: Record<string, string>) {
  return post(`${CONTACTS}/add`, form);
}

function addMany(form: Record<string, string>) {
  return post(LIST, form);
}

async function stored(): Promise<Contact[]> {
  return (await listContacts(world.outside, merchant.id, {})).contacts;
}

async function sent(): Promise<string> {
  const csv = `to\n${Array.from({ length: 60 }, (_, n) => `05511120${String(n).padStart(2, '0')}`).join('\n')}`;
  return String((await send({ csv, message: 'Hello', step: 'send' })).headers.location);
}

async function fail(send_id: string, indexes: readonly number[]): Promise<void> {
  for (const index of indexes)
    await failMessage(world.outside, { send_id, merchant_id: merchant.id }, index, { reason: 'Refused' });
}

function send(form: Record<string, string>) {
  return post(MANY, form);
}

function post(path: string, form: Record<string, string> = {}) {
  return owner.visit(path, { form });
}
