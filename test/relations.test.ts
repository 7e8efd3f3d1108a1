/*
 * Numbers that must agree although they stand in different files. Where one can be derived from the other, the code does that;
 * the rest is held together here, so that whoever changes one number is told which other one it needs.
 */
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
import { liveHolder } from './support/holders.ts';
import { documentsOf } from './support/iam.ts';
import { createMerchant, createSender, createWorld, type World } from './support/world.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MEGABYTE = 1024 ** 2;

// What others have decided. https://docs.aws.amazon.com: the quotas of Lambda, API Gateway, SQS, DynamoDB, CloudFormation.
const LAMBDA_TIMEOUT_SECONDS = 15 * MINUTE;
const LAMBDA_PAYLOAD_BYTES = 6 * MEGABYTE;
const API_GATEWAY_SECONDS = 30;
/** Request line and headers together. */
const API_GATEWAY_HEADERS_BYTES = 10_240;
const SQS_DELAY_SECONDS = 15 * MINUTE;
const SQS_INVISIBLE_SECONDS = 12 * HOUR;
const SQS_RETENTION_SECONDS = 14 * DAY;
const SQS_QUEUE_NAME = 80;
const TABLE_ITEM_BYTES = 400 * 1024;
const TABLE_PARTITION_KEY_BYTES = 2048;
const TABLE_TRANSACTION_WRITES = 100;
const TABLE_BATCH_KEYS = 100;
/** For so long a transaction that is sent again under its token has no second effect. */
const TABLE_TOKEN_SECONDS = 10 * MINUTE;
const STREAM_RETENTION_SECONDS = 24 * HOUR;
const STREAM_FILTERS = 5;
/** All inline policies of a role together. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
const ROLE_POLICIES_CHARACTERS = 10_240;
const STACK_RESOURCES = 500;
const STACK_TEMPLATE_BYTES = MEGABYTE;
const ALARM_NAME = 255;
/** The SDK tries a request three times. */
const SDK_TRIES = 3;
// https://docs.sms-gate.app and the source of its server and app.
const GATEWAY_ID_CHARACTERS = 36;
const PHONE_WAITS_SECONDS = 5;
/** 14 tries, the pause doubles from ten seconds. */
const PHONE_RETRIES_SECONDS = 10 * (2 ** 13 - 1);
/** What the documentation tells the operator to set in the app. */
const PHONE_PING_SECONDS = 300;

const INITIALIZE = 'POST /api/v1/transaction/initialize';
/** How much a stranger may ask for who has nothing but one machine. */
const STRANGER_PER_SECOND = 300;

const script = readFileSync('shared/pages/checkout/checkout.js', 'utf8');
const rows = completeRows(manifest, rights);
const httpRows = rows.filter(([, row]) => row.on === 'http' || row.on === 'default');
const timeoutOf = (name: keyof typeof manifest) => completeRow(manifest[name]).timeoutSeconds;
const prod = synthesise({ stage: 'prod' });
const longestName = synthesise({ stage: 'a'.repeat(20) });
/** The waits between an event's tries, at their longest. */
const waits = Array.from({ length: MAX_TRIES - 1 }, (_, n) => waitSeconds(n + 1, 1) ?? 0);

/** The longest that all pauses of a write in conflict take. */
const pausesMs = Array.from({ length: TRIES - 1 }, (_, n) => longestPauseMs(n + 1)).reduce((sum, ms) => sum + ms);
const recordAges: number[] = prod
  .all('AWS::Lambda::EventSourceMapping')
  .flatMap(({ Properties }) => Properties.MaximumRecordAgeInSeconds ?? []);
const workersOf = prod
  .all('AWS::Lambda::EventSourceMapping')
  .flatMap(({ Properties }) => Properties.ScalingConfig?.MaximumConcurrency ?? []);
const textReceives = queues['deliver-sms'].maxReceiveCount;
/** The longest search of texts takes a request for each unit that it may read, and one for the keys of each part. */
const searchReads = UNITS_OF_A_PAGE * (1 + 1 / MAX_PER_PAGE);
const claimableMs = CHARGE_LIFETIME_MS - Date.parse(claimableSince({ created_at: new Date(0).toISOString() }));
const slow = prod.the('AWS::CloudWatch::Alarm', 'momo-kiosk-prod-look-tomorrow-api-is-slow').Properties;
const silent = prod.the('AWS::CloudWatch::Alarm', 'momo-kiosk-prod-money-stops-housekeeping-silent').Properties;
const silentSeconds = silent.Period * silent.EvaluationPeriods;
const notHeard = prod.the('AWS::CloudWatch::Alarm', 'momo-kiosk-prod-money-stops-phones-not-heard').Properties;
const housekeepingSeconds = manifest['work/housekeeping'].everyMinutes * MINUTE;

const relations: Readonly<Record<string, boolean | readonly boolean[]>> = {
  'a new link ends sessions, passkeys and PINs in one transaction, with its text, its limits and the audit':
    MAX_PASSKEYS + MAX_ENDED_SESSIONS + MAX_SHARED_PHONES + 10 <= TABLE_TRANSACTION_WRITES,
  'a notification is given up before its job would be, and its worker waits longer than a push service may take': [
    PUSH_WAITS_SECONDS.length + 1 < queues['deliver-push'].maxReceiveCount,
    Math.max(...PUSH_WAITS_SECONDS) <= MAX_PAUSE_SECONDS,
    // Its four reads and writes one after another, each at its longest.
    PUSH_TIMEOUT_MS + 4 * TABLE_TIMEOUT_MS < timeoutOf('work/deliver-push') * 1000,
  ],
  'a send has no more recipients than two digits can sort in the keys of its messages': MAX_RECIPIENTS <= 100,
  'a send has ids that the gateway accepts without truncation': [
    MAX_ID_CHARACTERS === GATEWAY_ID_CHARACTERS,
    newSendId(Date.now(), (length) => Buffer.alloc(length)).length <= MAX_ID_CHARACTERS,
  ],
  'a send is relayed in time: ten of the largest, whose jobs go to SQS ten at a time, 200 ms each':
    manifest['work/relay'].batchSize * Math.ceil(MAX_RECIPIENTS / 10) * 0.2 <= timeoutOf('work/relay'),
  'a send is listed in time: the longest search, in parts of the smallest size, 30 ms a read': [
    searchReads * 0.03 <= timeoutOf('sms/list'),
    UNITS_OF_A_PAGE > UNITS_OF_LARGEST_ROW,
  ],
  'a text is tried at least ten times before it is given up, and has maxReceiveCount left to become a dead letter': [
    textReceives - SPARE_RECEIVES >= 10,
    // One to give it up, one for a worker that died while it did, one to be a letter.
    SPARE_RECEIVES >= 3,
  ],
  'a text has left its queue before it counts as handed over or given up': [
    longestLifeSeconds(textReceives, timeoutOf('work/deliver-sms')) <= HANDED_OVER_MS / 1000,
    // Also where the gateway asks for the longest pauses.
    textReceives * (MAX_PAUSE_SECONDS + 6 * timeoutOf('work/deliver-sms')) <= HANDED_OVER_MS / 1000,
  ],
  'a text that waited for its SIM as long as one may, and then for its phone, is still looked after':
    FULL_MS + MAY_LEAVE_MS <= CLOSED_MS,
  'a text keeps its place: a lane is kept for longer than texts may wait in it':
    CLOCK_KEPT_SECONDS * 1000 >= 2 * FULL_MS,
  'a text of the operator is kept until housekeeping has closed it': OPERATOR_TEXT_KEPT_SECONDS * 1000 > 2 * CLOSED_MS,
  'a code to a payer is counted for longer than its payment can be claimed': CODE_KEPT_SECONDS * 1000 > 2 * claimableMs,
  'a code to a payer does not live for as long as its text may wait at the phone: the text has the same time':
    CODE_LIFETIME_MS / 1000 < TEXT_LIFETIME_SECONDS,
  "a test of a wallet's hearing is judged long before housekeeping has closed its text":
    LEAVES_WITHIN_MS + ARRIVES_WITHIN_MS < CLOSED_MS,
  "a test of a wallet's hearing has a text that the phone drops before it is judged":
    LEAVES_WITHIN_MS / 1000 < TEXT_LIFETIME_SECONDS,
  "a test of a wallet's hearing waits for longer than a phone may post nothing before that rings by itself":
    ARRIVES_WITHIN_MS >= 2 * NOT_SEEN_MS,
  "a test of a wallet's hearing asks a phone for its inbox no more often than that is allowed": [
    LEAVES_WITHIN_MS > INBOX_ASKED_MS,
    NO_INBOX_MS > INBOX_ASKED_MS,
  ],
  'a job is put off and hidden no longer than SQS can': [
    MAX_DELAY_SECONDS <= SQS_DELAY_SECONDS,
    MAX_PAUSE_SECONDS <= SQS_INVISIBLE_SECONDS,
  ],
  'a job that settles a text finds it: as a dead letter, and after its retry, for which the queue keeps it as long again':
    PHONE_EVENT_KEPT_SECONDS >
    Math.max(...recordAges) + queues['settle-receipt'].deadLetterRetentionDays * DAY + SQS_RETENTION_SECONDS,
  'a job of the stream is given up with half of the day left in which its changes can still be read': [
    recordAges.length === 2,
    Math.max(...recordAges) <= STREAM_RETENTION_SECONDS / 2,
  ],
  'a phone has its answer before it gives up waiting':
    Math.max(timeoutOf('callback/smsgate'), timeoutOf('callback/forwarder')) <= PHONE_WAITS_SECONDS,
  'deliver-sms and housekeeping have half of their time left after a secret and a gateway that hang':
    2 * (SECRET_TIMEOUT_MS + GATEWAY_TIMEOUT_MS) <=
    Math.min(timeoutOf('work/deliver-sms'), timeoutOf('work/housekeeping')) * 1000,
  "deliver-webhook has half of its time left after a merchant's server that hangs":
    2 * WEBHOOK_TIMEOUT_MS <= timeoutOf('work/deliver-webhook') * 1000,
  "a merchant's server has time for three of its addresses": 3 * CONNECT_MS < WEBHOOK_TIMEOUT_MS,
  'the relay outlives a queue that hangs, however often the SDK asks it':
    (SDK_TRIES * QUEUE_TIMEOUT_MS) / 1000 < timeoutOf('work/relay'),
  'an answer about a code waits longer than all the pauses of a write in conflict, which would tell that there is one':
    [ANSWER_TAKES_MS > pausesMs, 2 * ANSWER_TAKES_MS < timeoutOf('checkout/ask-for-code') * 1000],
  'a checkout page waits for as long as its functions may take': (
    ['page', 'status', 'claim', 'ask-for-code', 'confirm-code'] as const
  ).map((name) => msOf('PATIENCE_MS') >= timeoutOf(`checkout/${name}`) * 1000),
  'a page sends a customer who paid on after the same pause, with and without its script':
    msOf('PAUSE_MS') === PAUSE_SECONDS * 1000,
  'six hundred open pages that ask as often as they can, and a stranger’s 300 requests a second, are let through':
    600 / (msOf('BACK_MS') / 1000) + STRANGER_PER_SECOND <= rateOf('GET /checkout/{access_code}/status'),
  'a stranger’s 300 requests a second leave the routes of merchants and phones what two keys may ask for': [
    STRANGER_PER_SECOND + 2 * DEFAULT_REQUESTS_PER_SECOND <= rateOf(INITIALIZE),
    STRANGER_PER_SECOND + 2 * DEFAULT_REQUESTS_PER_SECOND <= rateOf('POST /callback/smsgate/{gateway}'),
  ],
  'the alarm for slow answers comes before a phone gives up, and at half of what any function may take': [
    slow.Threshold <= PHONE_WAITS_SECONDS * 1000,
    2 * slow.Threshold <= 1000 * Math.max(...httpRows.map(([, { timeoutSeconds }]) => timeoutSeconds)),
  ],
  'the silence of housekeeping is longer than its longest run, and heard while a deployment is watched': [
    silentSeconds > timeoutOf('work/housekeeping') + housekeepingSeconds,
    // CloudWatch looks at a few periods more before it takes data for missing.
    silentSeconds + 5 * silent.Period <= MONITORING_MINUTES * MINUTE,
  ],
  'what housekeeping counts is in every period of its alarm': notHeard.Period >= 2 * housekeepingSeconds,
  'a phone counts as off only after three pings are missing': NOT_SEEN_MS / 1000 >= 3 * PHONE_PING_SECONDS,
  'a phone posts for longer than an account that was changed stays unknown':
    ACCOUNTS_CACHE_SECONDS < PHONE_RETRIES_SECONDS,
  'a phone waits while its account is read again, and posts again once that may be done again': [
    SECRET_TIMEOUT_MS / 1000 < PHONE_WAITS_SECONDS,
    ACCOUNTS_REREAD_SECONDS < PHONE_PING_SECONDS,
  ],
  'a phone signs each try anew, and has time to hand it over': [
    FRESH_SECONDS > 10 * PHONE_WAITS_SECONDS,
    // A phone whose clock is believed about charges is believed about its signature.
    CLOCK_TOLERANCE_MS / 1000 <= FRESH_SECONDS,
  ],
  'a day is closed when nothing of it can come any more, a wrong clock included':
    (CLOSED_AFTER_DAYS - 1) * DAY >= 2 * STREAM_RETENTION_SECONDS,
  'a day is closed long before what was booked on it is gone': BOOKING_KEPT_SECONDS > 10 * CLOSED_AFTER_DAYS * DAY,
  'a day is in reports for a year, and its charges as long': [MAX_DAYS >= 366, RETENTION.defaultDays > MAX_DAYS],
  'a notice of a wallet is kept until no phone tells its text again, and for longer than it keeps another one back': [
    // A text may come once more, as another event, on the last day on which its first is kept.
    NOTICE_KEPT_SECONDS > 2 * PHONE_EVENT_KEPT_SECONDS,
    NOTICE_KEPT_SECONDS > ASSUMED_LIMIT_EVERY_MS / 1000,
  ],
  'a slow receiver has fewer tries at a time than there are workers for all':
    2 * MAX_SLOW_TRIES_AT_ONCE < Math.min(...workersOf),
  'a slow receiver has slots as far ahead as a queue delays; what finds none is housekeeping’s, which takes turns': [
    LANE_MS / 1000 <= MAX_DELAY_SECONDS,
    LANE_FULL_SECONDS > MAX_DELAY_SECONDS,
  ],
  'a name decides no longer than a charge lives, and later than a phone’s clock is believed': [
    NAME_DECIDES_MS <= CHARGE_LIFETIME_MS,
    NAME_DECIDES_MS > CLOCK_TOLERANCE_MS,
  ],
  'an event is kept for longer than it is tried, also where its receiver asks for the longest pauses':
    waits.reduce((sum, wait) => sum + Math.max(wait, MAX_RETRY_AFTER_SECONDS), 0) < EVENT_KEPT_SECONDS / 2,
  'an event that fails alone does not end its webhook': waits.reduce((sum, wait) => sum + wait, 0) < FAILING_DAYS * DAY,
  'an event in trouble is tried more often than a silence that ends the trouble': [
    Math.max(...waits, MAX_RETRY_AFTER_SECONDS) < SILENCE_DAYS * DAY,
    SILENCE_DAYS < FAILING_DAYS,
  ],
  'an event has no second try while a worker may still be at the first': [
    (waitSeconds(1, 0) ?? 0) + TRY_LOST_AFTER_SECONDS >= timeoutOf('work/deliver-webhook'),
    LAST_TRY_SECONDS > timeoutOf('work/deliver-webhook'),
    LAST_TRY_SECONDS <= MAX_DELAY_SECONDS,
  ],
  'the job of a text for later waits in the queue from when housekeeping queues it, two runs late at the most':
    QUEUED_AHEAD_MS / 1000 + 2 * MINUTE <= MAX_DELAY_SECONDS,
  'all texts of a send for later are cancelled in one transaction, with the balance and its entry':
    MAX_RECIPIENTS + 2 <= TABLE_TRANSACTION_WRITES,
  // Four bytes a character, behind the longest prefix of a partition.
  'an id in a path fits into keys': 'PHONE_EVENT#'.length + 4 * MAX_PATH_ID_CHARACTERS <= TABLE_PARTITION_KEY_BYTES,
  'an id in a path and an Idempotency-Key fit into headers':
    MAX_KEY_CHARACTERS + 4 * MAX_PATH_ID_CHARACTERS < API_GATEWAY_HEADERS_BYTES / 2,
  "a change of all of a merchant's MoMo accounts is one transaction, with its audit, its notice and its form":
    1 + 2 * MAX_MOMO_ACCOUNTS + 3 <= TABLE_TRANSACTION_WRITES,
};

test.each(Object.entries(relations))('%s', (_, holds) => {
  expect([holds].flat()).not.toContain(false);
});

test('a send has no more recipients than its ids can tell apart', () => {
  expect(MAX_RECIPIENTS).toBeLessThanOrEqual(MAX_INDEXES);
  const sendId = newSendId(Date.now(), (length) => Buffer.alloc(length, 255));
  const ids = Array.from({ length: MAX_RECIPIENTS }, (_, index) => messageId(sendId, index));
  expect(new Set(ids).size).toBe(MAX_RECIPIENTS);
  expect(() => messageId(sendId, MAX_INDEXES)).toThrow(RangeError);
});

test.each(Object.entries(queues))(
  'a job of %s is given up before its queue forgets it',
  (name, { maxReceiveCount }) => {
    const { timeoutSeconds } = consumerOf(manifest, name);
    expect(longestLifeSeconds(maxReceiveCount, timeoutSeconds)).toBeLessThan(SQS_RETENTION_SECONDS);
    // AWS's rule, and its least number of maxReceiveCount for a batch that Lambda hands back.
    const { Properties } = prod.the('AWS::SQS::Queue', `momo-kiosk-prod-${name}`);
    expect(Properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * timeoutSeconds);
    expect(maxReceiveCount).toBeGreaterThanOrEqual(5);
  },
);

test.each(rows)('%s ends before what called it gives up', (_, { on, timeoutSeconds }) => {
  const isCalled = on === 'http' || on === 'default';
  expect(timeoutSeconds).toBeLessThan(isCalled ? API_GATEWAY_SECONDS : LAMBDA_TIMEOUT_SECONDS + 1);
  // A transaction that is repeated is under its token.
  expect(timeoutSeconds).toBeLessThan(TABLE_TOKEN_SECONDS);
});

const outlive = '%s outlives a request of the table that hangs, and the pauses of a write in conflict';
test.each(rows.filter(([, row]) => Object.keys(row.table).length > 0))(outlive, (_, { timeoutSeconds }) => {
  expect((pausesMs + TABLE_TIMEOUT_MS) / 1000).toBeLessThan(timeoutSeconds);
});

const askers = rows.filter(([, row]) => row.readsGatewayAccounts);
test.each(askers)('%s outlives a Secrets Manager that hangs', (_, { timeoutSeconds }) => {
  expect(SECRET_TIMEOUT_MS / 1000 + 1).toBeLessThan(timeoutSeconds);
});

describe('a charge', () => {
  test('has a reference that the code of its page holds, and that a receipt is matched by', () => {
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

  test('over the greatest or the least amount is exact in pesewas', () => {
    for (const ghs of [MIN_AMOUNT_GHS, MAX_AMOUNT_GHS, MAX_AMOUNT_GHS - MIN_AMOUNT_GHS])
      expect(ghsOf(pesewasOf(ghs) ?? 0)).toBe(ghs);
  });
});

describe('what is largest', () => {
  let world: World;
  let largest: { send: ReturnType<typeof newSend>; charge: ReturnType<typeof newCharge> };
  /** Backslashes double in JSON, and an answer's body is JSON in JSON. */
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
    proof: { state: 'unproven' as const, why: 'not_established' as const },
    sent_back_at: at,
  };
  const seconds = Array.from({ length: MAX_SECOND_RECEIPTS }, () => second);

  test('a page of sends, of charges and of events fits into the answer of a Lambda', () => {
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

  test('a file of the reference fits into the answer of a Lambda', () => {
    const files = rows.flatMap(([, row]) => (row.on === 'http' ? (row.files ?? []) : []));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(bytesOf(readFileSync(file, 'utf8'))).toBeLessThan(LAMBDA_PAYLOAD_BYTES);
  });

  test('a send, a charge, their events and their remembered answers fit into items, several times over', () => {
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
    // Each change comes with both images of its item.
    const { batchSize } = manifest['work/relay'];
    for (const item of items) expect(batchSize * 2 * bytesOf(item)).toBeLessThan(LAMBDA_PAYLOAD_BYTES);
  });

  test('a page is one batch of keys, and its cursor fits into the line of a request', () => {
    expect(DEFAULT_PER_PAGE).toBeLessThanOrEqual(MAX_PER_PAGE);
    expect(MAX_PER_PAGE).toBeLessThanOrEqual(MAX_BATCH_KEYS);
    expect(MAX_BATCH_KEYS).toBe(TABLE_BATCH_KEYS);
    const { gsi1sk, pk, sk } = createCharge(largest.charge).put?.Item ?? {};
    const { next } = metaOf(page, { pk: String(pk), sk: String(sk), sort: String(gsi1sk) });
    expect(10 * Buffer.byteLength(next ?? '')).toBeLessThan(API_GATEWAY_HEADERS_BYTES);
  });

  // With all settings that make resources: a fifth of each stack is for what comes later. A new area of the API gets a part of its own.
  test('each stack has room', () => {
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

  // Those of functions too: CDK refuses to make a stack with a longer one.
  test('names fit, also those of the stage with the longest name', () => {
    const names = (type: string) => longestName.all(type).map((one) => longestName.nameOf(one).length);
    expect(Math.max(...names('AWS::SQS::Queue'))).toBeLessThanOrEqual(SQS_QUEUE_NAME);
    expect(Math.max(...names('AWS::CloudWatch::Alarm'))).toBeLessThanOrEqual(ALARM_NAME);
  });

  test('rights and filters fit', () => {
    // What is too long for a role's own policy CDK puts into one beside it, which may have still fewer characters.
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

describe('what is written for people', () => {
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
    ['the recipients of a bulk', /each of up to ([\d,]+) recipients/g, MAX_BULK_RECIPIENTS],
    ['the recipients of a send', /(?:text to|list of) up to ([\w,]+)(?: numbers)?/g, MAX_RECIPIENTS],
    ['the life of an Idempotency-Key', /\bkept (?:for )?(\w+) hours/g, ANSWER_KEPT_SECONDS / HOUR],
    ['the size of metadata', /object up to (\w+) KB/g, MAX_METADATA_BYTES / 1024],
    ['the life of a charge', /can be paid for (\w+) hours/g, CHARGE_LIFETIME_MS / 1000 / HOUR],
    ['the tries of an event', /\b(\w+) (?:tries|times) over about \w+ hours/g, MAX_TRIES],
    ['the time over which it is tried', /(?:tries|times) over about (\w+) hours/g, waitedHours],
    // A charge may be open for the longest, and the event of its end is tried to the last.
    ['when what an erasure left out has ended', /again in (\w+) days/g, longestDays],
    ['how long an event is kept', /Events are kept for (\w+) days/g, EVENT_KEPT_SECONDS / DAY],
    ['how long an event is listed', /events of the last (\w+) days/g, EVENT_KEPT_SECONDS / DAY],
    ['how long a receiver may take', /2xx within (\w+) seconds/g, WEBHOOK_TIMEOUT_MS / 1000],
    ['how long an old secret signs', /both sign (?:each event )?for (\w+) hours/g, OLD_SECRET_MS / 1000 / HOUR],
    ['how long a webhook may fail, in the reference', /every try failed for (\w+) days/g, FAILING_DAYS],
    ['when a webhook ends', /(?:after|for) (\w+) days(?: of failures|, or wants no more)/g, FAILING_DAYS],
    ['how long a revoked key works', /refused everywhere within (\w+) seconds/g, KEY_CACHE_SECONDS],
    ['when changed settings are live', /live everywhere \((\w+) seconds\)/g, SETTINGS_CACHE_SECONDS],
    ['when a phone’s key counts', /key counts within (\w+) seconds/g, ACCOUNTS_REREAD_SECONDS],
    ['when a changed account is live', /account is live within (\w+) minutes/g, ACCOUNTS_CACHE_SECONDS / MINUTE],
    ['how old a callback may be', /at most (\w+) minutes old/g, FRESH_SECONDS / MINUTE],
    ['when a phone counts as off', /not (?:been )?seen (?:by its gateway )?for (\w+) minutes/g, NOT_SEEN_MS / 60_000],
    ['how often a phone pings', /Ping\*\*: (\w+) seconds/g, PHONE_PING_SECONDS],
    ['the throttle', /merchants and phones take (\w+) requests a second/g, rateOf(INITIALIZE)],
    ['the rate of a key', /(?<!test )key may make (\w+) requests a second/gi, DEFAULT_REQUESTS_PER_SECOND],
    ['the rate of a test key', /test key may make (\w+) requests a second/gi, DEFAULT_TEST_REQUESTS_PER_SECOND],
    ['a day of tests', /together ([\w,]+) charges, payments and texts a day/gi, MAX_TEST_OBJECTS_PER_DAY],
    ['the tests and replays in a minute', /at most (\w+) events (?:a minute )?can be tested/gi, MAX_CALLS_PER_MINUTE],
    ['the life of a session', /session lasts (\w+) hours/gi, SESSION_SECONDS / HOUR],
    ['how long a passkey’s use counts', /passkey used in the last (\w+) minutes/g, PASSKEY_FRESH_SECONDS / MINUTE],
    ['when a shared phone is idle', /after (\w+) (?:idle minutes|minutes in which nobody)/g, IDLE_SECONDS / MINUTE],
    ['the shared phones of a shop', /A shop has at most (\w+)\./g, MAX_SHARED_PHONES],
    ['the changes that wait', /At most (\w+) wait in a shop/g, MAX_WAITING],
    [
      'the days of data',
      /charges, payments and texts are (?:kept for|deleted after) (\w+) days/gi,
      RETENTION.defaultDays,
    ],
    ['the longest report', /report covers at most (\w+) days/g, MAX_DAYS],
    ['the amount that a name confirms', /at most two hours old and at most GHS (\w+)/g, matchByNameGhs],
    ['how long a name confirms', /at most (\w+) hours old and at most GHS/g, NAME_DECIDES_MS / 1000 / HOUR],
    ['the largest page', /`per_page` is at most (\w+)/g, MAX_PER_PAGE],
  ])('%s is what the code has', (what, pattern, number) => {
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

/** A constant of the page's script, which is a text. */
function msOf(name: string): number {
  return Number(new RegExp(`${name} = (\\d+)`).exec(script)?.[1]);
}
