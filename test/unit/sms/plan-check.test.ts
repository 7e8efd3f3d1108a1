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
  /** Milliseconds since the send was accepted. */
  readonly ageMs?: number;
  readonly texts: readonly Partial<Message>[];
  /** Sends whose texts are next in the sender's queue. */
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
  ['whose texts have all ended is ended', { send: { ...tooLate, ...soon }, texts: [delivered] }, 'end'],
  ['past its useful time is expired', { send: { ...tooLate, ...soon }, texts: [scheduled, sent] }, 'expire'],
  ['is queued when its time comes', { send: soon, texts: [scheduled, {}, sent] }, 'queue'],
  ['whose time has come since it was read is queued', { texts: [scheduled, sent] }, 'queue'],
  [
    'is checked a moment before its time comes',
    { send: { send_at: iso(10 * MINUTES + 1) }, texts: [scheduled, sent] },
    'check',
  ],
  ['without a text that waits for its time is checked', { send: soon, texts: [sent] }, 'check'],
  ['past its useful time is checked when phones have its texts', { send: tooLate, texts: [sent] }, 'check'],
])('a send %s', (_, given, action) => {
  expect(planOf(given).action).toBe(action);
});

test.each<[what: string, given: Case, inMs: number]>([
  [
    'with scheduled texts is checked again when they may be sent',
    { send: later, texts: [scheduled, delivered] },
    5 * HOURS - 10 * MINUTES,
  ],
  [
    'that becomes useless first is checked then',
    { send: { ...later, useless_at: iso(HOURS) }, texts: [scheduled] },
    HOURS,
  ],
  [
    'with a silent gateway is checked in the next run',
    { texts: [sending, waiting], next, isSilent: true },
    MINUTES / 2,
  ],
  ['whose texts all wait far back is checked in hours', { texts: [waiting, delivered], next }, 6 * HOURS],
  [
    'with waiting texts is checked when they become useless',
    { send: { useless_at: iso(HOURS) }, texts: [waiting], next },
    HOURS,
  ],
  ['whose text is among the next is checked soon', { texts: [waiting], next: ['other', 'send'] }, 2 * MINUTES],
  ['with a text that does not wait is checked soon', { texts: [waiting, {}], next }, 2 * MINUTES],
  ['that is on its way is checked soon', { texts: [sending] }, 2 * MINUTES],
  ['that waits for its report is checked later', { texts: [sent], send: { useless_at: iso(MINUTES) } }, 10 * MINUTES],
  ['on its way for hours is checked in ten minutes', { texts: [sending], ageMs: HOURS }, 10 * MINUTES],
  ['waiting for its report for hours is checked in an hour', { texts: [sent], ageMs: HOURS }, HOURS],
])('a send %s', (_, given, inMs) => {
  const plan = planOf(given);
  expect(plan.action === 'check' && plan.nextMs - NOW_MS).toBe(inMs);
});

const unfinished = { isUnfinished: true };
const nothing = { isKnown: true, forgotten: [], isOver: false, isUnfinished: false };

test.each<[what: string, given: Case, also: object]>([
  [
    'that no worker has seen is forgotten and queued again',
    { texts: [{}, waiting, sent], next, ageMs: 10 * MINUTES },
    { forgotten: [{ index: 0 }], isKnown: false, ...unfinished },
  ],
  ['that a worker may still see is left alone', { texts: [{}], ageMs: 10 * MINUTES - 1 }, nothing],
  ['that its gateway has listed is known', { texts: [sent], isKnown: true }, nothing],
  [
    'missing from the gateway’s list must be requested from the gateway',
    { texts: [sent] },
    { ...nothing, isKnown: false },
  ],
  [
    'that was never sent after 72 hours is over',
    { texts: [{}], ageMs: 72 * HOURS + 1 },
    { ...nothing, isOver: true, isUnfinished: true },
  ],
  [
    'that may still be sent after 72 hours is unfinished',
    { texts: [sending], ageMs: 72 * HOURS + 1 },
    { ...nothing, isKnown: false, ...unfinished },
  ],
])('a text %s', (_, given, also) => {
  expect(planOf(given)).toMatchObject(also);
});
