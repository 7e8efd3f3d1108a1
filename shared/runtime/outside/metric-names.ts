/** Metrics for the CloudWatch dashboard and the alarms. They share one dimension, `service`. */
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
  /**
   * Texts that merchants' phones received from senders other than a mobile network. These texts are counted but not
   * stored.
   */
  'texts_of_strangers',
  'receipts_forged',
  /** Payments with two contradictory texts, and charges with a disputed payment. */
  'payments_disputed',
  'payments_refused',
  'wallets_near_limit',
  /** Hours in which a wallet reached its limit of wrong claims. All further claims were refused. */
  'claim_limits_reached',
  /** Claim codes texted to customers. The operator pays for these texts, so no credits are debited. */
  'codes_accepted',
  'codes_delivered',
  'codes_failed',
  'codes_without_sender',
  'webhook_tries_ok',
  'webhook_tries_failed',
  'webhooks_given_up',
  'webhooks_disabled',
  /** Completed housekeeping runs. Housekeeping measures the metrics below once a minute; a value of 0 is healthy. */
  'housekeeping_runs',
  /**
   * Phones of enabled senders that have been offline at their gateway, have not sent a signed request for a while, or
   * do not receive texts.
   */
  'phones_not_heard',
  'callbacks_not_understood',
  /**
   * Enabled senders that cannot send because their gateway does not list the phone or SIM, rejects our account, or does
   * not respond.
   */
  'senders_held_back',
  'senders_failing',
  'texts_overdue',
  'receipts_overdue',
  /** Follow-up jobs that are still pending after their longest possible retry time. */
  'follow_ups_overdue',
  /** Wallets with an unusual share of recent texts that cannot be parsed or break the balance chain. */
  'wallets_unread',
  'webhooks_off',
] as const;
export type MetricName = (typeof metricNames)[number];

export const METRIC_NAMESPACE = 'MomoKiosk';
