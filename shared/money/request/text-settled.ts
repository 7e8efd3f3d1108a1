import type { TableOutside } from '../../runtime/outside/outside.ts';
import { getTransactions } from '../transaction/transaction.table.ts';
import { findRequest } from './request.table.ts';
import { duePesewas } from './schedule.ts';
import { readSums, stateOf } from './sums.ts';

/** What a text is about: a charge, whose link, receipt or code it is, or a payment request. */
interface About {
  readonly reference?: string | undefined;
  readonly request?: string | undefined;
}

/**
 * Whether a text is not true any more: its charge is neither open nor paid, or its request does not ask for the sum that it says. Asked when
 * it is about to leave: it may have waited for hours, and money may have arrived, or been taken back, a second ago.
 */
export async function isTextSettled(outside: TableOutside, { reference, request }: About): Promise<boolean> {
  if (reference !== undefined) return isChargeOver(outside, reference);
  return request !== undefined && isAskedNoMore(outside, request);
}

async function isChargeOver(outside: TableOutside, reference: string): Promise<boolean> {
  const [charge] = await getTransactions(outside, [reference]);
  return charge?.state !== 'pending' && charge?.state !== 'success';
}

async function isAskedNoMore(outside: TableOutside, slug: string): Promise<boolean> {
  const request = await findRequest(outside, slug);
  if (!request) return true;
  const sums = await readSums(outside, request);
  const { until = '', asked_pesewas } = request.last_reminder ?? {};
  return stateOf(request, sums) !== 'open' || duePesewas(request, sums.paidPesewas, until) !== asked_pesewas;
}
