import * as z from 'zod/mini';
import { cached } from '../../runtime/outside/cached.ts';
import { onceEvery } from '../../runtime/outside/once-every.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { parseJson } from '../../runtime/values/json.ts';
import { FORWARDER } from './forwarder.ts';

const GatewayAccount = z.object({
  url: z.string(),
  username: z.string(),
  password: z.string(),
  signing_keys: z._default(z.record(z.string(), z.string()), {}),
});
export type GatewayAccount = z.infer<typeof GatewayAccount>;

/** Contents of the accounts secret, keyed by gateway name. */
export const GatewayAccounts = z.record(z.string(), GatewayAccount);

export const ACCOUNTS_CACHE_SECONDS = 5 * 60;

/** Minimum seconds between two reloads of the accounts. */
export const ACCOUNTS_REREAD_SECONDS = 10;

const mayReread = onceEvery(ACCOUNTS_REREAD_SECONDS);
const ALL = 'all';

const accountsCache = cached(ACCOUNTS_CACHE_SECONDS, async (outside: Outside) => {
  // Count this load as a reload.
  mayReread(outside, ALL);
  const accounts = parseJson(GatewayAccounts, await outside.secret('GATEWAY_ACCOUNTS'));
  // Omit the parser's message: it quotes the secret.
  if (!accounts)
    throw new Error('The secret with the gateway accounts is not valid. Run "doctor" to see which part is invalid.');
  return accounts;
});

/**
 * Returns a gateway account, or undefined if it does not exist. A new account is found within five minutes, or after
 * `rereadAccounts`.
 */
export async function findGatewayAccount(outside: Outside, gateway: string): Promise<GatewayAccount | undefined> {
  return gateway === FORWARDER ? undefined : findEntry(outside, gateway);
}

export async function forwarderKeys(outside: Outside): Promise<GatewayAccount['signing_keys']> {
  return (await findEntry(outside, FORWARDER))?.signing_keys ?? {};
}

async function findEntry(outside: Outside, gateway: string): Promise<GatewayAccount | undefined> {
  const accounts = await accountsCache.get(outside, ALL);
  return accounts && Object.hasOwn(accounts, gateway) ? accounts[gateway] : undefined;
}

/** Reloads the accounts. Returns false if they were loaded moments ago. All callbacks share this rate limit. */
export async function rereadAccounts(outside: Outside): Promise<boolean> {
  if (!mayReread(outside, ALL)) return false;
  try {
    await accountsCache.fresh(outside, ALL);
    return true;
  } catch (error) {
    outside.log.warn('accounts_not_reread', { error });
    return false;
  }
}

export async function gatewayAccount(outside: Outside, gateway: string): Promise<GatewayAccount> {
  const account = await findGatewayAccount(outside, gateway);
  if (!account) throw new Error(`There is no gateway account named ${gateway}`);
  return account;
}
