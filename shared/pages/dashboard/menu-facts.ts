import { may } from '../../merchants/user/permissions.ts';
import { countHeld } from '../../money/receipt/receipt.table.ts';
import { listOpenTills } from '../../money/till/till.table.ts';
import { cached } from '../../runtime/outside/cached.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { HOME, TILL, tillAddress } from './parts/addresses.ts';
import type { Visitor } from './parts/visit.ts';

export interface MenuFacts {
  readonly toCheck: number;
  readonly hasTill: boolean;
}

/** Defaults for error pages and people without a shop. */
export const NO_FACTS: MenuFacts = { toCheck: 0, hasTill: false };

/** Maximum count shown. One more is read to detect whether there are more. */
export const MAX_COUNTED = 9;

/** Reads the data for the menu. In test mode, counts test data. */
export async function menuFactsFor(outside: Outside, visitor: Visitor | undefined): Promise<MenuFacts> {
  if (visitor?.merchant_id === undefined) return NO_FACTS;
  const { user, merchant_id: merchantId } = visitor;
  const [toCheck, hasTill = false] = await Promise.all([
    may(user, 'receipts:read') ? countHeld(outside, merchantId, MAX_COUNTED + 1) : 0,
    may(user, 'till:take') ? shopsWithTill.get(outside, merchantId) : false,
  ]);
  return { toCheck, hasTill };
}

/** Cache lifetime of a shop's tills, in seconds. A shop without tills is not cached. */
const REMEMBERED_SECONDS = 60;
const shopsWithTill = cached(REMEMBERED_SECONDS, async (outside: Outside, merchantId) =>
  (await listOpenTills(outside, merchantId)).length > 0 ? true : undefined,
);

/** Returns the path of a person's start page: the till for cashiers, if there is one. */
export async function firstPageFor(outside: Outside, { user, merchant_id }: Visitor): Promise<string> {
  if (merchant_id === undefined || !may(user, 'till:take') || may(user, 'reports:read')) return HOME;
  const tills = await listOpenTills(outside, merchant_id);
  const own = tills.find(({ shift }) => shift?.by === user.user_id);
  if (own) return tillAddress(own.till_id);
  return tills.length > 0 ? TILL : HOME;
}
