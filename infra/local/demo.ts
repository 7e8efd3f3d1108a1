import { randomBytes } from 'node:crypto';
import { COMMAND_LINE } from '../../shared/merchants/audit/audit.table.ts';
import { addMerchant } from '../../shared/merchants/merchant/add-merchant.ts';
import { addApiKey } from '../../shared/merchants/merchant/manage-keys.ts';
import { changeMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import { giveSender } from '../../shared/merchants/merchant/senders.ts';
import { addUser } from '../../shared/merchants/user/manage-users.ts';
import { SESSION_SECONDS } from '../../shared/merchants/user/session.table.ts';
import { sessionCookie, startSession } from '../../shared/merchants/user/session.ts';
import { addSender, NOBODY } from '../../shared/phones/sender/manage-senders.ts';
import { redirect } from '../../shared/runtime/http/answer.ts';
import type { Outside } from '../../shared/runtime/outside/outside.ts';
import type { AdminOutside } from '../../shared/runtime/stage/deployment.ts';
import { topUp } from '../../shared/texts/credits/top-up.ts';
import { nameBalance } from '../../shared/wallets/chain/name-balance.ts';
import { OPENING_BALANCE_PESEWAS } from '../phone/gateway.ts';
import type { OwnAnswer } from './front.ts';

/** The simulated phone with two SIMs: MTN (the demo merchant's wallet) and Telecel. */
export const demoPhone = {
  id: 'demo-phone',
  name: 'Demo phone',
  /** Generated at each start, because anyone could sign receipts with a fixed key. */
  signingKey: randomBytes(16).toString('hex'),
  sims: [
    { simNumber: 1, number: '+233241234567', network: 'MTN' as const },
    { simNumber: 2, number: '+233201234567', network: 'TELECEL' as const },
  ],
};

export const secondPhone = {
  id: 'second-phone',
  name: 'Second phone',
  signingKey: randomBytes(16).toString('hex'),
  sims: [{ simNumber: 1, number: '+233261234567', network: 'AT' as const }],
};

export const DEMO_GATEWAY = 'phone';

const DEMO_MESSAGES_PER_HOUR = 100_000;
const DEMO_REQUESTS_PER_SECOND = 10_000;

export type Demo = Awaited<ReturnType<typeof createDemo>>;

/** State of the demo wallets. The owner of a `named` one has named its balance, so payments are verified. */
export type DemoWallets = 'new' | 'named';

/**
 * Creates the merchant "Ama Stores" with keys and 1,000 credits. One of the phone's numbers becomes the merchant's
 * sender, and the other a shared sender.
 */
export async function createDemo(outside: AdminOutside, deviceId: string, wallets: DemoWallets) {
  const [mtn, telecel] = demoPhone.sims;
  if (!mtn || !telecel) throw new Error('The demo phone lacks one of its two SIMs');
  for (const { number, network, simNumber } of [mtn, telecel]) {
    await addSender(outside, {
      number,
      network,
      gateway: DEMO_GATEWAY,
      device_id: deviceId,
      sim_number: simNumber,
      messages_per_hour: DEMO_MESSAGES_PER_HOUR,
    });
  }
  const { merchant_id } = await addMerchant(outside, {
    name: 'Ama Stores',
    momo_accounts: [{ number: mtn.number, network: mtn.network, account_name: 'AMA STORES' }],
  });
  await changeMerchant(outside, merchant_id, { default_from: mtn.number });
  await giveSender(outside, telecel.number, NOBODY);
  await topUp(outside, merchant_id, 1_000);
  if (wallets === 'named')
    await nameBalance(outside, { network: mtn.network, momo_number: mtn.number }, OPENING_BALANCE_PESEWAS);
  return {
    merchant_id,
    wallets,
    secret_key: await addApiKey(outside, merchant_id, 'live', { requestsPerSecond: DEMO_REQUESTS_PER_SECOND }),
    sms_secret_key: await addApiKey(outside, merchant_id, 'sms', { requestsPerSecond: DEMO_REQUESTS_PER_SECOND }),
    ...(await createTestKeys(outside, merchant_id)),
    ...(await createPeople(outside, merchant_id)),
  };
}

export async function createPeople(outside: AdminOutside, merchantId: string) {
  const by = { by: COMMAND_LINE };
  const owner = await addUser(outside, { name: 'Ama Mensah', role: 'owner', merchant_id: merchantId }, by);
  const operator = await addUser(outside, { name: 'Operator', role: 'operator' }, by);
  return { owner_id: owner.user_id, operator_id: operator.user_id };
}

/** Creates test keys with the same rate limit as on AWS. */
export async function createTestKeys(outside: AdminOutside, merchantId: string) {
  return {
    test_secret_key: await addApiKey(outside, merchantId, 'live', { mode: 'test' }),
    test_sms_secret_key: await addApiKey(outside, merchantId, 'sms', { mode: 'test' }),
  };
}

const OUTDATED_LINK = {
  statusCode: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'This link is from an earlier start. Open the link that npm start printed last.',
};

/** Returns links that sign in the demo's users without a passkey. Only the local server handles them. */
export function signInLinks(outside: Outside, baseUrl: string, { owner_id, operator_id }: Demo) {
  // The secret is random, so that another site's page cannot guess a sign-in link.
  const secret = outside.randomBytes(16).toString('base64url');
  const paths = { dashboard_url: `/local/sign-in/owner/${secret}`, operator_url: `/local/sign-in/operator/${secret}` };
  const people = new Map([
    [paths.dashboard_url, owner_id],
    [paths.operator_url, operator_id],
  ]);
  return {
    /** Both links are reusable. */
    urls: { dashboard_url: `${baseUrl}${paths.dashboard_url}`, operator_url: `${baseUrl}${paths.operator_url}` },
    answer: async (path: string): ReturnType<OwnAnswer> => {
      const user_id = people.get(path);
      if (user_id === undefined) return path.startsWith('/local/sign-in/') ? OUTDATED_LINK : undefined;
      const options = { browser: 'Link of npm start', freshSeconds: SESSION_SECONDS };
      const { token, write } = startSession(outside, { user_id }, options);
      await outside.table.write([write]);
      return { ...redirect('/dashboard', 303), cookies: [sessionCookie(outside, token)] };
    },
  };
}
