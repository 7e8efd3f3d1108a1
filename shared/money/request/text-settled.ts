import type { TimedOutside } from '../../runtime/outside/outside.ts';
import { getCharges } from '../charge/charge.table.ts';
import { statusOf } from '../charge/charge.ts';
import { codeOf } from '../charge/goods.ts';
import { arrivedForRequest } from './more-than-asked.ts';
import { findRequest } from './request.table.ts';
import { duePesewas } from './schedule.ts';
import { readSums, requestStateOf } from './sums.ts';

interface About {
  readonly send_id: string;
  readonly reference?: string | undefined;
  readonly request?: string | undefined;
}

/**
 * True if a text is outdated: it asks for an amount that is no longer due, or confirms a payment that was reversed.
 * Checked just before sending, possibly hours after queuing.
 */
export async function isTextSettled(outside: TimedOutside, { send_id, reference, request }: About): Promise<boolean> {
  if (reference !== undefined) return isChargeOver(outside, reference, send_id);
  return request !== undefined && isAskedNoMore(outside, request);
}

/** Texts recorded on the charge (customer receipt and stock code) confirm its payment. All others ask for money. */
async function isChargeOver(outside: TimedOutside, reference: string, sendId: string): Promise<boolean> {
  const [charge] = await getCharges(outside, [reference]);
  if (!charge) return true;
  const isConfirmation = [charge.receipt_send_id, codeOf(charge)?.send_id].includes(sendId);
  return statusOf(outside, charge) !== (isConfirmation ? 'success' : 'pending');
}

async function isAskedNoMore(outside: TimedOutside, slug: string): Promise<boolean> {
  const request = await findRequest(outside, slug);
  if (!request) return true;
  const sums = await readSums(outside, request);
  if (requestStateOf(request, sums) !== 'open') return true;
  const { until = '', asked_pesewas } = request.last_reminder ?? {};
  return duePesewas(request, await arrivedForRequest(outside, request, sums), until) !== asked_pesewas;
}
