/*
 * purchases   PURCHASES#<buyer> / PURCHASES    a merchant's purchases of credits (all paid ones whose credits are waiting, and the most recent others), and
 *                                              whether further purchases are stopped
 */
import * as z from 'zod/mini';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead, type TableWrite } from '../../runtime/table/table.ts';

const Purchases = z.object({
  references: z._default(z.array(z.string()), []),
  /**
   * Purchase whose reversed or doubtful payment stopped further purchases. The operator must allow the buyer to buy
   * again.
   */
  stopped_by: z.optional(z.string()),
});
export type Purchases = z.infer<typeof Purchases>;

const purchaseRows = rows(Purchases, { pk: 'PURCHASES#<buyer_id>', sk: 'PURCHASES' });

export async function getPurchases(outside: TableOutside, buyer_id: string): Promise<Purchases> {
  return (await purchaseRows.find(outside, { buyer_id })) ?? { references: [] };
}

/** Sets a buyer's list of purchases. Fails with `Changed` if the row has changed since it was read. */
export function setPurchases(buyer_id: string, read: Purchases, references: readonly string[]): TableWrite {
  return whileAsRead(buyer_id, read, references);
}

/**
 * Like `setPurchases`, but for a new purchase. Also fails with `Changed` if purchases have been stopped since the row
 * was read.
 */
export function beginPurchase(buyer_id: string, read: Purchases, references: readonly string[]): TableWrite {
  return whileAsRead(buyer_id, read, references, ' AND attribute_not_exists(stopped_by)');
}

function whileAsRead(buyer_id: string, read: Purchases, references: readonly string[], also = ''): TableWrite {
  return purchaseRows.change(
    { buyer_id },
    { references },
    {
      when: `(attribute_not_exists(#references) OR #references = :read)${also}`,
      values: { ':read': read.references },
      refused: purchaseRows.changed,
    },
  );
}

export function whileNotStopped(buyer_id: string): TableWrite {
  return purchaseRows.check({ buyer_id }, { ...asRead({ stopped_by: undefined }), refused: purchaseRows.changed });
}

export function stopPurchases(buyer_id: string, stopped_by: string | undefined): TableWrite {
  return purchaseRows.change({ buyer_id }, { stopped_by });
}
