import { html } from 'hono/html';
import { shownMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { namesOf } from '../../../merchants/user/user.table.ts';
import { listReceipts } from '../../../money/receipt/receipt.table.ts';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import { requireTransaction, type Transaction } from '../../../money/transaction/transaction.table.ts';
import { statusOf } from '../../../money/transaction/transaction.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { Html } from '../html.ts';
import { pageVersion } from '../page-version.ts';
import { refreshed } from '../parts/refreshed.ts';
import { facts, section } from '../parts/status.ts';
import { timeline } from '../parts/timeline.ts';
import { shownTime } from '../shown-time.ts';
import type { MerchantVisit, Shown } from '../visit.ts';
import { cancelSection } from './cancel.ts';
import { eventsOf } from './charge-events.ts';
import { stateOf, statePill } from './charge-state.ts';
import { happeningsOf } from './charge-timeline.ts';
import { noteSection } from './notes.ts';
import { payLink } from './pay-link.ts';
import { readerOf } from './reader.ts';
import { refundSection } from './refunds.ts';

/** How many held payments of its time are looked through for those that were meant for it. */
const MAX_HELD = 20;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How soon an open page shows what its charge does not say, such as a webhook's try. */
const LATEST_MS = 30_000;

/** One charge, with all that happened to it and all that can be done about it. */
export async function showCharge(visit: MerchantVisit<'reference'>, outside: Outside): Promise<Shown> {
  const { merchant, user, path } = visit;
  const charge = await requireTransaction(outside, path.reference, merchant.merchant_id);
  const held = may(user, 'receipts:read') ? await heldFor(outside, charge) : [];
  const [events, names] = await Promise.all([
    may(user, 'webhooks:read') ? eventsOf(outside, charge, held) : [],
    namesOf(
      outside,
      (charge.notes ?? []).map(({ by }) => by),
    ),
  ]);
  const main = html`${refreshed(summary(outside, charge))}
${refreshed(payLink(visit, outside, charge))}
${refreshed(section('What happened', timeline(happeningsOf(outside, charge, { held, events, names, reader: readerOf(user) }))))}
${refreshed(section('Details', detailsOf(charge)))}
${may(user, 'charges:write') && noteSection(visit, charge)}
${refreshed(may(user, 'refunds:write') ? refundSection(visit, charge) : '')}
${refreshed(may(user, 'charges:write') ? cancelSection(visit, outside, charge) : '')}`;
  return { title: charge.reference, main };
}

/** Moves with the charge, which is one read, and now and then besides. */
export async function versionOfCharge(
  { merchant, path }: MerchantVisit<'reference'>,
  outside: Outside,
): Promise<string> {
  const charge = await requireTransaction(outside, path.reference, merchant.merchant_id);
  return pageVersion(outside, [charge, statusOf(outside, charge)], LATEST_MS);
}

/** Payments of the time in which it could be paid that are held, and that were meant for it. */
async function heldFor(outside: Outside, { merchant_id, reference, ...charge }: Transaction): Promise<Receipt[]> {
  const until = new Date(Date.parse(charge.expires_at) + DAY_MS).toISOString();
  const page = { between: [charge.created_at, `${until}~`], newestFirst: true, limit: MAX_HELD } as const;
  const { receipts } = await listReceipts(outside, merchant_id, 'held', page);
  return receipts.filter(({ suggested_reference }) => suggested_reference === reference);
}

function summary(outside: Outside, charge: Transaction): Html {
  return html`<section class="summary"><p class="amount"><span class="number">${shownMoney(charge.amount_pesewas)}</span> ${statePill(outside, charge)}</p>
<p>${stateOf(outside, charge).text}</p></section>`;
}

function detailsOf(charge: Transaction): Html {
  const { customer_name, customer_phone, email, description, merchant_reference, metadata, callback_url } = charge;
  return facts([
    ['Customer', customer_name],
    ['Phone', customer_phone && html`<span class="number">${shownNumber(customer_phone)}</span>`],
    ['E-mail', email],
    ['For', description],
    ['Your order number', merchant_reference],
    ['Paid to', `${networks[charge.momo_network].name}, ${shownNumber(charge.momo_number)}`],
    ['Created', shownTime(charge.created_at)],
    ['Expires', shownTime(charge.expires_at)],
    ['Returns to', callback_url],
    ['Metadata', metadata && html`<code>${metadata}</code>`],
  ]);
}
