/**
 * audit line   AUDIT / <time>#<random>   the erasure of a person's data, kept permanently: its time and extent, and a hash that
 *                                        identifies the person to anybody who knows the number or the address
 */
import { scryptSync } from 'node:crypto';
import { type IdOutside, nowIso } from '../../shared/runtime/outside/outside.ts';
import { createItem, type TableWrite } from '../../shared/runtime/table/table.ts';
import type { Customer } from './customer.ts';

/**
 * Records an erasure. There are few enough phone numbers to try all of them against a fast hash. With salted scrypt,
 * the numbers of one network would take a CPU months.
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
