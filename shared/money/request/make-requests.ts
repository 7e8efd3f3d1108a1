import { createHash } from 'node:crypto';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { countTests } from '../../merchants/merchant/test-limit.table.ts';
import { KeptBefore, keepKey, repeatable } from '../../runtime/http/idempotency.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { busy, isThrottled } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { type FieldError, hasCode, PublicError, refuseInvalid } from '../../runtime/values/errors.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { newSlug } from '../transaction/slug.ts';
import type { ManyRequests } from './read-requests.ts';
import { createRequest, type PaymentRequest, REQUEST_SLUG_CHARACTERS } from './request.table.ts';
import { newRequest } from './request.ts';

/** Rows of one transaction: each costs it two write units, and the list of a merchant takes 1,000 in a second. */
const ROWS_A_WRITE = 50;

/** What makes a list the same one. */
export interface Once {
  /** Of each merchant, one list is made under it. */
  readonly key: string;
  /** Of the function that makes it, such as `POST /api/v1/request/bulk`: that may keep keys of its own. */
  readonly route: string;
  /** What the list says. */
  readonly says: string;
  /** What whoever asked does where only some are made, as a sentence. */
  readonly howToFinish: string;
}

/**
 * A merchant's new requests, not yet written.
 * @throws PublicError `invalid_request` with each that is wrong, `no_momo_number`.
 */
export function newRequests(outside: Outside, merchant: Merchant, { bodies, errorAt }: ManyRequests): PaymentRequest[] {
  const errors: FieldError[] = [];
  const requests = bodies.flatMap((body, n) => {
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
 * tests, so nothing is made of a list that may not be. It keeps the seed that all slugs follow from: what died half-way is finished by a repeat,
 * which makes none of them twice, and once the key is forgotten the same list is another one.
 * @throws PublicError as `newRequests`, `idempotency_key_reused` and `too_many_requests` before anything is written; `busy`, which says
 * whether there is something to finish.
 */
export async function makeRequests<Result>(
  outside: Outside,
  merchant: Merchant,
  many: ManyRequests,
  once: Once,
  commit: (requests: readonly PaymentRequest[], writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  const asked = newRequests(outside, merchant, many);
  const make = async (seed: string, beginning: readonly TableWrite[]) => {
    const requests = asked.map((request, n) => ({ ...request, slug: slugOf(`${seed}\n${n}`) }));
    const last = Math.floor((requests.length - 1) / ROWS_A_WRITE) * ROWS_A_WRITE;
    const writesOf = (first: number) => {
      const rows = requests.slice(first, first + ROWS_A_WRITE).map(createRequest);
      return first === 0 ? [...beginning, ...rows] : rows;
    };
    for (let first = 0; first < last; first += ROWS_A_WRITE)
      await sayingWhatIsMade(first, requests.length, once, () => outside.table.write(writesOf(first)));
    return sayingWhatIsMade(last, requests.length, once, () => commit(requests, writesOf(last)));
  };
  const { merchant_id } = merchant;
  const seed = outside.randomBytes(SEED_BYTES).toString('base64url');
  // Beside the answer's own record, which is written last.
  const begun = `begun ${sha256(once.key)}`;
  const keeping = keepKey(outside, repeatable(merchant_id, once.route, begun, [once.says]), seed);
  try {
    return await make(seed, [keeping, ...countTests(outside, merchant_id, asked.length)]);
  } catch (error) {
    if (!(error instanceof KeptBefore)) throw error;
    return make(error.kept, []);
  }
}

/** As long as the hash that slugs are made of. */
const SEED_BYTES = 64;

/** What refuses a later transaction of a list must not say that nothing was done. */
async function sayingWhatIsMade<Result>(
  first: number,
  count: number,
  { howToFinish }: Once,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    const isBusy = isThrottled(error) || hasCode(error, 'busy');
    if (first === 0 || !isBusy) throw error;
    throw busy(`Only some of the ${count} requests are created so far. ${howToFinish}`);
  }
}

/** As random as its seed is. */
function slugOf(seed: string): string {
  return newSlug((length) => createHash('sha512').update(seed).digest().subarray(0, length), REQUEST_SLUG_CHARACTERS);
}
