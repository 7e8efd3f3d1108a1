/*
 * bundles   BUNDLES / BUNDLES   the merchant that sells text credits, and its bundles
 */
import * as z from 'zod/mini';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';

const Bundle = z.object({ credits: z.number(), price_pesewas: z.number() });
export type Bundle = z.infer<typeof Bundle>;

const Offer = z.object({ seller_id: z.optional(z.string()), bundles: z.array(Bundle) });

export const offerRows = rows(Offer, { pk: 'BUNDLES', sk: 'BUNDLES' });

/**
 * Returns the seller's id and its bundles, smallest first. Without a seller, the id is undefined and there are no
 * bundles.
 */
export async function getOffer(outside: TableOutside): Promise<z.infer<typeof Offer>> {
  return (await offerRows.find(outside, {})) ?? { bundles: [] };
}
