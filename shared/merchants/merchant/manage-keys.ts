import {
  type Clock,
  isoOf,
  nowIso,
  type TableOutside,
  type TimedOutside,
  type WriteOutside,
} from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import type { KeyKind, KeyPermission } from '../../runtime/triggers/row.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../runtime/values/calendar.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { NoSuch } from '../../runtime/values/no-such.ts';
import { type ApiKey, apiKeyRows, endApiKey, revokeApiKey, setRequestsPerSecond } from './api-key.table.ts';
import {
  hasEnded,
  hashApiKey,
  type KeyMode,
  keyModeOf,
  newApiKey,
  requestsPerSecondOf,
  scopesOfKind,
} from './api-key.ts';
import { requireMerchant } from './manage-merchant.ts';
import { testAccountIdOf } from './test-account.ts';

interface KeyOptions {
  readonly requestsPerSecond?: number | undefined;
  readonly mode?: KeyMode | undefined;
  readonly scope?: readonly KeyPermission[] | undefined;
  /** The person who makes the key, and the write that counts it. Unset for the command line. */
  readonly madeBy?: { readonly user_id: string; readonly counted: TableWrite } | undefined;
}

/** Seconds for which a replaced key keeps working. */
const overlaps = { '1h': HOUR_SECONDS, '24h': DAY_SECONDS, '7d': 7 * DAY_SECONDS } as const;
export type Overlap = keyof typeof overlaps;
export const overlapNames = ['1h', '24h', '7d'] as const satisfies readonly Overlap[];

/**
 * Creates a key and returns it. The key cannot be retrieved later.
 * @throws NoSuch if the merchant does not exist.
 * @throws PublicError `invalid_request` if this kind of key cannot have one of the permissions.
 */
export async function addApiKey(outside: WriteOutside, merchantId: string, kind: KeyKind, options: KeyOptions = {}) {
  const { key, writes } = await prepareApiKey(outside, merchantId, kind, options);
  await outside.table.write(writes);
  return key;
}

export async function prepareApiKey(
  outside: WriteOutside,
  merchantId: string,
  kind: KeyKind,
  { requestsPerSecond, mode = 'real', scope, madeBy }: KeyOptions,
) {
  await requireMerchant(outside, merchantId);
  refuseScope(kind, scope);
  const hints = new Set((await apiKeyRows.list(outside, { merchant_id: merchantId })).map(({ hint }) => hint));
  let key: string;
  // The last four characters identify a key, so they must be unique per merchant.
  do key = newApiKey(kind, merchantId, outside.randomBytes, mode);
  while (hints.has(key.slice(-4)));
  const row: ApiKey = {
    hash: hashApiKey(key),
    kind,
    merchant_id: mode === 'test' ? testAccountIdOf(merchantId) : merchantId,
    hint: key.slice(-4),
    ...(requestsPerSecond !== undefined && { requests_per_second: requestsPerSecond }),
    ...(scope && { scope: [...scope] }),
    created_at: nowIso(outside),
    ...(madeBy !== undefined && { made_by: madeBy.user_id }),
  };
  const after = {
    kind,
    test: mode === 'test',
    ...(requestsPerSecond !== undefined && { rate: requestsPerSecond }),
    ...(scope && { scope: scope.join(', ') }),
  };
  const entry = { merchant_id: merchantId, action: 'key create', about: row.hint, after };
  return { key, writes: [apiKeyRows.create(row), ...(madeBy === undefined ? [] : [madeBy.counted])], entry };
}

function refuseScope(kind: KeyKind, scope: readonly KeyPermission[] | undefined): void {
  if (!scope) return;
  const possible = scopesOfKind[kind];
  const wrong = scope.find((one) => !possible.includes(one));
  if (scope.length > 0 && !wrong) return;
  throw new PublicError(
    'invalid_request',
    `${wrong ? `A key of kind ${kind} cannot have the permission ${wrong}` : 'A scope must contain at least one permission'}. The possible permissions are ${possible.join(', ')}.`,
  );
}

/**
 * Rotates a key. The new key has the same permissions, and the old key keeps working until the overlap ends.
 * @throws NoSuch if the merchant or key does not exist. The writes throw PublicError `busy` if the key was already
 * replaced.
 */
export async function prepareRoll(
  outside: WriteOutside,
  merchantId: string,
  hint: string,
  { overlap, madeBy }: { readonly overlap: Overlap } & Pick<KeyOptions, 'madeBy'>,
) {
  const old = await requireKey(outside, merchantId, hint);
  const { key, writes } = await prepareApiKey(outside, merchantId, old.kind, {
    mode: keyModeOf(old),
    requestsPerSecond: old.requests_per_second,
    scope: old.scope,
    madeBy,
  });
  const ends_at = isoOf(outside.now() + overlaps[overlap] * 1000);
  const after = { overlap, new_key: key.slice(-4) };
  const entry = { merchant_id: merchantId, action: 'key roll', about: hint, after };
  return { key, old: { hint, ends_at }, writes: [...writes, endApiKey(old.hash, ends_at)], entry };
}

/**
 * Lists a merchant's keys by their last four characters, oldest first. @throws NoSuch if the merchant does not exist.
 */
export async function showApiKeys(outside: TableOutside, merchantId: string) {
  await requireMerchant(outside, merchantId);
  const keys = await apiKeyRows.list(outside, { merchant_id: merchantId });
  return keys.map((key) => ({
    kind: key.kind,
    test: keyModeOf(key) === 'test',
    hint: key.hint,
    scope: key.scope ?? null,
    requests_per_second: requestsPerSecondOf(key),
    created_at: key.created_at,
    made_by: key.made_by ?? null,
    last_used_at: key.last_used_at ?? null,
    ends_at: key.ends_at ?? null,
    revoked_at: key.revoked_at ?? null,
  }));
}

export function isValid(outside: Clock, key: Pick<ApiKey, 'revoked_at' | 'ends_at'>): boolean {
  return !key.revoked_at && !hasEnded(outside, key);
}

/** Revokes a key, which stops working within 30 seconds. @throws NoSuch if the merchant or key does not exist. */
export async function prepareRevocation(outside: TimedOutside, merchantId: string, hint: string) {
  const { kind, hash } = await requireKey(outside, merchantId, hint);
  const entry = { merchant_id: merchantId, action: 'key revoke', about: hint };
  return { revoked: { kind, hint }, writes: [revokeApiKey(outside, hash)], entry };
}

/** Changes a key's rate limit, with effect within 30 seconds. @throws NoSuch if the merchant or key does not exist. */
export async function prepareRate(outside: TableOutside, merchantId: string, hint: string, rate: number) {
  const key = await requireKey(outside, merchantId, hint);
  const before = requestsPerSecondOf(key);
  const writes = before === rate ? [] : [setRequestsPerSecond(key.hash, rate)];
  const values = { before: { rate: before }, after: { rate } };
  const entry = { merchant_id: merchantId, action: 'key set', about: hint, ...values };
  return { changed: { kind: key.kind, hint, requests_per_second: rate }, writes, entry };
}

/** Finds a key by its last four characters. @throws NoSuch if the merchant or key does not exist. */
export async function requireKey(outside: TableOutside, merchantId: string, hint: string) {
  await requireMerchant(outside, merchantId);
  const key = (await apiKeyRows.list(outside, { merchant_id: merchantId })).find((one) => one.hint === hint);
  if (!key) throw new NoSuch('key', `The merchant has no key ending in ${hint}.`);
  return key;
}
