import { merchantRows } from '../../shared/merchants/merchant/merchant.table.ts';
import type { Charge } from '../../shared/money/charge/charge.table.ts';
import { initializeCharge } from '../../shared/money/charge/initialize-charge.ts';
import type { InitializeRequest } from '../../shared/money/charge/initialize-request.ts';
import type { World } from './world.ts';

/** Opens a charge as an unauthenticated visitor. `amount` is in pesewas. */
export async function openAsStranger(
  { outside }: Pick<World, 'outside'>,
  { id }: { readonly id: string },
  asked: InitializeRequest,
): Promise<Charge> {
  const merchant = await merchantRows.find(outside, { merchant_id: id });
  if (!merchant) throw new Error(`There is no merchant ${id}`);
  const commit = async (charge: Charge, writes: Parameters<typeof outside.table.write>[0]) => {
    await outside.table.write(writes);
    return charge;
  };
  return initializeCharge(outside, merchant, { asked, origin: { kind: 'link', slug: 'nobodys1' } }, commit);
}
