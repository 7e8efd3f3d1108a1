import { createHash } from 'node:crypto';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { countTests } from '../../merchants/merchant/test-limit.table.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { type FieldError, PublicError, refuseInvalid } from '../../runtime/values/errors.ts';
import { newSlug } from '../transaction/slug.ts';
import { MAX_ERRORS, type ManyRequests } from './read-requests.ts';
import { createRequest, type PaymentRequest, REQUEST_SLUG_CHARACTERS } from './request.table.ts';
import { newRequest } from './request.ts';

/** Rows of one transaction: each costs it two write units, and the list of a merchant takes 1,000 in a second. */
const ROWS_A_WRITE = 50;

/**
 * A merchant's new requests, not yet written. Under a `seed` they have the slugs that follow from it.
 * @throws PublicError `invalid_request` with each that is wrong, `no_momo_number`.
 */
export function newRequests(
  outside: Outside,
  merchant: Merchant,
  { bodies, errorAt }: ManyRequests,
  seed?: string,
): PaymentRequest[] {
  const errors: FieldError[] = [];
  const requests = bodies.flatMap((body, n) => {
    try {
      const slug = seed === undefined ? {} : { slug: slugOf(`${merchant.merchant_id}\n${seed}\n${n}`) };
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
 * Makes a merchant's new requests, in transactions of fifty of which `commit` makes the last. Under a `seed`, what died half-way is finished by a
 * repeat, which makes none of them twice. @throws PublicError as `newRequests`, before anything is written.
 */
export async function makeRequests<Result>(
  outside: Outside,
  merchant: Merchant,
  many: ManyRequests,
  seed: string | undefined,
  commit: (requests: readonly PaymentRequest[], writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  const requests = newRequests(outside, merchant, many, seed);
  const last = Math.floor((requests.length - 1) / ROWS_A_WRITE) * ROWS_A_WRITE;
  for (let first = 0; first < last; first += ROWS_A_WRITE)
    await outside.table.write(requests.slice(first, first + ROWS_A_WRITE).map(createRequest));
  const counted = countTests(outside, merchant.merchant_id, requests.length);
  return commit(requests, [...requests.slice(last).map(createRequest), ...counted]);
}

/** As random as the seed is: 512 bits of hash for twelve characters. */
function slugOf(seed: string): string {
  return newSlug((length) => createHash('sha512').update(seed).digest().subarray(0, length), REQUEST_SLUG_CHARACTERS);
}
