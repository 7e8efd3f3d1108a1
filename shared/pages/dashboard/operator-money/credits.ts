import { html } from 'hono/html';
import * as z from 'zod/mini';
import { shownCount, shownMoney, wholeMoney } from '../../../ghana/money.ts';
import { AmountFromZero, wholeNumber } from '../../../ghana/typed.ts';
import { requireMerchant } from '../../../merchants/merchant/manage-merchant.ts';
import { releaseHeldCredits } from '../../../money/goods/decide-release.ts';
import { isOpenRefund, paymentsOf, refundedPesewas } from '../../../money/payment/payment.ts';
import { shownOne } from '../../../money/payment/shown-payment.ts';
import { prepareAllow, prepareRelease } from '../../../money/purchase/give-credits.ts';
import { lastPurchases, type Purchase, type Waiting, waitingReason } from '../../../money/purchase/last-purchases.ts';
import { getPurchases } from '../../../money/purchase/purchase.table.ts';
import { shownProofOfCharge } from '../../../money/receipt/shown-proof.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../../runtime/table/contention.ts';
import { getOffer } from '../../../texts/credits/bundle.table.ts';
import { prepareBundle, prepareSeller } from '../../../texts/credits/bundles.ts';
import type { LookForm } from '../charges/look.ts';
import { merchantAddress, OPERATOR_CREDITS, OPERATOR_MERCHANTS } from '../parts/addresses.ts';
import { arrived, type Html, section, shownTime } from '../parts/content.ts';
import { field, form, formSection } from '../parts/form.ts';
import { table } from '../parts/list.ts';
import type { Going, PersonVisit, Shown } from '../parts/visit.ts';

export async function showOffer(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const { seller_id, bundles } = await getOffer(outside);
  const seller = seller_id === undefined ? undefined : await requireMerchant(outside, seller_id);
  return {
    title: 'Credits for sale',
    main: html`<p>Shops buy credits under Texts, Credits, and pay into the seller’s wallet. They get the credits once the payment is verified. Credits for other payments wait on the shop’s page here until you release them.</p>
${section('Seller', seller ? [html`<p><a href="${merchantAddress(seller.merchant_id)}">${seller.name}</a></p>`, form(visit, { path: `${PATH}/stop`, submit: 'Stop selling', isDangerous: true })] : html`<p>There is no seller. <a href="${OPERATOR_MERCHANTS}">Open the merchant</a> whose wallet should be paid, and press “Sell credits”.</p>`)}
${section(
  'Bundles',
  table(bundles, {
    caption: 'What a shop can buy',
    columns: {
      Credits: { figure: ({ credits }) => shownCount(credits) },
      Price: { figure: ({ price_pesewas }) => shownMoney(price_pesewas) },
    },
    nothing: html`<p class="hint">None yet, so shops cannot buy credits.</p>`,
  }),
)}
${formSection(visit, 'Set a bundle', { path: `${PATH}/bundle`, submit: 'Set the bundle' }, [
  field('credits', 'Credits', { inputMode: 'numeric', isRequired: true }),
  field('price', 'Price', {
    inputMode: 'decimal',
    hint: 'Including taxes. Enter 0 to take the bundle off sale.',
    isRequired: true,
  }),
])}`,
  };
}

const PATH = '/credits';

export const BundleForm = z.object({ credits: wholeNumber(1), price: AmountFromZero });

export function setBundle({ form, commit }: PersonVisit<never, typeof BundleForm>, outside: Outside): Promise<Going> {
  const { credits, price: price_pesewas } = form;
  const words = price_pesewas > 0 ? `cost ${wholeMoney(price_pesewas)}` : 'are not for sale';
  return retryIfChanged(async () => {
    const { writes, entry } = await prepareBundle(outside, { credits, price_pesewas });
    return commit(writes, { goTo: OPERATOR_CREDITS, notice: `${shownCount(credits)} credits ${words}.` }, entry);
  });
}

export async function stopSelling({ commit }: PersonVisit, outside: Outside): Promise<Going> {
  const { writes, entry } = await prepareSeller(outside, undefined);
  return commit(writes, { goTo: OPERATOR_CREDITS, notice: 'Credits are no longer for sale.' }, entry);
}

export async function sellCredits({ path, commit }: PersonVisit<'id'>, outside: Outside): Promise<Going> {
  const { writes, entry } = await prepareSeller(outside, path.id);
  return commit(
    writes,
    { goTo: OPERATOR_CREDITS, notice: 'This shop now sells credits, in the bundles below.' },
    entry,
  );
}

export async function purchasesOf(visit: PersonVisit<'id'>, outside: Outside, merchantId: string): Promise<Html> {
  const [{ seller_id }, purchases] = await Promise.all([getOffer(outside), getPurchases(outside, merchantId)]);
  const last = await lastPurchases(outside, purchases);
  const waiting = last.filter(({ goods }) => goods.state === 'to_release');
  const going = last.filter(({ goods, refunds }) => goods.state === 'given' && refunds?.some(isOpenRefund));
  return html`${await Promise.all(waiting.map((charge) => waitingPurchase(visit, outside, charge)))}
${going.map(goingBack)}
${
  purchases.stopped_by !== undefined &&
  html`<p>This shop cannot buy credits, because the payment for ${purchases.stopped_by} was reversed or is in doubt.</p>
${form(visit, { path: '/{id}/allow-purchases', submit: 'Let it buy again' })}`
}
${seller_id === merchantId ? html`<p><a href="${OPERATOR_CREDITS}">This shop sells credits</a>.</p>` : form(visit, { path: '/{id}/sell-credits', submit: 'Sell credits', isSmall: true })}`;
}

const goingBack = ({ reference, refunds = [] }: Purchase) =>
  html`<p>${wholeMoney(refundedPesewas(refunds.filter(isOpenRefund)))} of ${reference} will be sent back. The credits are removed once the seller marks the refund as sent.</p>`;

const WAITING = {
  doubt: 'paid, but in doubt. The seller must check the wallet, and then say on the bill whether the money is there.',
  payment: 'paid but not verified.',
  unnamed: 'paid and verified, but the payer did not type the reference.',
  soon: 'paid and verified. The credits will arrive within an hour.',
  seller: 'paid, but its seller was suspended or replaced. Settle with that seller first.',
  sent_back: 'paid, but the seller is sending money back.',
  buyer: 'paid, but this shop’s purchases are stopped.',
} as const satisfies Readonly<Record<Waiting, string>>;

async function waitingPurchase(visit: PersonVisit<'id'>, outside: Outside, charge: Purchase): Promise<Html> {
  const { reference, goods, amount_pesewas, origin } = charge;
  const ids = { id: origin.buyer_id, reference };
  const mayGo = releaseHeldCredits(charge, visit.user.user_id).length > 0;
  const reason = await waitingReason(outside, charge);
  return html`<p>${shownCount(goods.credits)} credits for ${wholeMoney(amount_pesewas)}, ${reference}: ${WAITING[reason]}</p>
${table(paymentsOf(charge), {
  caption: `Payments of ${reference}`,
  columns: {
    Paid: { figure: (payment) => arrived(shownOne(charge, payment)) },
    From: ({ payer_name, payer_phone }) => payer_name ?? payer_phone ?? '',
    'Transaction ID': ({ transaction_id }) => transaction_id,
    'Matched by': ({ matched_by }) => (matched_by === 'hand' ? 'the seller’s staff' : `its ${matched_by}`),
    At: ({ received_at }) => shownTime(received_at),
  },
  nothing: html``,
})}
${
  mayGo
    ? form(visit, {
        path: '/{id}/purchases/{reference}/release',
        ids,
        submit: 'The money is in the seller’s wallet: release the credits',
        carries: { shown: shownProofOfCharge(charge) },
      })
    : reason !== 'doubt' &&
      html`<p>These credits cannot be released while the bill is not fully paid, or is being refunded.</p>`
}`;
}

export function releaseCredits(
  visit: PersonVisit<'id' | 'reference', typeof LookForm>,
  outside: Outside,
): Promise<Going> {
  const { path, user, form, commit } = visit;
  return retryIfChanged(async () => {
    const shownTo = { buyerId: path.id, by: user.user_id, shown: form.shown };
    const { writes, entry } = await prepareRelease(outside, path.reference, shownTo);
    return commit(writes, { goTo: merchantAddress(path.id), notice: 'The credits will arrive in a moment.' }, entry);
  });
}

export async function allowPurchases({ path, commit }: PersonVisit<'id'>, outside: Outside): Promise<Going> {
  const { writes, entry } = await prepareAllow(outside, path.id);
  return commit(writes, { goTo: merchantAddress(path.id), notice: 'The shop can buy credits again.' }, entry);
}
