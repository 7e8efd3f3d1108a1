import type { TableOutside, TimedOutside } from '../../runtime/outside/outside.ts';
import { getCharges } from '../charge/charge.table.ts';
import { statusOf } from '../charge/charge.ts';
import { codeOf } from '../charge/goods.ts';
import { findRequest } from './request.table.ts';
import { duePesewas } from './schedule.ts';
import { readSums, requestStateOf } from './sums.ts';

/** What a text is about: a charge, whose link, receipt or code it is, or a payment request. */
interface About {
  readonly send_id: string;
  readonly reference?: string | undefined;
  readonly request?: string | undefined;
}

/**
 * Whether a text is not true any more: it asks for the money of a charge that does not wait for any, or tells of one that is not paid, or its request
 * does not ask for the sum that it says. Asked when it is about to leave: it may have waited for hours, and money may have arrived, or been taken
 * back, a second ago.
 */
export async function isTextSettled(outside: TimedOutside, { send_id, reference, request }: About): Promise<boolean> {
  if (reference !== undefined) return isChargeOver(outside, reference, send_id);
  return request !== undefined && isAskedNoMore(outside, request);
}

/** A charge names the texts that tell that it was paid: its receipt and its code. The others ask for its money. */
async function isChargeOver(outside: TimedOutside, reference: string, sendId: string): Promise<boolean> {
  const [charge] = await getCharges(outside, [reference]);
  if (!charge) return true;
  const tells = [charge.receipt_send_id, codeOf(charge)?.send_id].includes(sendId);
  return statusOf(outside, charge) !== (tells ? 'success' : 'pending');
}

async function isAskedNoMore(outside: TableOutside, slug: string): Promise<boolean> {
  const request = await findRequest(outside, slug);
  if (!request) return true;
  const sums = await readSums(outside, request);
  const { until = '', asked_pesewas } = request.last_reminder ?? {};
  return requestStateOf(request, sums) !== 'open' || duePesewas(request, sums.paidPesewas, until) !== asked_pesewas;
}
