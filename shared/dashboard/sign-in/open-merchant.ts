import * as z from 'zod/mini';
import { requireMerchant } from '../../merchant/manage-merchant.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { openMerchant } from '../../user/session.table.ts';
import { HOME } from '../addresses.ts';
import type { Going, PersonVisit } from '../visit.ts';

export const OpenForm = z.object({ merchant: z.optional(z.string()) });

/** An operator looks at a merchant's dashboard, or leaves it again. @throws NoSuch merchant. */
export async function openDashboard(
  { session, form }: PersonVisit<never, z.infer<typeof OpenForm>>,
  outside: Outside,
): Promise<Going> {
  if (form.merchant !== undefined) await requireMerchant(outside, form.merchant);
  await outside.table.write([openMerchant(session, form.merchant)]);
  return { goTo: HOME };
}
