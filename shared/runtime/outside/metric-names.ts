/** Metrics for the dashboard and the alarms. In CloudWatch, none has a dimension of its own. */
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
  /** Texts that a merchant's phone received from senders other than the network. Only counted. */
  'texts_of_strangers',
  'receipts_forged',
  /** Payments that two texts report differently, and charges whose payment is disputed. */
  'payments_disputed',
  'payments_refused',
  /** Wallets whose owners get a notification that they are nearly full. */
  'wallets_near_limit',
  /** Hours in which wrong claims on one wallet reached their limit; further claims are refused. */
  'claim_limits_reached',
  /** Claim codes texted to customers. They are the operator's texts: no credit is debited. */
  'codes_accepted',
  'codes_delivered',
  'codes_failed',
  'codes_without_sender',
  'webhook_tries_ok',
  'webhook_tries_failed',
  'webhooks_given_up',
  /** Webhooks disabled after days of failures, or because their receiver asked for that. */
  'webhooks_disabled',
  /** Completed housekeeping runs. Housekeeping measures the following once a minute: 0 is healthy. */
  'housekeeping_runs',
  /**
   * Phones of enabled senders that their gateway has not seen, or that have sent nothing signed, for a while; or that
   * do not receive.
   */
  'phones_not_heard',
  'callbacks_not_understood',
  /** Enabled senders that cannot send: their gateway does not list the phone or SIM, refuses us, or does not answer. */
  'senders_held_back',
  'senders_failing',
  'texts_overdue',
  'receipts_overdue',
  /** Follow-up jobs that were not done within the longest time that a job is tried. */
  'follow_ups_overdue',
  /** Wallets of which an unusual share of recent texts is unreadable, or breaks the balance chain. */
  'wallets_unread',
  'webhooks_off',
] as const;
export type MetricName = (typeof metricNames)[number];

/** Metric namespace. The only dimension, `service`, is the stage's name. */
export const METRIC_NAMESPACE = 'MomoKiosk';
