import { html } from 'hono/html';
import { isTwin } from '../../../merchants/merchant/twin.ts';
import { namingOperator } from '../../../runtime/outside/operator.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { type Credits, getCredits, isLow } from '../../../texts/credits/credits.table.ts';
import { listCreditChanges, presentCreditChange } from '../../../texts/sms/list-credit-changes.ts';
import { textAddress } from '../parts/addresses.ts';
import { emptyState, shownTime, tile, tiles } from '../parts/content.ts';
import { listPage } from '../parts/list.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';

const EVER = { fromMs: 0, toMs: Date.UTC(9999, 11, 31) };

/** How many texts a merchant can still send, and what changed that. */
export async function showCredits(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant_id } = visit.merchant;
  const title = 'Credits';
  if (isTwin(merchant_id))
    return { title, main: emptyState('Tests cost nothing', 'Leave test mode to see how many texts you can send.') };
  const credits = await getCredits(outside, merchant_id);
  return listPage(visit, {
    title,
    caption: 'What changed your credits',
    above: (count) => balance(outside, credits, count > 0),
    read: async (page) => {
      const { changes, next } = await listCreditChanges(outside, merchant_id, page, EVER);
      return { entries: changes.map(presentCreditChange), next };
    },
    href: ({ send_id }) => (send_id ? textAddress(send_id) : undefined),
    columns: {
      What: whatChanged,
      When: ({ created_at }) => html`<span class="number">${shownTime(created_at)}</span>`,
      Credits: { figure: ({ credits: count }) => (count > 0 ? `+${count}` : `−${-count}`) },
    },
    nothing: emptyState(
      'No credits yet',
      namingOperator(
        outside,
        'Each text to one number costs one. Ask support to add some, who runs this service for your shop.',
      ),
    ),
  });
}

/** Who never had any needs none: it may send no texts. */
function balance(outside: Outside, credits: Credits, hasHad: boolean) {
  const low = hasHad && isLow(credits);
  const hint = low
    ? namingOperator(outside, `Fewer than ${credits.low_below}: ask support for more`)
    : 'Each text to one number costs one';
  return tiles(tile('Texts that you can still send', String(credits.balance), { hint, isUrgent: low }));
}

function whatChanged({ type, credits }: ReturnType<typeof presentCreditChange>): string {
  const texts = Math.abs(credits);
  return {
    send: `${texts === 1 ? 'A text' : `${texts} texts`} sent`,
    refund: `Given back: ${texts === 1 ? 'a text' : `${texts} texts`} did not leave`,
    top_up: 'Added by support',
  }[type];
}
