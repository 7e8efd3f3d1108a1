/** Metrics for the CloudWatch dashboard and the alarms, with one dimension: `service`. */
export const metricNames = [
  'texts_accepted',
  'texts_sent',
  'texts_delivered',
  'texts_failed',
  'credits_refunded',
  'charges_created',
  'charges_paid',
  'charges_reversed',
  'receipts_matched',
  'receipts_held',
  'receipts_unread',
  /** Texts that phones received from senders other than a mobile network. */
  'texts_of_strangers',
  'receipts_forged',
  /** Payments with contradictory texts, and charges with a disputed payment. */
  'payments_disputed',
  'payments_refused',
  'wallets_near_limit',
  /** Hours in which a wallet reached its limit of wrong claims. */
  'claim_limits_reached',
  /** Claim codes texted to customers, at the operator's expense. */
  'codes_accepted',
  'codes_delivered',
  'codes_failed',
  'codes_without_sender',
  'webhook_tries_ok',
  'webhook_tries_failed',
  'webhooks_given_up',
  'webhooks_disabled',
  /** Completed housekeeping runs. Each run also measures the metrics below, for which 0 is healthy. */
  'housekeeping_runs',
  /** Phones of enabled senders that are offline, send no signed requests or receive no texts. */
  'phones_not_heard',
  'callbacks_not_understood',
  /** Enabled senders that cannot send because of their gateway, phone or SIM. */
  'senders_held_back',
  'senders_failing',
  'texts_overdue',
  'receipts_overdue',
  /** Follow-up jobs still pending after their longest possible retry time. */
  'follow_ups_overdue',
  /** Wallets with unusually many texts that cannot be parsed or break the balance chain. */
  'wallets_unread',
  'webhooks_off',
] as const;
export type MetricName = (typeof metricNames)[number];

export const METRIC_NAMESPACE = 'MomoKiosk';
