import { createHash } from 'node:crypto';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { countTests } from '../../merchants/merchant/test-limit.table.ts';
import { keepKey, repeatable } from '../../runtime/http/idempotency.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { busy, isThrottled } from '../../runtime/table/contention.ts';
import type { Item, TableWrite } from '../../runtime/table/table.ts';
import { type FieldError, PublicError, refuseInvalid } from '../../runtime/values/errors.ts';
import { newSlug } from '../transaction/slug.ts';
import { MAX_ERRORS, type ManyRequests } from './read-requests.ts';
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
 * A merchant's new requests, not yet written. With `once` they have the slugs that follow from it.
 * @throws PublicError `invalid_request` with each that is wrong, `no_momo_number`.
 */
export function newRequests(
  outside: Outside,
  merchant: Merchant,
  { bodies, errorAt }: ManyRequests,
  once?: Pick<Once, 'key' | 'says'>,
): PaymentRequest[] {
  const errors: FieldError[] = [];
  const requests = bodies.flatMap((body, n) => {
    try {
      const slug = once && { slug: slugOf(`${merchant.merchant_id}\n${once.key}\n${once.says}\n${n}`) };
      return [{ ...newRequest(outside, merchant, body), ...slug }];
    } catch (error) {
      if (!(error instanceof PublicError) || !error.errors) throw error;
      errors.push(...error.errors.map(({ field, message }) => errorAt(n, field, message)));
      return [];
    }
  });
  refuseInvalid(errors.slice(0, MAX_ERRORS));
  return requests;
}

/**
 * Makes a merchant's new requests, in transactions of fifty of which `commit` makes the last. The first of them takes the key and counts
 * tests, so nothing is made of a list that may not be. What died half-way is finished by a repeat, which makes none of them twice.
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
  const requests = newRequests(outside, merchant, many, once);
  const last = Math.floor((requests.length - 1) / ROWS_A_WRITE) * ROWS_A_WRITE;
  const writesOf = (first: number) => {
    const rows = requests.slice(first, first + ROWS_A_WRITE).map(createRequest);
    return first === 0 ? beginning(outside, merchant, once, rows, requests.length) : rows;
  };
  for (let first = 0; first < last; first += ROWS_A_WRITE)
    await sayingWhatIsMade(first, requests.length, once, () => outside.table.write(writesOf(first)));
  return sayingWhatIsMade(last, requests.length, once, () => commit(requests, writesOf(last)));
}

/** The first rows of a list of `count`, with what is done once for all of it. A repeat finds them there, and is not counted again. */
function beginning(
  outside: Outside,
  { merchant_id }: Merchant,
  { key, route, says }: Once,
  rows: readonly TableWrite[],
  count: number,
): TableWrite[] {
  let areThere = false;
  const noted = rows.map((row) => ({
    ...row,
    refused: (current: Item | undefined) => {
      const refusal = row.refused?.(current);
      areThere ||= refusal === undefined;
      return refusal;
    },
  }));
  const counts = countTests(outside, merchant_id, count).map((counting) => ({
    ...counting,
    refused: (current: Item | undefined) => (areThere ? undefined : counting.refused?.(current)),
  }));
  // Beside the answer's own record, which is written last.
  const begun = `begun ${createHash('sha256').update(key).digest('hex')}`;
  return [keepKey(outside, repeatable(merchant_id, route, begun, [says])), ...noted, ...counts];
}

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
    const isBusy = isThrottled(error) || (error instanceof PublicError && error.code === 'busy');
    if (first === 0 || !isBusy) throw error;
    throw busy(`Only some of the ${count} requests are created so far. ${howToFinish}`);
  }
}

/** As random as the seed is: 512 bits of hash for twelve characters. */
function slugOf(seed: string): string {
  return newSlug((length) => createHash('sha512').update(seed).digest().subarray(0, length), REQUEST_SLUG_CHARACTERS);
}
