import { beforeEach, describe, expect, test } from 'vitest';
import { merchantRows } from '../../../shared/merchants/merchant/merchant.table.ts';
import { testAccountIdOf } from '../../../shared/merchants/merchant/test-account.ts';
import { book } from '../../../shared/money/booking/booking.table.ts';
import { setHeldBack } from '../../../shared/phones/sender/sender.table.ts';
import { isoOf } from '../../../shared/runtime/outside/outside.ts';
import { addDays, DAY_MS, dayOf, dayStartMs, inWords } from '../../../shared/runtime/values/calendar.ts';
import { getContacts, noteOptOut } from '../../../shared/texts/contact/contact.table.ts';
import { storeContact } from '../../../shared/texts/contact/store-contacts.ts';
import { changeOptOut } from '../../../shared/texts/conversation/opt-out.table.ts';
import { storeAnswer } from '../../../shared/texts/inbox/receive-answer.ts';
import { moveMessage } from '../../../shared/texts/sms/message.table.ts';
import { failMessage } from '../../../shared/texts/sms/text-outcome.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { versionIn } from '../../support/dashboard.ts';
import { cellsIn, foldsIn, pillsIn, plotColumn, sumOf, valuesOf } from '../../support/page-words.ts';
import { sendsOf } from '../../support/rows.ts';
import { type Merchant, type Person, type Scene, scene } from '../../support/scene.ts';

const TEXTS = '/dashboard/texts';
const SENDER = '+233241234567';
const XSS = '"><script>alert(1)</script>';
let world: Scene;
let merchant: Merchant;
let owner: Person;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  merchant = await world.createMerchant({ credits: 100 });
  await world.createSender(SENDER);
  owner = await merchant.signIn('owner');
});

const open = (path: string, by = owner, query = {}) => by.visit(`${TEXTS}${path}`, { query });
const sendForm = (form: Record<string, string>, by = owner) => by.visit(`${TEXTS}/send`, { form });
const sent = async () => (await merchant.sends()).length;

/** Sends a text with the API and returns its id. */
async function newSend(to: string | string[] = '0551112223', message = 'Hello', key = merchant.smsKey) {
  return (await world.call('sms/send', { key, body: { to, message } })).json.data.id;
}

describe('the form to send a text', () => {
  test('debits one credit per number', async () => {
    const to = 'Kofi 055 111 2223, 0201112223\n+233551112223';
    const { status, headers } = await sendForm({ to, message: 'One line\r\nanother' });
    expect(status).toBe(303);
    expect(await merchant.balance()).toBe(98);
    const [row] = await merchant.sends();
    expect(row).toMatchObject({ to: ['+233551112223', '+233201112223'], message: 'One line\nanother', from: SENDER });
    expect(headers.location).toBe(`${TEXTS}/${row?.send_id}`);
    expect((await open(`/${row?.send_id}`)).text).toContain('055 111 2223');
  });

  test('requires consent for an offer', async () => {
    const [ama, kofi, yaw] = ['+233551110001', '+233551110002', '+233551110003'] as const;
    const at = '2026-01-05T00:00:00.000Z';
    const earlier = { merchant_id: merchant.id, number: ama };
    const consent = { at, how: 'Form', by: 'x', stored_at: at };
    await world.outside.table.write(storeContact(world.outside, earlier, { consent }));
    const offer = { to: `${ama}, ${kofi}`, message: 'Sale', purpose: 'marketing' };
    const other = await sendForm({ to: yaw, message: 'Ready', agreed_how: 'Told us' });
    expect({ status: other.status, size: (await getContacts(world.outside, merchant.id, [yaw])).size }).toEqual({
      status: 303,
      size: 0,
    });
    expectAnswer(await sendForm(offer), 409, 'name="agreed_how"');
    expect((await open('/send')).text).not.toContain('agreed_how');
    expect({ balance: await merchant.balance(), sent: await sent() }).toEqual({ balance: 99, sent: 1 });
    expect((await sendForm({ ...offer, agreed_how: 'Told us in the shop' })).status).toBe(303);
    expect({ balance: await merchant.balance(), sent: await sent() }).toEqual({ balance: 97, sent: 2 });
    const stored = await getContacts(world.outside, merchant.id, [ama, kofi]);
    expect([...stored.values()].map(({ consent }) => consent?.how).toSorted()).toEqual(['Form', 'Told us in the shop']);
    const noted = { by: owner.user.user_id, after: { added: 1, updated: 0 } };
    expect(await merchant.audit(/^contacts store$/)).toMatchObject([noted]);
    const said = { merchant_id: merchant.id, number: yaw, opted_out: true, at: isoOf(world.clock.nowMs), word: 'STOP' };
    const optOut = changeOptOut(undefined, said, () => new Error('busy'));
    await world.outside.table.write([optOut, noteOptOut(merchant.id, yaw, true)]);
    const again = await sendForm({ ...offer, to: yaw, agreed_how: 'Told us' });
    expect({ status: again.status, sent: await sent(), balance: await merchant.balance() }).toEqual({
      status: 409,
      sent: 2,
      balance: 97,
    });
  });

  test('sends each text once if submitted twice', async () => {
    const form = { to: '0551112223', message: 'Hello', once: 'real.one-page' };
    const [first, second] = [await sendForm(form), await sendForm(form)];
    expect(second.headers.location).toBe(first.headers.location);
    expect({ sent: await sent(), balance: await merchant.balance() }).toEqual({ sent: 1, balance: 99 });
  });

  test('shows the credits that are left before anything is typed', async () => {
    const { text } = await open('/send');
    expectWords(text, [
      '>You have 100 credits.</p>',
      'More than 50? <a class="number" href="/dashboard/many">Send to many</a>',
    ]);
  });

  test('previews the cost', async () => {
    const answer = await sendForm({ to: '0551112223 0201112223', message: '🎉'.repeat(40), check: 'on' });
    const costs = '2 numbers · 40 characters, 2 SMS in special characters · costs 2 of 100 credits.';
    expectAnswer(answer, 200, costs, '055 111 2223\n020 111 2223</textarea>');
    expect(await sent()).toBe(0);
  });

  test.each<[Record<string, string>, RegExp]>([
    [{ to: '0551112223, 020111', message: 'Hello' }, /id="to-error">To &quot;020111&quot; is not a Ghanaian number/],
    [{ to: '0551112223' }, /id="message-error">Text is missing</],
    [{ message: 'Hello' }, /id="to-error">To is missing</],
    [{ to: '0551112223', message: 'x'.repeat(1_001) }, /Text must be at most 1000 characters long/],
    [{ to: '0551112223', message: 'Hello', from: '0209999999' }, /id="from-error">From \+233209999999 is not a sender/],
  ])('shows an error at the field for %j', async (form, said) => {
    const { status, text } = await sendForm(form);
    expect({ status, text }).toEqual({ status: 400, text: expect.stringMatching(said) });
    if (form.to) expect(text).toContain(`>${form.to}</textarea>`);
    expect(await sent()).toBe(0);
  });

  test('offers each sender once, starting with the default', async () => {
    const place = { gateway: 'phone', device_id: 'device-2', sim_number: 1, messages_per_hour: 100 };
    await world.addSender({ number: '+233201112223', network: 'TELECEL', ...place });
    await merchant.change({ default_from: SENDER });
    world.clock.nowMs += 3_000;
    const [, from = ''] = /<select name="from"[^>]*>(.*?)<\/select>/s.exec((await open('/send')).text) ?? [];
    const options = [...from.matchAll(/<option value="([^"]*)"[^>]*>([^<]*)</g)].map(([, ...option]) => option);
    expect(options).toEqual([
      ['', '024 123 4567 (MTN), usual'],
      ['+233201112223', '020 111 2223 (Telecel)'],
    ]);
  });

  test('shows why the sender is unavailable', async () => {
    await setHeldBack(world.outside, SENDER, { held_back: 'phone_not_seen' });
    world.clock.nowMs += 3_000;
    const { text } = await sendForm({ to: '0551112223', message: 'Hello', from: SENDER });
    expect(text).toContain('cannot send now. The phone with this number is off');
    expect((await open('/senders')).text).toContain('The phone with this number is off');
    await merchant.change({ default_from: SENDER });
    world.clock.nowMs += 3_000;
    expect((await sendForm({ to: '0551112223', message: 'Hello' })).text).toContain('cannot send now');
    expect(await sent()).toBe(0);
  });

  test('shows the remaining credits if there are too few', async () => {
    const poor = await world.createMerchant({ credits: 1 });
    const by = await poor.signIn('owner');
    const answer = await sendForm({ to: '0551112223 0201112223', message: 'Hello' }, by);
    expectAnswer(answer, 402, 'This costs 2 credits, but only 1 is left.');
  });
});

describe('the list of sent texts', () => {
  test('shows the newest first and can be filtered by status', async () => {
    await newSend('0551112223', 'The first');
    world.clock.nowMs += 1_000;
    const failed = await newSend(['0551112223', '0201112223'], 'The second');
    await world.writeMessageState(failed, 'delivered', 0);
    const all = (await open('')).text;
    expect(all.indexOf('The second')).toBeLessThan(all.indexOf('The first'));
    expect(all).toContain('>2 numbers</span></a>');
    // The list shows one badge per send. A send's own page counts all states.
    expectWords(all, ['1 of 2 delivered<svg'], ['waiting<']);
    expectWords((await open('', owner, { status: 'delivered' })).text, ['The second'], ['The first']);
    expect((await open('', owner, { status: '' })).text).toContain('The first');
  });

  test('can be filtered by whether they were delivered', async () => {
    await newSend();
    const found = async (status: string) => (await open('', owner, { status })).text.includes('055 111 2223');
    expect(await Promise.all(['undelivered', 'delivered', 'failed', 'scheduled'].map(found))).toEqual([
      ...[true, false, false, false],
    ]);
  });

  test('names the shop’s own contact “You”', async () => {
    await newSend();
    expect((await open('')).text).toContain('055 111 2223');
    await merchant.change({ contact: '+233551112223' });
    // Functions cache the shop for a minute.
    world.clock.nowMs += 60_000;
    expectWords((await open('')).text, ['>You<'], ['055 111 2223']);
  });

  test('costs one read per poll', async () => {
    await newSend();
    // Start on a full minute, so that no cache expires while reads are counted.
    world.clock.nowMs += 120_000 - (world.clock.nowMs % 60_000);
    const headers = { 'if-none-match': `"${versionIn((await open('')).text)}"` };
    const again = () => owner.visit(TEXTS, { headers });
    world.requests.length = 0;
    expect((await again()).status).toBe(304);
    expect(world.requests.toSorted()).toEqual(['BatchGetItem', 'Query']);
    await newSend();
    expect((await again()).status).toBe(200);
  });

  test('shows today’s texts by hour and the report’s totals', async () => {
    const today = addDays(dayOf(world.clock.nowMs), 1);
    const sendAt = async (time: string, to: string[]) => {
      world.clock.nowMs = Date.parse(`${time}Z`);
      const id = await newSend(to);
      await world.followChanges();
      return id;
    };
    await sendAt(`${addDays(today, -1)}T23:59:59.999`, ['0551112221', '0551112222', '0551112223']);
    await sendAt(`${today}T00:00:00.000`, ['0551112221', '0551112222']);
    const failed = await sendAt(`${today}T17:59:59.999`, ['0551112221']);
    world.clock.nowMs = Date.parse(`${today}T18:00:00.000Z`);
    await world.writeMessageState(failed, 'failed', 0);
    await world.followChanges();
    owner = await merchant.signIn('owner');
    const { text } = await open('');
    const [sent, failing] = ['Texts today', 'Failed today'].map((title) => plotColumn(text, title, 'Texts'));
    expect(sent).toEqual(Object.assign(Array(24).fill(0), { 0: 2, 17: 1 }));
    expect(failing).toEqual(Object.assign(Array(24).fill(0), { 18: 1 }));
    expect(text).toMatch(/<summary>Today: 3[\s\S]*<table class="cards/);
    expect(foldsIn(text)[0]).toEqual({ summary: 'Today: 3 texts, 1 failed', isOpen: false });
    const report = await owner.visit('/dashboard/today/reports', { query: { from: today, to: today } });
    expect(valuesOf(report.text, 'Sent')).toEqual([String(sumOf(sent ?? []))]);
    expect(valuesOf(report.text, 'Failed')).toEqual([String(sumOf(failing ?? []))]);
    world.clock.nowMs = dayStartMs(today) + DAY_MS;
    owner = await merchant.signIn('owner');
    expect((await open('')).text).not.toContain('Texts today');
  });

  test('shows a lower bound if there are too many texts to count', async () => {
    const booked = { merchant_id: merchant.id, at: world.iso(), totals: { texts_accepted: 1 }, disputed: [] };
    const many = Array.from({ length: 1_000 }, (_, n) => book({ ...booked, sequence: String(n) }));
    for (let n = 0; n < many.length; n += 100) await world.outside.table.write(many.slice(n, n + 100));
    expectWords((await open('')).text, [
      'at least 1000 texts',
      'There are too many texts today for this page to add up.',
    ]);
  });

  test('shows advice if it is empty', async () => {
    expect((await open('')).text).toMatch(/href="\/dashboard\/texts\/send">Send a text.*No texts yet/s);
    expect((await open('', owner, { status: 'failed' })).text).toContain('No texts in this state');
  });

  test('is paginated', async () => {
    for (let n = 0; n < 26; n++) {
      world.clock.nowMs += 1_000;
      await newSend('0551112223', `Number ${n}.`);
    }
    const first = (await open('')).text;
    const cursor = /cursor=([\w%-]+)/.exec(first)?.[1] ?? '';
    expectWords(first, ['Number 25.'], ['Number 0.']);
    expect((await open('', owner, { cursor })).text).toContain('Number 0.');
  });

  test('escapes the content of texts', async () => {
    const id = await newSend('0551112223', XSS);
    for (const path of ['', `/${id}`])
      expectWords((await open(path)).text, ['&lt;script&gt;alert(1)'], ['<script>alert']);
  });
});

describe("a text's page", () => {
  test('is green only if the network confirmed the delivery', async () => {
    const id = await newSend(['0551112221', '0551112222']);
    for (const [index, to] of (['sent', 'delivered'] as const).entries())
      await world.outside.table.write([
        moveMessage(world.outside, { send_id: id, merchant_id: merchant.id }, index, { to }),
      ]);
    const tonesAt = async (path: string) => {
      const { text } = await open(path);
      const steps = text.matchAll(/<li class="(\w+)"><time[^>]*>[^<]*<\/time><div><b>([^<]*)/g);
      const pills = pillsIn(text).map(({ tone, label }) => [tone, label]);
      return [...pills, ...Array.from(steps, ([, tone, step]) => [tone, step])];
    };
    expect(await tonesAt(`/${id}/1`)).toEqual([
      ['plain', 'Sent'],
      ['plain', 'Accepted'],
      ['plain', 'Sent by the phone'],
    ]);
    expect(await tonesAt(`/${id}/2`)).toEqual([
      ['good', 'Delivered'],
      ['plain', 'Accepted'],
      ['good', 'Delivered'],
    ]);
    expect(await tonesAt(`/${id}`)).toContainEqual(['plain', '1 sent']);
    await world.writeMessageState(id, 'sent', 1);
    expect(await tonesAt('')).toContainEqual(['plain', 'Sent']);
  });

  test('shows the reason of a failure, then a timeline per recipient', async () => {
    const one = await newSend();
    const send = { send_id: one, merchant_id: merchant.id };
    await failMessage(world.outside, send, 0, { reason: 'RESULT_ERROR_NO_SERVICE' });
    const timeline = /The phone had no signal \(RESULT_ERROR_NO_SERVICE\)\..*Accepted.*Failed.*Credit returned/s;
    expect((await open(`/${one}`)).text).toMatch(timeline);
    const two = await newSend(['0551112223', '0201112223']);
    expect((await open(`/${two}`)).text).toContain(`href="${TEXTS}/${two}/2"`);
    expect((await open(`/${two}/2`)).text).toMatch(/Text to 020\u00a0111\u00a02223.*Accepted/s);
    expect((await open(`/${two}/3`)).status).toBe(404);
  });

  test('shows the size and the cost together: one credit for each number', async () => {
    const long = 'A long text. '.repeat(30);
    const [one, two] = [await newSend('0551112223', long), await newSend(['0551112223', '0201112223'], long)];
    const costs = async (path: string) => {
      const { text } = await open(path);
      return [...valuesOf(text, 'Size'), ...valuesOf(text, 'Cost')];
    };
    const size = '3 SMS, in standard characters';
    expect(await costs(`/${one}`)).toEqual([size, '1 credit, whatever the size']);
    expect(await costs(`/${two}`)).toEqual([size, '2 credits, one for each number, whatever the size']);
    expect(await costs(`/${two}/2`)).toEqual([size, '1 credit, whatever the size']);
  });

  test('says which credits were returned, and offers to send a failed text again', async () => {
    const id = await newSend(['0551112223', '0201112223'], 'Your order is ready');
    const again = async (path: string, by = owner) =>
      /href="([^"]*again=[^"]*)"/.exec((await open(path, by)).text)?.[1];
    expect(await again(`/${id}`)).toBeUndefined();
    await failMessage(world.outside, { send_id: id, merchant_id: merchant.id }, 1, { reason: 'RESULT_NETWORK_REJECT' });
    expect(valuesOf((await open(`/${id}`)).text, 'Cost')).toEqual(['2 credits, 1 returned']);
    expect(valuesOf((await open(`/${id}/2`)).text, 'Cost')).toEqual(['1 credit, returned']);
    expect(await again(`/${id}/1`)).toBeUndefined();
    expect(await again(`/${id}/2`, await merchant.signIn('viewer'))).toBeUndefined();
    for (const path of [`/${id}`, `/${id}/2`]) {
      const form = (await again(path))?.replaceAll('&amp;', '&') ?? '';
      const { text } = await owner.visit(form);
      expect(text).toMatch(/<textarea name="to"[^>]*>020 111 2223<\/textarea>/);
      expect(text).toMatch(/<textarea name="message"[^>]*>Your order is ready<\/textarea>/);
    }
    const other = await world.signIn('owner', (await world.createMerchant()).id);
    expect((await other.visit((await again(`/${id}`)) ?? '')).text).not.toContain('Your order is ready');
  });

  test('explains the state of a single text below its badge', async () => {
    const id = await newSend();
    expect((await open(`/${id}`)).text).toMatch(
      /<div data-part>.*Waiting.*<\/p><p>It is waiting for its turn\. [^<]*<\/p><\/div>.*<h2>Not sent yet<\/h2>/s,
    );
  });

  test('lists one line per number, failed ones first, and explains each state once', async () => {
    const id = await newSend(Array.from({ length: 6 }, (_, n) => `055111222${n}`));
    const send = { send_id: id, merchant_id: merchant.id };
    const [day, month] = inWords(world.iso()).day.split(' ');
    world.clock.nowMs = Date.parse(`${addDays(dayOf(world.clock.nowMs), 1)}T09:30:00Z`);
    owner = await merchant.signIn('owner');
    for (const [index, to] of (['delivered', 'sent'] as const).entries())
      await world.outside.table.write([moveMessage(world.outside, send, index, { to })]);
    for (const index of [3, 4]) await failMessage(world.outside, send, index, { reason: 'RESULT_ERROR_NO_SERVICE' });
    await failMessage(world.outside, send, 5, { reason: 'RESULT_NETWORK_REJECT' });
    const { text } = await open(`/${id}`);
    expect(cellsIn(text, 'Each number')).toEqual([
      ['055 111 2223', 'Failed 09:30'],
      ['055 111 2224', 'Failed 09:30'],
      ['055 111 2225', 'Failed 09:30'],
      ['055 111 2222', `Waiting ${day} ${month}`],
      ['055 111 2221', 'Sent 09:30'],
      ['055 111 2220', 'Delivered 09:30'],
    ]);
    expect(
      pillsIn(text)
        .slice(0, 4)
        .map(({ label }) => label),
    ).toEqual(['3 failed', '1 waiting', '1 sent', '1 delivered']);
    expectWords(text, [
      '<b>Failed</b>: 2 texts: The phone had no signal (RESULT_ERROR_NO_SERVICE). 1 text: The network refused it (RESULT_NETWORK_REJECT). Credits of failed texts are returned.',
    ]);
    for (const explained of ['is waiting for its turn', 'never confirm delivery', 'network confirmed'])
      expect(text.split(explained)).toHaveLength(2);
  });

  test.each(['', '/1'])('returns 404 for a test text in live mode: %j', async (more) => {
    const id = await newSend('0551112223', 'canary-words', merchant.smsTestKey);
    const { status, text } = await open(`/${id}${more}`);
    expect({ status, showsWords: text.includes('canary-words') }).toEqual({ status: 404, showsWords: false });
  });
});

test('the form shows a warning to a shop without credits', async () => {
  const poor = await world.createMerchant({ credits: 0 });
  world.outside.operator = 'Ama, 024 123 4567';
  const { text } = await world.visit('/dashboard/texts/send', { by: await poor.signIn('owner') });
  expect(text).toContain('You have no credits: ask support (Ama, 024 123 4567) for some.');
});

describe('the credits page', () => {
  test('shows the balance and its history', async () => {
    world.clock.nowMs += 1_000;
    await newSend(['0551112223', '0201112223']);
    expect((await open('/credits')).text).toMatch(/<b>98<\/b>.*2 texts sent.*−2.*Added by support.*\+100/s);
  });

  test('shows a warning if the balance is low', async () => {
    const poor = await world.createMerchant({ credits: 3 });
    const { text } = await open('/credits', await poor.signIn('owner'));
    expect(text).toContain('Fewer than 50: ask support for more');
  });

  test('shows no warning if the shop never had credits', async () => {
    const { text } = await open('/credits', await world.signIn('owner', (await world.createMerchant()).id));
    expect(text).toContain('No credits yet');
    expect(text).not.toMatch(/Fewer than 50|tile look/);
  });
});

test('sending a text is audited without numbers or content', async () => {
  const form = { to: '0551112223, 0201112223', message: 'Hello Kofi', once: 'one-page' };
  for (let n = 0; n < 2; n++) await sendForm(form);
  const [row] = await merchant.sends();
  await owner.visit('/dashboard/sign-in/test-mode', { form: { mode: 'test' } });
  await sendForm({ to: '0551112223', message: 'Hello' });
  const [test] = await sendsOf(world, { ...merchant, id: testAccountIdOf(merchant.id) });
  const own = (await merchant.audit()).filter(({ by }) => by === owner.user.user_id);
  expect(own.map(({ action, about, after }) => ({ action, about, after }))).toEqual([
    { action: 'sms send', about: row?.send_id, after: { texts: 2 } },
    { action: 'sms send', about: test?.send_id, after: { texts: 1, test: true } },
  ]);
  expect(JSON.stringify(own)).not.toMatch(/kofi|1112223/i);
});

test('test mode sends no texts and spends no credits', async () => {
  await owner.visit('/dashboard/sign-in/test-mode', { form: { mode: 'test' } });
  expect((await open('')).text).toContain('TEST MODE');
  const { headers } = await sendForm({ to: '0551112223', message: 'A test', once: 'test.one' });
  expect({ sent: await sent(), balance: await merchant.balance() }).toEqual({ sent: 0, balance: 100 });
  expect(await sendsOf(world, { ...merchant, id: testAccountIdOf(merchant.id) })).toHaveLength(1);
  expect((await open(headers.location?.slice(TEXTS.length) ?? '')).text).toContain('A test costs nothing');
  expect((await open('/credits')).text).toContain('Tests cost nothing');
});

test('text pages take a fixed number of reads', async () => {
  const id = await newSend(['0551112223', '0201112223']);
  const readsOf = (path: string) => owner.reads(`${TEXTS}${path}`);
  // Every page reads the session, the merchant, pending payments and tills.
  const reads = (batches: number, items: number, queries: number) => [
    ...Array(batches).fill('BatchGetItem'),
    ...Array(items).fill('GetItem'),
    ...Array(queries).fill('Query'),
  ];
  expect(await readsOf('')).toEqual(reads(3, 1, 5));
  expect(await readsOf('/send')).toEqual(reads(1, 2, 3));
  expect(await readsOf('/credits')).toEqual(reads(2, 4, 4));
  expect(await readsOf('/senders')).toEqual(reads(1, 1, 3));
  expect(await readsOf(`/${id}`)).toEqual(reads(1, 1, 3));
});

describe('replies', () => {
  const KOFI = '+233551112223';
  const THREAD = `/inbox/${KOFI.slice(1)}`;
  beforeEach(async () => {
    await merchant.change({ answers: true });
  });

  const reply = (message: string, by = owner, once?: string) =>
    by.visit(`${TEXTS}${THREAD}/reply`, { form: { message, ...(once && { once }) } });

  describe('the inbox', () => {
    test('groups replies by person and warns about forged senders', async () => {
      await writes('Is it still there?');
      await writes(`And ${XSS}?`);
      const { text } = await open('/inbox');
      expectWords(text, [`href="${TEXTS}${THREAD}"`, 'can be forged', '1 more']);
      expect(text).not.toContain(XSS);
      const thread = (await open(THREAD)).text;
      expectWords(thread, ['Is it still there?', 'can be forged']);
      expect(thread).not.toContain(XSS);
    });

    test('links to the setting if replies are turned off', async () => {
      await merchant.change({ answers: false });
      world.clock.nowMs += 3_000;
      expect((await open('/inbox')).text).toContain('/dashboard/settings/answers');
    });

    test('excludes replies to other merchants', async () => {
      await writes('Is it still there?');
      const other = await world.signIn('owner', (await world.createMerchant()).id);
      expect((await open('/inbox', other)).text).not.toContain('Is it still there?');
      for (const id of ['233550000000', 'nobody']) expect((await open(`/inbox/${id}`)).status).toBe(404);
    });
  });

  describe('answering a reply', () => {
    test('uses the number that the customer texted', async () => {
      await world.createSender('+233201234567', 'device-2');
      await writes('Is it still there?');
      for (let taps = 0; taps < 2; taps++)
        expect((await reply('Yes, until six', owner, 'real.one-page')).headers.location).toBe(`${TEXTS}${THREAD}`);
      expect(await merchant.sends()).toMatchObject([{ from: SENDER, to: [KOFI], message: 'Yes, until six' }]);
      expect(await merchant.balance()).toBe(99);
      expect((await open(THREAD)).text).toContain('Yes, until six');
      expect((await world.scan()).filter(({ sk }) => String(sk).startsWith('REPLY#'))).toHaveLength(1);
    });

    test('requires the permission to send texts', async () => {
      await writes('Is it still there?');
      const viewer = await merchant.signIn('viewer');
      expect((await open(THREAD, viewer)).text).not.toContain('<textarea');
      expect((await reply('Yes', viewer)).status).toBe(403);
    });
  });

  describe('customers who opted out', () => {
    test('are marked in the conversation', async () => {
      await writes('Stop');
      expect((await open(THREAD)).text).toContain('They get no marketing');
      world.clock.nowMs += 1_000;
      await writes('Start');
      expect((await open(THREAD)).text).not.toContain('They get no marketing');
    });

    test('cannot receive marketing texts', async () => {
      await writes('Stop');
      const form = { to: '0551112223', message: 'Half price', purpose: 'marketing' };
      expect((await owner.visit(`${TEXTS}/send`, { form })).text).toContain('wrote STOP');
      expect(await merchant.sends()).toEqual([]);
      expect((await owner.visit(`${TEXTS}/send`, { form: { ...form, purpose: '' } })).status).toBe(303);
    });
  });

  describe('the settings for replies', () => {
    const set = (form: Record<string, string>) => owner.visit('/dashboard/settings/answers', { form });

    test('accept custom stop words', async () => {
      await set({ answers: 'on', stop_words: 'gyae, no more' });
      const stored = { answers: true, stop_words: ['GYAE', 'NO MORE'] };
      expect(await merchantRows.find(world.outside, { merchant_id: merchant.id })).toMatchObject(stored);
      await set({});
      const after = await merchantRows.find(world.outside, { merchant_id: merchant.id });
      expect({ answers: after?.answers, stop_words: after?.stop_words }).toEqual({
        answers: undefined,
        stop_words: undefined,
      });
    });

    test.each(['START', 'x'.repeat(21), '12', 'a,b,c,d,e,f,g,h,i,j,k'])(
      'reject the stop words “%s”',
      async (stop_words) => {
        const { text } = await set({ stop_words });
        expect(text).toContain('aria-invalid');
        expect(text).toMatch(
          /must be at most 10 words|must be words of at most 20 letters, but |must not contain START, which/,
        );
      },
    );
  });

  /** Stores a reply to the shop's own number. */
  async function writes(words: string): Promise<void> {
    world.clock.nowMs += 1_000;
    await storeAnswer(world.outside, {
      to: SENDER,
      line: SENDER,
      owner: merchant.id,
      number: KOFI,
      words,
      receivedMs: world.clock.nowMs,
      eventId: words,
    });
  }
});
