/*
 * expiry   EXPIRY#<0 or 1> / <expires_at>#<reference>   when an unpaid charge ends, or others are told of a tap at a till; until that has been processed
 *   gsi2   OPEN#<merchant>#<pesewas> / <created_at>#<reference>     what a partly paid one lacks, where its customer's name can be matched
 */
import * as z from 'zod/mini';
import { isoOf, type TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { listUntil, spread } from '../../runtime/table/spread.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { missingPesewas, UNDO_MS } from '../payment/payment.ts';
import { type Charge, EXPIRY, type Found, isUntold, openKey } from './charge.table.ts';
import type { TakenGoods } from './goods.ts';

const Expiry = z.object({ reference: z.string(), expires_at: z.string() });
export type Expiry = z.infer<typeof Expiry>;

const expiries = spread(EXPIRY, 2);
export const expiryRows = rows(Expiry, {
  pk: ({ reference }: Pick<Expiry, 'reference'>) => expiries.of(reference),
  sk: '<expires_at>#<reference>',
});

/** Records when a new charge ends. The stream writes it, so that creating a charge costs nothing more. */
export function createExpiry(charge: Charge): TableWrite {
  return expiryRows.createOnce(expiryOf(charge));
}

/** The same for a pending charge, with what it lacks once a part arrived: a payment of that amount finds it by its customer's name. */
export function noteExpiry(charge: Found & Parameters<typeof missingPesewas>[0]): TableWrite {
  const { reference, expires_at } = charge;
  const open = charge.parts?.length ? openKey(charge, missingPesewas(charge)) : {};
  return { put: { Item: expiryRows.item({ reference, expires_at, ...open }) } };
}

/**
 * How long after it expires a charge is left alone: by then most texts about last-minute payments have arrived.
 * 99 in 100 reach the phone within two minutes.
 */
export const EXPIRY_GRACE_SECONDS = 5 * 60;

export function expiryOf(charge: Charge): Expiry {
  const { reference } = charge;
  return { reference, expires_at: isUntold(charge) ? toldFrom(charge) : charge.expires_at };
}

/** Its grace ends as the minute does in which the tap can be undone: a lost job is found then, and not five minutes later. */
function toldFrom({ goods }: { readonly goods: TakenGoods }): string {
  return isoOf(Date.parse(goods.at) + UNDO_MS - EXPIRY_GRACE_SECONDS * 1000);
}

/** The charges that had ended by a moment (ISO, inclusive), the first to end first, at most `limit`. */
export async function listExpiries(outside: TableOutside, until: string, limit: number): Promise<Expiry[]> {
  return (await listUntil(outside, expiries, until, limit)).map(expiryRows.parse);
}
