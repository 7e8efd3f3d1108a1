import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import {
  answersOperator,
  cameBefore,
  countStranger,
  getConversation,
  type Heard,
  isFull,
  lastWriter,
  noteHeard,
  noteWritten,
  promotersOf,
} from '../../../shared/texts/conversation/conversation.table.ts';
import {
  Confirmed,
  forgetEnded,
  type HeardKeyword,
  isOfToday,
  KeywordJob,
  keywordJob,
  keywordRows,
  listKeywords,
  noteConfirmed,
  noteKeyword,
} from '../../../shared/texts/conversation/keyword.table.ts';
import { keywordOf, parseStopWords } from '../../../shared/texts/conversation/keywords.ts';
import {
  changeOptOut,
  listOptOuts,
  optOutsOf,
  recipientOptedOut,
  recordWithdrawal,
  stillOptedIn,
} from '../../../shared/texts/conversation/opt-out.table.ts';
import { mayHaveCode, noteSentCode } from '../../../shared/texts/conversation/sent-code.table.ts';
import { checkEach } from '../../support/check-each.ts';
import { type Scene, scene } from '../../support/scene.ts';

const [LINE, KOFI, YAA] = ['+233241234567', '+233551112223', '+233551112224'];
const OF = { line: LINE, number: KOFI };
const NOON_MS = Date.parse('2026-06-15T12:00:00.000Z');
const SKEW_MS = 5 * 60 * 1000;
const MONTH_MS = 30 * DAY_MS;
const iso = (ms: number) => new Date(ms).toISOString();

const at = (seconds: number) => NOON_MS + seconds * 1000;
const moved = () => new Error('moved');
let events = 0;

let world: Scene;
beforeEach(async () => {
  world = await scene();
  world.clock.nowMs = NOON_MS;
});

describe('keyword recognition', () => {
  test('parses an answer', () =>
    checkEach(
      [
        ['STOP', 'stop'],
        [' stop! ', 'stop'],
        ['ＳＴＯＰ', 'stop'],
        ['S\u00adtop', 'stop'],
        ['"Stop"', 'stop'],
        ['Stop texting me', 'stop'],
        ['Stop all, please', 'stop'],
        ['Please stop', 'stop'],
        ['Pls stop texting me', 'stop'],
        ['S.T.O.P.', 'stop'],
        ['Stop\nSent from my Galaxy', 'stop'],
        ['STOP --\r\nGet Outlook for Android', 'stop'],
        ['Stop\n> 50% off at Ama Stores', 'stop'],
        ['STOP STOP STOP STOP STOP', 'stop'],
        ['Stop sending these messages to me please', 'stop'],
        ['stop disturbing me with your adverts every day', 'stop'],
        ['Remove me', 'stop'],
        ['Please remove my number from your list', 'stop'],
        ['take me off this list', 'stop'],
        ['take me off', 'stop'],
        ['Stop that', 'stop'],
        ['Stop the ad', 'stop'],
        ['Stop, stop the car now', undefined],
        ['Stop our text to Ama today', undefined],
        ['START\nSent from my iPhone', 'start'],
        ['Stop by tomorrow', undefined],
        ['Stop at Circle', undefined],
        ['Stop near the station', undefined],
        ['Stop the delivery to my house today', undefined],
        ['Remove my order', undefined],
        ['Stop the car', undefined],
        ['Stop here', undefined],
        ['Stop there please', undefined],
        ['Stop work', undefined],
        ['Stop all orders please', undefined],
        ['Stop my delivery', undefined],
        ['Stop the payment', undefined],
        ['Stop delivery', undefined],
        ['STOP.', 'stop'],
        ['stop please', 'stop'],
        ['Stop all now', 'stop'],
        ['Stop delivering messages', 'stop'],
        ['Stop order texts', 'stop'],
        ['Stop all messages', 'stop'],
        ['Stop the ads', 'stop'],
        ['Stop the promotions', 'stop'],
        ['Stop the notifications please', 'stop'],
        ['Stop the nonsense', 'stop'],
        ['Stop this nonsense', 'stop'],
        ['Stop my subscription', 'stop'],
        ['Stop it', 'stop'],
        ['Stop Ama Stores', 'stop'],
        ['STOP ALL', 'stop'],
        ['Unsubscribe me', 'stop'],
        ['OPT OUT', 'stop'],
        ['⚠️ STOP', 'stop'],
        ['❤️ Start', 'start'],
        ['\u200fＳＴＯＰ\ufe0f', 'stop'],
        ['Stop by at our new shop', undefined],
        ['I will stop by', undefined],
        ['Don’t stop', undefined],
        ['Stopped', undefined],
        ['2STOP', undefined],
        ['Start', 'start'],
        ['start please', 'start'],
        ['Un stop', 'start'],
        ['subscribe', 'start'],
        ['Opt in', 'start'],
        ['Start tomorrow', undefined],
        ['Help', 'help'],
        ['info?', 'help'],
        ['Help me', undefined],
        ['', undefined],
        ['👍', undefined],
      ],
      ([text, keyword]) => {
        expect(keywordOf(text)).toBe(keyword);
      },
    ));

  test.each([
    ['Gyae!', 'stop'],
    ['gyae please', 'stop'],
    ['no more', 'stop'],
    ['NoMore', 'stop'],
    ['ŋutsú', 'stop'],
    ['gyae wo', undefined],
    ['ŋutsu', undefined],
    ['stop', 'stop'],
    ['start', 'start'],
  ])('parses %s as %s if the shop has its own stop words', (text, keyword) => {
    expect(keywordOf(text, ['GYAE', 'NO MORE', 'ŊUTSÚ'])).toBe(keyword);
  });
});

test.each<[string, string[] | string]>([
  [' gyae , no more;tɔ\nGyae', ['GYAE', 'NO MORE', 'TƆ']],
  [' ,;\n', []],
  ['a,b,c,d,e,f,g,h,i,j', ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J']],
  ['a,b,c,d,e,f,g,h,i,j,k', 'must be at most 10 words'],
  ['x'.repeat(20), ['X'.repeat(20)]],
  [`gyae, ${'x'.repeat(21)}`, `must be words of at most 20 letters, but "${'X'.repeat(21)}" is not one`],
  ['12', 'must be words of at most 20 letters, but "12" is not one'],
  ['a1', ['A1']],
  ['gyae, start!', 'must not contain START!, which has another meaning'],
  ['opt in', 'must not contain OPT IN, which has another meaning'],
  ['info', 'must not contain INFO, which has another meaning'],
  ['stop', ['STOP']],
])('stop words typed as %j are parsed as %j', (written, expected) => {
  expect(parseStopWords(written)).toEqual(expected);
});

describe('a keyword from a customer', () => {
  const confirmation = { merchant_id: 'ama', others: 1, to: LINE };
  const job = keywordJob({ ...OF, keyword: 'stop', word_at: iso(NOON_MS), merchant_id: 'ama', at: iso(NOON_MS) });
  const body = z.parse(KeywordJob, job.body);
  const hear = (keyword: 'stop' | 'start', more: Partial<HeardKeyword> = {}, confirmed = false) =>
    world.outside.table.write([
      noteKeyword(
        world.outside,
        { ...OF, keyword, word_at: iso(world.clock.nowMs - 1_000), ended: undefined, ...more },
        confirmed ? confirmation : undefined,
      ),
    ]);
  const known = async () => (await world.scan())[0] ?? {};

  test('is stored with its opt-out and confirmed by one job', async () => {
    await hear('stop', { ended: ['ama', 'esi'] }, true);
    const row = await known();
    expect(row).toEqual({
      pk: expect.stringMatching(/^KEYWORD#[0-9a-f]{32}$/),
      sk: 'HEARD#stop',
      ...OF,
      keyword: 'stop',
      word_at: iso(NOON_MS - 1_000),
      ended: ['ama', 'esi'],
      at: iso(NOON_MS),
      ...confirmation,
      expires_at_epoch_seconds: (NOON_MS + 400 * DAY_MS) / 1000,
    });
    expect({ group: job.group, pk: row.pk }).toEqual({ group: 'ama', pk: `KEYWORD#${body.id}` });
    expect(await keywordRows.find(world.outside, body)).toMatchObject({ ended: ['ama', 'esi'] });
  });

  test('is confirmed at most once a day', async () => {
    await hear('stop', { ended: ['ama'] }, true);
    await world.outside.table.write([noteConfirmed(body, 'text')]);
    expect(await keywordRows.find(world.outside, body)).toMatchObject({ send_id: 'text', ended: ['ama'] });
    const again = () => world.outside.table.write([noteConfirmed(body, 'another')]);
    await expect(again()).rejects.toThrow(Confirmed);
    // The state is the same if no text confirms the keyword.
    await hear('stop');
    expect(await known()).toMatchObject({ at: iso(NOON_MS), send_id: 'text', ended: ['ama'] });
    world.clock.nowMs += DAY_MS;
    await hear('stop', {}, true);
    expect(await known()).toMatchObject({ at: iso(NOON_MS + DAY_MS), ended: ['ama'] });
    expect(await known()).not.toHaveProperty('send_id');
    await expect(again()).rejects.toThrow(Confirmed);
  });

  test('is stored separately for each person', async () => {
    await hear('stop', { ended: ['ama'] });
    await hear('start');
    await hear('stop', { number: YAA, ended: ['esi'] });
    const heard = await listKeywords(world.outside, OF);
    expect([...heard.keys()].toSorted()).toEqual(['start', 'stop']);
    const start = (await world.scan()).find(({ sk }) => sk === 'HEARD#start');
    expect(start).toMatchObject({ expires_at_epoch_seconds: (NOON_MS + 2 * DAY_MS) / 1000 });
    expect(start).not.toHaveProperty('ended');
    expect(heard.get('stop')).toMatchObject({ ...OF, ended: ['ama'] });
    await world.outside.table.write([forgetEnded(OF)]);
    expect((await listKeywords(world.outside, OF)).get('stop')).not.toHaveProperty('ended');
    expect((await listKeywords(world.outside, { ...OF, number: YAA })).get('stop')).toMatchObject({ ended: ['esi'] });
  });

  test('counts as confirmed for a day', () => {
    const heard: HeardKeyword = { ...OF, keyword: 'stop', word_at: iso(NOON_MS) };
    const isToday = (at: string | undefined) => isOfToday(world.outside, { ...heard, ...(at && { at }) });
    expect([iso(NOON_MS - DAY_MS + 1), iso(NOON_MS - DAY_MS), undefined].map(isToday)).toEqual([true, false, false]);
    expect(isOfToday(world.outside, undefined)).toBe(false);
  });
});

describe('an opt-out', () => {
  const said = (number: string, opted_out: boolean, word = 'STOP') => ({
    merchant_id: 'ama',
    number,
    opted_out,
    word,
    at: iso(NOON_MS),
  });
  const record = (...rows: ReturnType<typeof said>[]) =>
    world.outside.table.write(rows.map((row) => changeOptOut(undefined, row, moved)));

  test('applies to one merchant until the person sends START', async () => {
    await record(said(KOFI, true), said(YAA, false, 'START'), { ...said(KOFI, true), merchant_id: 'esi' });
    await world.outside.table.write([
      recordWithdrawal({ merchant_id: 'yaw', number: KOFI, withdrawn_at: iso(NOON_MS) }),
    ]);
    expect((await listOptOuts(world.outside, 'ama', { limit: 10 })).optOuts).toEqual([said(KOFI, true)]);
    const known = await optOutsOf(world.outside, KOFI, ['ama', 'esi', 'yaw', 'kwame']);
    expect([...known.keys()].toSorted()).toEqual(['ama', 'esi']);
  });

  test('is written only if it has not changed since it was read', async () => {
    await record(said(KOFI, true));
    const start = said(KOFI, false, 'START');
    const change = (before: ReturnType<typeof said> | undefined) =>
      world.outside.table.write([changeOptOut(before, start, moved)]);
    for (const before of [undefined, { ...said(KOFI, true), at: iso(0) }, said(KOFI, true, 'GYAE')])
      await expect(change(before)).rejects.toThrow('moved');
    await change(said(KOFI, true));
    expect((await optOutsOf(world.outside, KOFI, ['ama'])).get('ama')).toEqual(start);
  });

  test('makes sends to the person fail', async () => {
    await record(said(KOFI, true), said(YAA, false, 'START'));
    const debit = (...to: string[]) => world.outside.table.write(stillOptedIn('ama', to));
    await debit(YAA, '+233551112225', YAA);
    await expect(debit(YAA, KOFI)).rejects.toMatchObject({
      ...{
        code: 'recipient_opted_out',
        message: expect.stringMatching(`^\\${KOFI} has replied STOP, so you cannot`),
      },
      errors: [{ field: 'to[1]', message: `${KOFI} has opted out` }],
    });
  });

  test.each([
    [[KOFI], `${KOFI} has replied STOP, so you `],
    [[KOFI, YAA], `${KOFI} and 1 more have replied STOP, so you `],
    [[KOFI, YAA, LINE], `${KOFI} and 2 more have replied STOP, so you `],
  ])('by %j is explained as "%s"', (optedOut, told) => {
    const { message, errors } = recipientOptedOut(['+233551112225', ...optedOut], new Set(optedOut));
    expect(message.startsWith(told)).toBe(true);
    expect(errors?.map(({ field }) => field)).toEqual(optedOut.map((_, n) => `to[${n + 1}]`));
  });
});

test('a person has a valid code until the last code expires', async () => {
  expect(await mayHaveCode(world.outside, KOFI)).toBe(false);
  await noteSentCode(world.outside, KOFI, iso(NOON_MS + 600_001));
  await noteSentCode(world.outside, KOFI, iso(NOON_MS + 60_000));
  expect(await world.scan()).toMatchObject([{ expires_at_epoch_seconds: NOON_MS / 1000 + 601 }]);
  world.clock.nowMs = NOON_MS + 600_000;
  expect({ kofi: await mayHaveCode(world.outside, KOFI), yaa: await mayHaveCode(world.outside, YAA) }).toEqual({
    kofi: true,
    yaa: false,
  });
  world.clock.nowMs += 1;
  expect(await mayHaveCode(world.outside, KOFI)).toBe(false);
});

test.each([
  ['before the text but within the tolerated clock skew', -SKEW_MS, 'ama', 'text'],
  ['earlier than the tolerated clock skew', -SKEW_MS - 1, 'ama', undefined],
  ['within thirty days', MONTH_MS - 1, 'ama', 'text'],
  ['after thirty days', MONTH_MS, undefined, undefined],
])('a reply received %s is linked to the right text (%i ms)', (_, laterMs, merchant_id, message_id) => {
  const conversation = { ...OF, wrote_by: 'ama', wrote_at: iso(NOON_MS), wrote_id: 'text' };
  expect(lastWriter(conversation, { receivedMs: NOON_MS + laterMs })).toEqual(
    merchant_id && { merchant_id, message_id },
  );
});

test('a STOP applies to every merchant that sent marketing in the last thirty days', () => {
  const promoters = [1, MONTH_MS - 1, MONTH_MS].map((ms) => ({ merchant_id: `${ms}`, at: iso(NOON_MS - ms) }));
  expect(promotersOf({ ...OF, promoters }, { receivedMs: NOON_MS })).toEqual(['1', `${MONTH_MS - 1}`]);
  expect(promotersOf(OF, { receivedMs: NOON_MS })).toEqual([]);
});

test.each([
  ['arrives early within the tolerated clock skew', -SKEW_MS, undefined, true],
  ['arrives earlier than the tolerated clock skew', -SKEW_MS - 1, undefined, false],
  ['arrives within a day', DAY_MS - 1, undefined, true],
  ['arrives a day later', DAY_MS, undefined, false],
  ['arrives after an older text from a shop', 60_000, -1, true],
  ['arrives after a simultaneous text from a shop', 60_000, 0, true],
  ['arrives after a later text from a shop', 60_000, 1, false],
  ['arrives before a shop’s text, within the tolerated clock skew', 60_000, 60_000 + SKEW_MS, false],
  ['arrives well before a shop’s text', 60_000, 60_001 + SKEW_MS, true],
])('a reply that %s may be meant for the operator (%i ms, %s ms): %s', (_, laterMs, wroteMs, expected) => {
  const wrote_at = wroteMs === undefined ? undefined : iso(NOON_MS + wroteMs);
  const conversation = { ...OF, operator_at: iso(NOON_MS), wrote_at };
  expect(answersOperator(conversation, { receivedMs: NOON_MS + laterMs })).toBe(expected);
});

test('a reply is not meant for the operator if the operator sent no text', () => {
  expect(answersOperator({ ...OF, wrote_at: iso(NOON_MS) }, { receivedMs: NOON_MS })).toBe(false);
});

test.each<[string, readonly Heard[], Heard, ReturnType<typeof cameBefore>]>([
  ['nothing arrived before', [], text('stop', 0), undefined],
  ['its phone resends it', [text('stop', 0, 'event')], text('stop', 0, 'event'), 'posted_again'],
  ['its phone resends it without its time', [text('a', 0, 'event')], text('a', 900, 'event'), 'posted_again'],
  ['another app forwards it', [text('stop', 0)], text('stop', 0), 'same_words'],
  ['another app forwards it with a time two minutes later', [text('stop', 0)], text('stop', 120), 'same_words'],
  ['another app forwards it with a time two minutes earlier', [text('stop', 120)], text('stop', 0), 'same_words'],
  ['it is repeated after more than two minutes', [text('stop', 0)], text('stop', 120.001), undefined],
  ['a different text arrived before', [text('start', 0)], text('stop', 0), undefined],
  ['a different text was sent in between', [text('stop', 0), text('start', 1)], text('stop', 2), undefined],
  ['the text in between is forwarded first', [text('start', 1), text('stop', 2)], text('stop', 0), undefined],
  ['a different text was sent before both', [text('start', -1), text('stop', 0)], text('stop', 2), 'same_words'],
  ['a different text was sent with the first', [text('start', 0), text('stop', 0)], text('stop', 2), 'same_words'],
  ['a different text was sent with the second', [text('start', 2), text('stop', 0)], text('stop', 2), 'same_words'],
  ['a different text was sent after both', [text('start', 3), text('stop', 0)], text('stop', 2), 'same_words'],
  ['the same text was also sent in between', [text('stop', 0), text('stop', 1)], text('stop', 2), 'same_words'],
  ['it is posted again with the phone’s time', [late('a', 0), late('b', 20)], again('a', 600), 'same_words'],
  ['it is posted again after another one', [late('a', 0), late('b', 20)], again('b', 601), 'same_words'],
  ['the phone’s time is earlier than its post', [late('a', 0), late('b', 20)], again('a', 590), 'same_words'],
  ['it is sent again before the first is posted', [late('a', 0), late('b', 20)], late('a', 40), undefined],
  ['it is sent before the first is posted', [late('a', 0)], again('a', 589.999), undefined],
  ['it is sent after the first was posted', [late('a', 0)], text('a', 610.001), undefined],
  ['a different text is sent after the post', [late('a', 0), text('b', 601)], text('a', 602), undefined],
])('a text is classified as new or repeated if %s', (_, heard, again, expected) => {
  expect(cameBefore({ ...OF, heard: [...heard] }, again)).toBe(expected);
  if (heard.length === 0) expect(cameBefore(OF, again)).toBe(expected);
});

test.each([
  ['after the first', [text('stop', 0)], text('stop', 120), 60],
  ['after the first, which is forwarded last', [text('stop', 120)], text('stop', 0), 60],
  [
    'before the second, by a phone whose clock is behind and which forwards the second late',
    [{ ...text('stop', 0), arrived_ms: at(30) }],
    { ...text('stop', 100), arrived_ms: at(730) },
    115,
  ],
])('two identical texts are not the same if somebody wrote to the person %s', (_, heard, again, wroteAt) => {
  expect(cameBefore({ ...OF, heard, wrote_at: iso(at(wroteAt)) }, again)).toBeUndefined();
  expect(cameBefore({ ...OF, heard }, again)).toBe('same_words');
});

test.each([
  [19, 0, false, false],
  [20, 0, false, true],
  [0, 20, false, false],
  [0, 20, true, true],
  [20, 19, true, false],
])(
  'after %i texts and %i keywords in a day, the limit (for a keyword: %s) is reached: %s',
  (texts, words, isKeyword, full) => {
    const outside = { now: () => NOON_MS + DAY_MS - 1 };
    const heard = [
      ...Array.from({ length: texts }, (_, n) => text(`text ${n}`, 0)),
      ...Array.from({ length: words }, (_, n) => ({ ...text(`stop ${n}`, 0), is_keyword: true })),
    ];
    expect(isFull(outside, { ...OF, heard }, isKeyword)).toBe(full);
    expect(isFull({ now: () => NOON_MS + DAY_MS }, { ...OF, heard }, isKeyword)).toBe(false);
    expect(isFull(outside, OF, isKeyword)).toBe(false);
  },
);

test('texts are kept for two days, at most 42 of each kind', async () => {
  world.clock.nowMs = NOON_MS + 2 * DAY_MS;
  const keyword = (n: number) => ({ ...text(`stop ${n}`, n + 1), is_keyword: true });
  const told = [text('two days ago', 0), text('a text', 1), ...Array.from({ length: 43 }, (_, n) => keyword(n))];
  for (const one of told) {
    const conversation = await getConversation(world.outside, LINE, KOFI);
    await world.outside.table.write([noteHeard(world.outside, conversation, one, moved)]);
  }
  const conversation = await getConversation(world.outside, LINE, KOFI);
  expect(conversation).toMatchObject({ ...OF, expires_at_epoch_seconds: (NOON_MS + 2 * DAY_MS + MONTH_MS) / 1000 });
  expect(conversation.heard?.map(({ words }) => words)).toEqual(['a text', ...told.slice(3).map(({ words }) => words)]);
  await world.outside.table.write([noteHeard(world.outside, conversation, text('another text', 2), moved)]);
  const { heard } = await getConversation(world.outside, LINE, KOFI);
  expect(heard?.slice(-2).map(({ words }) => words)).toEqual(['a text', 'another text']);
});

test.each([
  ['sends a text', { merchant_id: 'ama', isPromotion: false }],
  ['sends marketing', { merchant_id: 'ama', isPromotion: true }],
])('a text is processed again if a merchant %s at that moment', async (_, by) => {
  const { outside } = world;
  const conversation = await getConversation(outside, LINE, KOFI);
  await noteWritten(outside, { ...OF, merchant_id: undefined, message_id: 'code', isPromotion: false });
  await outside.table.write([noteHeard(outside, conversation, text('one', 0), moved)]);
  await expect(outside.table.write([noteHeard(outside, conversation, text('two', 0), moved)])).rejects.toThrow('moved');
  const read = await getConversation(outside, LINE, KOFI);
  await noteWritten(outside, { ...OF, message_id: 'text', ...by });
  await expect(outside.table.write([noteHeard(outside, read, text('two', 0), moved)])).rejects.toThrow('moved');
});

test('a STOP applies to all merchants that send marketing at the same moment', async () => {
  const promotes = (merchant_id: string) =>
    noteWritten(world.outside, { ...OF, merchant_id, message_id: `${merchant_id}-1`, isPromotion: true });
  for (const other of ['esi', 'kwame', 'ama']) {
    world.rightBefore('UpdateItem', () => promotes(other));
    await promotes('yaa');
  }
  const conversation = await getConversation(world.outside, LINE, KOFI);
  expect(conversation).toMatchObject({ wrote_by: 'yaa', wrote_at: iso(NOON_MS), wrote_id: 'yaa-1' });
  expect(promotersOf(conversation, { receivedMs: NOON_MS }).toSorted()).toEqual(['ama', 'esi', 'kwame', 'yaa']);
  expect(conversation.expires_at_epoch_seconds).toBe((NOON_MS + MONTH_MS) / 1000);
});

test('recording a text fails with `busy` after too many conflicts', async () => {
  const { outside } = world;
  const busy = { ...outside, table: { ...outside.table, update: async () => undefined } };
  await expect(
    noteWritten(busy, { ...OF, merchant_id: 'ama', message_id: 'text', isPromotion: true }),
  ).rejects.toMatchObject({ code: 'busy', message: expect.stringContaining('right now') });
});

test('texts from strangers are counted per number per day', async () => {
  await world.outside.table.write([countStranger(world.outside, LINE, moved)]);
  expect(await world.scan()).toEqual([
    {
      pk: `STRANGERS#${LINE}`,
      sk: '2026-06-15',
      counted: 1,
      expires_at_epoch_seconds: (NOON_MS + 2 * DAY_MS) / 1000,
    },
  ]);
});

/** Returns a text that the network stamped `seconds` after noon, and that arrived ten minutes after noon. */
function late(words: string, seconds: number): Heard {
  return { ...text(words, seconds), arrived_ms: at(600) };
}

/** Returns a text that a phone stamped `seconds` after noon, and that arrived an hour after noon. */
function again(words: string, seconds: number): Heard {
  return { ...text(words, seconds), arrived_ms: at(3_600) };
}

/** Returns a text that arrived `seconds` after noon. */
function text(words: string, seconds: number, event = `event-${++events}`): Heard {
  return { event, words, received_ms: at(seconds), arrived_ms: at(seconds) };
}
