import { isTestAccount, originalIdOf } from '../../shared/merchants/merchant/test-account.ts';
import { paymentsOf } from '../../shared/money/payment/payment.ts';
import { prepareAllow, prepareRelease } from '../../shared/money/purchase/give-credits.ts';
import { isPurchase, type Purchase } from '../../shared/money/purchase/last-purchases.ts';
import { prepareBundle, prepareSeller } from '../../shared/texts/credits/bundles.ts';
import { chargesIn, type Kiosk, type Shop } from './kiosk.ts';

type Item = Readonly<Record<string, unknown>>;

export const BUNDLE = { credits: 7, price: 36.5 };

/** Sells a bundle of credits to the other shops. */
export async function sellCredits({ outside }: Kiosk, { id }: Pick<Shop, 'id'>): Promise<void> {
  await outside.table.write((await prepareSeller(outside, id)).writes);
  const bundle = { credits: BUNDLE.credits, price_pesewas: BUNDLE.price * 100 };
  await outside.table.write((await prepareBundle(outside, bundle)).writes);
}

/** Releases unverified credits or unblocks a shop as the operator. */
export async function operateCredits({ outside, faults }: Kiosk, charge: Purchase): Promise<void> {
  await faults.run('admin', async () => {
    const prepared =
      charge.goods.state === 'to_release'
        ? await prepareRelease(outside, charge.reference).catch(() => undefined)
        : await prepareAllow(outside, originalIdOf(charge.origin.buyer_id));
    if (prepared) await outside.table.write(prepared.writes);
  });
}

export function purchasesIn(items: readonly Item[]): Purchase[] {
  return chargesIn(items).filter(isPurchase);
}

/** Returns credits without a matching, verified purchase. */
export function wrongWithPurchases(items: readonly Item[]): string[] {
  const entries = items.filter(({ sk, reference }) => String(sk).startsWith('ENTRY#') && reference !== undefined);
  const purchases = purchasesIn(items);
  const references = new Set(purchases.map(({ reference }) => reference));
  return [
    ...entries.flatMap(({ reference }) =>
      references.has(String(reference)) ? [] : [`${reference} gave credits and sold none`],
    ),
    ...purchases.flatMap((charge) => {
      const { reference, origin, goods } = charge;
      const sumOf = (reason: string) =>
        entries
          .filter(
            (entry) =>
              entry.reference === reference &&
              entry.reason === reason &&
              entry.pk === `CREDIT_ENTRY#${origin.buyer_id}`,
          )
          .map(({ credits }) => Number(credits));
      const [given, taken] = [sumOf('purchase'), sumOf('taken-back')];
      const wasGiven = goods.state === 'given' || goods.taken_back !== undefined;
      const isReal = !isTestAccount(origin.buyer_id);
      const due = isReal && wasGiven ? [goods.credits] : [];
      const takenDue = isReal ? (goods.taken_back ?? 0) : 0;
      const takenInAll = taken.reduce((sum, credits) => sum - credits, 0);
      return [
        ...(String(given) === String(due) ? [] : [`${reference} is ${goods.state} and gave ${given}`]),
        ...(takenInAll === takenDue ? [] : [`${reference} took ${taken} back, and says ${goods.taken_back}`]),
        ...(paymentsOf(charge).some(({ matched_by }) => matched_by === 'claim')
          ? [`${reference} was paid by a payment that somebody claimed by its id`]
          : []),
        ...(isGivenForNothing(charge) ? [`${reference} gave credits that nothing proves`] : []),
      ];
    }),
  ];
}

function isGivenForNothing(charge: Purchase): boolean {
  const { state, goods, merchant_id, released_by, disputed } = charge;
  if (
    goods.state !== 'given' ||
    state !== 'success' ||
    disputed ||
    released_by !== undefined ||
    isTestAccount(merchant_id)
  )
    return false;
  const payments = paymentsOf(charge);
  return (
    payments.length === 0 ||
    payments.some(({ proof, matched_by }) => proof?.state !== 'proven' || !['reference', 'phone'].includes(matched_by))
  );
}

/** Returns unsettled purchases: a valid payment without credits, or a reversed or refunded payment with credits. */
export function unsettledPurchases(items: readonly Item[]): string[] {
  return purchasesIn(items).flatMap((charge) => {
    const { reference, state, goods, amount_pesewas, refunds = [] } = charge;
    const sent = refunds.flatMap((one) => (one.state === 'sent' ? [one.amount_pesewas] : []));
    const paid = paymentsOf(charge).reduce((sum, payment) => sum + payment.amount_pesewas, 0);
    const keptPesewas = sent.reduce((left, pesewas) => left - pesewas, paid);
    const share = Math.min(1, keptPesewas / amount_pesewas);
    const has = goods.credits - (goods.taken_back ?? 0);
    if (state === 'success' && goods.state === 'given' && !charge.disputed && has > goods.credits * share)
      return [`${reference} has ${has} credits, and its seller keeps ${keptPesewas} of ${amount_pesewas}`];
    const isUnsettled =
      state === 'success'
        ? goods.state === 'unpaid'
        : state === 'reversed' && (goods.state === 'given' || goods.state === 'to_release');
    return isUnsettled ? [`${reference} is ${state} and its credits are ${goods.state}`] : [];
  });
}
