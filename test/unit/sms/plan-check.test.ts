import { expect, test } from 'vitest';
import { planCheck } from '../../../shared/texts/sms/check-send.ts';
import type { Message } from '../../../shared/texts/sms/message.table.ts';
import { messageId } from '../../../shared/texts/sms/message-id.ts';
import type { Send } from '../../../shared/texts/sms/send.table.ts';

const NOW_MS = Date.parse('2026-11-20T12:00:00Z');
const MINUTES = 60_000;
const HOURS = 60 * MINUTES;
const from = '+233241234567';
const iso = (ms: number) => new Date(NOW_MS + ms).toISOString();

interface Case {
  readonly send?: Partial<Send>;
  /** Time since the send was accepted, in ms. */
  readonly ageMs?: number;
  readonly texts: readonly Partial<Message>[];
  /** Ids of the sends whose texts are next in the sender's queue. */
  readonly next?: readonly string[];
  readonly isSilent?: boolean;
  readonly isKnown?: boolean;
}

function planOf({ send, ageMs = 20 * MINUTES, texts, next = [], isSilent = false, isKnown = false }: Case) {
  const messages = texts.map((text, index) => ({ send_id: 'send', index, state: 'pending' as const, ...text }));
  const to = texts.map(() => '+233551112223');
  const queue = next.map((send_id) => ({ send_id, index: 0, place: '1#0' }));
  return planCheck(
    { now: () => NOW_MS },
    { send: { send_id: 'send', from, to, message: '', created_at: iso(-ageMs), ...send }, messages },
    {
      queues: new Map([[from, queue]]),
      known: new Map(
        isKnown
          ? messages.map(({ index }) => [messageId('send', index), { state: 'waiting', at: {}, reason: undefined }])
          : [],
      ),
      silent: new Set(isSilent ? ['phone'] : []),
    },
  );
}

const scheduled: Partial<Message> = { state: 'scheduled' };
const sending: Partial<Message> = { state: 'sending', gateway: 'phone', sending_at: iso(-20 * MINUTES) };
const sent: Partial<Message> = { ...sending, state: 'sent' };
const waiting: Partial<Message> = { place: '2#0' };
const delivered: Partial<Message> = { state: 'delivered' };
const tooLate = { useless_at: iso(-1) };
const soon = { send_at: iso(10 * MINUTES) };
const later = { send_at: iso(5 * HOURS) };
const next = ['other'];

test.each<[what: string, given: Case, action: ReturnType<typeof planCheck>['action']]>([
  ['is closed if all of its texts are in a final state', { send: { ...tooLate, ...soon }, texts: [delivered] }, 'end'],
  ['expires at its deadline', { send: { ...tooLate, ...soon }, texts: [scheduled, sent] }, 'expire'],
  ['is queued when it is due', { send: soon, texts: [scheduled, {}, sent] }, 'queue'],
  ['is queued if it has just become due', { texts: [scheduled, sent] }, 'queue'],
  ['is checked if it is almost due', { send: { send_at: iso(10 * MINUTES + 1) }, texts: [scheduled, sent] }, 'check'],
  ['is checked if none of its texts is scheduled', { send: soon, texts: [sent] }, 'check'],
  ['is checked after its deadline if phones have its texts', { send: tooLate, texts: [sent] }, 'check'],
])('a send %s', (_, given, action) => {
  expect(planOf(given).action).toBe(action);
});

test.each<[what: string, given: Case, inMs: number]>([
  [
    'is checked again when its scheduled texts may be sent',
    { send: later, texts: [scheduled, delivered] },
    5 * HOURS - 10 * MINUTES,
  ],
  [
    'is checked at its deadline if that comes first',
    { send: { ...later, useless_at: iso(HOURS) }, texts: [scheduled] },
    HOURS,
  ],
  [
    'is checked in the next run if its gateway is silent',
    { texts: [sending, waiting], next, isSilent: true },
    MINUTES / 2,
  ],
  [
    'is checked after hours if all of its texts are late in the queue',
    { texts: [waiting, delivered], next },
    6 * HOURS,
  ],
  ['is checked at its waiting texts’ deadline', { send: { useless_at: iso(HOURS) }, texts: [waiting], next }, HOURS],
  [
    'is checked soon if one of its texts is next in the queue',
    { texts: [waiting], next: ['other', 'send'] },
    2 * MINUTES,
  ],
  ['is checked soon if one of its texts is not waiting', { texts: [waiting, {}], next }, 2 * MINUTES],
  ['is checked soon while a text is being sent', { texts: [sending] }, 2 * MINUTES],
  [
    'is checked later while only a delivery report is missing',
    { texts: [sent], send: { useless_at: iso(MINUTES) } },
    10 * MINUTES,
  ],
  ['is checked in ten minutes if sending takes hours', { texts: [sending], ageMs: HOURS }, 10 * MINUTES],
  ['is checked hourly if a delivery report is hours late', { texts: [sent], ageMs: HOURS }, HOURS],
])('a send %s', (_, given, inMs) => {
  const plan = planOf(given);
  expect(plan.action === 'check' && plan.nextMs - NOW_MS).toBe(inMs);
});

const unfinished = { isUnfinished: true };
const nothing = { isKnown: true, forgotten: [], isOver: false, isUnfinished: false };

test.each<[what: string, given: Case, also: object]>([
  [
    'is requeued if no worker has received it',
    { texts: [{}, waiting, sent], next, ageMs: 10 * MINUTES },
    { forgotten: [{ index: 0 }], isKnown: false, ...unfinished },
  ],
  ['is unchanged while a worker may still receive it', { texts: [{}], ageMs: 10 * MINUTES - 1 }, nothing],
  ['needs no query if its gateway has listed it', { texts: [sent], isKnown: true }, nothing],
  ['is queried if it is missing from the gateway’s list', { texts: [sent] }, { ...nothing, isKnown: false }],
  [
    'is abandoned if unsent after 72 hours',
    { texts: [{}], ageMs: 72 * HOURS + 1 },
    { ...nothing, isOver: true, isUnfinished: true },
  ],
  [
    'is kept if it may still be sent after 72 hours',
    { texts: [sending], ageMs: 72 * HOURS + 1 },
    { ...nothing, isKnown: false, ...unfinished },
  ],
])('a text %s', (_, given, also) => {
  expect(planOf(given)).toMatchObject(also);
});
