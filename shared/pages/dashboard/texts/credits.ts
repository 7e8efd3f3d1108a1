import { html } from 'hono/html';
import { isTwin } from '../../../merchants/merchant/twin.ts';
import { metaOf, pageOf } from '../../../runtime/http/pagination.ts';
import { namingOperator } from '../../../runtime/outside/operator.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { type Credits, getCredits, isLow } from '../../../texts/credits/credits.table.ts';
import { type CreditChange, listCreditChanges, presentCreditChange } from '../../../texts/sms/list-credit-changes.ts';
import { textAddress } from '../parts/addresses.ts';
import { emptyState, shownTime, tile, tiles } from '../parts/content.ts';
import { pagination, table } from '../parts/list.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';

const EVER = { fromMs: 0, toMs: Date.UTC(9999, 11, 31) };
const columns = ['What', 'When', { name: 'Credits', isNumber: true }];

/** How many texts a merchant can still send, and what changed that. */
export async function showCredits(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant, query } = visit;
  const title = 'Credits';
  if (isTwin(merchant.merchant_id)) {
    const nothing = emptyState('Tests cost nothing', 'Leave test mode to see how many texts you can send.');
    return { title, main: nothing };
  }
  const page = pageOf({ cursor: query.cursor });
  const [credits, { changes, next }] = await Promise.all([
    getCredits(outside, merchant.merchant_id),
    listCreditChanges(outside, merchant.merchant_id, page, EVER),
  ]);
  const nothing = emptyState(
    'No credits yet',
    namingOperator(
      outside,
      'Each text to one number costs one. Ask support to add some, who runs this service for your shop.',
    ),
  );
  return {
    title,
    main: html`${balance(outside, credits, changes.length > 0)}
${changes.length > 0 ? table('What changed your credits', columns, changes.map(row)) : nothing}
${pagination(visit, metaOf(page, next))}`,
  };
}

/** Who never had any needs none: it may send no texts. */
function balance(outside: Outside, credits: Credits, hasHad: boolean) {
  const low = hasHad && isLow(credits);
  const hint = low
    ? namingOperator(outside, `Fewer than ${credits.low_below}: ask support for more`)
    : 'Each text to one number costs one';
  return tiles(tile('Texts that you can still send', String(credits.balance), { hint, isUrgent: low }));
}

function row(change: CreditChange) {
  const { type, credits, send_id, created_at } = presentCreditChange(change);
  const texts = Math.abs(credits);
  const what = {
    send: `${texts === 1 ? 'A text' : `${texts} texts`} sent`,
    refund: `Given back: ${texts === 1 ? 'a text' : `${texts} texts`} did not leave`,
    top_up: 'Added by support',
  }[type];
  return {
    ...(send_id && { href: textAddress(send_id) }),
    cells: [
      what,
      html`<span class="number">${shownTime(created_at)}</span>`,
      credits > 0 ? `+${credits}` : `−${texts}`,
    ],
  };
}
