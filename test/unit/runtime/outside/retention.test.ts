import { afterEach, expect, test, vi } from 'vitest';
import { endOfRetention, retentionDays } from '../../../../shared/runtime/outside/retention.ts';

afterEach(() => vi.unstubAllEnvs());

test.each(['30', '400', '3650'])('a retention period of %s days in the environment is accepted', (days) => {
  vi.stubEnv('RETENTION_DAYS', days);
  expect(retentionDays()).toBe(Number(days));
});

test.each(['29', '3651', '40.5', 'forever', ''])(
  'a retention period of "%s" is rejected before a row is written',
  (days) => {
    vi.stubEnv('RETENTION_DAYS', days);
    expect(() => retentionDays()).toThrow('RETENTION_DAYS');
  },
);

test('a row expires that many days after its creation, in seconds', () => {
  expect(endOfRetention({ retentionDays: 30 }, '2026-11-20T08:30:00.900Z')).toEqual({
    expires_at_epoch_seconds: Date.UTC(2026, 11, 20, 8, 30) / 1000,
  });
});
