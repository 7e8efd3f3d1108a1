import type { Outside } from '../runtime/outside/outside.ts';
import { PublicError } from '../runtime/values/errors.ts';
import { newUlid } from '../runtime/values/ids.ts';
import { NoSuch } from '../runtime/values/no-such.ts';
import { requireSender } from '../sender/manage-senders.ts';
import { createMerchant, getMerchant, listAccountsOfNumber, replaceMerchant } from './merchant.table.ts';
import type { Merchant } from './merchant.ts';
import type { MomoAccount } from './momo-account.ts';

/** @throws PublicError `invalid_request` for a number that is listed twice. */
export async function addMerchant(
  outside: Pick<Outside, 'table' | 'now' | 'randomBytes'>,
  merchant: Pick<Merchant, 'name' | 'momo_accounts'>,
): Promise<Merchant> {
  refuseRepeats(merchant.momo_accounts);
  const created = { ...merchant, merchant_id: newUlid(outside), created_at: new Date(outside.now()).toISOString() };
  await outside.table.write(createMerchant(created));
  return created;
}

/**
 * Changes only the fields given.
 * @throws NoSuch merchant, sender; PublicError `invalid_request` for a number that is listed twice.
 */
export async function changeMerchant(
  outside: Pick<Outside, 'table'>,
  merchantId: string,
  changes: {
    default_from?: string | undefined;
    momo_accounts?: MomoAccount[] | undefined;
    match_by_name_up_to_pesewas?: number | undefined;
  },
): Promise<Merchant> {
  refuseRepeats(changes.momo_accounts ?? []);
  if (changes.default_from) await requireSender(outside, changes.default_from);
  const before = await requireMerchant(outside, merchantId);
  const after = {
    ...before,
    momo_accounts: changes.momo_accounts ?? before.momo_accounts,
    default_from: changes.default_from ?? before.default_from,
    match_by_name_up_to_pesewas: changes.match_by_name_up_to_pesewas ?? before.match_by_name_up_to_pesewas,
  };
  await outside.table.write(replaceMerchant(before, after));
  return after;
}

/** @throws NoSuch merchant. */
export async function requireMerchant(outside: Pick<Outside, 'table'>, merchantId: string): Promise<Merchant> {
  const merchant = await getMerchant(outside, merchantId);
  if (!merchant) throw new NoSuch('merchant', `There is no merchant ${merchantId}.`);
  return merchant;
}

/** The other merchants that are paid on a number: payments that name no charge are shown to none of them. */
export async function othersPaidOn(
  outside: Pick<Outside, 'table'>,
  merchantId: string,
  momoNumber: string,
): Promise<string[]> {
  const merchants = (await listAccountsOfNumber(outside, momoNumber)).map(({ merchant_id }) => merchant_id);
  return merchants.filter((one) => one !== merchantId);
}

function refuseRepeats(accounts: readonly MomoAccount[]): void {
  const numbers = accounts.map(({ number }) => number);
  const repeated = numbers.find((number, n) => numbers.indexOf(number) !== n);
  if (repeated) {
    const message = `The number ${repeated} is listed twice: a number is one account with one network.`;
    throw new PublicError('invalid_request', message);
  }
}
