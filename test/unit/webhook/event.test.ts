import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLossless } from '../../../shared/runtime/values/json.ts';
import { newWebhookEvent, replayed, type WebhookEvent } from '../../../shared/webhook/event.ts';
import { presentEvent, presentEventAndAttempts } from '../../../shared/webhook/present-event.ts';
import { liveHolder } from '../../support/holders.ts';

const at = '2026-11-20T08:30:00.000Z';
const nowMs = Date.parse(at) + 60_000;
const PAID = { cause: 'MK-0000000001', at, data: {} };
const paidEvent = (changes: Partial<Parameters<typeof newWebhookEvent>[2]> = {}) =>
  newWebhookEvent(liveHolder('merchant'), 'charge.success', { ...PAID, ...changes });

test('a new webhook event is due immediately', () => {
  expect(paidEvent({ data: { amount: 36 } })).toEqual({
    event_id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
    merchant_id: 'merchant',
    key_kind: 'live',
    type: 'charge.success',
    body: `{"type":"charge.success","timestamp":"${at}","livemode":true,"data":{"amount":36}}`,
    state: 'pending',
    tries: 0,
    round_tries: 0,
    round: 0,
    next_try_at: at,
    created_at: at,
  });
});

test('an occurrence reported repeatedly creates one event', () => {
  const again = paidEvent({ at: '2027-01-01T00:00:00.000Z', data: { amount: 36 } });
  expect(again.event_id).toBe(paidEvent().event_id);
});

test('events differ by merchant, type and cause', () => {
  const words = fc.stringMatching(/^[A-Za-z0-9 -]{1,12}$/);
  const types = fc.constantFrom('charge.success', 'charge.reversed', 'sms.delivered');
  // Real merchant ids are ULIDs, whose fixed length prevents ambiguous concatenation.
  const merchants = fc.constantFrom('01M7VKAX00PBRKRV88BTN2FW67', '01M7VKAX00PBRKRV88BTN2FW68');
  const one = fc.record({ merchant: merchants, type: types, cause: words });
  fc.assert(
    fc.property(one, one, (a, b) => {
      const [x, y] = [a, b].map(
        ({ merchant, type, cause }) => newWebhookEvent(liveHolder(merchant), type, { cause, at, data: {} }).event_id,
      );
      expect(x === y).toBe(a.merchant === b.merchant && a.type === b.type && a.cause === b.cause);
    }),
  );
});

test('the event body preserves the merchant’s numbers exactly', () => {
  const written = '{"id":12345678901234567890,"price":1.10,"e":1e400}';
  const event = paidEvent({ data: { metadata: parseLossless(written) ?? {} } });
  expect(event.body).toContain(`"metadata":${written}`);
  expect(JSON.stringify(presentEvent(event, true))).toContain(written);
});

test.each(['pending', 'delivered', 'gave_up'] as const)(
  'an event replayed in the state %s is due immediately',
  (state) => {
    const event = tried({ state, next_try_at: state === 'pending' ? '2026-11-21T00:00:00.000Z' : undefined });
    expect(replayed({ now: () => nowMs }, event)).toEqual({
      ...event,
      state: 'pending',
      tries: 4,
      round_tries: 0,
      round: 2,
      next_try_at: new Date(nowMs).toISOString(),
    });
  },
);

test('missing values in an event are null', () => {
  const attempts = [
    { number: 1, started_at: at, duration_ms: 20, status_code: 500, answer: 'sorry' },
    { number: 2, started_at: at, duration_ms: 15_000, error: 'Timed out after 15 s' },
  ];
  expect(presentEventAndAttempts(tried({ state: 'gave_up', next_try_at: undefined }), attempts, true)).toEqual({
    id: tried().event_id,
    type: 'charge.success',
    status: 'gave_up',
    tries: 4,
    next_try_at: null,
    created_at: at,
    body: { type: 'charge.success', timestamp: at, livemode: true, data: {} },
    attempts: [
      { number: 1, started_at: at, duration_ms: 20, status_code: 500, answer: 'sorry', error: null },
      {
        number: 2,
        started_at: at,
        duration_ms: 15_000,
        status_code: null,
        answer: null,
        error: 'Timed out after 15 s',
      },
    ],
  });
  expect(presentEvent(tried(), true)).not.toHaveProperty('attempts');
  expect(JSON.stringify(presentEvent(tried(), true))).not.toContain('merchant');
});

/** Returns an event that was replayed once and attempted four times in total. */
function tried(changes: Partial<WebhookEvent> = {}): WebhookEvent {
  return { ...paidEvent(), tries: 4, round_tries: 2, round: 1, ...changes };
}
