import { Network } from '../../ghana/network.ts';
import { TEST_NUMBER_PREFIX } from '../../ghana/phone-number.ts';
import { testSenders } from '../../phones/sender/test-senders.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { endOfRetention, RETENTION } from '../../runtime/outside/retention.ts';
import { sha256Bytes } from '../../runtime/values/sha256.ts';
import type { Merchant } from './merchant.ts';

/**
 * Suffix of a test account's id. A test account shares its merchant's settings, but is otherwise a separate merchant,
 * so test data never mixes with live data.
 */
const SUFFIX = '_test';

export function testAccountIdOf(merchantId: string): string {
  return `${merchantId}${SUFFIX}`;
}

export function isTestAccount(merchantId: string | undefined): boolean {
  return merchantId?.endsWith(SUFFIX) === true;
}

export function originalIdOf(merchantId: string): string {
  return isTestAccount(merchantId) ? merchantId.slice(0, -SUFFIX.length) : merchantId;
}

/** Returns the `Outside` for a merchant. A test account's `Outside` contacts no gateways and counts no metrics. */
export function forMerchant<Some extends Outside>(
  outside: Some,
  { merchant_id }: { readonly merchant_id?: unknown },
): Some {
  return typeof merchant_id === 'string' && isTestAccount(merchant_id) ? { ...outside, ...ofTests } : outside;
}

const ofTests = {
  fetch: async () => {
    throw new Error('A test account tried to contact a gateway');
  },
  metrics: { count: () => undefined },
};

/** Returns a hint if the object exists in the other mode (test or live). */
export function otherModeHint(what: string, ownerId: string, askerId: string): string | undefined {
  if (ownerId === askerId || originalIdOf(ownerId) !== originalIdOf(askerId)) return undefined;
  const [is, key] = isTestAccount(ownerId) ? ['test', 'live'] : ['live', 'test'];
  return `It is a ${is} ${what}, but this is a ${key} key. Use the ${is} key.`;
}

export function testAccountOf(merchant: Merchant): Merchant {
  const [sender] = testSenders;
  return {
    ...merchant,
    merchant_id: testAccountIdOf(merchant.merchant_id),
    momo_accounts: merchant.momo_accounts.flatMap(({ network, account_name }, n, accounts) => {
      const isFirst = accounts.findIndex((one) => one.network === network) === n;
      const number = testWalletOf(merchant.merchant_id, network);
      return isFirst ? [{ number, network, account_name: `TEST ${account_name}` }] : [];
    }),
    default_from: merchant.default_from && sender.number,
    // Test mode always shows replies.
    answers: true,
  };
}

export function retentionOf(outside: { readonly retentionDays: number }, merchantId: string | undefined) {
  return { retentionDays: isTestAccount(merchantId) ? RETENTION.leastDays : outside.retentionDays };
}

/** Returns the expiry of test data, one month after `since` (ISO). Returns no expiry for live data. */
export function endOfTest(merchantId: string, since: string) {
  return isTestAccount(merchantId) ? endOfRetention({ retentionDays: RETENTION.leastDays }, since) : {};
}

/** Returns the number of a merchant's test wallet on a network, derived from the merchant's id. */
function testWalletOf(merchantId: string, network: Network): string {
  const digits = sha256Bytes(merchantId).readUInt32BE() % 1_000_000;
  return `${TEST_NUMBER_PREFIX}${String(digits).padStart(6, '0')}${Network.options.indexOf(network)}`;
}
