import type { MetricName } from '../../shared/runtime/outside/metric-names.ts';
import type { Audience } from '../../shared/runtime/stage/names.ts';
import type { Severity } from './names.ts';

/** Parts of an alarm's message, in order. */
export interface Saying {
  /** Defaults to `money-stops`. */
  readonly severity?: Severity;
  readonly happened: string;
  readonly hurt: string;
  /** The first command to run: an operator command, or the one that shows a log. Defaults to `doctor`. */
  readonly first?: string | { readonly logOf: Audience };
  readonly next?: string;
}

/** The people affected while follow-up jobs are not running. */
export const FOLLOW_UP_HURT =
  "customers who paid get no code or credits, a payment request stays open, and a merchant's server is not notified of a payment at a till.";

interface CountedAlarm extends Saying {
  readonly metric: MetricName;
}

/** Alarms on gauges that housekeeping measures every minute. A gauge is normally 0. */
export const gaugeAlarms: readonly CountedAlarm[] = [
  {
    metric: 'receipts_overdue',
    happened: "A wallet's text about a payment was not settled for five minutes.",
    hurt: 'customers who paid, because their checkout pages keep waiting.',
  },
  {
    metric: 'follow_ups_overdue',
    happened:
      'The follow-up of a payment was not done for nearly an hour, because its job was lost or keeps failing. The job was queued again.',
    hurt: FOLLOW_UP_HURT,
    next: 'The log of housekeeping names the charge or the link in the line follow_up_overdue.',
  },
  {
    metric: 'wallets_unread',
    happened:
      "An unusual share of a wallet's texts cannot be read, so its network may have changed its wording. Or, for ten minutes, no new text has followed from a wallet's last verified balance, so a text is missing or the new texts are forged.",
    hurt: "customers who pay to that wallet. Their payments are not recognised, or are held until the wallet's owner confirms the balance.",
    next: 'Merchants can find the texts with GET /api/v1/receipt?status=unread and assign payments by hand.',
  },
  {
    metric: 'phones_not_heard',
    happened:
      'A phone has posted nothing (or nothing signed with our key) for 15 minutes or three pings, whichever is longer. Or it posted neither of two test texts to its own number. Or a forwarding app posts minutes late.',
    hurt: 'merchants who use the phone, and their customers. Payments to its number are not recognised, and its texts wait or are rejected.',
  },
  {
    metric: 'callbacks_not_understood',
    happened:
      'A phone posts data that this release does not understand. Its app is too old or too new, encrypts texts, or posts broken JSON. Only the names and types of the fields were stored.',
    hurt: 'merchants who use the phone, and their customers, because payments in these callbacks are not recognised.',
    next: 'Enter the missed payments by hand. Once its callbacks are understood, the phone is asked for its inbox.',
  },
  {
    metric: 'senders_held_back',
    happened:
      'A number cannot send, because the gateway does not list its phone or SIM, rejects our login or does not respond.',
    hurt: 'merchants who send from the number, because their texts are rejected with 503. Nothing is debited.',
  },
  {
    metric: 'senders_failing',
    happened: "At least half of a number's last ten texts failed. Its SIM may have no airtime.",
    hurt: 'merchants who send from the number, because their texts do not arrive. Their credits are refunded.',
  },
  {
    metric: 'texts_overdue',
    happened: "Texts have waited much longer than their sender's pace explains.",
    hurt: 'merchants who sent them, and customers who are waiting for a code.',
  },
  {
    metric: 'webhooks_off',
    severity: 'look-tomorrow',
    happened:
      "A merchant's webhook was disabled, because its server rejected every event for five days or asked to stop (410).",
    hurt: 'that merchant, whose server gets no more events.',
    next: 'Ask the merchant to fix the server and set the webhook again.',
  },
];

/** Alarms on counted events. The alarm fires after a single event. */
export const eventAlarms: readonly CountedAlarm[] = [
  {
    metric: 'payments_refused',
    happened:
      'A wallet has reached its daily limit. Its network refuses payments from customers and will refuse more today.',
    hurt: 'its customers and merchants. The merchant was notified (wallet.payment_refused). If several merchants share the number, notify them yourself.',
    next: 'Set another number for payments until tomorrow (merchant set --momo), or ask the network to raise the limit.',
  },
  {
    metric: 'payments_disputed',
    happened: 'Two texts report the same payment differently, so one of them may be forged.',
    hurt: 'the merchant, who may hand over goods without payment. A paid charge is marked as disputed, and its merchant is notified (charge.disputed).',
    first: 'receipt list',
    next: 'Compare both texts with the wallet. Add --merchant ID to list those of one merchant.',
  },
];

type Letters = Omit<Saying, 'happened'> | 'heard otherwise';

/** The people affected if a queue or stream function gives up, keyed by the source of the dead letters. */
export const letterAlarms: ReadonlyMap<string, Letters> = new Map<string, Letters>([
  // If a text or receipt is never queued, an overdue alarm fires. A failed balance proof counts as a worker failure.
  ['work-relay', 'heard otherwise'],
  [
    'work-follow-up',
    {
      hurt: 'the people whom the change concerns. A webhook is not sent, or a payment is missing from a report or a search. The stream keeps the change for a day.',
    },
  ],
  ['settle-receipt', { hurt: 'customers who paid, because their payments are not matched.' }],
  [
    'deliver-webhook',
    { severity: 'look-tomorrow', hurt: 'merchants, because their servers are not notified of payments and texts.' },
  ],
  // A failing text is refunded first. If the refund also fails, the overdue alarm fires.
  ['deliver-sms', 'heard otherwise'],
  // Abandoned notifications do not become dead letters. Other failed attempts are logged as worker errors.
  ['deliver-push', 'heard otherwise'],
  ['run-follow-up', { hurt: FOLLOW_UP_HURT }],
]);

/** The people affected if a stream function falls behind. */
export const lateAlarms: ReadonlyMap<string, Letters> = new Map<string, Letters>([
  // The overdue alarms fire if texts or receipts are delayed.
  ['work/relay', 'heard otherwise'],
  [
    'work/follow-up',
    {
      hurt: 'merchants, because their servers are not notified of payments and texts, and reports are behind. Nothing is lost.',
    },
  ],
]);
