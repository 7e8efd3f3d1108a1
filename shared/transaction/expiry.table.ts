/*
 * expiry   EXPIRY / <expires_at>#<reference>   when a charge ends that is not paid; until that has been looked at
 */
import * as z from 'zod/mini';
import type { Outside } from '../runtime/outside/outside.ts';
import { FIRST_TIME, type TableWrite } from '../runtime/table/table.ts';
import type { Transaction } from './transaction.table.ts';

const Expiry = z.object({ reference: z.string(), expires_at: z.string() });
export type Expiry = z.infer<typeof Expiry>;

/** One partition: a stage that makes a thousand charges a second needs several. */
const PARTITION = 'EXPIRY';
const keyOf = ({ reference, expires_at }: Expiry) => ({ pk: PARTITION, sk: `${expires_at}#${reference}` });

/** Notes when a charge ends. The stream writes it, so that creating a charge costs nothing more. */
export function noteExpiry({ reference, expires_at }: Pick<Transaction, 'reference' | 'expires_at'>): TableWrite {
  const expiry: Expiry = { reference, expires_at };
  return { put: { Item: { ...keyOf(expiry), ...expiry } } };
}

export function removeExpiry(expiry: Expiry): TableWrite {
  return { delete: { Key: keyOf(expiry) } };
}

/** The charges that had ended by a moment (ISO, inclusive), the first to end first, at most `limit`. */
export async function listExpiries(outside: Pick<Outside, 'table'>, until: string, limit: number): Promise<Expiry[]> {
  const items = await outside.table.list(PARTITION, { between: [FIRST_TIME, `${until}~`], limit });
  return items.map((item) => z.parse(Expiry, item));
}
