import { expect, test } from 'vitest';
import { afterQuietMs, isQuietHours, lastQuietEndMs, quietUntilMs } from '../../../shared/ghana/quiet-hours.ts';

const at = (time: string) => Date.parse(`2026-01-${time}:00Z`);

test.each([
  ['21:00-07:00', '05T20:59', undefined],
  ['21:00-07:00', '05T21:00', '06T07:00'],
  ['21:00-07:00', '06T00:00', '06T07:00'],
  ['21:00-07:00', '06T06:59', '06T07:00'],
  ['21:00-07:00', '06T07:00', undefined],
  ['13:00-14:30', '06T12:59', undefined],
  ['13:00-14:30', '06T14:29', '06T14:30'],
  ['00:00-06:00', '06T00:00', '06T06:00'],
  [undefined, '06T00:00', undefined],
])('with quiet hours of %s, a text due at %s is delayed until %s', (hours, time, end) => {
  expect(quietUntilMs(hours, at(time))).toBe(end && at(end));
});

test('the last end of quiet hours is never in the future', () => {
  expect(lastQuietEndMs('21:00-07:00', at('06T07:00'))).toBe(at('06T07:00'));
  expect(lastQuietEndMs('21:00-07:00', at('06T06:59'))).toBe(at('05T07:00'));
  expect(lastQuietEndMs(undefined, at('06T07:00'))).toBeUndefined();
});

test.each(['21:00-7:00', '24:00-07:00', '21:00–07:00', '21:00-21:00', 'none'])(
  'rejects %s as quiet hours',
  (written) => {
    expect(isQuietHours(written)).toBe(false);
  },
);

test.each([
  [undefined, '05T20:00', 30, '07T02:00'],
  ['21:00-07:00', '05T20:00', 0, '05T20:00'],
  ['21:00-07:00', '05T20:00', 1, '06T07:00'],
  ['21:00-07:00', '05T20:00', 2, '06T08:00'],
  ['21:00-07:00', '05T23:00', 2, '06T09:00'],
  ['21:00-07:00', '05T08:00', 14, '06T08:00'],
  ['21:00-07:00', '05T08:00', 42, '08T08:00'],
  ['13:00-14:00', '05T12:30', 24, '06T14:30'],
])('with quiet hours of %s, counting from %s, %i hours end at %s', (quiet, from, hours, end) => {
  expect(afterQuietMs(quiet, at(from), hours * 3_600_000)).toBe(at(end));
});
