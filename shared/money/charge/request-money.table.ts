/*
 * money of a request   REQUEST_MONEY#<slug> / <reference>   a charge that money was counted for, until its payment request has recorded that
 */
import * as z from 'zod/mini';
import { type Clock, endsIn, type TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead, type TableWrite } from '../../runtime/table/table.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import type { Charge } from './charge.table.ts';

const RequestMoney = z.object({
  slug: z.string(),
  reference: z.string(),
  /** The payment that was counted last. */
  receipt_id: z.string(),
});
export type RequestMoney = z.infer<typeof RequestMoney>;

const moneyRows = rows(RequestMoney, {
  pk: 'REQUEST_MONEY#<slug>',
  sk: '<reference>',
  changed: 'More money is arriving for this request. Try again in a second.',
});

/** As long as a queue keeps the job that records it. */
const ENDS_AFTER_SECONDS = 14 * DAY_SECONDS;

/** Written with each payment that counts for a charge of a request: its row records that a moment later. */
export function noteRequestMoney(
  outside: Clock,
  { reference, origin }: Pick<Charge, 'reference' | 'origin'>,
  { receipt_id }: Pick<RequestMoney, 'receipt_id'>,
): TableWrite[] {
  if (origin.kind !== 'request') return [];
  return [moneyRows.put({ slug: origin.slug, reference, receipt_id, ...endsIn(outside, ENDS_AFTER_SECONDS) })];
}

/** The charges of a request whose money it has not recorded yet. */
export function listRequestMoney(outside: TableOutside, slug: string): Promise<RequestMoney[]> {
  return moneyRows.list(outside, { slug });
}

/** Refused where more money was counted for the charge since. */
export function recordRequestMoney(money: RequestMoney): TableWrite {
  return moneyRows.remove(money, { ...asRead({ receipt_id: money.receipt_id }), refused: moneyRows.changed });
}
