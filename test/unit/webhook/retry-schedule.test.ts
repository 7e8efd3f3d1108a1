import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_TRIES, waitSeconds } from '../../../shared/webhook/deliver-webhook.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const WAITS = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

test('ten delivery attempts span about 75 hours', () => {
  expect(MAX_TRIES).toBe(10);
  const waits = WAITS.map((_, n) => waitSeconds(n + 1, 0) ?? 0);
  expect(waits).toEqual(WAITS);
  expect(waits.reduce((sum, wait) => sum + wait) / HOUR).toBeCloseTo(75.6, 1);
});

test('the tenth attempt is the last', () => {
  expect([10, 11, 1000].map((tries) => waitSeconds(tries, 0.5))).toEqual([undefined, undefined, undefined]);
});

test('each delay is randomly lengthened by up to 10 %', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (tries, share) => {
      const wait = WAITS[tries - 1] ?? 0;
      const waited = waitSeconds(tries, share) ?? 0;
      expect(waited).toBeGreaterThanOrEqual(wait);
      expect(waited).toBeLessThan(wait * 1.1);
    }),
  );
});
