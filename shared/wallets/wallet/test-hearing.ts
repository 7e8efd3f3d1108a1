import { accountRows } from '../../merchants/merchant/merchant.table.ts';
import { HEARD_NOTED_SECONDS, listPhones } from '../../phones/gateway/phone.table.ts';
import { isSilent } from '../../phones/sender/phone-silence.ts';
import { isAvailable, type Sender } from '../../phones/sender/sender.ts';
import { cached } from '../../runtime/outside/cached.ts';
import { isoOf, type Outside } from '../../runtime/outside/outside.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { MINUTE_MS } from '../../runtime/values/calendar.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { getSendAndMessage } from '../../texts/sms/message.table.ts';
import { createSend } from '../../texts/sms/send.table.ts';
import { operatorText } from '../../texts/sms/send.ts';
import { askPhoneAgain } from './ask-again.ts';
import { hearingText, newNonce } from './hear-test.ts';
import {
  ARRIVES_WITHIN_MS,
  endTest,
  type Hearing,
  type HearingTest,
  hearingOf,
  isTestDue,
  isUnreachable,
  LEAVES_WITHIN_MS,
  lastHeardMs,
  missesOf,
  startTest,
  type TestState,
} from './hearing.table.ts';

/** Minimum age at which a test is evaluated. By then, the test's text has been sent or dropped. */
const JUDGED_AFTER_MS = LEAVES_WITHIN_MS + 5 * MINUTE_MS;
const ASKED_BACK_MS = 48 * 60 * MINUTE_MS;
const ACCOUNTS_CACHE_SECONDS = 15 * 60;

const walletCache = cached(ACCOUNTS_CACHE_SECONDS, async (outside: Outside, number) => {
  return (await accountRows.list(outside, { number })).length > 0;
});

/**
 * Tests wallets that have been silent for half a day. Skips wallets with tests turned off, and numbers that cannot
 * send.
 * @returns the senders whose phone sends texts but receives none.
 */
export async function testHearing(outside: WorkerOutside, senders: readonly Sender[]): Promise<Sender[]> {
  const hearings = await hearingOf(
    outside,
    senders.map(({ number }) => number),
  );
  const deaf: Sender[] = [];
  for (const [n, sender] of senders.entries()) {
    const hearing = hearings[n];
    if (!hearing) continue;
    if (hearing.test?.state === 'waiting') await judge(outside, hearing, hearing.test, sender);
    if (!isAvailable(sender)) continue;
    if (isTestDue(outside.now(), hearing, sender) && (await walletCache.get(outside, sender.number)))
      await start(outside, hearing, sender, senders);
    if (isUnreachable(hearing, sender) && (await walletCache.get(outside, sender.number))) deaf.push(sender);
  }
  return deaf;
}

/** Sends a test from the wallet's own SIM. Prefers a different SIM after a failed test. */
async function start(outside: WorkerOutside, hearing: Hearing, sender: Sender, senders: readonly Sender[]) {
  const { number, gateway, device_id } = sender;
  const isSecond = hearing.test?.state === 'missed' || hearing.test?.state === 'not_sent';
  const others = senders.filter((other) => isSecond && other.number !== number && isAvailable(other));
  const { number: from } = others[outside.randomBytes(4).readUInt32BE() % others.length] ?? sender;
  const nonce = newNonce(outside);
  const send = operatorText(outside, {
    from,
    to: number,
    message: hearingText(nonce),
    purpose: 'hearing_test',
    uselessAfterMs: LEAVES_WITHIN_MS,
  });
  const misses = missesOf(hearing, sender);
  await outside.table.write([
    startTest(outside, {
      number,
      from,
      gateway,
      device_id,
      misses,
      // Store only a hash, so that nobody who reads the table can pass the test.
      nonce_hash: sha256(nonce),
      send_id: send.send_id,
    }),
    createSend(send),
  ]);
}

/** Evaluates a test when it is due. If the phone missed the test, asks the phone to resend texts. */
async function judge(outside: WorkerOutside, hearing: Hearing, test: HearingTest, sender: Sender): Promise<void> {
  if (outside.now() - Date.parse(test.started_at) < JUDGED_AFTER_MS) return;
  const verdict = await verdictOf(outside, hearing, test, sender);
  if (!verdict || !(await endTest(outside, test, verdict))) return;
  const { gateway, device_id } = test;
  if (verdict === 'not_sent') outside.log.warn('hearing_test_not_sent', { gateway, device: device_id });
  if (verdict !== 'missed') return;
  outside.log.warn('hearing_test_missed', { gateway, device: device_id });
  const nowMs = outside.now();
  const sinceMs = Math.max(lastHeardMs(hearing.phones), nowMs - ASKED_BACK_MS);
  await askPhoneAgain(outside, test, isoOf(sinceMs), isoOf(nowMs));
}

async function verdictOf(
  outside: WorkerOutside,
  { phones }: Hearing,
  { started_at, send_id, gateway, device_id }: HearingTest,
  sender: Sender,
): Promise<Exclude<TestState, 'none' | 'waiting'> | undefined> {
  const startedMs = Date.parse(started_at);
  if (lastHeardMs(phones) > startedMs) return 'heard';
  const isElsewhere = sender.gateway !== gateway || sender.device_id !== device_id;
  if (isElsewhere || !isAvailable(sender)) return 'dropped';
  const found = await getSendAndMessage(outside, send_id, 0);
  if (!found) return 'dropped';
  const { state, sent_at, delivered_at } = found.message;
  if (state !== 'sent' && state !== 'delivered') return 'not_sent';
  const leftMs = Date.parse(sent_at ?? delivered_at ?? started_at);
  if (outside.now() - leftMs < ARRIVES_WITHIN_MS) return undefined;
  return (await hasPosted(outside, sender, startedMs)) ? 'missed' : 'dropped';
}

/** True if the phone has been in contact. A silent phone has its own alarm. */
async function hasPosted(outside: WorkerOutside, sender: Sender, sinceMs: number): Promise<boolean> {
  const { phones, pingsSinceMs } = await listPhones(outside);
  const phone = phones.find((one) => one.gateway === sender.gateway && one.device_id === sender.device_id);
  if (isSilent(outside, sender, phone, pingsSinceMs.get(sender.gateway))) return false;
  // Several contacts in quick succession are recorded as one.
  return (phone?.heard_ms ?? 0) > sinceMs - HEARD_NOTED_SECONDS * 1000;
}
