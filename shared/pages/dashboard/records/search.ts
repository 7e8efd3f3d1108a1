import { html } from 'hono/html';
import { parsePhoneNumber } from '../../../ghana/phone-number.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { may } from '../../../merchants/user/permissions.ts';
import {
  type Charge,
  getCharges,
  listChargeRows,
  listReferences,
  madeBetween,
} from '../../../money/charge/charge.table.ts';
import { cameWith } from '../../../money/charge/origin.ts';
import { listReceipts } from '../../../money/receipt/receipt.table.ts';
import { type Reader, receiptFor } from '../../../money/receipt/shown-receipt.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { listSends, type Send } from '../../../texts/sms/send.table.ts';
import { isMeant } from '../charges/charges.ts';
import { chargesTable, searchCharges } from '../charges/find-charges.ts';
import { heldCards } from '../charges/held-cards.ts';
import { readerOf } from '../charges/reader.ts';
import { customersOf } from '../customers/paying-customers.ts';
import { customersTable } from '../customers/paying-list.ts';
import { chargeAddress, chargesSearch, requestsSearch, SEARCH, textAddress } from '../parts/addresses.ts';
import { emptyState, type Html, section, shownDay, shownTime } from '../parts/content.ts';
import { table } from '../parts/list.ts';
import { marked } from '../parts/marked.ts';
import { hasWord, hasWords, searchWords } from '../parts/search-words.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { excerpt } from '../texts/texts.ts';

/** Maximum number of recent entries of each kind to search for unindexed words. This costs a few hundred read units. */
export const LOOKED_THROUGH = { charges: 200, opened: 50, payments: 100, texts: 100 } as const;
/** Maximum length of a search. The index accepts about as much. */
const MAX_CHARACTERS = 100;
const MAX_SHOWN = 10;

interface Matches<Entry> {
  readonly fitting: readonly Entry[];
  /** Time of the oldest searched entry (ISO). Undefined if all entries were searched. */
  readonly since: string | undefined;
}

export async function showSearch(visit: MerchantVisit, outside: Outside): Promise<Shown | Going> {
  const { merchant, user, query } = visit;
  const typed = (query.q ?? '').trim().slice(0, MAX_CHARACTERS).toWellFormed();
  if (typed === '')
    return { title: 'Search', main: html`${box(typed)}${emptyState('What you can type', searched(visit))}` };
  const indexed = await searchCharges(outside, merchant.merchant_id, typed, readerOf(user));
  if ('only' in indexed) return { goTo: chargeAddress(indexed.only.reference) };
  const [described, payments, texts] = await Promise.all([
    describedCharges(outside, merchant.merchant_id, typed),
    may(user, 'receipts:read') ? heldPayments(visit, outside, typed) : undefined,
    may(user, 'texts:read') ? findTexts(outside, merchant.merchant_id, typed) : undefined,
  ]);
  const known = new Set(indexed.charges.map(({ reference }) => reference));
  const charges = [...indexed.charges, ...described.fitting.filter(({ reference }) => !known.has(reference))];
  const customers = may(user, 'reports:read') ? customersOf(charges) : [];
  const lists = [charges, payments?.fitting ?? [], texts?.fitting ?? []];
  const isNothing = lists.every((list) => list.length === 0);
  const held = payments?.fitting.slice(0, MAX_SHOWN) ?? [];
  const isMore = indexed.meta.next !== null || indexed.listed > MAX_SHOWN;
  const isCut = !isMore && charges.length > MAX_SHOWN;
  const more = html`<a href="${chargesSearch(typed)}">See more under Bills</a>`;
  const main = html`${box(typed)}
${isNothing && emptyState('Nothing found', isMore ? html`Only the newest bills were searched. ${more}` : 'Check the spelling, or try a number, a reference or a whole name.')}
${
  charges.length > 0 &&
  html`<h2>Bills</h2>${chargesTable(outside, charges.slice(0, MAX_SHOWN), { searched: typed })}${isCut && html`<p class="hint">Only ${MAX_SHOWN} bills are shown. Type another word to find the others.</p>`}`
}
${isMore && !isNothing && html`<p>${more}</p>`}
${customers.length > 0 && html`<h2>Customers of these bills</h2>${customersTable(outside, customers.slice(0, MAX_SHOWN))}`}
${held.length > 0 && html`<h2>Payments to check</h2>${await heldCards(visit, outside, held)}`}
${texts && texts.fitting.length > 0 && html`<h2>Texts</h2>${textsTable(texts.fitting.slice(0, MAX_SHOWN), typed)}`}
${section('What was searched', limits(typed, { charges: described, payments, texts, isAll: indexed.meta.next === null }, readerOf(user)))}`;
  return { title: 'Search', main };
}

function searched({ user }: MerchantVisit): string {
  const ids = readerOf(user).seesIds ? ' the network’s transaction ID,' : '';
  return `A reference, name, phone number, e-mail, order number,${ids} or part of a text.`;
}

function box(typed: string): Html {
  return html`<form class="card filters" role="search" method="get" action="${SEARCH}"><p class="field"><label for="q">Search for</label><input id="q" name="q" type="search" value="${typed}" maxlength="${MAX_CHARACTERS}" autocomplete="off"></p><button class="plain button">Search</button></form>`;
}

/**
 * Finds recent charges in which every search word starts a word of what the shop or the customer wrote. If there
 * is none, searches the newest unpaid charges that customers opened. Anybody can open many.
 */
async function describedCharges(outside: Outside, merchantId: string, typed: string): Promise<Matches<Charge>> {
  const page = { newestFirst: true, limit: LOOKED_THROUGH.charges };
  const times = { fromMs: 0, toMs: outside.now() };
  const { entries, next } = await listChargeRows(outside, merchantId, page, times);
  const fitting = entries.filter((charge) => isDescribed(charge, typed));
  if (fitting.length === 0) {
    const newest = { limit: LOOKED_THROUGH.opened, openedBy: 'stranger' } as const;
    const opened = await getCharges(outside, await listReferences(outside, merchantId, madeBetween(times), newest));
    fitting.push(...opened.filter((charge) => isDescribed(charge, typed)));
  }
  return { fitting, since: next && entries.at(-1)?.created_at };
}

function isDescribed(charge: Charge, typed: string): boolean {
  const { description = '', customer_name = '', merchant_reference = '' } = charge;
  const { customer_note = '' } = cameWith(charge);
  return hasWords(`${description} ${customer_name} ${merchant_reference} ${customer_note}`, typed);
}

/**
 * Finds held payments. People who may not see whole ids cannot search by id, because they could guess one digit at a
 * time.
 */
async function heldPayments(visit: MerchantVisit, outside: Outside, typed: string) {
  const { merchant, user } = visit;
  const page = { newestFirst: true, limit: LOOKED_THROUGH.payments };
  const lists = await Promise.all(
    (['held', 'set_aside'] as const).map((list) => listReceipts(outside, merchant.merchant_id, list, page)),
  );
  const fitting = lists
    .flatMap(({ receipts }) => receipts)
    .filter((receipt) => isMeant(receiptFor(readerOf(user), receipt), typed));
  const ends = lists.flatMap(({ receipts, next }) => (next ? [receipts.at(-1)?.received_at ?? ''] : []));
  return { fitting, since: ends.toSorted().at(-1) };
}

async function findTexts(outside: Outside, merchantId: string, typed: string): Promise<Matches<Send>> {
  const { sends, next } = await listSends(outside, merchantId, { newestFirst: true, limit: LOOKED_THROUGH.texts });
  const number = parsePhoneNumber(typed);
  const fitting = sends.filter(({ to, message }) =>
    number === undefined ? hasWords(message, typed) : to.includes(number),
  );
  return { fitting, since: next && sends.at(-1)?.created_at };
}

function textsTable(sends: readonly Send[], typed: string): Html {
  const number = parsePhoneNumber(typed);
  const isFound = (word: string) => searchWords(typed).some((one) => hasWord(word, one));
  return table(sends, {
    caption: 'Texts, newest first',
    href: ({ send_id }) => textAddress(send_id),
    columns: {
      To: ({ to }) =>
        html`<span class="number">${shownNumber(to.find((one) => one === number) ?? to[0] ?? '')}</span>${to.length > 1 && ` and ${to.length - 1} more`}`,
      Text: ({ message }) => (number === undefined ? marked(message, isFound) : excerpt(message)),
      When: ({ created_at }) => html`<span class="number">${shownTime(created_at)}</span>`,
    },
  });
}

interface Searched {
  readonly charges: Matches<unknown>;
  readonly payments: Matches<unknown> | undefined;
  readonly texts: Matches<unknown> | undefined;
  /** True if all charges in the index were searched. */
  readonly isAll: boolean;
}

function limits(
  typed: string,
  { charges, payments, texts, isAll }: Searched,
  { seesIds }: Pick<Reader, 'seesIds'>,
): Html {
  const part = (found: Matches<unknown>, most: number, noun: string) =>
    found.since
      ? html`<li>The newest ${most} ${noun}, back to ${shownDay(found.since)}. Older results were left out.</li>\n`
      : html`<li>All ${noun}.</li>\n`;
  return html`<ul class="hint"><li>${isAll ? 'All' : 'The newest'} bills by reference, whole names, phone number, e-mail address${seesIds ? ', order number and transaction ID' : ' and order number'}.</li>
${part(charges, LOOKED_THROUGH.charges, 'bills by words in their description or by the start of a name or order number')}
<li>If no other bill fits, the newest ${LOOKED_THROUGH.opened} unpaid bills that customers opened, also by the customer’s answer.</li>
${payments ? part(payments, LOOKED_THROUGH.payments, 'payments to check') : html`<li>No payments, because your role cannot see them.</li>`}
${texts ? part(texts, LOOKED_THROUGH.texts, 'texts') : html`<li>No texts, because your role cannot see them.</li>`}
<li>No payment requests. <a href="${requestsSearch(typed)}">Search those</a></li></ul>`;
}
