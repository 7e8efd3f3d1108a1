import { afterEach, expect, test, vi } from 'vitest';
import { endOfRetention, retentionDays } from '../../../../shared/runtime/outside/retention.ts';

afterEach(() => vi.unstubAllEnvs());

test.each(['30', '400', '3650'])('a retention period of %s days is accepted', (days) => {
  vi.stubEnv('RETENTION_DAYS', days);
  expect(retentionDays()).toBe(Number(days));
});

test.each(['29', '3651', '40.5', 'forever', ''])('a retention period of "%s" is rejected', (days) => {
  vi.stubEnv('RETENTION_DAYS', days);
  expect(() => retentionDays()).toThrow('RETENTION_DAYS');
});

test('a row expires when its retention period ends', () => {
  expect(endOfRetention({ retentionDays: 30 }, '2026-11-20T08:30:00.900Z')).toEqual({
    expires_at_epoch_seconds: Date.UTC(2026, 11, 20, 8, 30) / 1000,
  });
});
