import { html } from 'hono/html';
import * as z from 'zod/mini';
import { shownCount, wholeMoney } from '../../../ghana/money.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { fieldAmount, TypedAmount, wholeNumber } from '../../../ghana/typed.ts';
import { isTestAccount } from '../../../merchants/merchant/test-account.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { statusOf } from '../../../money/charge/charge.ts';
import { buyCredits } from '../../../money/purchase/buy-credits.ts';
import {
  isWaiting,
  lastPurchases,
  type Purchase,
  type Waiting,
  waitingReason,
} from '../../../money/purchase/last-purchases.ts';
import { getPurchases } from '../../../money/purchase/purchase.table.ts';
import { namingOperator } from '../../../runtime/outside/operator.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { type Offer, offerFor } from '../../../texts/credits/bundles.ts';
import { type Credits, getCredits, isLow } from '../../../texts/credits/credits.table.ts';
import { listCreditChanges, presentCreditChange } from '../../../texts/sms/list-credit-changes.ts';
import { checkoutPath } from '../../checkout/checkout-path.ts';
import { CREDITS, textAddress } from '../parts/addresses.ts';
import { emptyState, type Html, section, shownTime, tile, tiles } from '../parts/content.ts';
import { owedTiles } from '../parts/cost.ts';
import { form } from '../parts/form.ts';
import { listPage } from '../parts/list.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';

const EVER = { fromMs: 0, toMs: Date.UTC(9999, 11, 31) };

export async function showCredits(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant_id } = visit.merchant;
  const title = 'Credits';
  if (isTestAccount(merchant_id))
    return { title, main: emptyState('Tests cost nothing', 'Leave test mode to see how many texts you can send.') };
  const [credits, shop] = await Promise.all([getCredits(outside, merchant_id), shopSection(visit, outside)]);
  return listPage(visit, {
    title,
    caption: 'Changes to your credits',
    above: (count) => html`${balance(outside, credits, count > 0, shop !== '')}${shop}`,
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
    isCompact: true,
    nothing: emptyState(
      'No credits yet',
      shop === ''
        ? namingOperator(
            outside,
            'Each text costs one credit per number. To get more, ask support, who runs this service.',
          )
        : 'Each text costs one credit per number.',
    ),
  });
}

/** Shows bundles for sale and pending purchases. Empty if this person may not buy credits. */
async function shopSection(visit: MerchantVisit, outside: Outside): Promise<Html | ''> {
  const { merchant, user } = visit;
  if (!may(user, 'credits:buy')) return '';
  const [offer, purchases] = await Promise.all([
    offerFor(outside, merchant.merchant_id),
    getPurchases(outside, merchant.merchant_id),
  ]);
  const last = await lastPurchases(outside, purchases);
  const begun = [
    ...(await Promise.all(last.filter(isWaiting).map((one) => paid(outside, one)))),
    ...last.filter((one) => isOpen(outside, one)).map(unpaid),
  ];
  const stopped = `The network reversed the payment for ${purchases.stopped_by}. Ask support to allow purchases again.`;
  const sold =
    purchases.stopped_by === undefined ? offer && shelf(visit, outside, offer) : namingOperator(outside, stopped);
  return begun.length > 0 || sold ? section('Buy credits', [...begun, html`${sold}`]) : '';
}

const isOpen = (outside: Outside, charge: Purchase) => statusOf(outside, charge) === 'pending';

async function paid(outside: Outside, charge: Purchase): Promise<Html> {
  const { reference, goods } = charge;
  const waiting = await waitingReason(outside, charge);
  return html`<p>${shownCount(goods.credits)} credits are paid, with ${reference}. ${namingOperator(outside, WAITING[waiting])}</p>`;
}

const ONCE_VERIFIED =
  'You will get them once the payment is verified. If that takes more than ten minutes, ask support.';

const WAITING = {
  payment: ONCE_VERIFIED,
  doubt: ONCE_VERIFIED,
  unnamed: 'Support must check the payment, because it did not include this reference. Please ask support.',
  soon: 'You will get them within an hour. If you do not, ask support.',
  seller: 'This seller no longer sells credits. Ask support to check your payment.',
  sent_back: 'The seller is sending money back. If you did not request that, ask support.',
  buyer: 'One of your other payments was reversed or is in doubt. Ask support to check this one.',
} as const satisfies Readonly<Record<Waiting, string>>;

const unpaid = ({ access_code, reference, goods }: Purchase) =>
  html`<p><a href="${checkoutPath(access_code)}">Continue paying for ${shownCount(goods.credits)} credits</a>, with ${reference}</p>`;

function shelf(visit: MerchantVisit, { operator }: Outside, { seller, bundles }: Offer): Html {
  const [account] = seller.momo_accounts;
  return html`<div class="actions">${bundles.map(({ credits, price_pesewas }) =>
    form(visit, {
      path: BUY,
      submit: `${shownCount(credits)} texts for ${wholeMoney(price_pesewas)}`,
      carries: { credits, price: fieldAmount(price_pesewas) },
      isSmall: true,
    }),
  )}</div>
<p class="hint">Sold by ${seller.name}${account && html`, <span class="number">${shownNumber(account.number)}</span>`}. The price includes taxes. Credits cannot be refunded in cash or passed on. If something is wrong, ask ${seller.contact ?? seller.name}${operator && ` or support, ${operator}`}.</p>`;
}

export const BUY = '/credits/buy';
export const BuyForm = z.object({ credits: wholeNumber(1), price: TypedAmount });

export function buyBundle(visit: MerchantVisit<never, typeof BuyForm>, outside: Outside): Promise<Going> {
  const { merchant, form, commit } = visit;
  const wanted = { credits: form.credits, price_pesewas: form.price, callback_url: `${outside.baseUrl}${CREDITS}` };
  return buyCredits(outside, merchant, wanted, ({ access_code, reference, amount_pesewas }, writes) =>
    commit(
      writes,
      { goTo: checkoutPath(access_code) },
      { action: 'credits buy', about: reference, after: { credits: form.credits, amount_pesewas } },
    ),
  );
}

/** Shows the balance. Warns of a low balance only if the merchant has ever had credits. */
function balance(outside: Outside, credits: Credits, hasHad: boolean, canBuy: boolean) {
  const low = hasHad && isLow(credits);
  const hint = low
    ? namingOperator(outside, `Fewer than ${credits.low_below}: ${canBuy ? 'buy' : 'ask support for'} more`)
    : 'Each text costs one credit per number';
  return tiles(
    tile('Texts you can still send', String(credits.balance), { hint, isUrgent: low }),
    ...owedTiles(credits, 'Credits you owe'),
  );
}

function whatChanged({ type, credits, reference }: ReturnType<typeof presentCreditChange>): string {
  const texts = Math.abs(credits);
  return {
    send: `${texts === 1 ? 'A text' : `${texts} texts`} sent`,
    refund: `Returned: ${texts === 1 ? 'a text was' : `${texts} texts were`} not sent`,
    top_up: 'Added by support',
    purchase: `Bought, with ${reference}`,
    taken_back: `Removed: the payment for ${reference} was reversed`,
  }[type];
}
