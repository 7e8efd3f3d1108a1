/*
 * audit line   AUDIT / <time>#<random>   that the operator erased somebody's data, kept for good: when, how much, and what tells
 *                                        whose it was to anybody who knows the number or the address
 */
import { scryptSync } from 'node:crypto';
import { type IdOutside, nowIso } from '../../shared/runtime/outside/outside.ts';
import { createItem, type TableWrite } from '../../shared/runtime/table/table.ts';
import type { Customer } from './customer.ts';

/**
 * Records an erasure. Phone numbers are few enough to try them all against a fast hash; with salted scrypt, one
 * network's numbers would take a processor months.
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
