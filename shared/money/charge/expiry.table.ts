/*
 * expiry   EXPIRY#<0 or 1> / <expires_at>#<reference>   when an unpaid charge expires, or a tap's event is due; removed once handled
 *   gsi2   OPEN#<merchant>#<pesewas> / <created_at>#<reference>     the outstanding amount of a partly paid charge that can be matched by name
 */
import * as z from 'zod/mini';
import { isoOf, type TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { listUntil, spread } from '../../runtime/table/spread.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { missingPesewas, UNDO_MS } from '../payment/payment.ts';
import { type Charge, EXPIRY, type Found, isSuccessEventDue, openKey } from './charge.table.ts';
import type { TakenGoods } from './goods.ts';

const Expiry = z.object({ reference: z.string(), expires_at: z.string() });
export type Expiry = z.infer<typeof Expiry>;

const expiries = spread(EXPIRY, 2);
export const expiryRows = rows(Expiry, {
  pk: ({ reference }: Pick<Expiry, 'reference'>) => expiries.of(reference),
  sk: '<expires_at>#<reference>',
});

export function createExpiry(charge: Charge): TableWrite {
  return expiryRows.createOnce(expiryOf(charge));
}

/** Records when a pending charge expires. For a partly paid charge, also indexes the outstanding amount. */
export function noteExpiry(charge: Found & Parameters<typeof missingPesewas>[0]): TableWrite {
  const { reference, expires_at } = charge;
  const open = charge.parts?.length ? openKey(charge, missingPesewas(charge)) : {};
  return { put: { Item: expiryRows.item({ reference, expires_at, ...open }) } };
}

/** Grace period for texts about last-minute payments. 99 % of texts arrive within two minutes. */
export const EXPIRY_GRACE_SECONDS = 5 * 60;

export function expiryOf(charge: Charge): Expiry {
  const { reference } = charge;
  return { reference, expires_at: isSuccessEventDue(charge) ? announcedFrom(charge) : charge.expires_at };
}

/**
 * Returns the end of the tap's undo period, less housekeeping's grace period, so that housekeeping finds a lost job as
 * early as possible.
 */
function announcedFrom({ goods }: { readonly goods: TakenGoods }): string {
  return isoOf(Date.parse(goods.at) + UNDO_MS - EXPIRY_GRACE_SECONDS * 1000);
}

export async function listExpiries(outside: TableOutside, until: string, limit: number): Promise<Expiry[]> {
  return (await listUntil(outside, expiries, until, limit)).map(expiryRows.parse);
}
