/** What is counted, for the dashboard and the alarms. Each is a number in CloudWatch without any dimension of its own. */
export const metricNames = [
  /** Each is a credit that was debited. */
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
  /** Texts at merchants' phones that no network sent. They are only counted. */
  'texts_of_strangers',
  /** Those of them that look like a payment. */
  'receipts_forged',
  /** Payments that two texts report differently, and charges whose payment is in doubt. */
  'payments_disputed',
  /** Payments of customers that a wallet refused because it had reached its daily limit. */
  'payments_refused',
  /** Wallets whose owner was to be notified that they are nearly full. */
  'wallets_near_limit',
  /** Hours in which the wrong claims on one wallet reached their limit: further ones are refused. */
  'claim_limits_reached',
  /** Texts with a code to customers who claim a payment by the number that paid. They are the operator's: no credit is debited. */
  'codes_accepted',
  'codes_delivered',
  'codes_failed',
  /** Codes that were not sent because no sender was available. */
  'codes_without_sender',
  'webhook_tries_ok',
  'webhook_tries_failed',
  /** Events that were tried for the last time, or whose endpoint is gone. */
  'webhooks_given_up',
  /** Webhooks that were switched off: after days of failures, or because their receiver wants no more. */
  'webhooks_disabled',
  /** Housekeeping's runs that came to their end. It measures what follows once a minute: 0 where all is well. */
  'housekeeping_runs',
  /** Phones of enabled senders that their gateway has not seen, or that have posted nothing signed, for a while; or that do not hear. */
  'phones_not_heard',
  /** Phones whose last posts were signed and not understood. */
  'callbacks_not_understood',
  /** Enabled senders that cannot send: their gateway does not list their phone or SIM, refuses us, or does not answer. */
  'senders_held_back',
  /** Enabled senders half of whose last texts failed. */
  'senders_failing',
  /** Texts that should have left a while ago, by their sender's pace. */
  'texts_overdue',
  /** Wallets' texts that have not been settled for five minutes. */
  'receipts_overdue',
  /** Follow-up jobs of paid charges, links and payment requests that were not done within the longest that a job is tried. */
  'follow_ups_overdue',
  /** Wallets of whose last texts an unusual share cannot be read, or does not continue the balance that decides what confirms. */
  'wallets_unread',
  /** Webhooks that get no events until their merchant sets them again. */
  'webhooks_off',
] as const;
export type MetricName = (typeof metricNames)[number];

/** The namespace of these metrics. Their one dimension, `service`, is the stage's name. */
export const METRIC_NAMESPACE = 'MomoKiosk';
