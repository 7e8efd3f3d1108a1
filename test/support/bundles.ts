import { prepareBundle, prepareSeller } from '../../shared/texts/credits/bundles.ts';
import { createShop, type Shop } from './receipts.ts';
import type { World } from './world.ts';

export async function sellBundle(
  world: World,
  { credits, price }: { credits: number; price: number },
  number?: string,
): Promise<Shop> {
  const seller = await createShop(world, { ...(number && { number }) });
  await setOffer(world, seller.id, credits, price);
  return seller;
}

/** Sets or clears the merchant that sells credits, and a bundle's price in cedis. */
export async function setOffer({ outside }: World, id: string | undefined, credits: number, price: number) {
  for (const { writes } of [
    await prepareSeller(outside, id),
    await prepareBundle(outside, { credits, price_pesewas: price * 100 }),
  ])
    if (writes.length > 0) await outside.table.write(writes);
}
