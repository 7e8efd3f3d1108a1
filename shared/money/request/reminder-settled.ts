import type { TableOutside } from '../../runtime/outside/outside.ts';
import { findRequest } from './request.table.ts';
import { duePesewas } from './schedule.ts';
import { readSums, stateOf } from './sums.ts';

/**
 * Whether nothing is to be paid any more of what a text reminds of. Asked when it is about to leave: it may have waited for hours, and money
 * may have arrived a second ago.
 */
export async function isReminderSettled(
  outside: TableOutside,
  { request: slug }: { readonly request?: string | undefined },
): Promise<boolean> {
  if (slug === undefined) return false;
  const request = await findRequest(outside, slug);
  if (!request) return true;
  const sums = await readSums(outside, request);
  const { last_reminder } = request;
  return stateOf(request, sums) !== 'open' || duePesewas(request, sums.paidPesewas, last_reminder?.until ?? '') === 0;
}
