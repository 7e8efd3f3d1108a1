/*
 * expiry   EXPIRY / <expires_at>#<reference>   when an unpaid charge ends; until that has been processed
 *   gsi2   OPEN#<merchant>#<pesewas> / <created_at>#<reference>     what a partly paid one lacks, where its customer's name can be matched
 */
import * as z from 'zod/mini';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { FIRST_TIME, type TableWrite } from '../../runtime/table/table.ts';
import { missingPesewas } from './payment.ts';
import { EXPIRY_PARTITION, openKey, type Transaction } from './transaction.table.ts';

const Expiry = z.object({ reference: z.string(), expires_at: z.string() });
export type Expiry = z.infer<typeof Expiry>;

const keyOf = ({ reference, expires_at }: Expiry) => ({ pk: EXPIRY_PARTITION, sk: `${expires_at}#${reference}` });

/**
 * Records when a charge ends and what a partly paid one lacks, so that a payment of that amount finds it by its customer's name.
 * The stream writes it first, so that creating a charge costs nothing more.
 */
export function noteExpiry(charge: Transaction): TableWrite {
  const { reference, expires_at } = charge;
  const expiry: Expiry = { reference, expires_at };
  const open = charge.parts?.length ? openKey(charge, missingPesewas(charge)) : {};
  return { put: { Item: { ...keyOf(expiry), ...open, ...expiry } } };
}

export function removeExpiry(expiry: Expiry): TableWrite {
  return { delete: { Key: keyOf(expiry) } };
}

/** The charges that had ended by a moment (ISO, inclusive), the first to end first, at most `limit`. */
export async function listExpiries(outside: TableOutside, until: string, limit: number): Promise<Expiry[]> {
  const items = await outside.table.list(EXPIRY_PARTITION, { between: [FIRST_TIME, `${until}~`], limit });
  return items.map((item) => z.parse(Expiry, item));
}
