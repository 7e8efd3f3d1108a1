import { html } from 'hono/html';
import { CURRENCY } from '../../../ghana/country.ts';
import { shownAmount } from '../../../ghana/money.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { listReceipts } from '../../../money/receipt/receipt.table.ts';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import { metaOf, pageOf } from '../../../runtime/http/pagination.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { heldWords } from '../charges/held-words.ts';
import { pagination } from '../parts/pagination.ts';
import { emptyState, pill } from '../parts/status.ts';
import { table } from '../parts/table.ts';
import { shownTime } from '../shown-time.ts';
import type { PersonVisit, Shown } from '../visit.ts';
import { moneyTabs, UNASSIGNED } from './tabs.ts';

const PER_PAGE = '25';
const MAX_SHOWN_CHARACTERS = 120;
const heldColumns = [
  ...['Payer', 'Paid on', 'When', 'Why'].map((name) => ({ name })),
  { name: CURRENCY, isNumber: true },
];
const unreadColumns = ['Text', 'From', 'When'].map((name) => ({ name }));

/** Payments of which it is not known whose they are. */
export function showUnassigned(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const nothing = emptyState(
    'No payment is unassigned',
    'A payment shows here whose number belongs to no merchant, or to several, and that names no charge.',
  );
  return show(visit, outside, 'held', nothing);
}

/** Texts of networks that this version cannot read, and that belong to no merchant. */
export function showUnread(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const nothing = emptyState(
    'No unread text',
    'A text of a network that this version cannot read shows here for 30 days.',
  );
  return show(visit, outside, 'unread', nothing);
}

async function show(
  visit: PersonVisit,
  outside: Outside,
  state: 'held' | 'unread',
  nothing: Shown['main'],
): Promise<Shown> {
  const page = pageOf({ per_page: PER_PAGE, cursor: visit.query.cursor });
  const { receipts, next } = await listReceipts(outside, undefined, state, page);
  const isHeld = state === 'held';
  const list = () =>
    isHeld
      ? table('Unassigned payments', heldColumns, receipts.map(heldRow))
      : table('Unread texts', unreadColumns, receipts.map(unreadRow));
  return {
    title: isHeld ? 'Unassigned payments' : 'Unread texts',
    main: html`${moneyTabs(visit)}
${receipts.length > 0 ? list() : nothing}
${pagination(visit, metaOf(page, next))}`,
  };
}

function heldRow(receipt: Receipt) {
  const { receipt_id, payer_name, momo_number, received_at, amount_pesewas = 0 } = receipt;
  const { tone, word } = heldWords(receipt);
  return {
    href: `${UNASSIGNED}/${encodeURIComponent(receipt_id)}`,
    cells: [
      payer_name ?? 'Not named',
      momo_number ? shownNumber(momo_number) : 'Not known',
      shownTime(received_at),
      pill(tone, word),
      shownAmount(amount_pesewas),
    ],
  };
}

function unreadRow({ receipt_id, text = '', sender = 'Not known', received_at }: Receipt) {
  const characters = [...text];
  const shown = characters.slice(0, MAX_SHOWN_CHARACTERS).join('');
  return {
    href: `${UNASSIGNED}/${encodeURIComponent(receipt_id)}`,
    cells: [characters.length > MAX_SHOWN_CHARACTERS ? `${shown}…` : shown, sender, shownTime(received_at)],
  };
}
