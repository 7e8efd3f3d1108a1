import { html } from 'hono/html';
import { CURRENCY } from '../../../ghana/country.ts';
import { parsePhoneNumber } from '../../../ghana/phone-number.ts';
import { pesewasIn } from '../../../ghana/typed.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import { listReferences } from '../../../money/charge/charge.table.ts';
import { isNamed, nameWords } from '../../../money/charge/customer-name.ts';
import { listReceipts, versionOfReceipts } from '../../../money/receipt/receipt.table.ts';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import { receiptFor } from '../../../money/receipt/shown-receipt.ts';
import { isoOf, nowIso, type Outside } from '../../../runtime/outside/outside.ts';
import { CHARGES, chargeAddress, HELD } from '../parts/addresses.ts';
import { emptyState, type Html, quiet, refreshed } from '../parts/content.ts';
import { carried, field, fields } from '../parts/form.ts';
import { chips, foldedFilters, pagination } from '../parts/list.ts';
import { pageVersion } from '../parts/page-version.ts';
import { hasWords } from '../parts/search-words.ts';
import { NEW_BILL } from '../parts/title.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { CHARGE_LISTS, chargesTable, findCharges, type Query, searchCharges } from './find-charges.ts';
import { heldCards } from './held-cards.ts';
import { readerOf } from './reader.ts';

export async function showCharges(visit: MerchantVisit, outside: Outside): Promise<Shown | Going> {
  const { merchant, user } = visit;
  // Drop the empty fields that browsers also submit.
  const query: Query = Object.fromEntries(Object.entries(visit.query).filter(([, value]) => value?.trim()));
  const { q, ...others } = query;
  // The other filters and pages apply to what the index finds.
  const isSearch = q !== undefined && Object.keys(others).length === 0;
  const found = isSearch
    ? await searchCharges(outside, merchant.merchant_id, q, readerOf(user))
    : await findCharges(outside, merchant.merchant_id, query, readerOf(user));
  if ('only' in found) return { goTo: chargeAddress(found.only.reference) };
  const isFiltered = Object.keys(query).some((name) => name !== 'cursor');
  const { charges, by, fault, meta } = found;
  const held = query.q && !query.cursor ? await heldThatFit(visit, outside, query.q) : undefined;
  const list = html`${
    charges.length > 0
      ? chargesTable(outside, charges, { searched: query.q })
      : emptyList(user, { isFiltered, fault, isCut: meta.next !== null })
  }
${pagination({ here: visit.here, query: { ...query, by } }, meta)}`;
  const main = html`${chips({ here: visit.here, query }, { label: 'Which bills', parameter: 'status', options: [['', 'All'], ...CHARGE_LISTS] })}
${chargeFilters(visit, query)}
${searchLine(query)}
${held}${held && html`<h2>Bills</h2>`}
${refreshed(list)}`;
  return { title: 'Bills', actions: [may(user, 'charges:write') && NEW_BILL], main };
}

/** Returns a version that changes with every new charge and payment, and once a minute. Costs about two key reads. */
export async function versionOfCharges({ merchant }: MerchantVisit, outside: Outside): Promise<string> {
  const times = [isoOf(0), nowIso(outside)] as const;
  const [newest, paid] = await Promise.all([
    listReferences(outside, merchant.merchant_id, times, { limit: 1 }),
    versionOfReceipts(outside, merchant.merchant_id, 'matched', 1),
  ]);
  return pageVersion(outside, [newest, paid]);
}

/** Says what the list was searched for. Otherwise, the other bills would seem to be missing. */
function searchLine({ q, from, to, amount, status }: Query): Html | undefined {
  const [since, until] = [from && `from ${from}`, to && `to ${to}`];
  const searched = [q && `“${q}”`, since, until, amount && `${CURRENCY} ${amount}`].filter(Boolean);
  if (searched.length === 0) return undefined;
  const all = status ? `${CHARGES}?status=${encodeURIComponent(status.toWellFormed())}` : CHARGES;
  return html`<p>Results for <b>${searched.join(', ')}</b>. <a href="${all}">Clear the filter</a></p>`;
}

function chargeFilters({ here, user }: MerchantVisit, query: Query): Html {
  const { status } = query;
  return foldedFilters({ here, query }, 'Filter by name, date or amount', [
    carried({ status }),
    field(
      'q',
      readerOf(user).seesIds
        ? 'Find by name, phone, e-mail, reference, order number or transaction ID'
        : 'Find by name, phone, e-mail, reference or order number',
      { type: 'search' },
    ),
    fields`<div class="fields">
${field('from', 'From', { type: 'date' })}
${field('to', 'To', { type: 'date' })}
${field('amount', 'Amount', { inputMode: 'decimal' })}
</div>`,
  ]);
}

interface Empty {
  readonly isFiltered: boolean;
  readonly fault?: string | undefined;
  /** True if older charges were not searched. */
  readonly isCut: boolean;
}

function emptyList(user: User, { isFiltered, fault, isCut }: Empty): Html {
  if (fault) return emptyState('We could not search for this', fault);
  if (isCut)
    return emptyState('No matching bills yet', 'Only the newest bills were searched. Look through the older ones.');
  if (isFiltered)
    return emptyState(
      'No matching bills',
      'Check the spelling, or choose another status or a longer period.',
      // The search finds only charges, but the payment may be held.
      html`${may(user, 'receipts:read') && html`<p class="hint">Looking for a payment? Payments without a bill are under <a href="${HELD}">To check</a>.</p>`}
<a class="plain button" href="${CHARGES}">Show all</a>`,
    );
  return emptyState(
    'No bills yet',
    'A bill asks a customer to pay an amount. Its payment is recognised automatically. You can create bills here, or from your website.',
  );
}

/** Maximum number of held payments to search, newest first. */
const LOOKED_THROUGH = 50;
const MOST_SHOWN = 5;

/**
 * Shows recent held payments that match the search, in one read. People who may not see whole ids cannot search by id,
 * because they could guess one digit at a time.
 */
async function heldThatFit(visit: MerchantVisit, outside: Outside, typed: string): Promise<Html | undefined> {
  const { merchant, user } = visit;
  if (!may(user, 'receipts:read')) return undefined;
  const newest = { newestFirst: true, limit: LOOKED_THROUGH };
  const { receipts } = await listReceipts(outside, merchant.merchant_id, 'held', newest);
  const found = receipts.filter((receipt) => isMeant(receiptFor(readerOf(user), receipt), typed)).slice(0, MOST_SHOWN);
  if (found.length === 0) return undefined;
  return quiet('Payments to check', await heldCards(visit, outside, found));
}

export function isMeant(receipt: Receipt, typed: string): boolean {
  const { amount_pesewas, payer_name, payer_phone, said_phone, payer_reference = '', transaction_id } = receipt;
  const written = typed.trim().toLowerCase();
  if (transaction_id?.replace('…', '').toLowerCase() === written || hasWords(payer_reference, typed)) return true;
  const pesewas = pesewasIn(typed);
  if (pesewas !== undefined && pesewas === amount_pesewas) return true;
  const phone = parsePhoneNumber(typed);
  if (phone !== undefined && (phone === payer_phone || phone === said_phone)) return true;
  const words = nameWords(typed);
  return words.length > 0 && isNamed(words, payer_name ?? '');
}
