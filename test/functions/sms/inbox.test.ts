import { beforeEach, describe, expect, test } from 'vitest';
import { testAccountIdOf } from '../../../shared/merchants/merchant/test-account.ts';
import { MAX_TEST_OBJECTS_PER_DAY } from '../../../shared/merchants/merchant/test-limit.table.ts';
import { listSenders, putSender } from '../../../shared/phones/sender/sender.table.ts';
import { changeItem } from '../../../shared/runtime/table/table.ts';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import { sha256 } from '../../../shared/runtime/values/sha256.ts';
import { noteWritten } from '../../../shared/texts/conversation/conversation.table.ts';
import { keywordOf, keywords } from '../../../shared/texts/conversation/keywords.ts';
import { noteSentCode } from '../../../shared/texts/conversation/sent-code.table.ts';
import { confirmation } from '../../../shared/texts/inbox/confirm-keyword.ts';
import { receiveAnswer } from '../../../shared/texts/inbox/receive-answer.ts';
import { checkEach } from '../../support/check-each.ts';
import { agree } from '../../support/contacts.ts';
import { loseAnswers } from '../../support/disturb.ts';
import { expectBadFields, expectFailure } from '../../support/envelope.ts';
import { type Arrival, mtn, receivedEvent, signedCallback } from '../../support/receipts.ts';
import type { Merchant, Scene } from '../../support/scene.ts';
import { answering, KOFI, LINE, ON_OTHER, OTHER_LINE, open } from './answering.ts';

let world: Scene;
let ama: Merchant;
let esi: Merchant;
const { answers, answersEach, followUp, handOver, inbox, operatorWrote, posts, sends, wrote } = answering(() => world);
beforeEach(async () => {
  ({ world, ama, esi } = await open());
  await ama.giveSender(LINE);
  world.clock.nowMs += 3_600_000;
  await ama.setWebhook();
  await agree(world, testAccountIdOf(ama.id), [KOFI]);
  for (const { id } of [ama, esi]) await agree(world, id, ['+233551112224', '+233551112225']);
});

describe('a reply from a customer', () => {
  test('is stored for the merchant that last texted the customer', async () => {
    const [id] = await wrote(ama);
    await answers('Is it still there?', { receivedAt: world.iso(-5_000) });
    expect(await inbox(ama)).toEqual([
      {
        id: expect.stringMatching(/^ans_[0-9a-f]{32}$/),
        livemode: true,
        from: KOFI,
        to: LINE,
        message: 'Is it still there?',
        withheld: null,
        keyword: null,
        in_reply_to: id,
        received_at: world.iso(-5_000),
        created_at: world.iso(),
      },
    ]);
    expect(await inbox(esi)).toEqual([]);
  });

  test('is stored for the owner of the number that received it', async () => {
    expectBadFields(await sends(esi), 'from');
    await answers('I saw your sign');
    expect(await inbox(ama)).toMatchObject([{ message: 'I saw your sign', in_reply_to: null }]);
    expect(await inbox(esi)).toEqual([]);
  });

  test('is judged only by its first 10,000 characters', async () => {
    await answers(`${'a '.repeat(4_900)}never share it`);
    await answers(`${'b '.repeat(5_000)}never share it`);
    expect((await inbox(ama)).map(({ message }) => message.slice(0, 3)).toSorted()).toEqual(['', 'b b']);
  });

  test('is not stored if sent to a shared number', async () => {
    await wrote(ama, { from: OTHER_LINE });
    await answers('Hello?', ON_OTHER);
    expect({ ama: await said(ama), esi: await said(esi) }).toEqual({ ama: [], esi: [] });
  });

  test('is linked to the merchant’s last text within thirty days', async () => {
    const [id] = await wrote(ama);
    world.clock.nowMs += 30 * DAY_MS - 60_000;
    await answers('In time');
    world.clock.nowMs += 120_000;
    await answers('Too late');
    expect((await inbox(ama)).map((one) => one.in_reply_to)).toEqual([null, id]);
  });

  test('is linked to its text if the phone’s clock is four minutes behind', async () => {
    const [id] = await wrote(ama);
    world.clock.nowMs += 60_000;
    await answers('Is it still there?', { receivedAt: world.iso(-240_000) });
    expect(await inbox(ama)).toMatchObject([{ message: 'Is it still there?', in_reply_to: id }]);
  });

  test.each([
    ['the time of receipt', -5_000, -5_000],
    ['the time of arrival if the phone’s clock is ahead', 240_000, 0],
    ['the time of arrival if the phone sends no time', undefined, 0],
  ])('is stored with %s', async (_, toldMs, receivedMs) => {
    const { nowMs } = world.clock;
    await answers('Hello?', { receivedAt: toldMs === undefined ? null : new Date(nowMs + toldMs).toISOString() });
    expect(await inbox(ama)).toMatchObject([{ received_at: new Date(nowMs + receivedMs).toISOString() }]);
  });

  test('is stored once if the phone posts its inbox again with other ids and times', async () => {
    await wrote(ama);
    const words = ['Please keep 2 for me', 'Size 40'];
    const stamps = [0, 20_000].map((ms) => world.iso(ms));
    world.clock.nowMs += 600_000;
    for (const [n, text] of words.entries()) await answers(text, { eventId: `first-${n}`, receivedAt: stamps[n] });
    const phones = [0, 1_000].map((ms) => world.iso(ms));
    world.clock.nowMs += 3_600_000;
    for (const [n, text] of words.entries()) await answers(text, { eventId: `again-${n}`, receivedAt: phones[n] });
    expect((await said(ama)).toSorted()).toEqual(words);
  });

  test('is stored if a different text had the same event id', async () => {
    for (const text of ['The blue one', 'The red one', 'The blue one']) {
      world.clock.nowMs += 1_000;
      await answers(text, { eventId: 'event-1' });
    }
    expect(await said(ama)).toEqual(['The red one', 'The blue one']);
  });

  test('stays withheld if resent after the code has expired', async () => {
    await noteSentCode(world.outside, KOFI, world.iso(60_000));
    await answers('Mine is 482913', { eventId: 'event-1' });
    world.clock.nowMs += 3_600_000;
    await answers('Mine is 482913', { eventId: 'event-1', receivedAt: world.iso(-3_600_000) });
    expect(await said(ama)).toEqual(['']);
  });

  test('is truncated to ten SMS without splitting a character', async () => {
    await answers(`${'a'.repeat(1_528)}\ud83d 😀😀`);
    expect(await said(ama)).toEqual([`${'a'.repeat(1_528)}\ufffd `]);
    world.clock.nowMs += 1_000;
    await answers(`${'b'.repeat(1_529)}😀😀`);
    expect((await said(ama))[0]).toBe(`${'b'.repeat(1_529)}😀`);
  });

  test('returns a 503 if its writes keep conflicting', async () => {
    let texts = 0;
    world.dynamoDb = async ({ command }, send) => {
      const text = { merchant_id: ama.id, message_id: `text-${++texts}`, isPromotion: true };
      if (command === 'TransactWriteItems') {
        world.clock.nowMs += 1;
        await noteWritten(world.outside, { line: LINE, number: KOFI, ...text });
      }
      await send();
    };
    const event = receivedEvent(world, { sender: KOFI, text: 'Hello?', recipient: LINE });
    const answer = await world.call('callback/smsgate', signedCallback(world, event));
    expectFailure(answer, 503, 'busy');
    expect({ retryAfter: answer.headers['retry-after'], message: answer.json.message }).toEqual({
      retryAfter: '1',
      message: expect.stringContaining('same time'),
    });
  });

  test('is not stored if the owner has turned replies off', async () => {
    await ama.change({ answers: false });
    world.clock.nowMs += 3_000;
    await wrote(ama);
    await answers('For Ama alone');
    expect(JSON.stringify(await world.scan())).not.toContain('For Ama alone');
  });

  test('is not stored if it has no words', async () => {
    await answers(' \n');
    expect(world.noted.map(({ fields }) => fields?.code)).toContain('empty');
    expect(await said(ama)).toEqual([]);
  });

  test('is never shown to a later owner of the number', async () => {
    await wrote(ama);
    const early = world.iso(60_000);
    world.clock.nowMs += 3_600_000;
    await esi.giveSender(LINE);
    world.clock.nowMs += 3_000;
    await answers('To Ama, as it looks to who writes');
    await wrote(esi);
    await answers('To Ama, from a phone that was offline', { receivedAt: early });
    expect({ ama: await said(ama), esi: await said(esi) }).toEqual({ ama: [], esi: [] });
    world.clock.nowMs += 1_000;
    await answers('To Esi');
    expect(await said(esi)).toEqual(['To Esi']);
  });

  test('is logged with the reason if not stored', async () => {
    // The number is in another phone, so this is not a text to a merchant.
    await answers('Hello?', { recipient: OTHER_LINE });
    for (const text of ['Hello?', 'STOP']) await answers(text, ON_OTHER);
    for (const eventId of ['event-1', 'event-2']) await answers('STOP', { eventId });
    for (let n = 0; n < 21; n++) await answers(`Text number ${n} of many`);
    world.clock.nowMs += 2 * DAY_MS;
    await handOver(await operatorWrote());
    await answers('Hello?');
    world.clock.nowMs += DAY_MS;
    await wrote(ama);
    await esi.giveSender(LINE);
    world.clock.nowMs += 3_000;
    await answers('Hello?');
    await esi.change({ answers: false });
    world.clock.nowMs += 3_000;
    await answers('Hello?', { sender: '+233551112224' });
    const unkept = world.noted.filter(({ event }) => event === 'text_not_kept').map(({ fields }) => fields);
    expect(unkept.map((fields) => fields?.code)).toEqual([
      ...['shared_number', 'shared_number', 'no_change', 'too_many'],
      ...['answers_operator', 'answers_another_merchant', 'answers_off'],
    ]);
    expect(unkept[0]).toEqual({ gateway: 'phone', device: 'device-2', code: 'shared_number' });
  });

  test.each([
    ['The gate code is 4471', 'looks_private'],
    ['Use 482910 to log in', 'looks_private'],
    ['My token: K7QF2M9X', 'looks_private'],
    ['Please approve, secret 4 8 2 9', 'looks_private'],
    ['It says 48 29 10', 'may_hold_code'],
  ])('is withheld if it may contain a code: %s', async (text, withheld) => {
    await wrote(ama);
    if (withheld === 'may_hold_code') await noteSentCode(world.outside, KOFI, world.iso(60_000));
    for (const eventId of ['event-1', 'event-2']) await answers(text, { eventId });
    expect(await inbox(ama)).toMatchObject([{ message: '', withheld, from: KOFI }]);
    const owner = await ama.signIn('owner');
    const { text: page } = await world.visit(`/dashboard/texts/inbox/${KOFI.slice(1)}`, { by: owner });
    expect(page).toContain('This text is hidden.');
    const stored = JSON.stringify(await world.scan());
    // Two digits could appear in a hash by chance.
    for (const word of text.match(/[A-Z\d]*\d{4,}[A-Z\d]*/g) ?? []) expect(stored).not.toContain(`${word}"`);
    expect(stored.replaceAll(' ', '')).not.toContain('482910');
    expect(stored).not.toContain(text);
    const [row] = await world.rows('ANSWER');
    const guess = (words: string) => JSON.stringify([ama.id, LINE, KOFI, words, row?.received_at]);
    expect(row?.answer_id).not.toBe(`ans_${sha256(guess(text)).slice(0, 32)}`);
  });

  test.each(['Ghana Post code GA-183-8164', 'GA-183-8164', 'Pin location: near Total', 'My PIN is wrong, help'])(
    'is shown if it contains no code: %s',
    async (text) => {
      await wrote(ama);
      await noteSentCode(world.outside, KOFI, world.iso(60_000));
      await answers(text);
      expect(await inbox(ama)).toMatchObject([{ message: text, withheld: null }]);
    },
  );

  test('is stored without NUL characters', async () => {
    await wrote(ama);
    await answers('Is it\u0000 there?');
    expect(await said(ama)).toEqual(['Is it there?']);
  });

  test('triggers one sms.received event', async () => {
    await wrote(ama);
    await answers('Hello?');
    const [row] = await world.rows('ANSWER');
    for (let times = 0; times < 2; times++) await world.relayChanges({ after: row });
    const events = (await world.scan()).filter(({ type }) => type === 'sms.received');
    const [data] = await inbox(ama);
    expect(events.map(({ body }) => JSON.parse(String(body)))).toEqual([
      { type: 'sms.received', timestamp: world.iso(), livemode: true, data },
    ]);
  });

  test('is listed newest first, in pages', async () => {
    await wrote(ama);
    await answersEach(['one', 'two', 'three'], 1_000);
    const first = await ama.call('sms/inbox', { query: { per_page: '2' } });
    expect(first.json.data.answers.map(({ message }: { message: string }) => message)).toEqual(['three', 'two']);
    const rest = await ama.call('sms/inbox', { query: { cursor: first.json.meta.next } });
    expect(rest.json.data.answers.map(({ message }: { message: string }) => message)).toEqual(['one']);
    const from = world.iso(-1_000);
    expect((await ama.call('sms/inbox', { query: { from } })).json.data.answers).toHaveLength(2);
    const strange = await esi.call('sms/inbox', { query: { cursor: first.json.meta.next } });
    expect(JSON.stringify(strange.json)).not.toContain('one');
  });

  test('expires after the retention period', async () => {
    await wrote(ama);
    await answers('Hello?');
    const [row] = await world.rows('ANSWER');
    const days = world.outside.retentionDays;
    expect(row?.expires_at_epoch_seconds).toBe(Math.floor((world.clock.nowMs + days * DAY_MS) / 1000));
  });
});

describe('a reply that a phone resends', () => {
  test.each<[string, (first: Partial<Arrival>) => Partial<Arrival>]>([
    ['it is resent', (first) => first],
    ['it is resent without a time', ({ eventId = '' }) => ({ eventId, receivedAt: null })],
    ['it has a different id', ({ receivedAt = null }) => ({ receivedAt })],
    ['it has a different id and a different time in the same minute', () => ({ receivedAt: null })],
    ['it differs in case, spaces or character width', () => ({ receivedAt: null, text: ' is  IT\nthere？' })],
    [
      'a second app on the phone forwards it',
      ({ receivedAt = null }) => ({ receivedAt, simNumber: 1, recipient: null }),
    ],
  ])('is stored once if %s', async (_, again) => {
    await wrote(ama);
    const first = { eventId: 'event-1', receivedAt: world.iso(-20_000) };
    await answers('Is it there?', first);
    await answers('Is it there?', again(first));
    expect(await said(ama)).toEqual(['Is it there?']);
  });

  test('is stored once if it arrives several times simultaneously', async () => {
    await wrote(ama);
    await Promise.all([answers('Hello?'), answers('Hello?'), answers('hello? ')]);
    expect(await said(ama)).toHaveLength(1);
  });

  test('is stored again if the customer repeats it minutes later', async () => {
    await wrote(ama);
    await answers('Yes');
    world.clock.nowMs += 180_000;
    await answers('Yes');
    expect(await said(ama)).toEqual(['Yes', 'Yes']);
    expect(new Set((await inbox(ama)).map(({ id }) => id)).size).toBe(2);
  });

  test.each<[string, aheadMs: number, delayMs: number]>([
    ['forwarded at once', 0, 0],
    ['forwarded by a phone ten seconds behind', -10_000, 0],
    ['forwarded a minute later', 0, 60_000],
  ])('is stored twice if the customer asked something else in between (%s)', async (_, aheadMs, delayMs) => {
    const postedLater: [string, Partial<Arrival>][] = [];
    for (const n of [1, 2]) {
      await wrote(ama, { message: `Question ${n}: 1 = yes, 2 = no` });
      world.clock.nowMs += 8_000;
      const came: Partial<Arrival> = { eventId: `event-${n}`, receivedAt: world.iso(aheadMs) };
      if (delayMs > 0) postedLater.push(['1', came]);
      else await answers('1', came);
      world.clock.nowMs += 20_000;
    }
    world.clock.nowMs += delayMs;
    for (const [words, came] of postedLater) await answers(words, came);
    expect(await said(ama)).toEqual(['1', '1']);
  });

  test('is stored once if two apps forward it', async () => {
    await wrote(ama);
    world.clock.nowMs += 8_000;
    const receivedAt = world.iso();
    await answers('1', { receivedAt });
    world.clock.nowMs += 5_000;
    await wrote(ama);
    world.clock.nowMs += 5_000;
    await answers('1', { receivedAt: world.iso(-9_000) });
    await answers('1', { receivedAt });
    expect(await said(ama)).toEqual(['1']);
  });

  test('is reported as new only once', async () => {
    const posted = receivedEvent(world, { sender: KOFI, text: 'Hello?', recipient: LINE });
    const take = () => receiveAnswer(world.outside, 'phone', { ...posted, event: 'sms:received' });
    expect([await take(), await take()]).toEqual([true, false]);
  });

  test('is stored once if the first response is lost', async () => {
    await wrote(ama);
    loseAnswers(world, 'TransactWriteItems', 1);
    await answers('Hello?', { eventId: 'event-1' });
    await answers('Hello?', { eventId: 'event-1' });
    expect(await said(ama)).toEqual(['Hello?']);
  });
});

describe('an inbox', () => {
  test('does not store the content of a text from a network or bank', () =>
    checkEach(
      [
        ['a wallet’s receipt', mtn().text, KOFI],
        ['a forwarded receipt', `Pls see: ${mtn().text}`, KOFI],
        [
          'a forwarded receipt about money sent',
          'Payment made for GHS 50.00 to AMA STORES. Current Balance: GHS 3.20',
          KOFI,
        ],
        ['a code', 'Your verification code is 482910', KOFI],
        ['only a code', '482910', KOFI],
        ['a code in groups of digits', '48-29-10', KOFI],
        ['a code with a NUL character', '482\u0000910', KOFI],
        ['a code of letters and digits', 'K7QF2M9X', KOFI],
        ['a code with a prefix', 'G-482910 is your Google code', KOFI],
        ['a bank’s text', 'Acct XX4471 debited with GHS 20.00. Avail Bal: GHS 91.11', KOFI],
        ['a code without the word code', 'Use 482910 to log in to WhatsApp', KOFI],
        ['a code with invisible characters', 'Your co\u00adde is 482910', KOFI],
        ['a wallet’s text about money sent', 'Confirmed. GHS 50.00 sent to AMA STORES', KOFI],
        ['another wallet’s text about money sent', 'You sent GHS50.00 to Ama Stores. Fee GHS 0.50', KOFI],
        [
          'a wallet’s text about airtime',
          '60000000002 confirmed from 555. You have received airtime of GHS5.00.',
          KOFI,
        ],
        ['a bank’s text about a transfer', 'Transfer of GHS 50.00 to AMA STORES was successful', KOFI],
        ['a bank’s text about a card', 'Your card ending 4471 was charged GHS 30', KOFI],
        ['a text that states a balance', 'Balance GHS 20.10', KOFI],
        ['a bank’s warning', 'Never share your PIN with anybody', KOFI],
        ['a text from an alphanumeric sender', 'Hello?', 'SHOPRITE'],
        ['a text from a short code', 'Hello?', '1400'],
        ['a text from a landline', 'Hello?', '+233302123456'],
        ['a text from a foreign number', 'Hello?', '+447700900123'],
        ['a text from a number in one of our phones', 'Hello?', OTHER_LINE],
      ],
      async ([_, message, sender]) => {
        await answers(message, { sender });
        // Only the fact that somebody wrote is shown.
        for (const answer of await inbox(ama)) expect(answer).toMatchObject({ message: '', withheld: 'looks_private' });
        const stored = (await world.scan()).filter(({ sk }) => sk !== 'PHONE_EVENT' && sk !== 'SEND');
        expect(JSON.stringify(stored)).not.toContain(message.slice(0, 30));
      },
    ));

  test('hides replies to the operator’s texts for a day', async () => {
    await wrote(ama);
    world.clock.nowMs += 1_000;
    await handOver(await operatorWrote());
    await answers('What is this?');
    expect(await said(ama)).toEqual([]);
    const then = world.iso(1_000);
    world.clock.nowMs += DAY_MS + 60_000;
    await answers('And what came then, from a phone that was off', { receivedAt: then });
    expect(await said(ama)).toEqual([]);
    await answers('Hello?');
    expect(await said(ama)).toEqual(['Hello?']);
  });

  test('hides texts sent before replies were turned on', async () => {
    await ama.change({ answers: false });
    await wrote(ama);
    world.clock.nowMs += 3_000;
    await answers('Hello?');
    expect(JSON.stringify(await world.scan())).not.toContain('Hello?');
  });
});

test('storing a wallet’s text takes one table request', async () => {
  await answers('warm up', { sender: 'SHOPRITE' });
  world.requests.length = 0;
  await answers(mtn().text, { sender: 'MobileMoney' });
  expect(world.requests).toEqual(['PutItem']);
});

describe('the daily limit on texts', () => {
  test('is twenty per person', async () => {
    await wrote(ama, { to: ['0551112223', '0551112224'] });
    for (let n = 0; n < 25; n++) await answers(`Text number ${n} of many`);
    expect(await said(ama)).toHaveLength(20);
    const rows = (await world.scan()).filter(({ sk }) => sk !== 'PHONE_EVENT').length;
    await answers('And one more');
    expect((await world.scan()).filter(({ sk }) => sk !== 'PHONE_EVENT')).toHaveLength(rows);
    world.clock.nowMs += 1_000;
    await answers('Me too', { sender: '+233551112224' });
    expect((await said(ama))[0]).toBe('Me too');
    world.clock.nowMs += DAY_MS;
    await answers('A new day');
    expect((await said(ama))[0]).toBe('A new day');
    expect(await ama.balance()).toBe(98);
  });

  test('is 200 for all strangers together', async () => {
    await wrote(ama);
    for (let n = 0; n < 205; n++) await answers('Buy now', { sender: `+23324${String(n).padStart(7, '0')}` });
    expect(world.noted.filter(({ fields }) => fields?.code === 'too_many')).toHaveLength(5);
    world.clock.nowMs += 1_000;
    await answers('Hello?');
    expect(await world.rows('ANSWER')).toHaveLength(201);
    expect((await said(ama))[0]).toBe('Hello?');
  });

  test('does not block STOP', async () => {
    await wrote(ama, { purpose: 'marketing' });
    world.clock.nowMs += 31 * DAY_MS;
    for (let n = 0; n < 205; n++) await answers('STOP', { sender: `+23324${String(n).padStart(7, '0')}` });
    await answers('STOP');
    expectFailure(await sends(ama, { purpose: 'marketing' }), 409, 'recipient_opted_out');
    expect(await world.rows('ANSWER')).toHaveLength(200);
    // START and keywords without effect are dropped like other texts.
    world.noted.length = 0;
    await answers('STOP', { receivedAt: world.iso(-600_000) });
    world.clock.nowMs += 1_000;
    await answers('START');
    expect(world.noted.map(({ fields }) => fields?.code)).toEqual(['too_many', 'too_many']);
    expectFailure(await sends(ama, { purpose: 'marketing' }), 409, 'recipient_opted_out');
  });

  test('counts keywords separately', async () => {
    await wrote(ama, { purpose: 'marketing' });
    const keywords = Array.from({ length: 50 }, (_, n) => ['STOP', 'START', 'HELP'][n % 3] ?? '');
    const texts = Array.from({ length: 21 }, (_, n) => `Text number ${n} of many`);
    await answersEach([...texts.slice(0, 19), ...keywords, ...texts.slice(19)], 200_000);
    const shown = (await said(ama)).toReversed();
    expect(shown.filter((text) => text.startsWith('Text'))).toEqual(texts.slice(0, 20));
    expect(shown.filter((text) => !text.startsWith('Text'))).toEqual(keywords.slice(0, 20));
    await answers('STOP');
    expectFailure(await sends(ama, { purpose: 'marketing' }), 409, 'recipient_opted_out');
  });

  test('allows no writes after twenty ineffective STOPs', async () => {
    await wrote(ama, { purpose: 'marketing' });
    await answersEach(Array(21).fill('STOP'), 200_000);
    world.clock.nowMs += 200_000;
    world.requests.length = 0;
    await posts('STOP');
    expect(world.requests).not.toContain('TransactWriteItems');
  });

  test('allows one paid confirmation per keyword', async () => {
    await wrote(ama, { purpose: 'marketing' });
    const before = await ama.balance();
    for (let n = 0; n < 4; n++) await answersEach(['STOP', 'START', 'HELP'], 200_000);
    expect(await ama.balance()).toBe(before - 3);
  });
});

describe('STOP from a customer', () => {
  test('blocks only marketing and reminders', async () => {
    await wrote(ama, { purpose: 'marketing' });
    await answers('Stop.');
    const before = await ama.balance();
    for (const purpose of ['marketing', 'reminder']) {
      const refused = await sends(ama, { to: ['0551112224', '0551112223'], purpose });
      expectFailure(refused, 409, 'recipient_opted_out');
      expect(refused.json.errors).toEqual([{ field: 'to[1]', message: `${KOFI} has opted out` }]);
    }
    expect(await ama.balance()).toBe(before);
    for (const more of [{}, { purpose: 'transactional' }]) expect((await sends(ama, more)).status).toBe(200);
    expect((await ama.call('verify/start', { body: { to: KOFI } })).status).toBe(200);
    // Other merchants are not affected.
    expect((await sends(esi, { purpose: 'marketing', from: OTHER_LINE })).status).toBe(200);
  });

  test('is reported in the error for each affected recipient', async () => {
    const [kofi, yaw] = ['0551112223', '0551112224'];
    await wrote(ama, { to: [kofi, yaw], purpose: 'marketing' });
    for (const sender of [KOFI, '+233551112224']) await answers('STOP', { sender });
    const refused = await sends(ama, { to: [kofi, '0551112225', yaw], purpose: 'marketing' });
    expect(refused.json.errors.map(({ field }: { field: string }) => field)).toEqual(['to[0]', 'to[2]']);
  });

  test('is confirmed with one text for one credit', async () => {
    await wrote(ama, { purpose: 'marketing' });
    world.clock.nowMs += 1_000;
    await answers('STOP');
    expect((await ama.sends()).at(-1)).toMatchObject({
      from: LINE,
      to: [KOFI],
      message: 'Ama Stores: You will get no more offers or reminders. Reply START to get them again.',
    });
    expect(await ama.balance()).toBe(98);
    world.clock.nowMs += 1_000;
    await answers('start');
    expect((await sends(ama, { purpose: 'marketing' })).status).toBe(200);
    expect((await inbox(ama)).map(({ keyword }) => keyword)).toEqual(['start', 'stop']);
  });

  test('takes effect without credits', async () => {
    const poor = await world.createMerchant();
    await agree(world, poor.id, [KOFI]);
    await poor.topUp(1);
    await wrote(poor, { purpose: 'marketing', from: OTHER_LINE });
    await answers('STOP', ON_OTHER);
    expect(await poor.sends()).toHaveLength(1);
    await poor.topUp(5);
    expectFailure(await sends(poor, { purpose: 'marketing', from: OTHER_LINE }), 409, 'recipient_opted_out');
  });

  test('takes effect while replies are turned off', async () => {
    await ama.change({ answers: false, stop_words: ['GYAE'] });
    world.clock.nowMs += 3_000;
    await wrote(ama, { purpose: 'reminder' });
    await answers('gyae!');
    expectFailure(await sends(ama, { purpose: 'reminder' }), 409, 'recipient_opted_out');
    expect(await inbox(ama)).toEqual([]);
  });

  test('cancels and refunds unsent marketing', async () => {
    await wrote(ama, { purpose: 'marketing' });
    const { json } = await sends(ama, { purpose: 'marketing' });
    await answers('STOP');
    const before = await ama.balance();
    world.fetched.length = 0;
    await handOver(json.data.id);
    expect(world.fetched).toEqual([]);
    expect(await world.messageRow(json.data.id)).toMatchObject({
      state: 'failed',
      failure_reason: 'The recipient has opted out',
    });
    expect(await ama.balance()).toBe(before + 1);
  });

  test('makes a simultaneous send fail without a debit', async () => {
    await wrote(ama, { purpose: 'marketing' });
    world.rightBefore('TransactWriteItems', () => answers('STOP'));
    expectFailure(await sends(ama, { purpose: 'marketing' }), 409, 'recipient_opted_out');
    expect(await ama.sends()).toHaveLength(2);
  });

  test('overrides a START that is older but forwarded later', async () => {
    await wrote(ama, { purpose: 'marketing' });
    const [early, late] = [-60_000, -30_000].map((ms) => world.iso(ms));
    await answers('STOP', { receivedAt: late ?? null });
    await answers('START', { receivedAt: early ?? null });
    expectFailure(await sends(ama, { purpose: 'marketing' }), 409, 'recipient_opted_out');
  });

  test('takes effect after a START even within two minutes of the previous STOP', async () => {
    await wrote(ama, { purpose: 'marketing' });
    await answersEach(['STOP', 'START', 'STOP'], 20_000);
    expectFailure(await sends(ama, { purpose: 'marketing' }), 409, 'recipient_opted_out');
    expect((await inbox(ama)).map(({ keyword }) => keyword)).toEqual(['stop', 'start', 'stop']);
  });

  test.each([
    ['neither id nor time', () => undefined],
    ['the same id and no time', () => 'event-1'],
    ['different ids and no time', (n: number) => `event-${n}`],
  ])('takes effect after a START if the app sends %s', async (_, idOf) => {
    await wrote(ama, { purpose: 'marketing' });
    for (const [n, text] of ['STOP', 'START', 'STOP'].entries()) {
      const { id: _id, ...event } = receivedEvent(world, { sender: KOFI, text, recipient: LINE, receivedAt: null });
      const id = idOf(n);
      const posted = signedCallback(world, { ...event, ...(id && { id }) });
      expect((await world.call('callback/smsgate', posted)).status).toBe(200);
      world.clock.nowMs += 20_000;
    }
    expectFailure(await sends(ama, { purpose: 'marketing' }), 409, 'recipient_opted_out');
  });

  test('has no effect if resent after a later START', async () => {
    await wrote(ama, { purpose: 'marketing' });
    const stop = { receivedAt: world.iso(-60_000), eventId: 'event-1' };
    await answers('STOP', stop);
    await answers('START', { receivedAt: world.iso(-30_000), eventId: 'event-2' });
    await answers('STOP', stop);
    expect((await sends(ama, { purpose: 'marketing' })).status).toBe(200);
  });

  test('takes effect for a suspended merchant', async () => {
    await wrote(ama, { purpose: 'marketing' });
    await ama.suspend();
    world.clock.nowMs += 3_000;
    await answers('STOP');
    expect(await ama.sends()).toHaveLength(1);
    expect((await world.scan()).filter(({ pk }) => pk === `OPT_OUT#${ama.id}`)).toHaveLength(1);
  });
});

describe('the confirmation of a keyword', () => {
  const confirmed = async () => (await ama.sends()).filter(({ message }) => String(message).includes('no more offers'));
  beforeEach(() => wrote(ama, { purpose: 'marketing' }));

  test.each([
    [3_599_999, 1],
    [3_600_000, 0],
  ])('expires after an hour: after %i ms, %i confirmations are sent', async (laterMs, texts) => {
    const useless_at = world.iso(3_600_000);
    await posts('STOP');
    world.clock.nowMs += laterMs;
    await followUp();
    expect(await confirmed()).toMatchObject(Array.from({ length: texts }, () => ({ useless_at, to: [KOFI] })));
  });

  test('is not sent to an erased person', async () => {
    await posts('STOP');
    const [after] = await world.rows('HEARD');
    await world.relayChanges({ after });
    await world.outside.table.write([{ delete: { Key: { pk: after?.pk, sk: after?.sk } } }]);
    await followUp();
    expect(await confirmed()).toEqual([]);
  });

  test.each<[string, string, () => Promise<unknown>]>([
    ['credits', 'insufficient_credits', () => ama.topUp(-99)],
    ['a number that can send', 'no_sender_available', () => world.switchSender(LINE, false)],
    ['its original number', 'invalid_request', () => esi.giveSender(LINE)],
    ['space in its number’s queue', 'queue_full', () => fill(LINE)],
  ])('is not sent without %s', async (_, code, ends) => {
    await posts('STOP');
    await ends();
    world.clock.nowMs += 3_000;
    await followUp();
    expect(await confirmed()).toEqual([]);
    expect(world.logged).toContainEqual({
      level: 'warn',
      event: 'keyword_not_confirmed',
      fields: { merchant_id: ama.id, code },
    });
    expectFailure(await sends(ama, { purpose: 'marketing', from: OTHER_LINE }), 409, 'recipient_opted_out');
  });

  test('is retried if the table is unavailable', async () => {
    await posts('STOP');
    const usual = world.dynamoDb;
    world.dynamoDb = async ({ command }, send) => {
      if (command === 'TransactWriteItems') throw new Error('The table is away');
      await send();
    };
    await expect(followUp()).rejects.toThrow();
    world.dynamoDb = usual;
    await followUp();
    expect(await confirmed()).toHaveLength(1);
  });

  /** Fills the queue of a number with Ama's texts. */
  async function fill(number: string): Promise<void> {
    const sender = (await listSenders(world.outside)).find((one) => one.number === number);
    if (!sender) throw new Error('No sender');
    const full_until_ms = { [ama.id]: world.clock.nowMs + 60_000 };
    await world.outside.table.write([putSender({ ...sender, full_until_ms }, sender)]);
  }
});

test('a confirmation contains no keyword', () => {
  for (const keyword of keywords)
    for (const contact of [undefined, '+233241234567', 'shop@example.com'])
      for (const name of ['Ama Stores', 'STOP', 'Help'])
        for (const others of [0, 2])
          expect(keywordOf(confirmation({ name, contact }, { keyword, others }), ['GYAE'])).toBeUndefined();
});

test('STOP from another shop’s number is confirmed once', async () => {
  await agree(world, ama.id, [OTHER_LINE]);
  await wrote(ama, { to: OTHER_LINE, from: LINE, purpose: 'marketing' });
  await answers('STOP', { sender: OTHER_LINE });
  expect(await ama.sends()).toHaveLength(1);
});

describe('the purpose of a text', () => {
  test('is rejected if unknown', async () => {
    expectBadFields(await sends(ama, { purpose: 'spam' }), 'purpose');
  });

  test('is shown with the text', async () => {
    const [id = ''] = await wrote(ama, { purpose: 'reminder' });
    expect((await ama.call('sms/show', { parameters: { id } })).json.data.purpose).toBe('reminder');
    const [other = ''] = await wrote(ama);
    const { json } = await ama.call('sms/show', { parameters: { id: other } });
    expect(json.data.purpose).toBe('transactional');
  });
});

describe('a simulated reply', () => {
  const offer = { purpose: 'marketing', from: undefined };
  let tester: Merchant;
  beforeEach(() => {
    tester = { ...ama, id: testAccountIdOf(ama.id), smsKey: ama.smsTestKey };
  });
  const comes = async (body: object, headers = {}, by = tester) => {
    const answer = await by.call('test/receive', { body, headers });
    await followUp();
    return answer;
  };

  test('is stored while replies are turned off', async () => {
    await ama.change({ answers: false });
    world.clock.nowMs += 3_000;
    const { status, json } = await comes({ from: '0551112223', message: 'Is it still there?' });
    expect(status).toBe(200);
    expect(await inbox(tester)).toEqual([json.data]);
    expect(json.data).toMatchObject({ livemode: false, from: KOFI, in_reply_to: null });
    expect(await inbox(ama)).toEqual([]);
  });

  test('cannot block live marketing', async () => {
    const [id] = await wrote(tester, offer);
    const { json } = await comes({ from: KOFI, message: 'STOP' });
    expect(json.data).toMatchObject({ keyword: 'stop', in_reply_to: id });
    expectFailure(await sends(tester, offer), 409, 'recipient_opted_out');
    expect((await sends(ama, offer)).status).toBe(200);
    const confirmed = (await tester.sends()).filter(({ message }) => String(message).includes('no more offers'));
    expect(confirmed).toHaveLength(1);
  });

  test('takes effect above the daily limit on test texts if it is STOP', async () => {
    const { id } = tester;
    await wrote(tester, offer);
    const day = { pk: `TEST_USE#${id}`, sk: world.iso().slice(0, 10) };
    await world.outside.table.update(changeItem(day, { counted: MAX_TEST_OBJECTS_PER_DAY - 1 }));
    expect((await comes({ from: KOFI, message: 'STOP' })).status).toBe(200);
    expect(await tester.sends()).toHaveLength(1);
    expect(world.logged.at(-1)?.fields).toEqual({ merchant_id: id, code: 'too_many_requests' });
    expect((await world.scan()).filter(({ pk }) => pk === `OPT_OUT#${id}`)).toMatchObject([{ opted_out: true }]);
  });

  test('is created once if the Idempotency-Key is repeated', async () => {
    const headers = { 'idempotency-key': 'answer-1' };
    const body = { from: KOFI, message: 'Hello?' };
    const [first, second] = [await comes(body, headers), await comes(body, headers)];
    expect(second.json).toEqual(first.json);
  });

  test('is rejected if its text would be withheld', async () => {
    const code = await comes({ from: KOFI, message: 'Your code is 482910' });
    expectBadFields(code, 'message');
    expect(code.json.errors[0].message).toContain('looks like a code, or a text from a bank or wallet');
    const empty = await comes({ from: KOFI, message: ' ' });
    expect(empty.json.errors).toEqual([{ field: 'message', message: 'must not be empty' }]);
    const live = await comes({ from: KOFI, message: 'Hello?' }, {}, ama);
    expectFailure(live, 404, 'not_found');
    expect(live.json.message).toContain('sk_sms_test_');
  });

  test('is limited to twenty per day from one number', async () => {
    for (let n = 0; n < 20; n++) expect((await comes({ from: KOFI, message: `Number ${n} of 20` })).status).toBe(200);
    const again = await comes({ from: KOFI, message: 'Number 0 of 20' });
    expectBadFields(again, 'message');
    expect(again.json.errors[0].message).toContain('a moment ago');
    const full = await comes({ from: KOFI, message: 'One more' });
    expectFailure(full, 429, 'too_many_requests');
    expect(full.json.message).toContain('20 texts a day');
  });
});

async function said(merchant: Merchant): Promise<string[]> {
  return (await inbox(merchant)).map(({ message }) => message);
}
