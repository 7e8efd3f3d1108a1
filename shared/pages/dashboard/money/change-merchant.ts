import * as z from 'zod/mini';
import { audited } from '../../../merchants/audit/audit.table.ts';
import { requireMerchant } from '../../../merchants/merchant/manage-merchant.ts';
import { suspendMerchant } from '../../../merchants/merchant/suspend-merchant.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { getCredits, setLowBelow } from '../../../texts/credits/credits.table.ts';
import { topUp } from '../../../texts/credits/top-up.ts';
import type { Going, PersonVisit } from '../visit.ts';
import { writesOnce } from '../writes-once.ts';
import { merchantAddress } from './addresses.ts';
import { wholeNumber } from './whole-number.ts';

export const CreditsForm = z.object({ amount: wholeNumber(1) });
export const LowBelowForm = z.object({ low_below: wholeNumber(0) });

type OfMerchant<Form = undefined> = PersonVisit<'id', Form>;

export async function addCredits(visit: OfMerchant<z.infer<typeof CreditsForm>>, outside: Outside): Promise<Going> {
  const { amount } = visit.form;
  const { merchant_id } = await requireMerchant(outside, visit.path.id);
  const going = { goTo: merchantAddress(merchant_id), notice: `${counted(amount, 'credit')} added.` };
  const entry = { merchant_id, by: visit.user.user_id, action: 'credits add', after: { credits: amount } };
  await topUp(writesOnce(outside, visit, going, entry), merchant_id, amount);
  return going;
}

export async function setLow(visit: OfMerchant<z.infer<typeof LowBelowForm>>, outside: Outside): Promise<Going> {
  const { low_below } = visit.form;
  const { merchant_id } = await requireMerchant(outside, visit.path.id);
  const before = await getCredits(outside, merchant_id);
  const values = { before: { credits_low_below: before.low_below }, after: { credits_low_below: low_below } };
  const noted = audited(outside, () => ({ merchant_id, by: visit.user.user_id, action: 'merchant set', ...values }));
  if (before.low_below !== low_below) await setLowBelow(noted, merchant_id, low_below);
  const notice =
    low_below === 0 ? 'It is never told that its credits are low.' : `Its credits are low below ${low_below}.`;
  return { goTo: merchantAddress(merchant_id), notice };
}

export function suspend(visit: OfMerchant, outside: Outside): Promise<Going> {
  return setSuspended(visit, outside, true);
}

export function takeBack(visit: OfMerchant, outside: Outside): Promise<Going> {
  return setSuspended(visit, outside, false);
}

async function setSuspended(visit: OfMerchant, outside: Outside, isSuspended: boolean): Promise<Going> {
  const { merchant_id, name, suspended_at } = await requireMerchant(outside, visit.path.id);
  const going = {
    goTo: merchantAddress(merchant_id),
    notice: `${name} is ${isSuspended ? 'suspended' : 'not suspended any more'}.`,
  };
  // The second tap finds it done.
  if ((suspended_at !== undefined) === isSuspended) return going;
  const action = isSuspended ? 'merchant suspend' : 'merchant take-back';
  const entry = { merchant_id, by: visit.user.user_id, action };
  await suspendMerchant(writesOnce(outside, visit, going, entry), merchant_id, isSuspended);
  return going;
}
