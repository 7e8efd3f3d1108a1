import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, test } from 'vitest';
import { shownNumber } from '../../../shared/ghana/shown-number.ts';
import { removeContact } from '../../../shared/texts/contact/contact.table.ts';
import { partIds } from '../../../shared/texts/sms/message-id.ts';
import { failMessage } from '../../../shared/texts/sms/text-outcome.ts';
import { expectWords } from '../../support/answers.ts';
import { agree } from '../../support/contacts.ts';
import { hiddenIn, noticeIn } from '../../support/dashboard.ts';
import { type Merchant, type Person, type Scene, scene } from '../../support/scene.ts';

const MANY = '/dashboard/many';
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

describe('the form to send a bulk text', () => {
  test('previews three texts, the cost and the end time', async () => {
    const { status, text } = await send({ csv: CSV, message: MESSAGE });
    expect(status).toBe(200);
    expectWords(text, ['Hello Ama, it is &lt;ready&gt;', 'Hello Kofi, B, it', 'Hello Esi, it']);
    expect(text).not.toContain('Hello Yaw');
    expectWords(text, ['4 of 100 credits', 'Send 4 texts', '1: the same text to the same number', '<dd>About ']);
    expect({ sends: await merchant.sends(), balance: await merchant.balance() }).toEqual({ sends: [], balance: 100 });
  });

  test('sends each text once if submitted twice', async () => {
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
    ['given to another merchant', async (number: string) => (await world.createMerchant()).giveSender(number)],
    ['turned off', (number: string) => world.switchSender(number, false)],
  ])('uses a different number if the previewed one was %s', async (_, gone) => {
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

  test('keeps the previewed number while others are free', async () => {
    for (const n of [5, 6, 7, 8]) await world.createSender(`+23324123456${n + 1}`, `device-${n}`);
    world.clock.nowMs += 3_000;
    for (let n = 0; n < 4; n++) {
      const csv = `to\n055111222${n}`;
      const { text } = await send({ csv, message: 'Hello' });
      const [, named = ''] = /<dt>From<\/dt>\s*<dd>([^<]+)/.exec(text) ?? [];
      expect((await send(hiddenIn(text, 'step'))).status).toBe(303);
      const sent = (await merchant.sends()).find(({ to }) => JSON.stringify(to).includes(`55111222${n}`));
      expect(shownNumber(String(sent?.from))).toBe(named);
      // The text may move to another phone if its own becomes unavailable.
      expect(sent).toMatchObject({ any_sender: true });
    }
  });

  test('rejects a send without enough credits', async () => {
    const csv = `to\n${Array.from({ length: 101 }, (_, n) => `0551112${String(n).padStart(3, '0')}`).join('\n')}`;
    const { text } = await send({ csv, message: 'Hello' });
    const tooDear = 'This costs 101, but you have 100 credits. Nothing was sent: ask support for more.';
    expectWords(text, [tooDear], ['Send 101 texts']);
    expect({
      status: (await send({ csv, message: 'Hello', step: 'send' })).status,
      sends: await merchant.sends(),
    }).toEqual({ status: 402, sends: [] });
  });

  test.each([
    ['an empty placeholder', { csv: 'to,name\n0551112221,Ama\n0551112222,\n' }, 'line 3: name is missing'],
    ['a missing table', {}, 'choose a file or paste a table'],
    ['a recipient without consent', { csv: CSV, purpose: 'marketing' }, '+233551112221 has not agreed to offers'],
    ['both a file and a pasted table', { csv: CSV, file: Buffer.from(CSV).toString('base64') }, 'use only one of them'],
  ])('shows an error for %s', async (_, form, told) => {
    const { status, text } = await send({ message: MESSAGE, ...form });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toContain(told);
    expect(text).toContain('Hello {name}');
  });

  test('lists the first three recipients without consent', async () => {
    const lines = Array.from({ length: 20 }, (_, n) => `05511122${n + 10}`);
    const { text } = await send({ csv: `to\n${lines.join('\n')}`, message: 'Half price', purpose: 'marketing' });
    expect(text.match(/has not agreed to offers/g)).toHaveLength(3);
    const faults = '20 lines cannot be used (line 2: +233551112210 ';
    expectWords(text, [faults, 'and 17 more', 'href="/dashboard/customers/add"']);
  });

  test('requires the permission to send texts', async () => {
    const viewer = await merchant.signIn('viewer');
    expect((await viewer.visit(MANY, { form: { csv: CSV, message: MESSAGE } })).status).toBe(403);
    const page = await sent();
    const { text } = await viewer.visit(page);
    expect(text).toContain('0 of 60 done');
    expectWords(text, [], ['Cancel 60', 'Resend']);
    for (const what of ['cancel', 'retry'])
      expect((await viewer.visit(`${page}/${what}`, { form: {} })).status).toBe(403);
  });
});

describe('a bulk text’s page', () => {
  test('shows progress and buttons to resend or cancel', async () => {
    const page = await sent();
    const id = page.slice(MANY.length + 1);
    await fail(id, [0, 1]);
    await fail(partIds(id, 2)[1] ?? '', [9]);
    const { text } = await owner.visit(page);
    expectWords(text, ['3 of 60 done', 'Cancel 57 texts', 'Resend 3 texts', 'Texts 51 to 60']);
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

  test('does not resend to recipients who withdrew consent', async () => {
    await agree(world, merchant.id, ['+233551112221', '+233551112222']);
    const form = { csv: 'to\n0551112221\n0551112222\n', message: 'Half price', purpose: 'marketing', step: 'send' };
    const page = String((await send(form)).headers.location);
    await fail(page.slice(MANY.length + 1), [0, 1]);
    await world.outside.table.write([removeContact(merchant.id, '+233551112222')]);
    const again = await post(`${page}/retry`);
    expect(noticeIn(again.cookies)).toBe('1 text is being resent. 1 left out.');
  });
});

describe('a bulk text in the list of texts', () => {
  const listed = async (query: Record<string, string> = {}) => (await owner.visit('/dashboard/texts', { query })).text;

  test('is one row that opens the bulk text’s page', async () => {
    const page = await sent();
    await fail(partIds(page.slice(MANY.length + 1), 2)[1] ?? '', [9]);
    expectWords(
      await listed(),
      [`<a href="${page}"><span class="number">60 numbers</span></a>`, '1 of 60 failed'],
      ['50 numbers', '10 numbers'],
    );
  });

  test('shows a minimum count if some of its parts are not on the page', async () => {
    const page = await sent();
    await fail(
      page.slice(MANY.length + 1),
      Array.from({ length: 50 }, (_, n) => n),
    );
    expectWords(await listed({ status: 'failed' }), [
      `<a href="${page}"><span class="number">Over 50 numbers</span></a>`,
      '50 failed',
    ]);
  });
});

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
