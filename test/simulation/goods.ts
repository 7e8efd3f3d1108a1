import {
  DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS,
  Merchant,
  newWalletDailyLimitPesewas,
} from '../../shared/merchants/merchant/merchant.ts';
import { isTwin } from '../../shared/merchants/merchant/twin.ts';
import { isUnproven } from '../../shared/money/proof/backing.ts';
import { type Payment, paymentsOf } from '../../shared/money/transaction/payment.ts';
import type { Transaction } from '../../shared/money/transaction/transaction.table.ts';
import { chargesIn } from './kiosk.ts';

type Item = Readonly<Record<string, unknown>>;

/** In pesewas: of a known wallet, in a day. */
export const MOST_OF_KNOWN = 3 * DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS;

/** What is wrong with goods for money that nothing proves: a payment is not counted, a charge is above its limit, or a day's sum is, or has less than is counted in it. */
export function wrongWithUnproven(items: readonly Item[]): string[] {
  const charges = chargesIn(items);
  const sums = items.filter(({ pk }) => String(pk).startsWith('UNPROVEN#'));
  const mostOfNew = new Map(
    items
      .filter(({ sk }) => sk === 'MERCHANT')
      .map((item) => Merchant.parse(item))
      .map((merchant) => [`UNPROVEN#${merchant.merchant_id}`, newWalletDailyLimitPesewas(merchant)]),
  );
  const counted = charges.flatMap(({ merchant_id, ...charge }) =>
    paymentsOf(charge).map((payment) => ({ sum: `UNPROVEN#${merchant_id} ${payment.counted_in}`, payment })),
  );
  return [
    ...counted.flatMap(({ payment }) => (isLookedAt(items, payment) ? [] : [`nobody looked at ${payment.receipt_id}`])),
    ...charges.filter(isUncounted).map(({ reference }) => `goods left for ${reference}, whose payment nothing proves`),
    ...sums.flatMap(({ pk, sk, pesewas }) => {
      const of = counted.filter(({ sum }) => sum === `${pk} ${sk}`);
      const least = of.reduce((all, { payment }) => all + payment.amount_pesewas, 0);
      const most = String(sk).endsWith('#new') ? Number(mostOfNew.get(String(pk))) : MOST_OF_KNOWN;
      const isWithin = Number(pesewas) >= least && Number(pesewas) <= most;
      return isWithin ? [] : [`${pk} ${sk} is ${pesewas}: ${least} are counted, and ${most} may be`];
    }),
  ];
}

/** Whether a payment that a person answers for was given by them, from a form that did not call it verified. */
function isLookedAt(items: readonly Item[], { looked_by, receipt_id }: Payment): boolean {
  const entries = items.filter(
    ({ action, about, by }) => action === 'receipt assign' && about === receipt_id && by === looked_by,
  );
  return looked_by === undefined || entries.some(({ after }) => Object(after).shown !== 'verified');
}

/** Whether goods left for a charge: its code, what was tapped, or what was handed out at the sticker. */
export function hasLeft({ state, goods }: Transaction): boolean {
  // Those of credits have a rule of their own.
  if (goods?.kind === 'credits') return false;
  return goods?.state === 'given' && (goods.kind === 'counter' || state === 'success');
}

/** Whether goods left for a charge that a forged text may have paid, uncounted or above the limit for each. */
function isUncounted(charge: Transaction): boolean {
  const { merchant_id, state, disputed, released_by } = charge;
  if (!hasLeft(charge) || state !== 'success' || disputed || released_by !== undefined || isTwin(merchant_id))
    return false;
  const unproven = paymentsOf(charge).filter(isUnproven);
  const pesewas = unproven.reduce((sum, { amount_pesewas }) => sum + amount_pesewas, 0);
  return unproven.some(({ counted_in }) => !counted_in) || pesewas > DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS;
}
