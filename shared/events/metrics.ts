import { isTestNumber } from '../ghana/phone-number.ts';
import type { MetricName } from '../runtime/outside/metric-names.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import type { Message } from '../texts/sms/message.table.ts';
import { type ConsumerTable, lookUp } from './consequences.ts';
import type { Occurrence } from './occurrence.ts';

/** Counts business events. If the stream delivers a change twice, the change is counted twice. */
export function countOccurrences(
  { metrics }: Pick<WorkerOutside, 'metrics'>,
  occurrences: readonly Occurrence[],
): void {
  for (const occurrence of occurrences)
    for (const [name, count] of lookUp(counts, occurrence) ?? []) metrics.count(name, count);
}

type Counted = readonly (readonly [name: MetricName, count?: number])[];

const counts: ConsumerTable<'metric', [], Counted> = {
  'charge.created': () => [['charges_created']],
  'charge.paid': () => [['charges_paid']],
  'charge.reversed': () => [['charges_reversed']],
  'charge.disputed': () => [['payments_disputed']],
  'receipt.matched': () => [['receipts_matched']],
  'receipt.held': ({ isNew }) => (isNew ? [['receipts_held']] : []),
  'receipt.unread': () => [['receipts_unread']],
  'receipt.contradicted': () => [['payments_disputed']],
  'send.accepted': ({ send: { merchant_id, purpose, to } }) => {
    if (merchant_id) return [['texts_accepted', to.length]];
    return purpose ? [] : [['codes_accepted']];
  },
  'sms.left': ({ message }) => ofText(message, ['texts_sent'], []),
  'sms.delivered': ({ message }) => ofText(message, ['texts_delivered'], ['codes_delivered']),
  'sms.failed': ({ message }) => ofText(message, ['texts_failed', 'credits_refunded'], ['codes_failed']),
  'sms.expired': ({ message }) => ofText(message, ['texts_failed', 'credits_refunded'], ['codes_failed']),
  'sms.cancelled': ({ message }) => ofText(message, ['credits_refunded'], []),
  'wallet.payment_refused': () => [['payments_refused']],
  'wallet.near_limit': () => [['wallets_near_limit']],
  // The row names no merchant, so only the wallet's number shows whether this is a test.
  'claims.limit_reached': ({ momo_number }) => (isTestNumber(momo_number) ? [] : [['claim_limits_reached']]),
  'code.without_sender': () => [['codes_without_sender']],
  'stranger.texted': ({ text }) =>
    text.looks_like_payment ? [['texts_of_strangers'], ['receipts_forged']] : [['texts_of_strangers']],
  'webhook.given_up': () => [['webhooks_given_up']],
};

function ofText(message: Message, ofMerchant: readonly MetricName[], ofCode: readonly MetricName[]): Counted {
  const names = message.merchant_id ? ofMerchant : message.purpose ? [] : ofCode;
  return names.map((name) => [name]);
}
