import type { CausedEventType } from '../webhook/event.ts';
import type { Occurrence, Of } from './occurrence.ts';

type Consumer = 'webhook event' | 'notification' | 'job' | 'booking' | 'metric' | 'sender outcome';

/**
 * The consumers of each occurrence. Each consumer is a table whose entries must match this list, or the code does not
 * compile.
 */
const consequences = {
  'charge.created': ['metric'],
  'charge.taken': ['job'],
  'charge.paid': ['booking', 'metric'],
  'charge.success': ['webhook event', 'notification', 'job'],
  'charge.partly_paid': ['webhook event'],
  'charge.expired': ['webhook event', 'booking', 'job'],
  'charge.cancelled': ['webhook event', 'booking', 'job'],
  'charge.reversed': ['webhook event', 'notification', 'booking', 'metric'],
  'charge.unmarked': ['webhook event'],
  'charge.reopened': ['booking'],
  'charge.refunded': ['webhook event', 'booking'],
  'charge.disputed': ['webhook event', 'notification', 'booking', 'metric'],
  'charge.proven': ['job'],
  'charge.unsettled': ['job'],
  'charge.undisputed': ['job'],
  'charge.overpaid': ['booking'],
  'charge.unverified': ['booking'],
  'charge.payments_changed': ['job'],
  'charge.goods_changed': ['job'],
  'charge.code_waiting': ['webhook event', 'notification'],
  'payment.counted': ['booking'],
  'payment.reversed': ['booking'],
  'payment.released': ['booking'],
  'link.stock_low': ['webhook event', 'notification'],
  'link.stocked': ['job'],
  'request.paid': ['webhook event'],
  'request.reopened': ['webhook event'],
  'receipt.matched': ['metric'],
  'receipt.held': ['webhook event', 'notification', 'metric'],
  'receipt.unread': ['webhook event', 'notification', 'metric'],
  'receipt.contradicted': ['metric'],
  'receipt.reopened': ['job'],
  'goods.limit_reached': ['notification'],
  'claims.limit_reached': ['metric'],
  'send.accepted': ['booking', 'metric'],
  'sms.left': ['metric', 'sender outcome'],
  'sms.delivered': ['webhook event', 'metric'],
  'sms.failed': ['webhook event', 'booking', 'metric', 'sender outcome'],
  'sms.expired': ['webhook event', 'booking', 'metric'],
  'sms.cancelled': ['webhook event', 'metric'],
  'sms.received': ['webhook event'],
  'keyword.heard': ['job'],
  'code.without_sender': ['metric'],
  'credits.low': ['webhook event', 'notification'],
  'wallet.payment_refused': ['webhook event', 'metric'],
  'wallet.near_limit': ['webhook event', 'metric'],
  'wallet.balance_unclear': ['webhook event', 'notification'],
  'wallet.payment_missed': ['webhook event'],
  'wallet.reversal_suspected': ['webhook event', 'notification', 'job'],
  'wallet.money_out': ['notification'],
  'phone.silent': ['notification'],
  'device.asked': ['notification'],
  'stranger.texted': ['metric'],
  'webhook.given_up': ['metric'],
} as const satisfies { readonly [What in Occurrence['what']]: Consumers<What> };

/** An occurrence named like a webhook event type must list `webhook event`. */
type Consumers<What> = What extends CausedEventType
  ? readonly ['webhook event', ...Consumer[]]
  : readonly [Exclude<Consumer, 'webhook event'>, ...Exclude<Consumer, 'webhook event'>[]];

type Consequences = typeof consequences;

export type ConsumerTable<Name extends Consumer, Rest extends readonly unknown[], Result> = {
  readonly [What in Occurrence['what'] as Name extends Consequences[What][number] ? What : never]: (
    occurrence: Of<What>,
    ...rest: Rest
  ) => Result;
};

type SomeEntries<Rest extends readonly unknown[], Result> = {
  readonly [What in Occurrence['what']]?: (occurrence: Of<What>, ...rest: Rest) => Result;
};

export function lookUp<Rest extends readonly unknown[], Result>(
  table: SomeEntries<Rest, Result>,
  occurrence: Occurrence,
  ...rest: Rest
): Result | undefined {
  // Safe, because an entry's key is the name of the occurrence that the entry takes.
  const entry = table[occurrence.what] as ((occurrence: Occurrence, ...rest: Rest) => Result) | undefined;
  return entry?.(occurrence, ...rest);
}
