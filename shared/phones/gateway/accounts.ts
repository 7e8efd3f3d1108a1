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

/** The secret: accounts by the name that senders use for them. */
export const GatewayAccounts = z.record(z.string(), GatewayAccount);

/** Seconds that a function may keep using a changed account. */
export const ACCOUNTS_CACHE_SECONDS = 5 * 60;

/** Seconds between re-reads before a phone is refused, however much strangers post. */
export const ACCOUNTS_REREAD_SECONDS = 10;

const mayReread = onceEvery(ACCOUNTS_REREAD_SECONDS);
const ALL = 'all';

const accountsCache = cached(ACCOUNTS_CACHE_SECONDS, async (outside: Outside) => {
  // The accounts just loaded are fresh enough for the next refusal.
  mayReread(outside, ALL);
  const accounts = parseJson(GatewayAccounts, await outside.secret('GATEWAY_ACCOUNTS'));
  // Omits the parser's message, which quotes the secret, because this is logged.
  if (!accounts) throw new Error('The secret with the gateway accounts is not valid: "doctor" says where');
  return accounts;
});

/** Undefined if there is no such account. A new one is found within five minutes, or after `rereadAccounts`. */
export async function findGatewayAccount(outside: Outside, gateway: string): Promise<GatewayAccount | undefined> {
  return gateway === FORWARDER ? undefined : findEntry(outside, gateway);
}

/** Signing keys of the phones behind a forwarding app, by the phone's name. */
export async function forwarderKeys(outside: Outside): Promise<GatewayAccount['signing_keys']> {
  const entry = await findEntry(outside, FORWARDER);
  // An older SMSGate account with this name holds no such keys.
  return entry?.url === '' ? entry.signing_keys : {};
}

async function findEntry(outside: Outside, gateway: string): Promise<GatewayAccount | undefined> {
  const accounts = await accountsCache.get(outside, ALL);
  return accounts && Object.hasOwn(accounts, gateway) ? accounts[gateway] : undefined;
}

/**
 * Reads the accounts again, in case the operator has just added one; false if that was done a moment ago. All posts
 * share this limit: a stranger who uses it up has loaded the accounts that a phone needs, too.
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
