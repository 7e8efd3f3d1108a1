import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { countTests } from '../../merchants/merchant/test-limit.table.ts';
import { KeptBefore, keepKey, repeatable } from '../../runtime/http/idempotency.ts';
import { nowIso, type Outside } from '../../runtime/outside/outside.ts';
import { writeInTransactions } from '../../runtime/table/in-transactions.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { HOUR_MS } from '../../runtime/values/calendar.ts';
import { type FieldError, PublicError, refuseInvalid } from '../../runtime/values/errors.ts';
import type { Given } from '../../runtime/values/read-csv.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { newSlug } from '../charge/slug.ts';
import { createRequest, type PaymentRequest, REQUEST_SLUG_CHARACTERS, requestRows } from './request.table.ts';
import { type NewRequest, newRequest } from './request.ts';

/**
 * Payment requests per transaction. Each costs two write units, and the index partition accepts 1,000 units per second
 * per merchant.
 */
const TOGETHER = 50;

export interface Once {
  readonly key: string;
  readonly route: string;
  readonly content: string;
  /** Instructions for creating the rest if only some requests were created. */
  readonly howToFinish: string;
}

/** @throws PublicError `invalid_request` with every bad entry, `no_momo_number`. */
export function newRequests(
  outside: Outside,
  merchant: Merchant,
  { all, errorAt }: Given<NewRequest>,
): PaymentRequest[] {
  const errors: FieldError[] = [];
  const requests = all.flatMap((body, n) => {
    try {
      return [newRequest(outside, merchant, body)];
    } catch (error) {
      if (!(error instanceof PublicError) || !error.errors) throw error;
      errors.push(...error.errors.map(({ field, message }) => errorAt(n, field, message)));
      return [];
    }
  });
  refuseInvalid(errors);
  return requests;
}

/**
 * Creates payment requests in transactions of fifty. `commit` performs the last transaction. The first transaction
 * claims the idempotency key, counts test objects and stores the seed of all slugs. A repeated call within an hour can
 * therefore complete an interrupted list without duplicates.
 * @throws PublicError as `newRequests` does; `idempotency_key_reused` and `too_many_requests` before anything is
 * written; `busy`, with a message that says whether requests are missing; `idempotency_key_reused` after an hour, with
 * the number of missing requests.
 */
export async function makeRequests<Result>(
  outside: Outside,
  merchant: Merchant,
  { many, once }: { readonly many: Given<NewRequest>; readonly once: Once },
  commit: (requests: readonly PaymentRequest[], writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  const asked = newRequests(outside, merchant, many);
  const seeded = (seed: string) => asked.map((one, n) => ({ ...one, slug: slugOf(`${seed}\n${n}`) }));
  const make = (requests: readonly PaymentRequest[], first: readonly TableWrite[]) => {
    const rows = requests.map((one) => [createRequest(one)]);
    const onlySome = (made: number) =>
      `Only ${made} of the ${rows.length} requests have been created so far. ${once.howToFinish}`;
    return writeInTransactions(outside, { rows, together: TOGETHER, first, onlySome }, (writes) =>
      commit(requests, writes),
    );
  };
  const { merchant_id } = merchant;
  const begun: Begun = { seed: outside.randomBytes(SEED_BYTES).toString('base64url'), at: nowIso(outside) };
  const key = repeatable(merchant_id, once.route, `begun ${sha256(once.key)}`, [once.content]);
  const keeping = keepKey(outside, key, JSON.stringify(begun));
  try {
    return await make(seeded(begun.seed), [keeping, ...countTests(outside, merchant_id, asked.length)]);
  } catch (error) {
    if (!(error instanceof KeptBefore)) throw error;
    const { seed, at } = z.parse(Begun, JSON.parse(error.kept));
    const requests = seeded(seed);
    if (outside.now() - Date.parse(at) > FINISHED_MS) throw await neverFinished(outside, requests);
    return make(requests, []);
  }
}

const Begun = z.object({ seed: z.string(), at: z.string() });
type Begun = z.infer<typeof Begun>;

/** Maximum age of an interrupted list that can still be completed. An older list may be out of date. */
const FINISHED_MS = HOUR_MS;

async function neverFinished(outside: Outside, requests: readonly PaymentRequest[]): Promise<PublicError> {
  const count = (await outside.table.getMany(requests.map(requestRows.key))).length;
  const message = `The first ${count} of these ${requests.length} requests were created more than an hour ago, so this list can no longer be continued. Send the other ${requests.length - count} as a new list.`;
  return new PublicError('idempotency_key_reused', message);
}

const SEED_BYTES = 64;

function slugOf(seed: string): string {
  return newSlug((length) => createHash('sha512').update(seed).digest().subarray(0, length), REQUEST_SLUG_CHARACTERS);
}
