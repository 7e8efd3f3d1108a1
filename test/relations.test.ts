/** Checks constants in different files that depend on each other and cannot be derived in the code. */
import { globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { manifest, parts, queues } from '../functions/manifest.ts';
import { rights } from '../functions/rights.ts';
import { TRY_LOST_AFTER_SECONDS } from '../functions/work/housekeeping.ts';
import { MONITORING_MINUTES } from '../infra/cdk/deployment.ts';
import { introduction } from '../infra/openapi/introduction.ts';
import { ghsOf, MAX_AMOUNT_GHS, MIN_AMOUNT_GHS, pesewasOf } from '../shared/ghana/money.ts';
import { KEY_CACHE_SECONDS } from '../shared/merchants/merchant/api-key.table.ts';
import { DEFAULT_REQUESTS_PER_SECOND, DEFAULT_TEST_REQUESTS_PER_SECOND } from '../shared/merchants/merchant/api-key.ts';
import { DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS, MAX_MOMO_ACCOUNTS } from '../shared/merchants/merchant/merchant.ts';
import { MAX_WAITING } from '../shared/merchants/merchant/money-change.table.ts';
import { MAX_TEST_OBJECTS_PER_DAY } from '../shared/merchants/merchant/test-limit.table.ts';
import { MAX_PASSKEYS } from '../shared/merchants/user/accept-invitation.ts';
import { MAX_ENDED_SESSIONS } from '../shared/merchants/user/manage-users.ts';
import { SESSION_SECONDS } from '../shared/merchants/user/session.table.ts';
import { FRESH_SECONDS as PASSKEY_FRESH_SECONDS } from '../shared/merchants/user/session.ts';
import { MAX_SHARED_PHONES } from '../shared/merchants/user/shared-phone.table.ts';
import { IDLE_SECONDS } from '../shared/merchants/user/shared-phone.ts';
import { BOOKING_KEPT_SECONDS, CLOSED_AFTER_DAYS } from '../shared/money/booking/booking.table.ts';
import { MAX_SECOND_RECEIPTS } from '../shared/money/charge/change-charge.table.ts';
import {
  CHARGE_LIFETIME_MS,
  createCharge,
  isReference,
  newAccessCode,
  newReference,
} from '../shared/money/charge/charge.table.ts';
import { MAX_CHARGE_LIFETIME_MS, newCharge, presentChargeRow } from '../shared/money/charge/charge.ts';
import { claimableSince } from '../shared/money/claims/claimable.ts';
import { CODE_KEPT_SECONDS, CODE_LIFETIME_MS } from '../shared/money/claims/phone-code.table.ts';
import { CLOCK_TOLERANCE_MS, NAME_DECIDES_MS } from '../shared/money/matching/match.ts';
import { readTypedReference } from '../shared/money/matching/typed-reference.ts';
import { PAUSE_SECONDS } from '../shared/pages/checkout/template.ts';
import { MAX_DAYS } from '../shared/pages/dashboard/today/period.ts';
import { ACCOUNTS_CACHE_SECONDS, ACCOUNTS_REREAD_SECONDS } from '../shared/phones/gateway/accounts.ts';
import { FRESH_SECONDS } from '../shared/phones/gateway/fresh-callback.ts';
import { INBOX_ASKED_MS, NO_INBOX_MS } from '../shared/phones/gateway/phone.table.ts';
import { PHONE_EVENT_KEPT_SECONDS } from '../shared/phones/gateway/phone-event.table.ts';
import { GATEWAY_TIMEOUT_MS, MAX_ID_CHARACTERS, TEXT_LIFETIME_SECONDS } from '../shared/phones/gateway/smsgate.ts';
import { NOT_SEEN_MS } from '../shared/phones/sender/phone-silence.ts';
import { FULL_MS } from '../shared/phones/sender/watch-senders.ts';
import { PUSH_TIMEOUT_MS, PUSH_WAITS_SECONDS } from '../shared/push/deliver-push.ts';
import { type Answer, ok } from '../shared/runtime/http/answer.ts';
import { ANSWER_KEPT_SECONDS, MAX_KEY_CHARACTERS, rememberAnswer } from '../shared/runtime/http/idempotency.ts';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE, metaOf } from '../shared/runtime/http/pagination.ts';
import { MAX_PATH_ID_CHARACTERS } from '../shared/runtime/http/request.ts';
import { SECRET_TIMEOUT_MS } from '../shared/runtime/outside/ask-aws.ts';
import { SETTINGS_CACHE_SECONDS } from '../shared/runtime/outside/cached.ts';
import { CONNECT_MS } from '../shared/runtime/outside/post-public.ts';
import { MAX_URL_CHARACTERS } from '../shared/runtime/outside/public-url.ts';
import { MAX_DELAY_SECONDS, QUEUE_TIMEOUT_MS } from '../shared/runtime/outside/queues.ts';
import { RETENTION } from '../shared/runtime/outside/retention.ts';
import { ANSWER_TAKES_MS } from '../shared/runtime/outside/same-timing.ts';
import { TABLE_TIMEOUT_MS } from '../shared/runtime/table/connection.ts';
import { longestPauseMs, TRIES } from '../shared/runtime/table/contention.ts';
import { CLOCK_KEPT_SECONDS } from '../shared/runtime/table/due-clock.ts';
import { MAX_BATCH_KEYS } from '../shared/runtime/table/read.ts';
import { UNITS_OF_A_PAGE, UNITS_OF_LARGEST_ROW } from '../shared/runtime/table/within-budget.ts';
import { completeRow, completeRows, consumerOf } from '../shared/runtime/triggers/complete-row.ts';
import { longestLifeSeconds, MAX_PAUSE_SECONDS } from '../shared/runtime/triggers/queue.ts';
import { MAX_METADATA_BYTES, Metadata } from '../shared/runtime/values/metadata.ts';
import { MAX_BULK_RECIPIENTS } from '../shared/texts/bulk/bulk-request.ts';
import { HANDED_OVER_MS, MAY_LEAVE_MS } from '../shared/texts/sms/check-send.ts';
import { SPARE_RECEIVES } from '../shared/texts/sms/deliver-sms.ts';
import { MAX_INDEXES, messageId, newSendId } from '../shared/texts/sms/message-id.ts';
import { presentSendAndMessages } from '../shared/texts/sms/present-message.ts';
import { createSend } from '../shared/texts/sms/send.table.ts';
import { newSend, OPERATOR_TEXT_KEPT_SECONDS } from '../shared/texts/sms/send.ts';
import { MAX_MESSAGE_CHARACTERS, MAX_RECIPIENTS } from '../shared/texts/sms/send-request.ts';
import { CLOSED_MS, QUEUED_AHEAD_MS } from '../shared/texts/sms/when-to-leave.ts';
import { presentSend } from '../shared/texts/sms/words-to-send.ts';
import { ARRIVES_WITHIN_MS, LEAVES_WITHIN_MS } from '../shared/wallets/wallet/hearing.table.ts';
import { ASSUMED_LIMIT_EVERY_MS, NOTICE_KEPT_SECONDS } from '../shared/wallets/wallet/wallet-notice.table.ts';
import {
  FAILING_DAYS,
  LANE_FULL_SECONDS,
  LAST_TRY_SECONDS,
  MAX_RETRY_AFTER_SECONDS,
  MAX_TRIES,
  SILENCE_DAYS,
  WEBHOOK_TIMEOUT_MS,
  waitSeconds,
} from '../shared/webhook/deliver-webhook.ts';
import { OLD_SECRET_MS } from '../shared/webhook/endpoint.ts';
import { EVENT_KEPT_SECONDS, MAX_CALLS_PER_MINUTE } from '../shared/webhook/event.table.ts';
import { newWebhookEvent, noEvent } from '../shared/webhook/event.ts';
import { LANE_MS, MAX_SLOW_TRIES_AT_ONCE } from '../shared/webhook/lane.table.ts';
import { presentEvent } from '../shared/webhook/present-event.ts';
import { synthesise } from './infra/cdk/synthesise.ts';
import { checkEach } from './support/check-each.ts';
import { liveHolder } from './support/holders.ts';
import { documentsOf } from './support/iam.ts';
import { createMerchant, createSender, createWorld, type World } from './support/world.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MEGABYTE = 1024 ** 2;

// Quotas of Lambda, API Gateway, SQS, DynamoDB and CloudFormation. Source: https://docs.aws.amazon.com
const LAMBDA_TIMEOUT_SECONDS = 15 * MINUTE;
const LAMBDA_PAYLOAD_BYTES = 6 * MEGABYTE;
const API_GATEWAY_SECONDS = 30;
/** Limit on the request line and all headers. */
const API_GATEWAY_HEADERS_BYTES = 10_240;
const SQS_DELAY_SECONDS = 15 * MINUTE;
const SQS_INVISIBLE_SECONDS = 12 * HOUR;
const SQS_RETENTION_SECONDS = 14 * DAY;
const SQS_QUEUE_NAME = 80;
const TABLE_ITEM_BYTES = 400 * 1024;
const TABLE_PARTITION_KEY_BYTES = 2048;
const TABLE_TRANSACTION_WRITES = 100;
const TABLE_BATCH_KEYS = 100;
/** Time for which a transaction's token prevents a repetition. */
const TABLE_TOKEN_SECONDS = 10 * MINUTE;
const STREAM_RETENTION_SECONDS = 24 * HOUR;
const STREAM_FILTERS = 5;
/**
 * Limit on a role's inline policies.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
 */
const ROLE_POLICIES_CHARACTERS = 10_240;
const STACK_RESOURCES = 500;
const STACK_TEMPLATE_BYTES = MEGABYTE;
const ALARM_NAME = 255;
/** The SDK makes up to three attempts. */
const SDK_TRIES = 3;
// Sources: https://docs.sms-gate.app and the source code of SMSGate's server and app.
const GATEWAY_ID_CHARACTERS = 36;
const PHONE_WAITS_SECONDS = 5;
/** 14 attempts. The wait starts at ten seconds and doubles each time. */
const PHONE_RETRIES_SECONDS = 10 * (2 ** 13 - 1);
/** Ping interval recommended by the app's documentation. */
const PHONE_PING_SECONDS = 300;

const INITIALIZE = 'POST /api/v1/transaction/initialize';
/** Maximum request rate of an attacker with one machine. */
const STRANGER_PER_SECOND = 300;

const script = readFileSync('shared/pages/checkout/checkout.js', 'utf8');
const rows = completeRows(manifest, rights);
const httpRows = rows.filter(([, row]) => row.on === 'http' || row.on === 'default');
const timeoutOf = (name: keyof typeof manifest) => completeRow(manifest[name]).timeoutSeconds;
const prod = synthesise({ stage: 'prod' });
const longestName = synthesise({ stage: 'a'.repeat(20) });
/** Maximum delays between delivery attempts of an event. */
const waits = Array.from({ length: MAX_TRIES - 1 }, (_, n) => waitSeconds(n + 1, 1) ?? 0);

/** Maximum total of the pauses after write conflicts. */
const pausesMs = Array.from({ length: TRIES - 1 }, (_, n) => longestPauseMs(n + 1)).reduce((sum, ms) => sum + ms);
const recordAges: number[] = prod
  .all('AWS::Lambda::EventSourceMapping')
  .flatMap(({ Properties }) => Properties.MaximumRecordAgeInSeconds ?? []);
const workersOf = prod
  .all('AWS::Lambda::EventSourceMapping')
  .flatMap(({ Properties }) => Properties.ScalingConfig?.MaximumConcurrency ?? []);
const textReceives = queues['deliver-sms'].maxReceiveCount;
/** The longest search makes one request per read unit, and one per page for the keys. */
const searchReads = UNITS_OF_A_PAGE * (1 + 1 / MAX_PER_PAGE);
const claimableMs = CHARGE_LIFETIME_MS - Date.parse(claimableSince({ created_at: new Date(0).toISOString() }));
const slow = prod.the('AWS::CloudWatch::Alarm', 'momo-kiosk-prod-look-tomorrow-api-is-slow').Properties;
const silent = prod.the('AWS::CloudWatch::Alarm', 'momo-kiosk-prod-money-stops-housekeeping-silent').Properties;
const silentSeconds = silent.Period * silent.EvaluationPeriods;
const notHeard = prod.the('AWS::CloudWatch::Alarm', 'momo-kiosk-prod-money-stops-phones-not-heard').Properties;
const housekeepingSeconds = manifest['work/housekeeping'].everyMinutes * MINUTE;

const relations: Readonly<Record<string, boolean | readonly boolean[]>> = {
  'a new sign-in link ends all sessions in one transaction':
    MAX_PASSKEYS + MAX_ENDED_SESSIONS + MAX_SHARED_PHONES + 10 <= TABLE_TRANSACTION_WRITES,
  'a notification is abandoned before its job': [
    PUSH_WAITS_SECONDS.length + 1 < queues['deliver-push'].maxReceiveCount,
    Math.max(...PUSH_WAITS_SECONDS) <= MAX_PAUSE_SECONDS,
    // The worker makes four sequential table requests.
    PUSH_TIMEOUT_MS + 4 * TABLE_TIMEOUT_MS < timeoutOf('work/deliver-push') * 1000,
  ],
  'a send’s message keys sort correctly with two digits': MAX_RECIPIENTS <= 100,
  'the gateway accepts a send’s id without truncating it': [
    MAX_ID_CHARACTERS === GATEWAY_ID_CHARACTERS,
    newSendId(Date.now(), (length) => Buffer.alloc(length)).length <= MAX_ID_CHARACTERS,
  ],
  'the relay queues ten sends of maximum size before its timeout':
    manifest['work/relay'].batchSize * Math.ceil(MAX_RECIPIENTS / 10) * 0.2 <= timeoutOf('work/relay'),
  'the longest search for sends ends before its timeout': [
    searchReads * 0.03 <= timeoutOf('sms/list'),
    UNITS_OF_A_PAGE > UNITS_OF_LARGEST_ROW,
  ],
  'a text is attempted at least ten times': [
    textReceives - SPARE_RECEIVES >= 10,
    // Receives to abandon the text, to allow for a crash, and to become a dead letter.
    SPARE_RECEIVES >= 3,
  ],
  'a text leaves its queue before it counts as abandoned': [
    longestLifeSeconds(textReceives, timeoutOf('work/deliver-sms')) <= HANDED_OVER_MS / 1000,
    // Holds for the longest pauses that a gateway may request.
    textReceives * (MAX_PAUSE_SECONDS + 6 * timeoutOf('work/deliver-sms')) <= HANDED_OVER_MS / 1000,
  ],
  'a text is checked after the longest possible wait': FULL_MS + MAY_LEAVE_MS <= CLOSED_MS,
  'a sender’s queue positions outlast its texts': CLOCK_KEPT_SECONDS * 1000 >= 2 * FULL_MS,
  'an operator’s text is kept until housekeeping closes it': OPERATOR_TEXT_KEPT_SECONDS * 1000 > 2 * CLOSED_MS,
  'claim codes are counted until their payment can no longer be claimed': CODE_KEPT_SECONDS * 1000 > 2 * claimableMs,
  'a claim code expires before its text expires on the phone': CODE_LIFETIME_MS / 1000 < TEXT_LIFETIME_SECONDS,
  'a reception test ends before housekeeping closes its text': LEAVES_WITHIN_MS + ARRIVES_WITHIN_MS < CLOSED_MS,
  'a reception test ends before its text expires on the phone': LEAVES_WITHIN_MS / 1000 < TEXT_LIFETIME_SECONDS,
  'a reception test outlasts the detection of an offline phone': ARRIVES_WITHIN_MS >= 2 * NOT_SEEN_MS,
  'a reception test respects the limit on inbox requests': [
    LEAVES_WITHIN_MS > INBOX_ASKED_MS,
    NO_INBOX_MS > INBOX_ASKED_MS,
  ],
  'jobs are delayed no longer than SQS allows': [
    MAX_DELAY_SECONDS <= SQS_DELAY_SECONDS,
    MAX_PAUSE_SECONDS <= SQS_INVISIBLE_SECONDS,
  ],
  'a stored text outlasts its settling job and dead letter':
    PHONE_EVENT_KEPT_SECONDS >
    Math.max(...recordAges) + queues['settle-receipt'].deadLetterRetentionDays * DAY + SQS_RETENTION_SECONDS,
  'abandoned changes stay in the stream for half a day': [
    recordAges.length === 2,
    Math.max(...recordAges) <= STREAM_RETENTION_SECONDS / 2,
  ],
  'a callback is answered before the phone times out':
    Math.max(timeoutOf('callback/smsgate'), timeoutOf('callback/forwarder')) <= PHONE_WAITS_SECONDS,
  'deliver-sms and housekeeping can survive two timeouts':
    2 * (SECRET_TIMEOUT_MS + GATEWAY_TIMEOUT_MS) <=
    Math.min(timeoutOf('work/deliver-sms'), timeoutOf('work/housekeeping')) * 1000,
  'deliver-webhook outlasts a merchant server’s timeout':
    2 * WEBHOOK_TIMEOUT_MS <= timeoutOf('work/deliver-webhook') * 1000,
  'the webhook timeout allows for three IP addresses': 3 * CONNECT_MS < WEBHOOK_TIMEOUT_MS,
  'the relay outlasts a queue’s timeouts on all SDK attempts':
    (SDK_TRIES * QUEUE_TIMEOUT_MS) / 1000 < timeoutOf('work/relay'),
  'the time of a code response hides write conflicts': [
    ANSWER_TAKES_MS > pausesMs,
    2 * ANSWER_TAKES_MS < timeoutOf('checkout/ask-for-code') * 1000,
  ],
  'the checkout page outlasts its functions’ timeouts': (
    ['page', 'status', 'claim', 'ask-for-code', 'confirm-code'] as const
  ).map((name) => msOf('PATIENCE_MS') >= timeoutOf(`checkout/${name}`) * 1000),
  'the page redirects after the same pause without its script': msOf('PAUSE_MS') === PAUSE_SECONDS * 1000,
  'the checkout routes allow 600 open pages during an attack': [
    600 / (msOf('USUAL_MS') / 1000) + STRANGER_PER_SECOND <= rateOf('GET /checkout/{access_code}/status'),
    600 / (msOf('UNVERIFIED_MS') / 1000) + STRANGER_PER_SECOND <= rateOf('GET /checkout/{access_code}'),
  ],
  'merchant and phone routes have capacity for two keys during an attack': [
    STRANGER_PER_SECOND + 2 * DEFAULT_REQUESTS_PER_SECOND <= rateOf(INITIALIZE),
    STRANGER_PER_SECOND + 2 * DEFAULT_REQUESTS_PER_SECOND <= rateOf('POST /callback/smsgate/{gateway}'),
  ],
  'the alarm for slow responses fires before a phone times out': [
    slow.Threshold <= PHONE_WAITS_SECONDS * 1000,
    2 * slow.Threshold <= 1000 * Math.max(...httpRows.map(([, { timeoutSeconds }]) => timeoutSeconds)),
  ],
  'the housekeeping alarm fires during a monitored deployment': [
    silentSeconds > timeoutOf('work/housekeeping') + housekeepingSeconds,
    // CloudWatch waits a few more periods before data counts as missing.
    silentSeconds + 5 * silent.Period <= MONITORING_MINUTES * MINUTE,
  ],
  'each period of the phone alarm contains a housekeeping run': notHeard.Period >= 2 * housekeepingSeconds,
  'a phone counts as offline after three missing pings': NOT_SEEN_MS / 1000 >= 3 * PHONE_PING_SECONDS,
  'a phone’s retries outlast the cache of accounts': ACCOUNTS_CACHE_SECONDS < PHONE_RETRIES_SECONDS,
  'a phone waits while its account is reloaded': [
    SECRET_TIMEOUT_MS / 1000 < PHONE_WAITS_SECONDS,
    ACCOUNTS_REREAD_SECONDS < PHONE_PING_SECONDS,
  ],
  'a signature is valid for longer than the tolerated clock skew': [
    FRESH_SECONDS > 10 * PHONE_WAITS_SECONDS,
    // Signatures must tolerate at least the clock skew of charges.
    CLOCK_TOLERANCE_MS / 1000 <= FRESH_SECONDS,
  ],
  'a day is closed only after all late changes have arrived':
    (CLOSED_AFTER_DAYS - 1) * DAY >= 2 * STREAM_RETENTION_SECONDS,
  'a day is closed before its bookings expire': BOOKING_KEPT_SECONDS > 10 * CLOSED_AFTER_DAYS * DAY,
  'charges are kept for longer than a report’s year': [MAX_DAYS >= 366, RETENTION.defaultDays > MAX_DAYS],
  'a wallet notice outlasts repeated texts': [
    // A text may be repeated on the last day of its first event.
    NOTICE_KEPT_SECONDS > 2 * PHONE_EVENT_KEPT_SECONDS,
    NOTICE_KEPT_SECONDS > ASSUMED_LIMIT_EVERY_MS / 1000,
  ],
  'slow receivers use less than half of the workers': 2 * MAX_SLOW_TRIES_AT_ONCE < Math.min(...workersOf),
  'a slow receiver’s jobs stay within the queue’s maximum delay': [
    LANE_MS / 1000 <= MAX_DELAY_SECONDS,
    LANE_FULL_SECONDS > MAX_DELAY_SECONDS,
  ],
  'matching by name ends no later than the charge': [
    NAME_DECIDES_MS <= CHARGE_LIFETIME_MS,
    NAME_DECIDES_MS > CLOCK_TOLERANCE_MS,
  ],
  'an event is kept until all attempts are over':
    waits.reduce((sum, wait) => sum + Math.max(wait, MAX_RETRY_AFTER_SECONDS), 0) < EVENT_KEPT_SECONDS / 2,
  'a single failing event does not disable its webhook':
    waits.reduce((sum, wait) => sum + wait, 0) < FAILING_DAYS * DAY,
  'a failing event is retried before its webhook counts as recovered': [
    Math.max(...waits, MAX_RETRY_AFTER_SECONDS) < SILENCE_DAYS * DAY,
    SILENCE_DAYS < FAILING_DAYS,
  ],
  'an event is not retried during a delivery attempt': [
    (waitSeconds(1, 0) ?? 0) + TRY_LOST_AFTER_SECONDS >= timeoutOf('work/deliver-webhook'),
    LAST_TRY_SECONDS > timeoutOf('work/deliver-webhook'),
    LAST_TRY_SECONDS <= MAX_DELAY_SECONDS,
  ],
  'a scheduled text’s job fits the maximum queue delay': QUEUED_AHEAD_MS / 1000 + 2 * MINUTE <= MAX_DELAY_SECONDS,
  'cancelling a scheduled send fits into one transaction': MAX_RECIPIENTS + 2 <= TABLE_TRANSACTION_WRITES,
  // Four bytes per character, after the longest prefix.
  'a path id fits into a partition key':
    'PHONE_EVENT#'.length + 4 * MAX_PATH_ID_CHARACTERS <= TABLE_PARTITION_KEY_BYTES,
  'a path id and an Idempotency-Key fit into the request headers':
    MAX_KEY_CHARACTERS + 4 * MAX_PATH_ID_CHARACTERS < API_GATEWAY_HEADERS_BYTES / 2,
  'changing every MoMo account fits into one transaction': 1 + 2 * MAX_MOMO_ACCOUNTS + 3 <= TABLE_TRANSACTION_WRITES,
};

test('every relation between two numbers holds', () =>
  checkEach(Object.entries(relations), ([, holds]) => {
    expect([holds].flat()).not.toContain(false);
  }));

test('all message ids of a send are distinct', () => {
  expect(MAX_RECIPIENTS).toBeLessThanOrEqual(MAX_INDEXES);
  const sendId = newSendId(Date.now(), (length) => Buffer.alloc(length, 255));
  const ids = Array.from({ length: MAX_RECIPIENTS }, (_, index) => messageId(sendId, index));
  expect(new Set(ids).size).toBe(MAX_RECIPIENTS);
  expect(() => messageId(sendId, MAX_INDEXES)).toThrow(RangeError);
});

test.each(Object.entries(queues))(
  'a job in %s is abandoned before its queue deletes it',
  (name, { maxReceiveCount }) => {
    const { timeoutSeconds } = consumerOf(manifest, name);
    expect(longestLifeSeconds(maxReceiveCount, timeoutSeconds)).toBeLessThan(SQS_RETENTION_SECONDS);
    // AWS's recommendations for queues with Lambda consumers.
    const { Properties } = prod.the('AWS::SQS::Queue', `momo-kiosk-prod-${name}`);
    expect(Properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * timeoutSeconds);
    expect(maxReceiveCount).toBeGreaterThanOrEqual(5);
  },
);

test('a function times out before its caller', () =>
  checkEach(rows, ([, { on, timeoutSeconds }]) => {
    const isCalled = on === 'http' || on === 'default';
    expect(timeoutSeconds).toBeLessThan(isCalled ? API_GATEWAY_SECONDS : LAMBDA_TIMEOUT_SECONDS + 1);
    // A repeated transaction must have the same token.
    expect(timeoutSeconds).toBeLessThan(TABLE_TOKEN_SECONDS);
  }));

test('a function has time left after a table request that times out and all pauses of a conflicting write', () => {
  const withTable = rows.filter(([, row]) => Object.keys(row.table).length > 0);
  return checkEach(withTable, ([, { timeoutSeconds }]) => {
    expect((pausesMs + TABLE_TIMEOUT_MS) / 1000).toBeLessThan(timeoutSeconds);
  });
});

test('a function does not time out while it waits for Secrets Manager', () => {
  const askers = rows.filter(([, row]) => row.readsGatewayAccounts);
  return checkEach(askers, ([, { timeoutSeconds }]) => {
    expect(SECRET_TIMEOUT_MS / 1000 + 1).toBeLessThan(timeoutSeconds);
  });
});

describe('a charge', () => {
  test('has a reference that its access code can encode', () => {
    const greatest = (length: number) => {
      const bytes = Buffer.alloc(length);
      bytes.writeBigUInt64BE(9_999_999_999n, length - 8);
      return bytes;
    };
    const reference = newReference(greatest);
    expect(isReference(reference)).toBe(true);
    expect(readTypedReference(reference).named).toEqual([reference]);
    expect(newAccessCode(reference, (length) => Buffer.alloc(length))).toHaveLength(22);
  });

  test('has an exact amount at the minimum and the maximum', () => {
    for (const ghs of [MIN_AMOUNT_GHS, MAX_AMOUNT_GHS, MAX_AMOUNT_GHS - MIN_AMOUNT_GHS])
      expect(ghsOf(pesewasOf(ghs) ?? 0)).toBe(ghs);
  });
});

describe('AWS limits', () => {
  let world: World;
  let largest: { send: ReturnType<typeof newSend>; charge: ReturnType<typeof newCharge> };
  /** Backslashes double twice, because the body is JSON within JSON. */
  const metadata = JSON.stringify({ m: '\\'.repeat((MAX_METADATA_BYTES - 8) / 2) });

  beforeAll(async () => {
    world = await createWorld({ inMemory: true });
    await createSender(world, '+233241234567');
    const { id } = await createMerchant(world);
    expect(Metadata.parse(JSON.parse(metadata))).toBe(metadata);
    const account = { number: '+233241234567', network: 'TELECEL' as const, account_name: 'A'.repeat(100) };
    const merchant = { merchant_id: id, name: 'A'.repeat(100), momo_accounts: [account], created_at: '' };
    const to = Array<string>(MAX_RECIPIENTS).fill('+233551112223');
    const message = '\u0001'.repeat(MAX_MESSAGE_CHARACTERS);
    const address = `https://${'a'.repeat(MAX_URL_CHARACTERS - 8)}`;
    const texts = { customer_name: '\u0001'.repeat(100), description: '\u0001'.repeat(500) };
    largest = {
      send: newSend(world.outside, merchant, { to, message, metadata }, { from: '+233241234567' }),
      charge: newCharge(world.outside, merchant, {
        asked: { ...texts, amount: MAX_AMOUNT_GHS * 100, email: 'e'.repeat(254), callback_url: address, metadata },
        origin: { kind: 'api' },
      }),
    };
  });

  const page = { limit: MAX_PER_PAGE, newestFirst: true, start: undefined } as const;

  const at = new Date(0).toISOString();
  const second = {
    receipt_id: '1763623798000-4821',
    network: 'MTN' as const,
    transaction_id: '…4821',
    amount: MAX_AMOUNT_GHS,
    received_at: at,
    proof: { state: 'unproven' as const, why: 'not_anchored' as const },
    warning: 'x'.repeat(200),
    sent_back_at: at,
  };
  const seconds = Array.from({ length: MAX_SECOND_RECEIPTS }, () => second);

  test('allow a full page of the largest rows in one Lambda response', () => {
    const { send, charge } = largest;
    const states = send.to.map((_, index) => ({ send_id: '', merchant_id: '', index, state: 'delivered' as const }));
    const told = presentChargeRow(world.outside, charge, { second_payments: seconds });
    const data = { cause: 'cause', at: charge.created_at, data: told };
    const event = newWebhookEvent(liveHolder('merchant'), 'charge.success', data);
    const pages: Answer[] = [
      ok('', { sends: pageOf(presentSendAndMessages({ send, messages: states })) }, metaOf(page, undefined)),
      ok('', { transactions: pageOf(told) }, metaOf(page, undefined)),
      ok('', { events: pageOf(presentEvent(event, true)) }, metaOf(page, undefined)),
    ];
    for (const answer of pages) expect(bytesOf(answer)).toBeLessThan(LAMBDA_PAYLOAD_BYTES);
  });

  test('allow each reference file in one Lambda response', () => {
    const files = rows.flatMap(([, row]) => (row.on === 'http' ? (row.files ?? []) : []));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(bytesOf(readFileSync(file, 'utf8'))).toBeLessThan(LAMBDA_PAYLOAD_BYTES);
  });

  test('are over four times the size of the largest item', () => {
    const { send, charge } = largest;
    const told = presentChargeRow(world.outside, charge, { second_payments: seconds });
    const answer = ok('', presentSend(send));
    const items = [
      createSend(send).put?.Item,
      createCharge(charge).put?.Item,
      newWebhookEvent(liveHolder('merchant'), 'charge.success', { cause: 'cause', at: charge.created_at, data: told }),
      rememberAnswer(world.outside, { pk: '', fingerprint: '' }, answer).put?.Item,
    ];
    for (const item of items) expect(4 * bytesOf(item)).toBeLessThan(TABLE_ITEM_BYTES);
    // Each change contains the old and the new image.
    const { batchSize } = manifest['work/relay'];
    for (const item of items) expect(batchSize * 2 * bytesOf(item)).toBeLessThan(LAMBDA_PAYLOAD_BYTES);
  });

  test('allow the keys of a full page in one batch', () => {
    expect(DEFAULT_PER_PAGE).toBeLessThanOrEqual(MAX_PER_PAGE);
    expect(MAX_PER_PAGE).toBeLessThanOrEqual(MAX_BATCH_KEYS);
    expect(MAX_BATCH_KEYS).toBe(TABLE_BATCH_KEYS);
    const { gsi1sk, pk, sk } = createCharge(largest.charge).put?.Item ?? {};
    const { next } = metaOf(page, { pk: String(pk), sk: String(sk), sort: String(gsi1sk) });
    expect(10 * Buffer.byteLength(next ?? '')).toBeLessThan(API_GATEWAY_HEADERS_BYTES);
  });

  // Includes every optional resource. The remaining 20 % are for growth.
  test('are used to at most 80 % by each stack', () => {
    const domain = { domain: 'pay.example.com', certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0f6f' };
    const zone = { hostedZoneId: 'Z123', hostedZoneName: 'example.com' };
    const mail = { alarmEmail: 'ops@example.com', alarmUrl: 'https://pager.example.com', monthlyBudget: '20' };
    const { stacks } = synthesise({ stage: 'prod', ...mail, ...domain, ...zone });
    expect(stacks.map(({ name }) => name)).toEqual(
      ['', ...parts.map((part) => `-${part.name}`)].map((end) => `momo-kiosk-prod${end}`),
    );
    for (const { name, template, resources } of stacks) {
      expect(resources, name).toBeGreaterThan(10);
      expect(resources, name).toBeLessThanOrEqual(0.8 * STACK_RESOURCES);
      expect(bytesOf(template), name).toBeLessThan(0.8 * STACK_TEMPLATE_BYTES);
    }
  });

  // CDK itself rejects long function names.
  test('allow all names with the longest stage name', () => {
    const names = (type: string) => longestName.all(type).map((one) => longestName.nameOf(one).length);
    expect(Math.max(...names('AWS::SQS::Queue'))).toBeLessThanOrEqual(SQS_QUEUE_NAME);
    expect(Math.max(...names('AWS::CloudWatch::Alarm'))).toBeLessThanOrEqual(ALARM_NAME);
  });

  test('allow every role’s policies and every stream’s filters', () => {
    // CDK would move excess permissions to a second policy, whose limit is lower.
    expect(longestName.types).not.toContain('AWS::IAM::ManagedPolicy');
    for (const fn of longestName.all('AWS::Lambda::Function'))
      expect(bytesOf(documentsOf(longestName, fn)), longestName.nameOf(fn)).toBeLessThan(ROLE_POLICIES_CHARACTERS);
    for (const [, row] of rows) if (row.on === 'stream') expect(row.only.length).toBeLessThanOrEqual(STREAM_FILTERS);
  });

  function pageOf<Entry>(entry: Entry): Entry[] {
    return Array<Entry>(MAX_PER_PAGE).fill(entry);
  }

  function bytesOf(value: unknown): number {
    return Buffer.byteLength(JSON.stringify(value));
  }
});

describe('figures stated in documents', () => {
  const words = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');
  const alarms = prod.all('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
  const documents = [
    ...globSync(['*.md', 'docs/{deploy,operate,integrate,shop,internals}/*.md', 'shared/**/README.md']).map((file) =>
      readFileSync(file, 'utf8'),
    ),
    readFileSync(manifest['docs/openapi'].files[0], 'utf8').replaceAll('\\n', ' '),
    introduction,
    ...alarms.map(({ AlarmDescription }) => String(AlarmDescription)),
    noEvent().message,
  ].map((text) => text.replace(/\s+/g, ' '));
  const matchByNameGhs = DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS / 100;
  const waitedHours = Math.floor(waits.reduce((sum, wait) => sum + wait / 1.1, 0) / HOUR);

  const longestDays = Math.floor(MAX_CHARGE_LIFETIME_MS / 1000 / DAY + waitedHours / 24);

  test.each([
    ['the maximum number of recipients in a bulk send', /each of up to ([\d,]+) recipients/g, MAX_BULK_RECIPIENTS],
    ['the maximum number of recipients in a send', /(?:text to|list of) up to ([\w,]+)(?: numbers)?/g, MAX_RECIPIENTS],
    [
      'the lifetime of an Idempotency-Key',
      /(?:is valid for|safe to repeat: for|every repeat within|different request within) (\w+) hours/g,
      ANSWER_KEPT_SECONDS / HOUR,
    ],
    ['the maximum size of metadata', /object up to (\w+) KB/g, MAX_METADATA_BYTES / 1024],
    [
      'the lifetime of a charge',
      /(?:`expired`, after|expires, in seconds;) (\w+) hours/g,
      CHARGE_LIFETIME_MS / 1000 / HOUR,
    ],
    ['the number of attempts to deliver an event', /\b(\w+) (?:attempts|times) over about \w+ hours/g, MAX_TRIES],
    ['the hours over which event delivery is attempted', /(?:attempts|times) over about (\w+) hours/g, waitedHours],
    // The longest lifetime of a charge, plus all delivery attempts of its last event.
    ['the days until objects skipped by an erasure have ended', /again after (\w+) days/g, longestDays],
    ['the number of days that events are kept', /Events are kept for (\w+) days/g, EVENT_KEPT_SECONDS / DAY],
    ['the number of days that events are listed', /events of the last (\w+) days/g, EVENT_KEPT_SECONDS / DAY],
    ['the number of seconds for a receiver to answer', /2xx within (\w+) seconds/g, WEBHOOK_TIMEOUT_MS / 1000],
    [
      'the number of hours that an old secret is used',
      /both secrets\s+sign for (\w+) hours/g,
      OLD_SECRET_MS / 1000 / HOUR,
    ],
    ['the number of days that a webhook may fail', /every attempt failed for (\w+) days/g, FAILING_DAYS],
    [
      'the number of days until a webhook is disabled',
      /(?:or|for) (\w+) days(?: of failures, disables| or asked to stop)/g,
      FAILING_DAYS,
    ],
    [
      'the number of seconds that a revoked key still works',
      /(?:refused|rejected) everywhere within (\w+) seconds/g,
      KEY_CACHE_SECONDS,
    ],
    [
      'the number of seconds until changed settings take effect',
      /live everywhere, after (\w+) seconds/g,
      SETTINGS_CACHE_SECONDS,
    ],
    [
      'the number of seconds until a phone’s key is accepted',
      /(?:key|It) takes effect within (\w+) seconds/g,
      ACCOUNTS_REREAD_SECONDS,
    ],
    [
      'the number of minutes until a changed account takes effect',
      /account is live everywhere within (\w+) minutes/g,
      ACCOUNTS_CACHE_SECONDS / MINUTE,
    ],
    ['the maximum age of a callback', /at most (\w+) minutes old/g, FRESH_SECONDS / MINUTE],
    [
      'the number of minutes after which a phone is treated as off',
      /not (?:been )?seen(?: by its gateway|, or has signed nothing,)? for (\w+) minutes/g,
      NOT_SEEN_MS / 60_000,
    ],
    ['the interval between a phone’s pings', /Ping\*\*: (\w+) seconds/g, PHONE_PING_SECONDS],
    ['the rate limit for a route', /merchants and phones allow (\w+) requests per second/g, rateOf(INITIALIZE)],
    [
      'the rate limit for a key',
      /(?<!test )key may make (\w+) requests (?:a|per) second/gi,
      DEFAULT_REQUESTS_PER_SECOND,
    ],
    [
      'the rate limit for a test key',
      /test key may make (\w+) requests (?:a|per) second/gi,
      DEFAULT_TEST_REQUESTS_PER_SECOND,
    ],
    [
      'the maximum number of test objects per day',
      /together ([\w,]+) charges, payments and texts a day/gi,
      MAX_TEST_OBJECTS_PER_DAY,
    ],
    [
      'the maximum number of test and replayed events per minute',
      /(?:tested or replayed \| |at most (?=\w+ tests and replays))(\w+) (?:tests and replays )?a minute/g,
      MAX_CALLS_PER_MINUTE,
    ],
    ['the lifetime of a session', /session lasts (\w+) hours/gi, SESSION_SECONDS / HOUR],
    [
      'the lifetime of a recent passkey sign-in in minutes',
      /passkey (?:used )?in the last (\w+) minutes/g,
      PASSKEY_FRESH_SECONDS / MINUTE,
    ],
    [
      'the idle timeout of a shared phone in minutes',
      /after (\w+) (?:idle minutes|minutes in which nobody)/g,
      IDLE_SECONDS / MINUTE,
    ],
    [
      'the maximum number of shared phones in a shop',
      /A shop can have at most (\w+) shared phones/g,
      MAX_SHARED_PHONES,
    ],
    ['the maximum number of pending changes', /At most (\w+) of a shop's changes can be waiting/g, MAX_WAITING],
    [
      'the number of days that data is kept',
      /charges, payments and texts are (?:kept for|deleted after) (\w+) days/gi,
      RETENTION.defaultDays,
    ],
    ['the maximum length of a report', /report covers at most (\w+) days/g, MAX_DAYS],
    ['the maximum amount for matching by name', /at most two hours old and at most GHS (\w+)/g, matchByNameGhs],
    ['the hours of matching by name', /at most (\w+) hours old and at most GHS/g, NAME_DECIDES_MS / 1000 / HOUR],
    ['the maximum page size', /`per_page`(?:, | \()at most (\w+)/g, MAX_PER_PAGE],
  ])('equal those in the code: %s', (what, pattern, number) => {
    const found = documents.flatMap((text) => [...text.matchAll(pattern)].map(([, written = '']) => written));
    expect(found, `No document names ${what}: give its new words to this test`).not.toEqual([]);
    const numbers = found.map((written) => {
      const word = words.indexOf(written.toLowerCase());
      return word === -1 ? Number(written.replaceAll(',', '')) : word;
    });
    expect(new Set(numbers)).toEqual(new Set([number]));
  });
});

function rateOf(route: string): number {
  return prod.all('AWS::ApiGatewayV2::Stage')[0]?.Properties.RouteSettings[route].ThrottlingRateLimit;
}

/** Returns a constant from the checkout page's script. */
function msOf(name: string): number {
  return Number(new RegExp(`const ${name} = (\\d+);`).exec(script)?.[1]);
}
