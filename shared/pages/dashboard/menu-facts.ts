import { may } from '../../merchants/user/permissions.ts';
import { countHeld } from '../../money/receipt/receipt.table.ts';
import { listOpenTills } from '../../money/till/till.table.ts';
import { cached } from '../../runtime/outside/cached.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { HOME, TILL, tillAddress } from './parts/addresses.ts';
import type { Visitor } from './parts/visit.ts';

/** What the menu says on every page, besides where its entries lead. */
export interface MenuFacts {
  /** How many payments wait for this person. */
  readonly toCheck: number;
  /** Whether the shop has a till at which they may take payments. */
  readonly hasTill: boolean;
}

/** Of a page that only says what was refused, or of nobody's shop. */
export const NO_FACTS: MenuFacts = { toCheck: 0, hasTill: false };

/** As many waiting payments as are counted; one more is read to know that there are more. */
export const MAX_COUNTED = 9;

/** In test mode of the tests. */
export async function menuFactsFor(outside: Outside, visitor: Visitor | undefined): Promise<MenuFacts> {
  if (visitor?.merchant_id === undefined) return NO_FACTS;
  const { user, merchant_id: merchantId } = visitor;
  const [toCheck, hasTill = false] = await Promise.all([
    may(user, 'receipts:read') ? countHeld(outside, merchantId, MAX_COUNTED + 1) : 0,
    may(user, 'till:take') ? shopsWithTill.get(outside, merchantId) : false,
  ]);
  return { toCheck, hasTill };
}

/** A shop keeps its tills for longer, and one that has just added its first is looked up each time. */
const REMEMBERED_SECONDS = 60;
const shopsWithTill = cached(REMEMBERED_SECONDS, async (outside: Outside, merchantId) =>
  (await listOpenTills(outside, merchantId)).length > 0 ? true : undefined,
);

/** The page that a person begins with: one who takes payments and sees no sums of the shop begins at the till, if there is one. */
export async function firstPageFor(outside: Outside, { user, merchant_id }: Visitor): Promise<string> {
  if (merchant_id === undefined || !may(user, 'till:take') || may(user, 'reports:read')) return HOME;
  const tills = await listOpenTills(outside, merchant_id);
  const own = tills.find(({ shift }) => shift?.by === user.user_id);
  if (own) return tillAddress(own.till_id);
  return tills.length > 0 ? TILL : HOME;
}
