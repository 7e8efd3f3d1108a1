/*
 * purchases   PURCHASES#<buyer> / PURCHASES    the last charges by which a merchant buys credits, of which few are open at once; and whether it may buy none
 */
import * as z from 'zod/mini';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead, type TableWrite } from '../../runtime/table/table.ts';

/** As many are looked at: those that are open, and those that were paid and wait for the operator, however late. */
const MOST_KNOWN = 20;

const Purchases = z.object({
  references: z._default(z.array(z.string()), []),
  /** The purchase whose payment was taken back or is in doubt: the merchant may buy none until the operator allows it. */
  stopped_by: z.optional(z.string()),
});
export type Purchases = z.infer<typeof Purchases>;

const purchaseRows = rows(Purchases, { pk: 'PURCHASES#<buyer_id>', sk: 'PURCHASES' });

export async function getPurchases(outside: TableOutside, buyer_id: string): Promise<Purchases> {
  return (await purchaseRows.find(outside, { buyer_id })) ?? { references: [] };
}

/** Notes a new purchase behind the last ones. Refused with `Changed` where another was begun, or they were stopped, since they were read. */
export function notePurchase(buyer_id: string, read: Purchases, reference: string): TableWrite {
  return purchaseRows.change(
    { buyer_id },
    { references: [...read.references, reference].slice(-MOST_KNOWN) },
    {
      when: '(attribute_not_exists(#references) OR #references = :read) AND attribute_not_exists(stopped_by)',
      values: { ':read': read.references },
      refused: purchaseRows.changed,
    },
  );
}

/** The condition that a merchant's purchases are not stopped; refused with `Changed`. */
export function whileNotStopped(buyer_id: string): TableWrite {
  return purchaseRows.check({ buyer_id }, { ...asRead({ stopped_by: undefined }), refused: purchaseRows.changed });
}

/** Stops a merchant's purchases because the payment of one was taken back or is in doubt, or lets it buy again. */
export function stopPurchases(buyer_id: string, stopped_by: string | undefined): TableWrite {
  return purchaseRows.change({ buyer_id }, { stopped_by });
}
