import { isTestNumber } from '../../ghana/phone-number.ts';
import { isTwin } from '../../merchants/merchant/twin.ts';
import { MAX_WRONG_PER_HOUR } from '../../money/receipt/claim.table.ts';
import { StrangersText } from '../../phones/gateway/phone-event.table.ts';
import type { MetricName } from '../../runtime/outside/metric-names.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import type { Item } from '../../runtime/table/table.ts';
import type { RowChange } from '../../runtime/triggers/stream.ts';
import { parseSend } from '../../texts/sms/send.table.ts';
import { isRefunded } from '../../texts/sms/states.ts';

/**
 * Counts what a change in the table means to the business. The stream reports each change as it was committed, so nothing is
 * counted that did not happen. A change that the stream delivers twice is counted twice, which is rare. Tests count nowhere.
 */
export function countChange({ metrics }: Pick<WorkerOutside, 'metrics'>, { event, sk, before, after }: RowChange) {
  if (!after || isTest(after)) return;
  const became = (state: string) => after.state === state && before?.state !== state;
  if (sk === 'SEND' && event === 'INSERT') {
    const { merchant_id, purpose, to } = parseSend(after);
    if (merchant_id) metrics.count('texts_accepted', to.length);
    else if (!purpose) metrics.count('codes_accepted');
  }
  if (sk.startsWith('MESSAGE#') && !after.merchant_id && !after.purpose) {
    if (became('delivered')) metrics.count('codes_delivered');
    if (became('failed') || became('expired')) metrics.count('codes_failed');
  }
  if (sk.startsWith('MESSAGE#') && after.merchant_id) {
    // The report that a text was delivered may arrive before the report that it was sent.
    if (became('sent') || (became('delivered') && before?.state !== 'sent')) metrics.count('texts_sent');
    if (became('delivered')) metrics.count('texts_delivered');
    if (became('failed') || became('expired')) metrics.count('texts_failed');
    // The transaction that ends a text so also refunds its credit.
    if (isRefunded(after.state) && !isRefunded(before?.state)) metrics.count('credits_refunded');
  }
  if (sk === 'TRANSACTION') {
    if (event === 'INSERT') metrics.count('charges_created');
    if (became('success')) metrics.count('charges_paid');
    if (became('reversed')) metrics.count('charges_reversed');
    if (after.disputed && !before?.disputed) metrics.count('payments_disputed');
  }
  if (sk === 'RECEIPT') {
    if (became('matched')) metrics.count('receipts_matched');
    const isHeld = (image: Item | undefined) => image?.state === 'held' && image.reason !== 'checking';
    if (isHeld(after) && !isHeld(before)) metrics.count('receipts_held');
    if (became('unread')) metrics.count('receipts_unread');
    if (after.reason === 'conflict' && before?.reason !== 'conflict') metrics.count('payments_disputed');
  }
  if (sk.startsWith('NOTICE#')) {
    const name = countedNotices.get(after.kind);
    if (name) metrics.count(name);
  }
  if (
    sk.startsWith('CLAIM_HOUR') &&
    Number(before?.wrong) < MAX_WRONG_PER_HOUR &&
    Number(after.wrong) >= MAX_WRONG_PER_HOUR
  )
    metrics.count('claim_limits_reached');
  if (sk === 'CODE' && after.no_sender_at !== before?.no_sender_at) metrics.count('codes_without_sender');
  const stranger =
    sk === 'PHONE_EVENT' && event === 'INSERT' ? StrangersText.safeParse(after.stranger).data : undefined;
  if (stranger) metrics.count('texts_of_strangers');
  if (stranger?.looks_like_payment) metrics.count('receipts_forged');
  if (sk === 'EVENT' && became('gave_up')) metrics.count('webhooks_given_up');
}

/** What a wallet's notices are counted as. Of breaks in its chain the operator hears by housekeeping, for as long as they are open. */
const countedNotices: ReadonlyMap<unknown, MetricName> = new Map([
  ['payment_refused', 'payments_refused'],
  ['near_limit', 'wallets_near_limit'],
]);

/** Whether a row is a twin's, or counts wrong claims at its wallet. */
function isTest({ pk, sk, merchant_id }: Item): boolean {
  if (String(sk).startsWith('CLAIM_HOUR')) return isTestNumber(String(pk).slice('CLAIM#'.length));
  return typeof merchant_id === 'string' && isTwin(merchant_id);
}
