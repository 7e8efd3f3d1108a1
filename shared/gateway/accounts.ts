import * as z from 'zod/mini';
import { cached } from '../runtime/outside/cached.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import { parseJson } from '../runtime/values/json.ts';

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

const accountsCache = cached(ACCOUNTS_CACHE_SECONDS, async (outside: Outside) => {
  const accounts = parseJson(GatewayAccounts, await outside.secret('GATEWAY_ACCOUNTS'));
  // Without the parser's message, which quotes the secret: this is logged.
  if (!accounts) throw new Error('The secret with the gateway accounts is not valid: "doctor" says where');
  return accounts;
});

/** The account with this name, or undefined. A new one is found within five minutes. */
export async function findGatewayAccount(outside: Outside, gateway: string): Promise<GatewayAccount | undefined> {
  const accounts = await accountsCache.get(outside, 'all');
  return accounts && Object.hasOwn(accounts, gateway) ? accounts[gateway] : undefined;
}

/** @throws if there is no account with that name. */
export async function gatewayAccount(outside: Outside, gateway: string): Promise<GatewayAccount> {
  const account = await findGatewayAccount(outside, gateway);
  if (!account) throw new Error(`The gateway accounts have none named ${gateway}`);
  return account;
}
