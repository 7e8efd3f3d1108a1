import { environment } from './environment.ts';

/** How long a stage may keep rows with people in them. A dispute takes about two months, accounts are closed once a year. */
export const RETENTION = { leastDays: 30, defaultDays: 400, mostDays: 3650 } as const;

/** The stage's retention in days. @throws an Error for a value that a deployment cannot have set. */
export function retentionDays(): number {
  const days = Number(environment('RETENTION_DAYS'));
  if (Number.isInteger(days) && days >= RETENTION.leastDays && days <= RETENTION.mostDays) return days;
  throw new Error(
    `RETENTION_DAYS must be a whole number from ${RETENTION.leastDays} to ${RETENTION.mostDays}, not ${environment('RETENTION_DAYS')}`,
  );
}

/** When a row with people in it ends that came about at `since` (ISO): what DynamoDB deletes it by. */
export function endOfRetention(outside: { readonly retentionDays: number }, since: string) {
  return { expires_at_epoch_seconds: Math.floor(Date.parse(since) / 1000) + outside.retentionDays * 24 * 60 * 60 };
}
