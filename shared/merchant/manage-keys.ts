import type { Outside } from '../runtime/outside/outside.ts';
import type { KeyKind } from '../runtime/triggers/row.ts';
import { NoSuch } from '../runtime/values/no-such.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './api-key.table.ts';
import { hashApiKey, newApiKey } from './api-key.ts';
import { requireMerchant } from './manage-merchant.ts';

/** Creates a key and returns it: the only time at which it can be seen. @throws NoSuch merchant. */
export async function addApiKey(
  outside: Pick<Outside, 'table' | 'now' | 'randomBytes'>,
  merchantId: string,
  kind: KeyKind,
): Promise<string> {
  await requireMerchant(outside, merchantId);
  const hints = new Set((await listApiKeys(outside, merchantId)).map(({ hint }) => hint));
  let key: string;
  // Operators identify keys by their last four characters, so those are not used twice.
  do key = newApiKey(kind, outside.randomBytes);
  while (hints.has(key.slice(-4)));
  await outside.table.write([
    createApiKey({
      hash: hashApiKey(key),
      kind,
      merchant_id: merchantId,
      hint: key.slice(-4),
      created_at: new Date(outside.now()).toISOString(),
    }),
  ]);
  return key;
}

/** A merchant's keys, oldest first, by their last four characters. @throws NoSuch merchant. */
export async function showApiKeys(outside: Pick<Outside, 'table'>, merchantId: string) {
  await requireMerchant(outside, merchantId);
  const keys = await listApiKeys(outside, merchantId);
  return keys.map(({ kind, hint, created_at, revoked_at }) => ({
    kind,
    hint,
    created_at,
    revoked_at: revoked_at ?? null,
  }));
}

/** The key is refused everywhere within 30 seconds. @throws NoSuch merchant, key. */
export async function removeApiKey(outside: Pick<Outside, 'table' | 'now'>, merchantId: string, hint: string) {
  await requireMerchant(outside, merchantId);
  const key = (await listApiKeys(outside, merchantId)).find((one) => one.hint === hint);
  if (!key) throw new NoSuch('key', `The merchant has no key that ends in ${hint}.`);
  await revokeApiKey(outside, key.hash);
  return { kind: key.kind, hint: key.hint };
}
