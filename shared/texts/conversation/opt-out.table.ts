/*
 * opt-out   OPT_OUT#<merchant> / <number>   a person who wrote STOP to a merchant; kept until they write START
 */
import * as z from 'zod/mini';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { createItem, type Page, type TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';

export const OptOut = z.object({
  merchant_id: z.string(),
  /** `+233…` */
  number: z.string(),
  /** When their phone's text came, by the clock of the phone that got it. */
  at: z.string(),
  /** What they wrote: STOP, or one of the merchant's own words. */
  word: z.string(),
});
export type OptOut = z.infer<typeof OptOut>;

const partitionOf = (merchantId: string) => `OPT_OUT#${merchantId}`;
const keyOf = (merchantId: string, number: string) => ({ pk: partitionOf(merchantId), sk: number });

export async function findOptOut(
  outside: TableOutside,
  merchantId: string,
  number: string,
): Promise<OptOut | undefined> {
  const item = await outside.table.get(keyOf(merchantId, number));
  return item && z.parse(OptOut, item);
}

/** Those of `numbers` that want no marketing and no reminders of a merchant. */
export async function optedOutOf(
  outside: TableOutside,
  merchantId: string,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const items = await outside.table.getMany(numbers.map((number) => keyOf(merchantId, number)));
  return new Set(items.map((item) => z.parse(OptOut, item).number));
}

/** A page of a merchant's opt-outs, by number. */
export async function listOptOuts(outside: TableOutside, merchantId: string, page: Page) {
  const { items, next } = await outside.table.listPage(partitionOf(merchantId), page);
  return { optOuts: items.map((item) => z.parse(OptOut, item)), next };
}

/** Records a STOP; refused with what `moved` gives where there is one. */
export function createOptOut(optOut: OptOut, moved: () => Error): TableWrite {
  return createItem({ ...keyOf(optOut.merchant_id, optOut.number), ...optOut }, moved);
}

/** Ends an opt-out; refused with what `moved` gives where it is no longer as it was read. */
export function endOptOut({ merchant_id, number, at }: OptOut, moved: () => Error): TableWrite {
  return {
    delete: {
      Key: keyOf(merchant_id, number),
      ConditionExpression: '#at = :at',
      ExpressionAttributeNames: { '#at': 'at' },
      ExpressionAttributeValues: { ':at': at },
    },
    refused: moved,
  };
}

/**
 * For the transaction that debits: none of these has opted out. Two write units a number, and what makes a STOP and a send at the same
 * moment come one after the other.
 */
export function stillOptedIn(merchantId: string, to: readonly string[]): TableWrite[] {
  return [...new Set(to)].map((number) => ({
    check: { Key: keyOf(merchantId, number), ConditionExpression: 'attribute_not_exists(pk)' },
    refused: () => recipientOptedOut(to, new Set([number])),
  }));
}

/** The refusal of a text to people who wrote STOP, by their places in `to`. */
export function recipientOptedOut(to: readonly string[], optedOut: ReadonlySet<string>): PublicError {
  const errors = to.flatMap((number, n) =>
    optedOut.has(number) ? [{ field: `to[${n}]`, message: `${number} has opted out` }] : [],
  );
  const [first = '', ...others] = optedOut;
  const more = others.length > 0 ? ` and ${others.length} more have` : ' has';
  return new PublicError(
    'recipient_opted_out',
    `${first}${more} answered STOP to you, and get no marketing and no reminders. Nothing was debited; leave out what errors lists.`,
    { errors },
  );
}
