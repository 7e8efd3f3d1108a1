import { html } from 'hono/html';
import { parsePhoneNumber } from '../../../ghana/phone-number.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { listReceipts } from '../../../money/receipt/receipt.table.ts';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import { receiptFor } from '../../../money/receipt/shown-receipt.ts';
import { isNamed, nameWords } from '../../../money/transaction/customer-name.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { Html } from '../html.ts';
import { section } from '../parts/status.ts';
import type { MerchantVisit } from '../visit.ts';
import { heldCard } from './held.ts';
import { readerOf } from './reader.ts';

/** Who asks for a payment asks for one of the last days. */
const LOOKED_THROUGH = 50;
const MOST_SHOWN = 5;

/**
 * Beside the charges that a search finds: the held payments that are meant as often, by payer, number, transaction ID or what the
 * payer typed. Of the newest alone, which are one read. Who may not see whole ids finds none by them, or could count up to one.
 */
export async function heldThatFit(visit: MerchantVisit, outside: Outside, typed: string): Promise<Html | undefined> {
  const { merchant, user } = visit;
  if (!may(user, 'receipts:read')) return undefined;
  const newest = { newestFirst: true, limit: LOOKED_THROUGH };
  const { receipts } = await listReceipts(outside, merchant.merchant_id, 'held', newest);
  const found = receipts.filter((receipt) => isMeant(receiptFor(readerOf(user), receipt), typed)).slice(0, MOST_SHOWN);
  if (found.length === 0) return undefined;
  return section(
    'Held payments',
    html`<ul class="cards-list" role="list">${found.map((receipt) => heldCard(visit, outside, receipt))}</ul>`,
  );
}

function isMeant(receipt: Receipt, typed: string): boolean {
  const { payer_name, payer_phone, said_phone, payer_reference, transaction_id } = receipt;
  const written = typed.trim().toLowerCase();
  if (transaction_id?.replace('…', '').toLowerCase() === written || payer_reference?.toLowerCase() === written)
    return true;
  const phone = parsePhoneNumber(typed);
  if (phone !== undefined && (phone === payer_phone || phone === said_phone)) return true;
  const words = nameWords(typed);
  return words.length > 0 && isNamed(words, payer_name ?? '');
}
