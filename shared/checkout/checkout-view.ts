import { ghsOf } from '../ghana/money.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import { missingPesewas, overpaidPesewas, paidPesewas } from '../transaction/amounts.ts';
import type { TransactionStatus } from '../transaction/states.ts';
import type { Transaction } from '../transaction/transaction.table.ts';
import { statusOf } from '../transaction/transaction.ts';
import { type NetworkFacts, networks } from './networks.ts';
import type { StatusResponse } from './responses.ts';

/** What the page shows of a charge, ready to print. */
export interface CheckoutView {
  readonly status: TransactionStatus;
  /** In GHS. The page shows something else once this has changed. */
  readonly amountPaid: number;
  /** The page's own address on its host; `/status` and `/claim` stand below it. */
  readonly path: string;
  readonly merchant: string;
  /** `GHS 1,234.50` */
  readonly amount: string;
  /** What has arrived of a charge that is not paid, and what is missing, both as `amount`. */
  readonly parts: { readonly arrived: string; readonly missing: string } | undefined;
  readonly description: string | undefined;
  /** `GHS 4.00`: what was paid too much. */
  readonly overpaid: string | undefined;
  readonly reference: string;
  readonly network: NetworkFacts;
  /** `0241234567`, as a phone takes it. */
  readonly number: string;
  /** `024 123 4567`, as a person reads it. */
  readonly shownNumber: string;
  readonly accountName: string;
  /** When the page was made, by the service's clock (ISO). */
  readonly madeAt: string;
  readonly expires: Moment;
  readonly paid: Moment | undefined;
  readonly reversed: Moment | undefined;
  /** Where a customer goes after paying: the address, and its host to show. */
  readonly back: { readonly url: string; readonly host: string } | undefined;
}

interface Moment {
  /** ISO */
  readonly at: string;
  /** `20 Nov 2025, 14:03 GMT` */
  readonly shown: string;
}

export function checkoutView(outside: Pick<Outside, 'now'>, transaction: Transaction): CheckoutView {
  const [paidSoFar, overpaid] = [paidPesewas(transaction), overpaidPesewas(transaction)];
  const number = transaction.momo_number.replace(/^\+233/, '0');
  const url = redirectUrlOf(outside, transaction);
  return {
    status: statusOf(outside, transaction),
    amountPaid: ghsOf(paidSoFar),
    path: checkoutPath(transaction.access_code),
    merchant: transaction.merchant_name,
    amount: `GHS ${shownAmount(transaction.amount_pesewas)}`,
    parts:
      paidSoFar > 0 && transaction.state !== 'success'
        ? { arrived: `GHS ${shownAmount(paidSoFar)}`, missing: `GHS ${shownAmount(missingPesewas(transaction))}` }
        : undefined,
    description: transaction.description,
    overpaid: overpaid > 0 ? `GHS ${shownAmount(overpaid)}` : undefined,
    reference: transaction.reference,
    network: networks[transaction.momo_network],
    number,
    shownNumber: number.replace(/^(0\d\d)(\d{3})(\d{4})$/, '$1 $2 $3'),
    accountName: transaction.momo_account_name,
    madeAt: new Date(outside.now()).toISOString(),
    expires: momentOf(transaction.expires_at),
    paid: transaction.paid_at === undefined ? undefined : momentOf(transaction.paid_at),
    reversed: transaction.reversed_at === undefined ? undefined : momentOf(transaction.reversed_at),
    back: url === null ? undefined : { url, host: new URL(url).host },
  };
}

/** The answer of `status`, which the page asks for while it waits. */
export function presentStatus(outside: Pick<Outside, 'now'>, transaction: Transaction): StatusResponse {
  return {
    status: statusOf(outside, transaction),
    amount_paid: ghsOf(paidPesewas(transaction)),
    expires_at: transaction.expires_at,
    redirect_url: redirectUrlOf(outside, transaction),
  };
}

export function checkoutPath(accessCode: string): string {
  return `/checkout/${accessCode}`;
}

/**
 * The merchant's callback with the reference added to its query; null before the charge is paid and where there is no callback.
 * Appended as text, because `searchParams` would write the rest of the merchant's query anew (`?a` as `?a=`).
 */
function redirectUrlOf(outside: Pick<Outside, 'now'>, transaction: Transaction): string | null {
  if (!transaction.callback_url || statusOf(outside, transaction) !== 'success') return null;
  const url = new URL(transaction.callback_url);
  url.search += `${url.search ? '&' : '?'}reference=${encodeURIComponent(transaction.reference)}`;
  return url.href;
}

// Without Intl: it takes twelve milliseconds of each cold start to make its formats.

/** Pesewas as `1,234.50`. */
function shownAmount(pesewas: number): string {
  return ghsOf(pesewas)
    .toFixed(2)
    .replace(/\B(?=(\d{3})+\.)/g, ',');
}

/** Ghana keeps GMT all the year. */
function momentOf(at: string): Moment {
  const [, day, month, year, time] = new Date(at).toUTCString().split(' ');
  return { at, shown: `${Number(day)} ${month} ${year}, ${time?.slice(0, 5)} GMT` };
}
