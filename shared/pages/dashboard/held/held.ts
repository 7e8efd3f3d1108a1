import { html } from 'hono/html';
import { listReceipts, versionOfReceipts } from '../../../money/receipt/receipt.table.ts';
import type { ReceiptList } from '../../../money/receipt/receipt.ts';
import { startFor } from '../../../money/receipt/shown-receipt.ts';
import { metaOf, pageOf } from '../../../runtime/http/pagination.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { heldCards } from '../charges/held-cards.ts';
import { readerOf } from '../charges/reader.ts';
import { HELD } from '../parts/addresses.ts';
import { emptyState, type Html, refreshed, tabs } from '../parts/content.ts';
import { pagination } from '../parts/list.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';

const PER_PAGE = 20;

type HeldList = Exclude<ReceiptList, 'matched'>;

const NAMES: Readonly<Record<HeldList, string>> = {
  held: 'To decide',
  unread: 'Not understood',
  set_aside: 'Not for a bill',
  decided: 'Decided',
};
const lists: readonly HeldList[] = ['held', 'unread', 'set_aside', 'decided'];

const EMPTY: Readonly<Record<HeldList, readonly [title: string, text: string]>> = {
  held: [
    'No payments are waiting',
    'Payments that we cannot match to a bill with certainty appear here, with the reason.',
  ],
  unread: ['All texts were understood', 'Wallet texts that do not read like payments appear here for 30 days.'],
  set_aside: ['All payments are for bills', 'Payments that are not for a bill, or that you sent back, appear here.'],
  decided: ['No decided messages', 'Messages that were matched to a bill or are not payments appear here for 30 days.'],
};

export async function showHeld(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant, user, query, here } = visit;
  const list = listIn(query);
  const page = pageOf({ per_page: String(PER_PAGE), cursor: query.cursor });
  const { receipts, next } = await listReceipts(outside, merchant.merchant_id, list, page);
  const shown =
    receipts.length > 0
      ? html`${list !== 'held' && html`<p class="hint">${EMPTY[list][1]}</p>`}${await heldCards(visit, outside, receipts, next !== undefined || query.cursor !== undefined)}
${pagination({ here, query }, metaOf(page, startFor(readerOf(user), next)))}`
      : emptyState(...EMPTY[list]);
  return {
    title: 'Payments to check',
    main: html`${listTabs(list)}${refreshed(shown)}`,
  };
}

export function versionOfHeld({ merchant, query }: MerchantVisit, outside: Outside): Promise<string> {
  return versionOfReceipts(outside, merchant.merchant_id, listIn(query), PER_PAGE);
}

function listIn({ list }: MerchantVisit['query']): HeldList {
  return lists.find((one) => one === list) ?? 'held';
}

function listTabs(current: HeldList): Html {
  const addressOf = (list: HeldList) => (list === 'held' ? HELD : `${HELD}?list=${list}`);
  return tabs(
    'Lists',
    lists.map((one) => ({ address: addressOf(one), name: NAMES[one], isCurrent: one === current })),
  );
}
