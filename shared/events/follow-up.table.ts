/**
 * follow-up   FOLLOW_UP#<0 or 1> / <queued_at>#<kind>#<about>   a job that a payer waits for, until it is known to be done
 *
 * The row is written before the job is queued. Its time is the time of the change, so a repeated change writes the same
 * row.
 */
import * as z from 'zod/mini';
import { type Clock, endsIn, nowIso, type TableOutside } from '../runtime/outside/outside.ts';
import { rows } from '../runtime/table/rows.ts';
import { listUntil, spread } from '../runtime/table/spread.ts';
import type { TableWrite } from '../runtime/table/table.ts';
import { DAY_SECONDS } from '../runtime/values/calendar.ts';
import { FollowUpJob } from './follow-up-job.ts';

const FollowUp = z.extend(FollowUpJob, {
  /** Texts have no row, because a lost text is acceptable. The expiry of a till's charge serves as its row. */
  kind: z.enum(['code', 'stock', 'purchase', 'request']),
  queued_at: z.string(),
  /** True if the job was still blocked when housekeeping last checked. A blocked job is not late yet. */
  is_blocked: z.optional(z.boolean()),
  expires_at_epoch_seconds: z.number(),
});
export type FollowUp = z.infer<typeof FollowUp>;

/** A row is kept for as long as a dead letter, so it can outlive its job. */
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
