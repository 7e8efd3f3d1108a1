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

/** The contents of the accounts secret, keyed by the gateway names that senders use. */
export const GatewayAccounts = z.record(z.string(), GatewayAccount);

/** Maximum seconds a function may use an outdated account. */
export const ACCOUNTS_CACHE_SECONDS = 5 * 60;

/** Minimum seconds between two reloads of the accounts, however many unknown phones send callbacks. */
export const ACCOUNTS_REREAD_SECONDS = 10;

const mayReread = onceEvery(ACCOUNTS_REREAD_SECONDS);
const ALL = 'all';

const accountsCache = cached(ACCOUNTS_CACHE_SECONDS, async (outside: Outside) => {
  // The accounts were just loaded, so the next refusal need not reload them.
  mayReread(outside, ALL);
  const accounts = parseJson(GatewayAccounts, await outside.secret('GATEWAY_ACCOUNTS'));
  // Omit the parser's message, because it quotes the secret and the error is logged.
  if (!accounts)
    throw new Error('The secret with the gateway accounts is not valid. The command "doctor" shows which part.');
  return accounts;
});

/**
 * Returns a gateway account, or undefined if the account does not exist. A new account is found within five minutes, or
 * after `rereadAccounts`.
 */
export async function findGatewayAccount(outside: Outside, gateway: string): Promise<GatewayAccount | undefined> {
  return gateway === FORWARDER ? undefined : findEntry(outside, gateway);
}

export async function forwarderKeys(outside: Outside): Promise<GatewayAccount['signing_keys']> {
  const entry = await findEntry(outside, FORWARDER);
  // An SMSGate account from an older release may have this name. Such an account does not contain forwarder keys.
  return entry?.url === '' ? entry.signing_keys : {};
}

async function findEntry(outside: Outside, gateway: string): Promise<GatewayAccount | undefined> {
  const accounts = await accountsCache.get(outside, ALL);
  return accounts && Object.hasOwn(accounts, gateway) ? accounts[gateway] : undefined;
}

/**
 * Reloads the accounts, because the operator may have just added one. Returns false if they were loaded moments ago.
 * All callbacks share this limit. That is safe, because a forged callback that uses it up also loads the accounts for
 * real phones.
 */
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
