import { DAY_SECONDS } from '../values/calendar.ts';
import { environment } from './environment.ts';

/**
 * Retention of rows with personal data, in days. The default covers disputes (about two months) and annual accounts.
 */
export const RETENTION = { leastDays: 30, defaultDays: 400, mostDays: 3650 } as const;

export function retentionDays(): number {
  const days = Number(environment('RETENTION_DAYS'));
  if (Number.isInteger(days) && days >= RETENTION.leastDays && days <= RETENTION.mostDays) return days;
  throw new Error(
    `RETENTION_DAYS must be a whole number from ${RETENTION.leastDays} to ${RETENTION.mostDays}, not ${environment('RETENTION_DAYS')}`,
  );
}

export function endOfRetention(outside: { readonly retentionDays: number }, since: string) {
  return { expires_at_epoch_seconds: Math.floor(Date.parse(since) / 1000) + outside.retentionDays * DAY_SECONDS };
}
