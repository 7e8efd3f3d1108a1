import * as z from 'zod/mini';
import { cached } from '../runtime/cached.ts';
import type { WorkerOutside } from '../runtime/worker-outside.ts';

/** How a SMSGate server is reached: its base address (`…/3rdparty/v1`) and its HTTP Basic user. */
const GatewayAccount = z.object({ url: z.string(), username: z.string(), password: z.string() });
export type GatewayAccount = z.infer<typeof GatewayAccount>;

/** The secret: accounts by the name that senders call them by. */
const GatewayAccounts = z.record(z.string(), GatewayAccount);

const accountsCache = cached(300, async (outside: WorkerOutside) =>
  z.parse(GatewayAccounts, JSON.parse(await outside.secret('GATEWAY_ACCOUNTS'))),
);

/** @throws where the secret has no such account; after it is added, the next try finds it within five minutes. */
export async function gatewayAccount(outside: WorkerOutside, gateway: string): Promise<GatewayAccount> {
  const account = (await accountsCache.get(outside, 'all'))?.[gateway];
  if (!account) throw new Error(`The gateway accounts have none named ${gateway}`);
  return account;
}
