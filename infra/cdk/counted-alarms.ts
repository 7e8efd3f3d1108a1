import type { MetricName } from '../../shared/runtime/outside/metric-names.ts';
import type { Audience } from '../../shared/runtime/stage/names.ts';
import type { Severity } from './names.ts';

/** The parts of an alarm's message to the person on call, in this order. */
export interface Saying {
  /** Defaults to `money-stops`. */
  readonly severity?: Severity;
  readonly happened: string;
  readonly hurt: string;
  /** The first command to run: an operator command on this stage, or one that shows a log. Defaults to `doctor`. */
  readonly first?: string | { readonly logOf: Audience };
  readonly next?: string;
}

/** The people affected while follow-up jobs are not done. */
export const FOLLOW_UP_HURT =
  "customers who paid get no code or credits, a payment request stays open, a merchant's server is not told of a till's payment.";

interface CountedAlarm extends Saying {
  readonly metric: MetricName;
}

/**
 * Alarms on the gauges that housekeeping measures once a minute. Each is 0 if all is well. Only housekeeping can
 * distinguish a fault from a quiet night.
 */
export const gaugeAlarms: readonly CountedAlarm[] = [
  {
    metric: 'receipts_overdue',
    happened: "A wallet's text about a payment was not settled for five minutes.",
    hurt: 'customers who paid: their checkout pages keep waiting.',
  },
  {
    metric: 'follow_ups_overdue',
    happened:
      'What a payment leads to was not done for nearly an hour: its job was lost or keeps failing. It was queued again.',
    hurt: FOLLOW_UP_HURT,
    next: 'The log of housekeeping names the charge or the link: follow_up_overdue.',
  },
  {
    metric: 'wallets_unread',
    happened:
      "An unusual share of the texts of a wallet cannot be read: its network may have changed its wording. Or a wallet's texts have not continued its proven balance for ten minutes: one is missing, or these are forged.",
    hurt: 'customers who pay there: their payments are not recognised, or held until the owner of the wallet says what it holds.',
    next: 'Merchants find the texts with GET /api/v1/receipt?status=unread, and can assign payments by hand.',
  },
  {
    metric: 'phones_not_heard',
    happened:
      'Nothing was heard from a phone for 15 minutes (or three of its own pings, if that is longer), or nothing that it signed with the key that we have. Or the phone sends but does not hear: it posted neither of two test texts to its own number. Or a forwarding app posts what the phone hears minutes later.',
    hurt: 'its merchants and their customers: payments to its number are not recognised, and its texts wait or are refused.',
  },
  {
    metric: 'callbacks_not_understood',
    happened:
      'A phone posts data that this version does not understand: its app is too old or too new, encrypts texts, or posts broken JSON. Only the names and types of the fields were kept.',
    hurt: 'its merchants and their customers: payments in such posts are not recognised.',
    next: 'Enter by hand what was paid meanwhile. Once its posts are understood, the phone is asked for its inbox.',
  },
  {
    metric: 'senders_held_back',
    happened:
      'A number cannot send: its phone or SIM is not listed by the gateway, or the gateway refuses us or hangs.',
    hurt: 'its merchants: their texts are refused with 503, and nothing is debited.',
  },
  {
    metric: 'senders_failing',
    happened: 'The last texts of a number failed, one after the other. Its SIM may have no airtime.',
    hurt: 'its merchants: their texts do not arrive. Their credits are refunded.',
  },
  {
    metric: 'texts_overdue',
    happened: "Texts wait for much longer than their number's pace explains.",
    hurt: 'merchants who sent them, and customers who wait for a code.',
  },
  {
    metric: 'webhooks_off',
    severity: 'look-tomorrow',
    happened: 'The webhook of a merchant is off: its server refused every event for five days, or wants no more (410).',
    hurt: 'that merchant: its server gets no more events.',
    next: 'Tell the merchant to fix it and set the webhook again.',
  },
];

/** Alarms on events that are counted when they happen. They ring at the first event. */
export const eventAlarms: readonly CountedAlarm[] = [
  {
    metric: 'payments_refused',
    happened:
      'A wallet has reached its daily limit: its network refuses what customers pay, and will refuse more today.',
    hurt: 'its customers and merchants. A merchant was told (wallet.payment_refused), unless several share the number: tell those yourself.',
    next: 'Have them paid on another number (merchant set --momo) until tomorrow, or have the network raise the limit.',
  },
  {
    metric: 'payments_disputed',
    happened: 'Two texts told of one payment with different facts: one of them may be forged.',
    hurt: 'the merchant whose goods may leave for nothing. A charge that was paid is marked as disputed, and its merchant told (charge.disputed).',
    first: 'receipt list',
    next: 'Compare both texts with the wallet. Those of one merchant: --merchant ID.',
  },
];

type Letters = Omit<Saying, 'happened'> | 'heard otherwise';

/** The people affected by work that was given up, by the source of its dead letters. */
export const letterAlarms: ReadonlyMap<string, Letters> = new Map<string, Letters>([
  // A text or receipt that is not queued shows up as overdue, and a proof that is not queued shows up as a worker's
  // failure.
  ['work-relay', 'heard otherwise'],
  [
    'work-follow-up',
    {
      hurt: 'the people the change was about: a webhook that is not sent, a payment that a report or a search misses. The stream keeps it for a day.',
    },
  ],
  ['settle-receipt', { hurt: 'customers who paid: their payments are not matched.' }],
  [
    'deliver-webhook',
    { severity: 'look-tomorrow', hurt: 'merchants: their servers are not told of payments and texts.' },
  ],
  // A text is refunded before its job is given up. If the job could not do even that, the text shows up as overdue.
  ['deliver-sms', 'heard otherwise'],
  // A notification is given up without a dead letter. If a job becomes one anyway, each of its failures was logged as a
  // worker's error.
  ['deliver-push', 'heard otherwise'],
  ['run-follow-up', { hurt: FOLLOW_UP_HURT }],
]);

/** The people affected if a function on the stream is late. */
export const lateAlarms: ReadonlyMap<string, Letters> = new Map<string, Letters>([
  // Texts and receipts that wait for it show up as overdue.
  ['work/relay', 'heard otherwise'],
  [
    'work/follow-up',
    { hurt: 'merchants: their servers are not told of payments and texts, and reports are behind. Nothing is lost.' },
  ],
]);
