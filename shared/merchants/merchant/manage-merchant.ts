import type { BalanceLimit } from '../../ghana/balance-limit.ts';
import { requireSender } from '../../phones/sender/manage-senders.ts';
import { type IdOutside, nowIso, type TableOutside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { newUlid } from '../../runtime/values/ids.ts';
import { NoSuch } from '../../runtime/values/no-such.ts';
import { accountRows, merchantRows, replaceMerchant } from './merchant.table.ts';
import type { Merchant, MomoAccount } from './merchant.ts';

export type NewMerchant = Pick<Merchant, 'name' | 'momo_accounts' | 'contact'>;

/** Returns a new merchant without storing it. @throws PublicError `invalid_request` for a duplicate number. */
export function newMerchant(outside: IdOutside, merchant: NewMerchant): Merchant {
  refuseRepeats(merchant.momo_accounts);
  return { ...merchant, merchant_id: newUlid(outside), created_at: nowIso(outside) };
}

type Settings = Omit<Merchant, 'merchant_id' | 'name' | 'logo' | 'created_at' | 'suspended_at' | 'momo_accounts'>;

/** Changes to a merchant's settings. Null, `false` and empty values clear a setting. */
export type MerchantChanges = { readonly [Name in keyof Settings]?: Settings[Name] | null } & {
  readonly momo_accounts?: MomoAccount[] | undefined;
  readonly balance_limit?: BalanceLimitChange | undefined;
};

/**
 * A balance limit for one wallet, or for all wallets if `number` is undefined. If `limit` is undefined, the limit is
 * unknown.
 */
export interface BalanceLimitChange {
  readonly number: string | undefined;
  readonly limit_pesewas: BalanceLimit | undefined;
}

/**
 * Changes only the given fields.
 * @throws NoSuch if the merchant or sender does not exist.
 * @throws PublicError `invalid_request` for a duplicate number, or for a limit on a number that is not the merchant's.
 */
export async function changeMerchant(
  outside: TableOutside,
  merchantId: string,
  changes: MerchantChanges,
): Promise<Merchant> {
  const before = await requireMerchant(outside, merchantId);
  const after = await merchantAfter(outside, before, changes);
  await outside.table.write(replaceMerchant(before, after));
  return after;
}

export async function merchantAfter(
  outside: TableOutside,
  before: Merchant,
  changes: MerchantChanges,
): Promise<Merchant> {
  refuseRepeats(changes.momo_accounts ?? []);
  if (changes.default_from) await requireSender(outside, changes.default_from);
  const { momo_accounts, balance_limit, ...others } = changes;
  const given = Object.entries(others).filter(([, value]) => value !== undefined);
  const set = Object.fromEntries(given.map(([name, value]) => [name, isNothing(value) ? undefined : value]));
  return { ...before, ...set, momo_accounts: accountsAfter(before, changes) };
}

function isNothing(value: unknown): boolean {
  return value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Returns the payment accounts after a change. Existing numbers keep their balance limits. */
function accountsAfter(before: Merchant, { momo_accounts = before.momo_accounts, balance_limit }: MerchantChanges) {
  const limited = balance_limit?.number;
  if (limited && !momo_accounts.some(({ number }) => number === limited))
    throw new PublicError(
      'invalid_request',
      `The merchant does not receive payments on ${limited}. Use one of the merchant’s own numbers.`,
    );
  return momo_accounts.map(({ number, network, account_name }) => {
    const known = before.momo_accounts.find((one) => one.number === number && one.network === network);
    const isLimited = balance_limit !== undefined && (limited ?? number) === number;
    const balance_limit_pesewas = isLimited ? balance_limit.limit_pesewas : known?.balance_limit_pesewas;
    return { number, network, account_name, ...(balance_limit_pesewas && { balance_limit_pesewas }) };
  });
}

/** @throws NoSuch if the merchant does not exist. */
export async function requireMerchant(outside: TableOutside, merchantId: string): Promise<Merchant> {
  const merchant = await merchantRows.find(outside, { merchant_id: merchantId });
  if (!merchant) throw new NoSuch('merchant', `There is no merchant ${merchantId}.`);
  return merchant;
}

/** Returns the other merchants that use the same payment number. */
export async function othersPaidOn(
  outside: TableOutside,
  merchantId: string | undefined,
  momoNumber: string,
): Promise<string[]> {
  const merchants = (await accountRows.list(outside, { number: momoNumber })).map(({ merchant_id }) => merchant_id);
  return merchants.filter((one) => one !== merchantId);
}

function refuseRepeats(accounts: readonly MomoAccount[]): void {
  const numbers = accounts.map(({ number }) => number);
  const repeated = numbers.find((number, n) => numbers.indexOf(number) !== n);
  if (repeated) {
    const message = `The number ${repeated} is listed twice. List each number once, with one network.`;
    throw new PublicError('invalid_request', message);
  }
}
