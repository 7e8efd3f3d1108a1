/**
 * follow-up   FOLLOW_UP#<0 or 1> / <queued_at>#<kind>#<about>   a job that a payer is waiting for, until the job is done
 *
 * The row is written before the job is queued. `queued_at` is initially the time of the change, so a change that is
 * delivered again writes the same row.
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
   * Jobs that only send a text have no row here, because a lost text is acceptable. Neither do `take` jobs, because the
   * expiry row of the till's charge serves the same purpose.
   */
  kind: z.enum(['code', 'stock', 'purchase', 'request']),
  queued_at: z.string(),
  /** True if the job was blocked when housekeeping last checked it. Blocked jobs do not count as late. */
  is_blocked: z.optional(z.boolean()),
  expires_at_epoch_seconds: z.number(),
});
export type FollowUp = z.infer<typeof FollowUp>;

/** The row is kept as long as a dead letter, so that it does not expire before its job. */
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

/** Lists up to `limit` jobs that were last queued at or before `until` (ISO), oldest first. */
export async function listFollowUps(outside: TableOutside, until: string, limit: number): Promise<FollowUp[]> {
  return (await listUntil(outside, followUps, until, limit)).map(followUpRows.parse);
}
