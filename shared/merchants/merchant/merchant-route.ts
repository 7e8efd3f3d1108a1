import type * as z from 'zod/mini';
import type { Answer } from '../../runtime/http/answer.ts';
import { type HttpHandler, http } from '../../runtime/http/http.ts';
import { earlierAnswer, knownAnswer, rememberAnswer, repeatable } from '../../runtime/http/idempotency.ts';
import type { Authenticate } from '../../runtime/http/middleware/authenticate.ts';
import type { AnyCaller } from '../../runtime/http/middleware/middleware.ts';
import type { HttpRequest } from '../../runtime/http/request.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import {
  type HttpRow,
  type KeyKind,
  type KeyPermission,
  keyKindsOf,
  type RouteKey,
} from '../../runtime/triggers/row.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { type AuditEntry, recordAudit } from '../audit/audit.table.ts';
import { type ApiKey, apiKeyCache } from './api-key.table.ts';
import { hasEnded, hashApiKey, keyPrefixes, namedOnly, readApiKey, requestsPerSecondOf } from './api-key.ts';
import { noteFailure } from './failed-request.table.ts';
import { holderId, type KeyHolder } from './key-holder.ts';
import { noteUse } from './key-use.table.ts';
import { merchantCache } from './merchant.table.ts';
import type { Merchant } from './merchant.ts';
import { suspension } from './suspend-merchant.ts';
import { forMerchant, isTestAccount } from './test-account.ts';

interface MerchantRequest<Route, Body> extends HttpRequest<Route, Body> {
  readonly merchant: Merchant;
  readonly holder: KeyHolder;
  readonly by: string;
  /** The key as the one who asked for a text. */
  readonly causer: { readonly key_hash: string };
  readonly allows: (permission: KeyPermission) => boolean;
  /** Writes the changes and returns the response. With an Idempotency-Key, also stores the response for retries. */
  readonly commit: Commit;
}

type Commit = (
  writes: readonly TableWrite[],
  answer: Answer,
  values?: Pick<AuditEntry, 'about' | 'before' | 'after'>,
) => Promise<Answer>;

type ReadAhead = (outside: Outside) => Promise<unknown>;

/**
 * Defines a route that requires an API key. `readAhead` runs on cold starts, in parallel with reading the key. Set
 * `writesBefore` if `handle` writes before it commits.
 */
export function merchantRoute<const Route extends HttpRow & { key: RouteKey }, Body = undefined>(
  row: Route,
  {
    readAhead,
    writesBefore = false,
    ...options
  }: { body?: z.core.$ZodType<Body>; query?: readonly string[]; readAhead?: ReadAhead; writesBefore?: boolean },
  handle: (httpRequest: MerchantRequest<Route, Body>, outside: Outside) => Promise<Answer>,
): HttpHandler {
  const kinds = keyKindsOf(row);
  const authenticate: Authenticate<Caller> = async ({ headers }, outside) => {
    const { key, merchant } = await authenticateMerchant(kinds, headers.authorization, outside, readAhead);
    return callerOf(outside, key, merchant, row.needs);
  };
  return http(
    row,
    { ...options, authenticate },
    async (httpRequest, given, { merchant, holder, by, causer, allows, scope }) => {
      const outside = forMerchant(given, merchant);
      const noted = (writes: readonly TableWrite[], values: Parameters<Commit>[2] = {}) => {
        const { merchant_id } = merchant;
        // Do not audit test requests, because automated tests would fill the log.
        if (row.audited === undefined || isTestAccount(merchant_id) || writes.length === 0) return writes;
        const about = Object.values<string>(httpRequest.path)[0] ?? holder.key_kind;
        return [...writes, recordAudit(outside, { merchant_id, by, action: row.audited, about, ...values })];
      };
      const key = row.method === 'POST' ? httpRequest.headers['idempotency-key'] : undefined;
      if (key === undefined) {
        const commit: Commit = async (writes, answer, values) => {
          if (writes.length > 0) await outside.table.write(noted(writes, values));
          return answer;
        };
        return handle({ ...httpRequest, merchant, holder, by, causer, allows, commit }, outside);
      }
      // Different kinds of key must not share stored responses, which may contain secrets.
      const repeater = kinds.length > 1 ? holderId(holder) : merchant.merchant_id;
      const repeat = repeatable(repeater, `${row.method} ${row.path}`, key, [
        ...Object.values<string>(httpRequest.path),
        httpRequest.rawBody,
        // Responses depend on the key's permissions.
        ...(scope ? [scope.toSorted().join()] : []),
      ]);
      const known = writesBefore ? await knownAnswer(outside, repeat) : undefined;
      if (known) return known;
      const commit: Commit = async (writes, answer, values) => {
        await outside.table.write([rememberAnswer(outside, repeat, answer), ...noted(writes, values)]);
        return answer;
      };
      try {
        return await handle({ ...httpRequest, merchant, holder, by, causer, allows, commit }, outside);
      } catch (error) {
        const earlier = await earlierAnswer(outside, repeat, error);
        if (!earlier) throw error;
        return earlier;
      }
    },
  );
}

interface Caller extends NonNullable<AnyCaller> {
  readonly merchant_id: string;
  readonly merchant: Merchant;
  readonly holder: KeyHolder;
  readonly allows: (permission: KeyPermission) => boolean;
  readonly scope: readonly KeyPermission[] | undefined;
  readonly by: string;
  readonly causer: { readonly key_hash: string };
}

function callerOf(outside: Outside, key: ApiKey, merchant: Merchant, needs: KeyPermission): Caller {
  const { merchant_id } = merchant;
  return {
    merchant_id,
    merchant,
    holder: { merchant_id, key_kind: key.kind },
    by: `key …${key.hint}`,
    causer: { key_hash: key.hash },
    scope: key.scope,
    allows: (permission) => refusalOf(key, permission) === undefined,
    // Requests are counted for as long as the key stays in the cache.
    rate: { countedBy: key, requestsPerSecond: requestsPerSecondOf(key) },
    refusal: suspension(merchant) ?? refusalOf(key, needs),
    notes: { use: noteUse(outside, key), failed: (failure) => noteFailure(outside, key, failure) },
  };
}

function refusalOf({ scope }: ApiKey, needs: KeyPermission): PublicError | undefined {
  const isRefused = scope ? !scope.includes(needs) : namedOnly.has(needs);
  return isRefused ? forbidden(scope ?? [], needs) : undefined;
}

async function authenticateMerchant(
  kinds: readonly KeyKind[],
  authorization: string | undefined,
  outside: Outside,
  also?: ReadAhead,
): Promise<{ key: ApiKey; merchant: Merchant }> {
  const [real, test] = (['real', 'test'] as const).map((mode) => kinds.map((kind) => keyPrefixes[kind][mode]));
  const [, shown] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  if (!shown)
    throw unauthorized(
      `${missingKey(authorization)}. Send the header Authorization: Bearer ${real?.join('… or ')}… (for tests: ${test?.join('… or ')}…).`,
    );
  const claimed = readApiKey(shown);
  if (/^pk_/.test(shown))
    throw unauthorized('Public keys are not supported. Send the secret key, which starts with sk_, from your server.');
  if (/^(undefined|null|none)$/i.test(shown))
    throw unauthorized(`The key is the word ${shown}. Set the variable that should contain the key.`);
  if (!claimed) throw unauthorized('The API key is not valid. Check that it was copied completely.');
  if (!kinds.includes(claimed.kind))
    throw unauthorized(
      `This route requires a key that starts with ${real?.join(' or ')} (for tests: ${test?.join(' or ')}).`,
    );
  const [key] = await Promise.all([
    apiKeyCache.get(outside, hashApiKey(shown)),
    rememberAhead(outside, claimed.merchantId, also),
  ]);
  // Compare with the stored kind, because the kind in the key's prefix is only a claim.
  const merchant = key?.kind === claimed.kind ? await merchantCache.get(outside, key.merchant_id) : undefined;
  if (!key || !merchant) {
    const here = ' Without --keep, this local stack creates new keys on each start. Its demo.json contains them.';
    throw unauthorized(`The API key is unknown or was revoked.${outside.allowsThisMachine ? here : ''}`);
  }
  if (hasEnded(outside, key)) throw unauthorized('The API key was replaced and no longer works. Use the new one.');
  return { key, merchant };
}

function missingKey(authorization = ''): string {
  if (authorization.trim() === '') return 'The API key is missing';
  if (/^Basic\b/i.test(authorization)) return 'Basic authentication is not supported';
  return /^sk_/.test(authorization)
    ? 'The word Bearer is missing before the API key'
    : 'The Authorization header has no API key';
}

/** Prefetches data for a valid key, so that a cold start waits only once. Ignores errors. */
async function rememberAhead(outside: Outside, merchantId: string, also: ReadAhead | undefined): Promise<void> {
  await Promise.allSettled([merchantCache.get(outside, merchantId), also?.(outside)]);
}

function forbidden(scope: readonly KeyPermission[], needs: KeyPermission): PublicError {
  const may = scope.length > 0 ? scope.join(', ') : 'nothing';
  return new PublicError(
    'forbidden',
    `This route requires ${needs}, but this key’s scope is ${may}. Use a key with that permission, or a key without a scope.`,
  );
}

function unauthorized(message: string): PublicError {
  return new PublicError('unauthorized', message, { headers: { 'www-authenticate': 'Bearer' } });
}
