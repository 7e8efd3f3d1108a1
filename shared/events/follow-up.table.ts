/**
 * follow-up   FOLLOW_UP#<0 or 1> / <queued_at>#<kind>#<about>   an unfinished job that a payer is waiting for
 *
 * Written before the job is queued. `queued_at` starts as the time of the change, so a redelivered change writes the
 * same row.
 */
import * as z from 'zod/mini';
import { type Clock, endsIn, nowIso, type TableOutside } from '../runtime/outside/outside.ts';
import { rows } from '../runtime/table/rows.ts';
import { listUntil, spread } from '../runtime/table/spread.ts';
import type { TableWrite } from '../runtime/table/table.ts';
import { DAY_SECONDS } from '../runtime/values/calendar.ts';
import { FollowUpJob } from './follow-up-job.ts';

const FollowUp = z.extend(FollowUpJob, {
  /**
   * Jobs that only send a text have no row, because losing a text is acceptable. `take` jobs use the charge's expiry
   * row.
   */
  kind: z.enum(['code', 'stock', 'purchase', 'request']),
  queued_at: z.string(),
  /** True if housekeeping last found the job blocked. Blocked jobs are never late. */
  is_blocked: z.optional(z.boolean()),
  expires_at_epoch_seconds: z.number(),
});
export type FollowUp = z.infer<typeof FollowUp>;

/** At least as long as a dead letter is kept. */
const KEPT_SECONDS = 14 * DAY_SECONDS;

const followUps = spread('FOLLOW_UP', 2);
export const followUpRows = rows(FollowUp, {
  pk: ({ about }: Pick<FollowUp, 'about'>) => followUps.of(about),
  sk: '<queued_at>#<kind>#<about>',
});

export function createFollowUp(
  outside: Clock,
  job: Pick<FollowUp, 'kind' | 'merchant_id' | 'about'>,
  queued_at: string,
) {
  return followUpRows.createOnce({ ...job, queued_at, ...endsIn(outside, KEPT_SECONDS) });
}

export function moveFollowUp(outside: Clock, { is_blocked, ...followUp }: FollowUp): TableWrite[] {
  return [followUpRows.remove(followUp), followUpRows.createOnce({ ...followUp, queued_at: nowIso(outside) })];
}

export function blockFollowUp(outside: Clock, followUp: FollowUp): TableWrite[] {
  const blocked = { ...followUp, queued_at: nowIso(outside), is_blocked: true, ...endsIn(outside, KEPT_SECONDS) };
  return [followUpRows.remove(followUp), followUpRows.createOnce(blocked)];
}

/** Lists up to `limit` jobs last queued at or before `until` (ISO), oldest first. */
export async function listFollowUps(outside: TableOutside, until: string, limit: number): Promise<FollowUp[]> {
  return (await listUntil(outside, followUps, until, limit)).map(followUpRows.parse);
}
