import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { countTests } from '../../merchants/merchant/test-limit.table.ts';
import { KeptBefore, keepKey, repeatable } from '../../runtime/http/idempotency.ts';
import { nowIso, type Outside } from '../../runtime/outside/outside.ts';
import { writeInTransactions } from '../../runtime/table/in-transactions.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { type FieldError, PublicError, refuseInvalid } from '../../runtime/values/errors.ts';
import type { Given } from '../../runtime/values/read-csv.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { newSlug } from '../charge/slug.ts';
import { createRequest, type PaymentRequest, REQUEST_SLUG_CHARACTERS, requestRows } from './request.table.ts';
import { newRequest } from './request.ts';
import type { RequestBody } from './request-body.ts';

/** Rows of one transaction: each costs it two write units, and the list of a merchant takes 1,000 in a second. */
const TOGETHER = 50;

/** What makes a list the same one. */
export interface Once {
  /** Of each merchant, one list is made under it. */
  readonly key: string;
  /** Of the function that makes it, such as `POST /api/v1/request/bulk`: that may keep keys of its own. */
  readonly route: string;
  /** What the list says. */
  readonly says: string;
  /** What the caller has to do where only some are made, as a sentence. */
  readonly howToFinish: string;
}

/**
 * A merchant's new requests, not yet written.
 * @throws PublicError `invalid_request` with each that is wrong, `no_momo_number`.
 */
export function newRequests(
  outside: Outside,
  merchant: Merchant,
  { all, errorAt }: Given<RequestBody>,
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
 * Makes a merchant's new requests, in transactions of fifty of which `commit` makes the last. The first of them takes the key and counts
 * tests, so nothing is made of a list that may not be. It keeps the seed that all slugs follow from: what died half-way is finished by a repeat
 * within an hour, which makes none of them twice.
 * @throws PublicError as `newRequests`, `idempotency_key_reused` and `too_many_requests` before anything is written; `busy`, which says
 * whether there is something to finish; `idempotency_key_reused` after an hour, with how many are left.
 */
export async function makeRequests<Result>(
  outside: Outside,
  merchant: Merchant,
  { many, once }: { readonly many: Given<RequestBody>; readonly once: Once },
  commit: (requests: readonly PaymentRequest[], writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  const asked = newRequests(outside, merchant, many);
  const seeded = (seed: string) => asked.map((one, n) => ({ ...one, slug: slugOf(`${seed}\n${n}`) }));
  const make = (requests: readonly PaymentRequest[], first: readonly TableWrite[]) => {
    const rows = requests.map((one) => [createRequest(one)]);
    const onlySome = (made: number) =>
      `Only ${made} of the ${rows.length} requests are created so far. ${once.howToFinish}`;
    return writeInTransactions(outside, { rows, together: TOGETHER, first, onlySome }, (writes) =>
      commit(requests, writes),
    );
  };
  const { merchant_id } = merchant;
  const begun: Begun = { seed: outside.randomBytes(SEED_BYTES).toString('base64url'), at: nowIso(outside) };
  // Beside the answer's own record, which is written last.
  const key = repeatable(merchant_id, once.route, `begun ${sha256(once.key)}`, [once.says]);
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

/** What a list that was begun is finished by. */
const Begun = z.object({ seed: z.string(), at: z.string() });
type Begun = z.infer<typeof Begun>;

/** A list of an hour ago may rest on what is so no more. */
const FINISHED_MS = 60 * 60 * 1000;

async function neverFinished(outside: Outside, requests: readonly PaymentRequest[]): Promise<PublicError> {
  const count = (await outside.table.getMany(requests.map(requestRows.key))).length;
  const message = `The first ${count} of these ${requests.length} requests were created more than an hour ago, and the list is not finished any more. Send the other ${requests.length - count} as a list of their own.`;
  return new PublicError('idempotency_key_reused', message);
}

/** As long as the hash that slugs are made of. */
const SEED_BYTES = 64;

/** As random as its seed is. */
function slugOf(seed: string): string {
  return newSlug((length) => createHash('sha512').update(seed).digest().subarray(0, length), REQUEST_SLUG_CHARACTERS);
}
