import { Network } from '../../ghana/network.ts';
import { TEST_NUMBER_PREFIX } from '../../ghana/phone-number.ts';
import { testSenders } from '../../phones/sender/test-senders.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { endOfRetention, RETENTION } from '../../runtime/outside/retention.ts';
import { sha256Bytes } from '../../runtime/values/sha256.ts';
import type { Merchant } from './merchant.ts';

/*
 * A merchant's test keys belong to its twin. The twin is another merchant to every route and every row, so that nothing of the two
 * mixes; but it has no row of its own: it is what the merchant is, with wallets that nobody can pay to.
 */
const SUFFIX = '_test';

export function twinIdOf(merchantId: string): string {
  return `${merchantId}${SUFFIX}`;
}

/** Whether what belongs to this id is a test's. What belongs to no merchant is real. */
export function isTwin(merchantId: string | undefined): boolean {
  return merchantId?.endsWith(SUFFIX) === true;
}

/** The merchant that an id is of: its own, or its twin's. */
export function originalIdOf(merchantId: string): string {
  return isTwin(merchantId) ? merchantId.slice(0, -SUFFIX.length) : merchantId;
}

/**
 * The side effects of what is done for a merchant, by whatever has its id: a row, a job, the merchant itself. For a twin no phone is asked
 * and nothing is counted. It is made once, where a key, a session or a job's row says whose it is, so that nothing behind it asks for the mode.
 */
export function forMerchant<Some extends Outside>(
  outside: Some,
  { merchant_id }: { readonly merchant_id?: unknown },
): Some {
  return typeof merchant_id === 'string' && isTwin(merchant_id) ? { ...outside, ...ofTests } : outside;
}

const ofTests = {
  fetch: async () => {
    throw new Error('A test asks no phone');
  },
  metrics: { count: () => undefined },
};

/** What somebody is told who asks with a key of one mode for what is theirs in the other; undefined for all else. */
export function otherModeHint(what: string, ownerId: string, askerId: string): string | undefined {
  if (ownerId === askerId || originalIdOf(ownerId) !== originalIdOf(askerId)) return undefined;
  const [is, key] = isTwin(ownerId) ? ['test', 'live'] : ['live', 'test'];
  return `It is a ${is} ${what}, and this is a ${key} key: use the ${is} key.`;
}

export function twinOf(merchant: Merchant): Merchant {
  const [sender] = testSenders;
  return {
    ...merchant,
    merchant_id: twinIdOf(merchant.merchant_id),
    momo_accounts: merchant.momo_accounts.flatMap(({ network, account_name }, n, accounts) => {
      const isFirst = accounts.findIndex((one) => one.network === network) === n;
      const number = testWalletOf(merchant.merchant_id, network);
      return isFirst ? [{ number, network, account_name: `TEST ${account_name}` }] : [];
    }),
    default_from: merchant.default_from && sender.number,
    // What is made up is shown, whether or not the shop has asked for answers.
    answers: true,
  };
}

/** For how many days what belongs to this id is kept: the stage's, or a month for tests. */
export function retentionOf(outside: { readonly retentionDays: number }, merchantId: string | undefined) {
  return { retentionDays: isTwin(merchantId) ? RETENTION.leastDays : outside.retentionDays };
}

/** When what was written then (ISO) ends, of what a merchant keeps for good: of a test a month later. */
export function endOfTest(merchantId: string, since: string) {
  return isTwin(merchantId) ? endOfRetention({ retentionDays: RETENTION.leastDays }, since) : {};
}

/** One of its own for each merchant and network: who tests at one merchant must not use up the tries of another's customers. */
function testWalletOf(merchantId: string, network: Network): string {
  const digits = sha256Bytes(merchantId).readUInt32BE() % 1_000_000;
  return `${TEST_NUMBER_PREFIX}${String(digits).padStart(6, '0')}${Network.options.indexOf(network)}`;
}
