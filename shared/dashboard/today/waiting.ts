import { getCredits, isLow } from '../../credits/credits.table.ts';
import { shownAmount } from '../../ghana/money.ts';
import { listReceipts } from '../../receipt/receipt.table.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { may } from '../../user/permissions.ts';
import type { User } from '../../user/user.table.ts';
import { HELD } from '../charges/addresses.ts';
import type { Html } from '../html.ts';
import { emptyState, section, tile, tiles } from '../parts/status.ts';

/** As many held payments as are counted; more than that are "or more". */
const MAX_COUNTED = 50;

/** What waits for a person, as far as this one may see it. */
export async function waiting(outside: Pick<Outside, 'table'>, merchantId: string, user: User): Promise<Html> {
  const [held, credits] = await Promise.all([
    may(user, 'receipts:read') ? heldTile(outside, merchantId) : undefined,
    may(user, 'credits:read') ? creditsTile(outside, merchantId) : undefined,
  ]);
  const found = [held, credits].filter((one) => one !== undefined);
  if (found.length === 0) return emptyState('Nothing waits for you', 'What needs a person shows here.');
  return section('Waits for you', tiles(...found));
}

async function heldTile(outside: Pick<Outside, 'table'>, merchantId: string): Promise<Html | undefined> {
  const { receipts, next } = await listReceipts(outside, merchantId, 'held', { limit: MAX_COUNTED });
  if (receipts.length === 0) return undefined;
  const pesewas = receipts.reduce((sum, { amount_pesewas = 0 }) => sum + amount_pesewas, 0);
  const many = next ? ' or more' : '';
  return tile(`Held payment${receipts.length === 1 ? '' : 's'}`, `${receipts.length}${many}`, {
    hint: `GHS ${shownAmount(pesewas)}${many}`,
    href: HELD,
    isUrgent: true,
  });
}

/** Whoever never had credits sends no texts. */
async function creditsTile(outside: Pick<Outside, 'table'>, merchantId: string): Promise<Html | undefined> {
  const credits = await getCredits(outside, merchantId);
  if (!isLow(credits)) return undefined;
  return tile('Credits for texts', String(credits.balance), { hint: 'Low: ask the operator for more', isUrgent: true });
}
