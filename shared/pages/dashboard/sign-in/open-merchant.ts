import * as z from 'zod/mini';
import { recordAudit } from '../../../merchants/audit/audit.table.ts';
import { requireMerchant } from '../../../merchants/merchant/manage-merchant.ts';
import { openMerchant } from '../../../merchants/user/session.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { HOME } from '../addresses.ts';
import type { Going, PersonVisit } from '../visit.ts';

export const OpenForm = z.object({ merchant: z.optional(z.string().check(z.maxLength(64))) });

/** An operator looks at a merchant's dashboard, or leaves it again. @throws NoSuch merchant. */
export async function openDashboard(
  { session, user, form }: PersonVisit<never, z.infer<typeof OpenForm>>,
  outside: Outside,
): Promise<Going> {
  const { merchant: merchant_id } = form;
  if (merchant_id !== undefined) await requireMerchant(outside, merchant_id);
  const noted = merchant_id && recordAudit(outside, { merchant_id, by: user.user_id, action: 'dashboard open' });
  await outside.table.write([openMerchant(session, merchant_id), ...(noted ? [noted] : [])]);
  return { goTo: HOME };
}
