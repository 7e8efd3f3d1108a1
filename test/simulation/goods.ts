import {
  DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS,
  Merchant,
  newWalletDailyLimitPesewas,
} from '../../shared/merchants/merchant/merchant.ts';
import { isTestAccount } from '../../shared/merchants/merchant/test-account.ts';
import type { Charge } from '../../shared/money/charge/charge.table.ts';
import { MOST_OF_ONE_WAY } from '../../shared/money/goods/unproven.table.ts';
import { isUnproven } from '../../shared/money/payment/backing.ts';
import { type Payment, paymentsOf, totalPesewas } from '../../shared/money/payment/payment.ts';
import { DAY_MS } from '../../shared/runtime/values/calendar.ts';
import { chargesIn } from './kiosk.ts';

type Item = Readonly<Record<string, unknown>>;

/** Daily limit of an established wallet, in pesewas. */
export const MOST_OF_KNOWN = 3 * DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS;

/** Returns goods delivered for unverified payments that are not counted correctly or exceed a limit. */
export function wrongWithUnproven(items: readonly Item[]): string[] {
  const charges = chargesIn(items);
  const mostOfNew = new Map(
    items
      .filter(({ sk }) => sk === 'MERCHANT')
      .map((item) => Merchant.parse(item))
      .map((merchant) => [`UNPROVEN#${merchant.merchant_id}`, newWalletDailyLimitPesewas(merchant)]),
  );
  const counted = charges.flatMap(({ merchant_id, ...charge }) =>
    paymentsOf(charge).map((one) => ({
      sum: `UNPROVEN#${merchant_id} ${one.counted_in}`,
      pesewas: countedPesewas([one]),
    })),
  );
  const leastOf = (sum: string) =>
    counted.filter((one) => one.sum === sum).reduce((all, { pesewas }) => all + pesewas, 0);
  return [
    ...charges.flatMap((charge) =>
      paymentsOf(charge)
        .filter((payment) => !isLookedAt(items, charge, payment))
        .map(({ receipt_id }) => `nobody looked at ${receipt_id}`),
    ),
    ...charges.filter(isUncounted).map(({ reference }) => `goods left for ${reference}, whose payment nothing proves`),
    ...items
      .filter(({ sk }) => String(sk).startsWith('UNPROVEN#'))
      .flatMap(({ pk, sk, ...fields }) => {
        const kind = String(sk).split('#')[1];
        const most = kind === 'new' ? Number(mostOfNew.get(String(pk))) : MOST_OF_KNOWN;
        const hours = Object.entries(fields).filter(([name]) => /^[a-z]+_\d{10}$/.test(name));
        const tooFew = hours.flatMap(([name, pesewas]) => {
          const [way, hour] = name.split('_');
          const least = leastOf(`${pk} ${kind}#${way}#${hour}`);
          return Number(pesewas) >= least ? [] : [`${pk} ${sk} ${name} is ${pesewas}, and ${least} are counted in it`];
        });
        const tooMany = [...waysOf(hours)].flatMap(([way, pesewas]) => {
          const mostOfWay = way === 'all' ? most : most * MOST_OF_ONE_WAY;
          return pesewas <= mostOfWay ? [] : [`${pk} ${sk} has ${pesewas} ${way} in 24 hours, and ${mostOfWay} may be`];
        });
        return [...tooFew, ...tooMany];
      }),
  ];
}

/**
 * Returns true if a person confirmed the payment, or its charge, while it was shown as unverified. The person may have
 * seen another copy of the payment's text.
 */
function isLookedAt(items: readonly Item[], { reference }: Charge, payment: Payment): boolean {
  const { looked_by, network, transaction_id } = payment;
  const isOfPayment = (id: string) => id.startsWith(`${network}-`) && id.split('-')[2] === transaction_id;
  const entries = items.filter(({ action, about, by }) => {
    const isAbout = action === 'receipt assign' ? isOfPayment(String(about)) : about === reference;
    return isAbout && by === looked_by && (action === 'receipt assign' || action === 'charge there');
  });
  return looked_by === undefined || entries.some(({ after }) => Object(after).shown !== 'verified');
}

/** Returns each kind's maximum total within 24 hours. */
function waysOf(hours: readonly [string, unknown][]): Map<string, number> {
  const at = (name: string) => Date.UTC(...partsOf(name.split('_')[1] ?? ''));
  const most = new Map<string, number>();
  for (const [last] of hours) {
    const way = last.split('_')[0] ?? '';
    const within = hours.filter(
      ([name]) => name.startsWith(`${way}_`) && at(name) <= at(last) && at(last) - at(name) < DAY_MS,
    );
    const sum = within.reduce((all, [, pesewas]) => all + Number(pesewas), 0);
    most.set(way, Math.max(most.get(way) ?? 0, sum));
  }
  return most;
}

function partsOf(hour: string): [number, number, number, number] {
  const part = (from: number, to: number) => Number(hour.slice(from, to));
  return [part(0, 4), part(4, 6) - 1, part(6, 8), part(8, 10)];
}

/** Returns the total of unverified payments in pesewas. */
export function unprovenPesewas(items: readonly Item[]): number {
  const rows = items.filter(({ pk }) => String(pk).startsWith('UNPROVEN#'));
  const fields = rows.flatMap((row) => Object.entries(row));
  const counts = fields.filter(([name]) => name === 'pesewas' || name.startsWith('all_'));
  return counts.reduce((sum, [, pesewas]) => sum + Number(pesewas), 0);
}

/** Returns true if a charge's goods were delivered: a code, a tap at a till or a purchase at a sticker. */
export function hasLeft({ state, goods }: Charge): boolean {
  // Credits have their own rule.
  if (goods?.kind === 'credits') return false;
  return goods?.state === 'given' && (goods.kind === 'counter' || state === 'success');
}

/** Returns true if goods were delivered for an unverified payment that is not counted or exceeds the single limit. */
function isUncounted(charge: Charge): boolean {
  const { merchant_id, state, disputed, released_by } = charge;
  if (!hasLeft(charge) || state !== 'success' || disputed || released_by !== undefined || isTestAccount(merchant_id))
    return false;
  const payments = paymentsOf(charge);
  const unproven = payments.filter(isUnproven);
  const pesewas = countedPesewas(unproven);
  const backed = totalPesewas(payments.filter((one) => !isUnproven(one)));
  const counted = countedPesewas(payments.filter(({ counted_in }) => counted_in !== undefined));
  const isByPrice = unproven.length > 0 || charge.goods?.kind === 'code';
  const isBelowPrice = isByPrice && backed + counted < charge.amount_pesewas;
  const isAboveLimit = pesewas > DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS;
  return unproven.some(({ counted_in }) => !counted_in) || isAboveLimit || isBelowPrice;
}

function countedPesewas(payments: readonly Payment[]): number {
  return payments.reduce((sum, { counted_pesewas, amount_pesewas }) => sum + (counted_pesewas ?? amount_pesewas), 0);
}
