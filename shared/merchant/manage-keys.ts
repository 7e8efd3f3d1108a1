import type { Outside } from '../runtime/outside/outside.ts';
import type { KeyKind } from '../runtime/triggers/row.ts';
import { NoSuch } from '../runtime/values/no-such.ts';
import { createApiKey, listApiKeys, revokeApiKey, setRequestsPerSecond } from './api-key.table.ts';
import { defaultRequestsPerSecond, hashApiKey, type KeyMode, newApiKey } from './api-key.ts';
import { requireMerchant } from './manage-merchant.ts';
import { isTwin, twinIdOf } from './twin.ts';

/**
 * Creates a key and returns it: the only time at which it can be seen. Without `requestsPerSecond` it has the default rate. A test
 * key is one of the merchant's twin.
 * @throws NoSuch merchant.
 */
export async function addApiKey(
  outside: Pick<Outside, 'table' | 'now' | 'randomBytes'>,
  merchantId: string,
  kind: KeyKind,
  requestsPerSecond?: number,
  mode: KeyMode = 'real',
): Promise<string> {
  await requireMerchant(outside, merchantId);
  const hints = new Set((await listApiKeys(outside, merchantId)).map(({ hint }) => hint));
  let key: string;
  // Operators identify keys by their last four characters, so those are not used twice.
  do key = newApiKey(kind, merchantId, outside.randomBytes, mode);
  while (hints.has(key.slice(-4)));
  await outside.table.write([
    createApiKey({
      hash: hashApiKey(key),
      kind,
      merchant_id: mode === 'test' ? twinIdOf(merchantId) : merchantId,
      hint: key.slice(-4),
      ...(requestsPerSecond !== undefined && { requests_per_second: requestsPerSecond }),
      created_at: new Date(outside.now()).toISOString(),
    }),
  ]);
  return key;
}

/** A merchant's keys, oldest first, by their last four characters. @throws NoSuch merchant. */
export async function showApiKeys(outside: Pick<Outside, 'table'>, merchantId: string) {
  await requireMerchant(outside, merchantId);
  const keys = await listApiKeys(outside, merchantId);
  return keys.map(({ kind, hint, merchant_id, requests_per_second, created_at, revoked_at }) => ({
    kind,
    test: isTwin(merchant_id),
    hint,
    requests_per_second: requests_per_second ?? defaultRequestsPerSecond(merchant_id),
    created_at,
    revoked_at: revoked_at ?? null,
  }));
}

/** The key is refused everywhere within 30 seconds. @throws NoSuch merchant, key. */
export async function removeApiKey(outside: Pick<Outside, 'table' | 'now'>, merchantId: string, hint: string) {
  const key = await requireKey(outside, merchantId, hint);
  await revokeApiKey(outside, key.hash);
  return { kind: key.kind, hint: key.hint };
}

/** The key has the rate everywhere within 30 seconds. @throws NoSuch merchant, key. */
export async function changeKeyRate(
  outside: Pick<Outside, 'table'>,
  merchantId: string,
  hint: string,
  requestsPerSecond: number,
) {
  const key = await requireKey(outside, merchantId, hint);
  await setRequestsPerSecond(outside, key.hash, requestsPerSecond);
  return { kind: key.kind, hint: key.hint, requests_per_second: requestsPerSecond };
}

async function requireKey(outside: Pick<Outside, 'table'>, merchantId: string, hint: string) {
  await requireMerchant(outside, merchantId);
  const key = (await listApiKeys(outside, merchantId)).find((one) => one.hint === hint);
  if (!key) throw new NoSuch('key', `The merchant has no key that ends in ${hint}.`);
  return key;
}
