/**
 * audit line   AUDIT / <time>#<random>   records the erasure of a person's data: the time, the number of rows changed,
 *                                        and a hash of the person's phone number or e-mail address. Kept permanently.
 */
import { scryptSync } from 'node:crypto';
import { type IdOutside, nowIso } from '../../shared/runtime/outside/outside.ts';
import { createItem, type TableWrite } from '../../shared/runtime/table/table.ts';
import type { Customer } from './customer.ts';

/**
 * Records an erasure. A fast hash would not protect phone numbers, because there are so few. Salted scrypt is slow:
 * trying every number on one network takes months of CPU time.
 */
export function recordErasure(
  outside: IdOutside,
  customer: Customer,
  counts: Readonly<Record<string, number>>,
): TableWrite {
  const [[by, term] = []] = Object.entries(customer);
  const salt = outside.randomBytes(16);
  const at = nowIso(outside);
  return createItem({
    pk: 'AUDIT',
    sk: `${at}#${salt.toString('hex').slice(0, 8)}`,
    at,
    action: 'customer erase',
    by,
    term_salt: salt.toString('base64'),
    term_hash: scryptSync(String(term), salt, 32, { N: 2 ** 15, maxmem: 2 ** 26 }).toString('base64'),
    counts,
  });
}
