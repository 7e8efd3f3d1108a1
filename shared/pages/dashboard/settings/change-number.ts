import type * as z from 'zod/mini';
import { shownNumber } from '../../../ghana/shown-number.ts';
import type { MomoAccount } from '../../../merchants/merchant/merchant.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import type { Going, MerchantVisit } from '../visit.ts';
import { changeShop } from './change-shop.ts';
import type { LimitForm, NameForm } from './number.ts';
import { accountOf, NUMBERS, numberAddress } from './number-of.ts';

export async function correctName(
  visit: MerchantVisit<'number', z.infer<typeof NameForm>>,
  outside: Outside,
): Promise<Going> {
  const account = accountOf(visit.merchant, visit.path.number);
  const { account_name } = visit.form;
  const momo_accounts = visit.merchant.momo_accounts.map((one) => (one === account ? { ...one, account_name } : one));
  const notice = `New charges show ${account_name}.`;
  return changeShop(visit, outside, { momo_accounts }, { goTo: numberAddress(account.number), notice });
}

export async function showFirst(visit: MerchantVisit<'number'>, outside: Outside): Promise<Going> {
  const account = accountOf(visit.merchant, visit.path.number);
  const momo_accounts = [account, ...othersThan(visit, account)];
  const notice = `Customers are shown ${shownNumber(account.number)} first now.`;
  return changeShop(visit, outside, { momo_accounts }, { goTo: NUMBERS, notice });
}

export async function setLimit(
  visit: MerchantVisit<'number', z.infer<typeof LimitForm>>,
  outside: Outside,
): Promise<Going> {
  const { number } = accountOf(visit.merchant, visit.path.number);
  const balance_limit = { number, limit_pesewas: visit.form.limit };
  return changeShop(visit, outside, { balance_limit }, { goTo: numberAddress(number), notice: 'The limit is set.' });
}

/** @throws PublicError for the only number: customers could not pay. */
export async function removeNumber(visit: MerchantVisit<'number'>, outside: Outside): Promise<Going> {
  const account = accountOf(visit.merchant, visit.path.number);
  const momo_accounts = othersThan(visit, account);
  if (momo_accounts.length === 0)
    throw new PublicError('invalid_request', 'It is your only number: add another one first.');
  const notice = `${shownNumber(account.number)} was removed.`;
  return changeShop(visit, outside, { momo_accounts }, { goTo: NUMBERS, notice });
}

function othersThan({ merchant }: Pick<MerchantVisit, 'merchant'>, account: MomoAccount): MomoAccount[] {
  return merchant.momo_accounts.filter((one) => one !== account);
}
