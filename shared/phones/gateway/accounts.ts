import * as z from 'zod/mini';
import { cached } from '../../runtime/outside/cached.ts';
import { onceEvery } from '../../runtime/outside/once-every.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { parseJson } from '../../runtime/values/json.ts';
import { FORWARDER } from './forwarder.ts';

/** How an SMSGate server is reached and how its phones authenticate. */
const GatewayAccount = z.object({
  /** Its base address, `…/3rdparty/v1`. */
  url: z.string(),
  username: z.string(),
  password: z.string(),
  /** The signing key set in each phone's app, by device id. */
  signing_keys: z._default(z.record(z.string(), z.string()), {}),
});
export type GatewayAccount = z.infer<typeof GatewayAccount>;

/** The secret: accounts by the name that senders use for them. */
export const GatewayAccounts = z.record(z.string(), GatewayAccount);

/** How long a function may keep using an account after it was changed. */
export const ACCOUNTS_CACHE_SECONDS = 5 * 60;

/** How often a function reads the accounts again before it refuses a phone, however much strangers post. */
export const ACCOUNTS_REREAD_SECONDS = 10;

const mayReread = onceEvery(ACCOUNTS_REREAD_SECONDS);
const ALL = 'all';

const accountsCache = cached(ACCOUNTS_CACHE_SECONDS, async (outside: Outside) => {
  // What is read now need not be read again a moment later.
  mayReread(outside, ALL);
  const accounts = parseJson(GatewayAccounts, await outside.secret('GATEWAY_ACCOUNTS'));
  // Without the parser's message, which quotes the secret: this is logged.
  if (!accounts) throw new Error('The secret with the gateway accounts is not valid: "doctor" says where');
  return accounts;
});

/** The account with this name, or undefined. A new one is found within five minutes, or after `rereadAccounts`. */
export async function findGatewayAccount(outside: Outside, gateway: string): Promise<GatewayAccount | undefined> {
  return gateway === FORWARDER ? undefined : findEntry(outside, gateway);
}

/** The keys of the phones whose texts a forwarding app posts, by the phone's name. */
export async function forwarderKeys(outside: Outside): Promise<GatewayAccount['signing_keys']> {
  const entry = await findEntry(outside, FORWARDER);
  // An SMSGate account that has this name from before holds no keys of such phones.
  return entry?.url === '' ? entry.signing_keys : {};
}

async function findEntry(outside: Outside, gateway: string): Promise<GatewayAccount | undefined> {
  const accounts = await accountsCache.get(outside, ALL);
  return accounts && Object.hasOwn(accounts, gateway) ? accounts[gateway] : undefined;
}

/**
 * Reads the accounts again, in case what is remembered lacks what the operator has just stored; false if that was done a moment ago. One
 * turn for all who post: a stranger's post leaves a phone nothing to wait for, because what it had read is what the phone needs.
 */
export async function rereadAccounts(outside: Outside): Promise<boolean> {
  if (!mayReread(outside, ALL)) return false;
  try {
    await accountsCache.fresh(outside, ALL);
    return true;
  } catch (error) {
    // The remembered accounts stay in use.
    outside.log.warn('accounts_not_reread', { error });
    return false;
  }
}

/** @throws if there is no account with that name. */
export async function gatewayAccount(outside: Outside, gateway: string): Promise<GatewayAccount> {
  const account = await findGatewayAccount(outside, gateway);
  if (!account) throw new Error(`The gateway accounts have none named ${gateway}`);
  return account;
}
