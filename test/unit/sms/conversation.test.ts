import { expect, test } from 'vitest';
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
import { rightBefore } from '../../support/receipts.ts';
import { scan } from '../../support/rows.ts';
import { createWorld } from '../../support/world.ts';

const [LINE, KOFI] = ['+233241234567', '+233551112223'];
const OF = { line: LINE, number: KOFI };
const NOON_MS = Date.parse('2026-06-15T12:00:00.000Z');
const SKEW_MS = 5 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
const MONTH_MS = 30 * DAY_MS;
const iso = (ms: number) => new Date(ms).toISOString();
const at = (seconds: number) => NOON_MS + seconds * 1000;
const moved = () => new Error('moved');
let events = 0;

test.each([
  ['as much before it as two clocks may differ', -SKEW_MS, 'ama', 'text'],
  ['earlier than it: it answers a text before', -SKEW_MS - 1, 'ama', undefined],
  ['until thirty days have passed', MONTH_MS - 1, 'ama', 'text'],
  ['thirty days after it', MONTH_MS, undefined, undefined],
])('what comes %s answers a text (%i ms)', (_, laterMs, merchant_id, message_id) => {
  const conversation = { ...OF, wrote_by: 'ama', wrote_at: iso(NOON_MS), wrote_id: 'text' };
  expect(lastWriter(conversation, { receivedMs: NOON_MS + laterMs })).toEqual(
    merchant_id && { merchant_id, message_id },
  );
});

test('a STOP means who sent marketing within thirty days, the newest first', () => {
  const promoters = [1, MONTH_MS - 1, MONTH_MS].map((ms) => ({ merchant_id: `${ms}`, at: iso(NOON_MS - ms) }));
  expect(promotersOf({ ...OF, promoters }, { receivedMs: NOON_MS })).toEqual(['1', `${MONTH_MS - 1}`]);
  expect(promotersOf(OF, { receivedMs: NOON_MS })).toEqual([]);
});

test.each([
  ['comes as much before it as two clocks may differ', -SKEW_MS, undefined, true],
  ['came before it', -SKEW_MS - 1, undefined, false],
  ['comes within a day', DAY_MS - 1, undefined, true],
  ['comes a day later', DAY_MS, undefined, false],
  ['comes when a shop had written before it', 60_000, -1, true],
  ['comes when a shop wrote at the same moment', 60_000, 0, true],
  ['comes when a shop has written since', 60_000, 1, false],
  ['comes as much before a shop’s text as two clocks may differ', 60_000, 60_000 + SKEW_MS, false],
  ['comes before a shop’s text', 60_000, 60_001 + SKEW_MS, true],
])('what %s may answer the operator’s own text (%i ms, the shop’s %s ms): %s', (_, laterMs, wroteMs, expected) => {
  const wrote_at = wroteMs === undefined ? undefined : iso(NOON_MS + wroteMs);
  const conversation = { ...OF, operator_at: iso(NOON_MS), wrote_at };
  expect(answersOperator(conversation, { receivedMs: NOON_MS + laterMs })).toBe(expected);
});

test('where the operator never wrote, nothing answers the operator', () => {
  expect(answersOperator({ ...OF, wrote_at: iso(NOON_MS) }, { receivedMs: NOON_MS })).toBe(false);
});

test.each<[string, readonly Heard[], Heard, ReturnType<typeof cameBefore>]>([
  ['nothing came before', [], text('stop', 0), undefined],
  ['its phone posts it again', [text('stop', 0, 'event')], text('stop', 0, 'event'), 'posted_again'],
  ['its phone posts it again, without its time', [text('a', 0, 'event')], text('a', 900, 'event'), 'posted_again'],
  ['another app posts it', [text('stop', 0)], text('stop', 0), 'same_words'],
  ['another app posts it, with a time two minutes later', [text('stop', 0)], text('stop', 120), 'same_words'],
  ['another app posts it, with a time two minutes earlier', [text('stop', 120)], text('stop', 0), 'same_words'],
  ['it is written again after more than two minutes', [text('stop', 0)], text('stop', 120.001), undefined],
  ['something else came', [text('start', 0)], text('stop', 0), undefined],
  ['something else was written between', [text('stop', 0), text('start', 1)], text('stop', 2), undefined],
  ['what was between is posted first', [text('start', 1), text('stop', 2)], text('stop', 0), undefined],
  ['something else was written before both', [text('start', -1), text('stop', 0)], text('stop', 2), 'same_words'],
  ['something else was written with the first', [text('start', 0), text('stop', 0)], text('stop', 2), 'same_words'],
  ['something else was written with the second', [text('start', 2), text('stop', 0)], text('stop', 2), 'same_words'],
  ['something else was written after both', [text('start', 3), text('stop', 0)], text('stop', 2), 'same_words'],
  ['the same was written between, too', [text('stop', 0), text('stop', 1)], text('stop', 2), 'same_words'],
])('a text has come before, or has not: %s', (_, heard, again, expected) => {
  expect(cameBefore({ ...OF, heard: [...heard] }, again)).toBe(expected);
  if (heard.length === 0) expect(cameBefore(OF, again)).toBe(expected);
});

test.each([
  [19, 0, false, false],
  [20, 0, false, true],
  [0, 20, false, false],
  [0, 20, true, true],
  [20, 19, true, false],
])(
  '%i texts and %i keywords of a day are as much as is kept (of keywords: %s): %s',
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

test('two days of what came are kept, of each kind the newest 42: made-up keywords push no text out', async () => {
  const world = await createWorld();
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
  ['wrote', { merchant_id: 'ama', isPromotion: false }],
  ['wrote with marketing', { merchant_id: 'ama', isPromotion: true }],
])(
  'what came is decided again where a merchant %s meanwhile, and the operator’s own texts are no matter',
  async (_, by) => {
    const { outside } = await createWorld();
    const conversation = await getConversation(outside, LINE, KOFI);
    await noteWritten(outside, { ...OF, merchant_id: undefined, message_id: 'code', isPromotion: false });
    await outside.table.write([noteHeard(outside, conversation, text('one', 0), moved)]);
    await expect(outside.table.write([noteHeard(outside, conversation, text('two', 0), moved)])).rejects.toThrow(
      'moved',
    );
    const read = await getConversation(outside, LINE, KOFI);
    await noteWritten(outside, { ...OF, message_id: 'text', ...by });
    await expect(outside.table.write([noteHeard(outside, read, text('two', 0), moved)])).rejects.toThrow('moved');
  },
);

test('merchants whose marketing leaves at the same moment are all meant by a STOP', async () => {
  const world = await createWorld();
  world.clock.nowMs = NOON_MS;
  const promotes = (merchant_id: string) =>
    noteWritten(world.outside, { ...OF, merchant_id, message_id: `${merchant_id}-1`, isPromotion: true });
  for (const other of ['esi', 'kwame', 'ama']) {
    rightBefore(world, 'UpdateItem', () => promotes(other));
    await promotes('yaa');
  }
  const conversation = await getConversation(world.outside, LINE, KOFI);
  expect(conversation).toMatchObject({ wrote_by: 'yaa', wrote_at: iso(NOON_MS), wrote_id: 'yaa-1' });
  expect(promotersOf(conversation, { receivedMs: NOON_MS }).toSorted()).toEqual(['ama', 'esi', 'kwame', 'yaa']);
  expect(conversation.expires_at_epoch_seconds).toBe((NOON_MS + MONTH_MS) / 1000);
});

test('a text whose note others are always ahead of is tried again', async () => {
  const { outside } = await createWorld();
  const busy = { ...outside, table: { ...outside.table, update: async () => undefined } };
  await expect(
    noteWritten(busy, { ...OF, merchant_id: 'ama', message_id: 'text', isPromotion: true }),
  ).rejects.toMatchObject({ code: 'busy', message: expect.stringContaining('at the same time') });
});

test('strangers are counted by number and day, for two days', async () => {
  const world = await createWorld();
  world.clock.nowMs = NOON_MS;
  await world.outside.table.write([countStranger(world.outside, LINE, moved)]);
  expect(await scan(world)).toEqual([
    {
      pk: `STRANGERS#${LINE}`,
      sk: '2026-06-15',
      counted: 1,
      expires_at_epoch_seconds: (NOON_MS + 2 * DAY_MS) / 1000,
    },
  ]);
});

/** A text that came `seconds` after noon. */
function text(words: string, seconds: number, event = `event-${++events}`): Heard {
  return { event, words, received_ms: at(seconds), arrived_ms: at(seconds) };
}
