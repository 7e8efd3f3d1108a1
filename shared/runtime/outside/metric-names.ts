/** What is counted, for the dashboard and the alarms. Each is a number in CloudWatch without any dimension of its own. */
export const metricNames = [
  'texts_accepted',
  'texts_sent',
  'texts_delivered',
  'texts_failed',
  'credits_debited',
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
  /** Wallets whose owner was to be told that they are nearly full. */
  'wallets_near_limit',
  /** Hours in which so many wrong claims were made on one wallet that further ones are refused. */
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
  /** Endpoints that get no more events until their merchant sets them again. */
  'webhooks_disabled',
  /** Phones of enabled senders that their gateway has not heard from for a while, measured each minute. */
  'phones_not_seen',
] as const;
export type MetricName = (typeof metricNames)[number];

/** The namespace of these metrics. Their one dimension, `service`, is the stage's name. */
export const METRIC_NAMESPACE = 'MomoKiosk';
