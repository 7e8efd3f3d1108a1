import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
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
import { type Scene, scene } from '../../support/scene.ts';

const [LINE, KOFI, YAA] = ['+233241234567', '+233551112223', '+233551112224'];
const OF = { line: LINE, number: KOFI };
const NOON_MS = Date.parse('2026-06-15T12:00:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1000;
const iso = (ms: number) => new Date(ms).toISOString();

let world: Scene;
beforeEach(async () => {
  world = await scene();
  world.clock.nowMs = NOON_MS;
});

describe('the words', () => {
  test.each([
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
  ])('%s is %s', (text, keyword) => {
    expect(keywordOf(text)).toBe(keyword);
  });

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
  ])('%s is %s to a shop with words of its own', (text, keyword) => {
    expect(keywordOf(text, ['GYAE', 'NO MORE', 'ŊUTSÚ'])).toBe(keyword);
  });
});

test.each<[string, string[] | string]>([
  [' gyae , no more;tɔ\nGyae', ['GYAE', 'NO MORE', 'TƆ']],
  [' ,;\n', []],
  ['a,b,c,d,e,f,g,h,i,j', ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J']],
  ['a,b,c,d,e,f,g,h,i,j,k', 'must be at most 10 words'],
  ['x'.repeat(20), ['X'.repeat(20)]],
  [`gyae, ${'x'.repeat(21)}`, `must be words of at most 20 letters: not "${'X'.repeat(21)}"`],
  ['12', 'must be words of at most 20 letters: not "12"'],
  ['a1', ['A1']],
  ['gyae, start!', 'must not have START!, which means something else'],
  ['opt in', 'must not have OPT IN, which means something else'],
  ['info', 'must not have INFO, which means something else'],
  ['stop', ['STOP']],
])('stop words that are typed as %j are %j', (written, expected) => {
  expect(parseStopWords(written)).toEqual(expected);
});

describe('a keyword that was heard', () => {
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

  test('is kept with whom it ended as long as the stage keeps, and is confirmed by one job', async () => {
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
    expect([job.group, row.pk]).toEqual(['ama', `KEYWORD#${body.id}`]);
    expect(await keywordRows.find(world.outside, body)).toMatchObject({ ended: ['ama', 'esi'] });
  });

  test('is confirmed once, and anew another day', async () => {
    await hear('stop', { ended: ['ama'] }, true);
    await world.outside.table.write([noteConfirmed(body, 'text')]);
    expect(await keywordRows.find(world.outside, body)).toMatchObject({ send_id: 'text', ended: ['ama'] });
    const again = () => world.outside.table.write([noteConfirmed(body, 'another')]);
    await expect(again()).rejects.toThrow(Confirmed);
    // Without a text that confirms it, it is as it was.
    await hear('stop');
    expect(await known()).toMatchObject({ at: iso(NOON_MS), send_id: 'text', ended: ['ama'] });
    world.clock.nowMs += DAY_MS;
    await hear('stop', {}, true);
    expect(await known()).toMatchObject({ at: iso(NOON_MS + DAY_MS), ended: ['ama'] });
    expect(await known()).not.toHaveProperty('send_id');
    await expect(again()).rejects.toThrow(Confirmed);
  });

  test('of a person is beside their others, and beside nobody else’s', async () => {
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

  test('was confirmed today until a day later', () => {
    const heard: HeardKeyword = { ...OF, keyword: 'stop', word_at: iso(NOON_MS) };
    const isToday = (at: string | undefined) => isOfToday(world.outside, { ...heard, ...(at && { at }) });
    expect([iso(NOON_MS - DAY_MS + 1), iso(NOON_MS - DAY_MS), undefined].map(isToday)).toEqual([true, false, false]);
    expect(isOfToday(world.outside, undefined)).toBe(false);
  });
});

describe('who has opted out', () => {
  const said = (number: string, opted_out: boolean, word = 'STOP') => ({
    merchant_id: 'ama',
    number,
    opted_out,
    word,
    at: iso(NOON_MS),
  });
  const record = (...rows: ReturnType<typeof said>[]) =>
    world.outside.table.write(rows.map((row) => changeOptOut(undefined, row, () => new Error('moved'))));

  test('is of one merchant, and is no more once they write START', async () => {
    await record(said(KOFI, true), said(YAA, false, 'START'), { ...said(KOFI, true), merchant_id: 'esi' });
    await world.outside.table.write([
      recordWithdrawal({ merchant_id: 'yaw', number: KOFI, withdrawn_at: iso(NOON_MS) }),
    ]);
    expect((await listOptOuts(world.outside, 'ama', { limit: 10 })).optOuts).toEqual([said(KOFI, true)]);
    const known = await optOutsOf(world.outside, KOFI, ['ama', 'esi', 'yaw', 'kwame']);
    expect([...known.keys()].toSorted()).toEqual(['ama', 'esi']);
  });

  test('is what was said last, whatever was read before another word came', async () => {
    await record(said(KOFI, true));
    const start = said(KOFI, false, 'START');
    const change = (before: ReturnType<typeof said> | undefined) =>
      world.outside.table.write([changeOptOut(before, start, () => new Error('moved'))]);
    for (const before of [undefined, { ...said(KOFI, true), at: iso(0) }, said(KOFI, true, 'GYAE')])
      await expect(change(before)).rejects.toThrow('moved');
    await change(said(KOFI, true));
    expect((await optOutsOf(world.outside, KOFI, ['ama'])).get('ama')).toEqual(start);
  });

  test('refuses the text that would go to them, and is named in the refusal', async () => {
    await record(said(KOFI, true), said(YAA, false, 'START'));
    const debit = (...to: string[]) => world.outside.table.write(stillOptedIn('ama', to));
    await debit(YAA, '+233551112225', YAA);
    await expect(debit(YAA, KOFI)).rejects.toMatchObject({
      ...{
        code: 'recipient_opted_out',
        message: expect.stringMatching(`^\\${KOFI} has answered STOP to you: they get`),
      },
      errors: [{ field: 'to[1]', message: `${KOFI} has opted out` }],
    });
  });

  test.each([
    [[KOFI], `${KOFI} has answered STOP to you: `],
    [[KOFI, YAA], `${KOFI} and 1 more have answered STOP to you: `],
    [[KOFI, YAA, LINE], `${KOFI} and 2 more have answered STOP to you: `],
  ])('%j are told as "%s"', (optedOut, told) => {
    const { message, errors } = recipientOptedOut(['+233551112225', ...optedOut], new Set(optedOut));
    expect(message.startsWith(told)).toBe(true);
    expect(errors?.map(({ field }) => field)).toEqual(optedOut.map((_, n) => `to[${n + 1}]`));
  });
});

test('a code may be with a person until the last that went to them ends', async () => {
  expect(await mayHaveCode(world.outside, KOFI)).toBe(false);
  await noteSentCode(world.outside, KOFI, iso(NOON_MS + 600_001));
  await noteSentCode(world.outside, KOFI, iso(NOON_MS + 60_000));
  expect(await world.scan()).toMatchObject([{ expires_at_epoch_seconds: NOON_MS / 1000 + 601 }]);
  world.clock.nowMs = NOON_MS + 600_000;
  expect([await mayHaveCode(world.outside, KOFI), await mayHaveCode(world.outside, YAA)]).toEqual([true, false]);
  world.clock.nowMs += 1;
  expect(await mayHaveCode(world.outside, KOFI)).toBe(false);
});
