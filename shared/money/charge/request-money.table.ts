/*
 * money of a request   REQUEST_MONEY#<slug> / <reference>   a charge with money that is not recorded on its payment request yet
 */

import * as z from 'zod/mini';
import { type Clock, endsIn, type TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead, type TableWrite } from '../../runtime/table/table.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import { TRY_AGAIN } from '../../runtime/values/errors.ts';
import type { Charge } from './charge.table.ts';

const RequestMoney = z.object({
  slug: z.string(),
  reference: z.string(),
  receipt_id: z.string(),
});
export type RequestMoney = z.infer<typeof RequestMoney>;

const moneyRows = rows(RequestMoney, {
  pk: 'REQUEST_MONEY#<slug>',
  sk: '<reference>',
  changed: `More money is arriving for this request. ${TRY_AGAIN}`,
});

/** Maximum lifetime of the job that records the money. */
const ENDS_AFTER_SECONDS = 14 * DAY_SECONDS;

/**
 * Records that a charge has money that its payment request does not include yet. A job updates the request's row later.
 */
export function noteRequestMoney(
  outside: Clock,
  { reference, origin }: Pick<Charge, 'reference' | 'origin'>,
  { receipt_id }: Pick<RequestMoney, 'receipt_id'>,
): TableWrite[] {
  if (origin.kind !== 'request') return [];
  return [moneyRows.put({ slug: origin.slug, reference, receipt_id, ...endsIn(outside, ENDS_AFTER_SECONDS) })];
}

export function listRequestMoney(outside: TableOutside, slug: string): Promise<RequestMoney[]> {
  return moneyRows.list(outside, { slug });
}

/** Maximum number of charges to check in one transaction (DynamoDB allows 100 writes). */
const MOST_HELD = 90;

/**
 * Requires that no payment for the payment request's newest charges has been counted since `money` was read. Older
 * charges can no longer be paid.
 */
export function noMoreRequestMoney(
  slug: string,
  charges: readonly Pick<Charge, 'reference'>[],
  money: readonly RequestMoney[],
): TableWrite[] {
  const newest = charges.slice(-MOST_HELD);
  return newest.map(({ reference }) => {
    const receipt_id = money.find((one) => one.reference === reference)?.receipt_id;
    return moneyRows.check({ slug, reference }, { ...asRead({ receipt_id }), refused: moneyRows.changed });
  });
}

/**
 * Deletes the row once the payment request includes the money. Fails if another payment was counted in the meantime.
 */
export function recordRequestMoney(money: RequestMoney): TableWrite {
  return moneyRows.remove(money, { ...asRead({ receipt_id: money.receipt_id }), refused: moneyRows.changed });
}
