import { quietUntilMs } from '../../ghana/quiet-hours.ts';
import { forMerchant } from '../../merchants/merchant/test-account.ts';
import { gatewayAccount } from '../../phones/gateway/accounts.ts';
import {
  askState,
  GatewayRejects,
  listStates,
  STATES_PER_PAGE,
  TEXT_LIFETIME_SECONDS,
  type TextState,
} from '../../phones/gateway/smsgate.ts';
import { isBehind, listWaiting, mayRecall, readPace, type WaitingText } from '../../phones/sender/pace.table.ts';
import { rememberedSenders } from '../../phones/sender/sender.table.ts';
import { isAvailable, type Sender } from '../../phones/sender/sender.ts';
import { type Clock, isoOf, nowIso } from '../../runtime/outside/outside.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';
import { sideBySide } from '../../runtime/values/side-by-side.ts';
import { getSendAndMessages, type Message, moveMessage, type SendAndMessages, senderOf } from './message.table.ts';
import { messageId } from './message-id.ts';
import { textTo } from './personal-text.ts';
import { sizeOf } from './segments.ts';
import { FIRST_CHECK_MS, MAX_CHECK_MS, type Send, setNextCheck } from './send.table.ts';
import { queueSms, queueTurn, type SmsJob } from './sms-job.ts';
import { isFinal, isUntaken } from './states.ts';
import { endAsReported, expireMessage, failMessage } from './text-outcome.ts';
import { isTooLate } from './too-late.ts';
import { CLOSED_MS, dueMs, HANDING_OVER_MS, heldUntilMs, mayLeaveSinceMs, QUEUED_AHEAD_MS } from './when-to-leave.ts';

/** Maximum time from the first attempt until the gateway accepts a text. */
export const HANDED_OVER_MS = 6 * HOUR_MS;
/** Maximum time from the first attempt until a text is sent. Phones drop texts that exceed their lifetime. */
export const MAY_LEAVE_MS = HANDED_OVER_MS + TEXT_LIFETIME_SECONDS * 1000;
const PUT_OFF_MS = MINUTE_MS / 2;
/** Age at which a text that no worker has received is requeued. */
const SEEN_BY_WORKER_MS = 10 * MINUTE_MS;
/** Check interval for sends whose texts are all waiting for the rate limit. */
const WAITING_MS = 6 * HOUR_MS;
const SOON_TURNS = 10;
/** Delay after which a turn's job counts as lost. Turns are usually a few seconds late at most. */
const LATE_TURN_MS = 2 * MINUTE_MS;
/** Number of sends checked at once. One gateway request returns the states of all their texts. */
const SENDS_AT_ONCE = 50;
const CHECKS_AT_ONCE = 25;
/** Tolerated clock skew of gateways and phones. */
const CLOCK_MARGIN_MS = 5 * MINUTE_MS;
/** Time to wait for the other parts of a failed long text. */
const PARTS_MS = 2 * MINUTE_MS;

interface Checking {
  readonly senders: readonly Sender[];
  readonly silent: Set<string>;
  readonly untilMs: number;
}

/**
 * Checks unfinished sends. Queues texts that never reached a worker, and polls gateways for the states of the others.
 * Returns the ids of sends that may be overdue.
 */
export async function checkSends(
  outside: WorkerOutside,
  sendIds: readonly string[],
  run: Omit<Checking, 'senders'>,
): Promise<string[]> {
  const checking = { ...run, senders: await rememberedSenders(outside) };
  const unfinished: string[] = [];
  const unlisted = new Set<string>();
  for (let n = 0; n < sendIds.length && outside.now() <= checking.untilMs; n += SENDS_AT_ONCE) {
    const chunk = sendIds.slice(n, n + SENDS_AT_ONCE);
    const found = (await Promise.all(chunk.map((sendId) => getSendAndMessages(outside, sendId)))).flatMap(
      (one) => one ?? [],
    );
    const known = await listKnown(outside, found, checking, unlisted);
    // Check a gateway's sends one at a time, so that an unresponsive gateway causes only one timeout.
    const items = [...Map.groupBy(found, (one) => gatewayToAsk(one, known) ?? one.send.send_id).values()];
    await sideBySide(outside, { ...checking, items, atOnce: CHECKS_AT_ONCE }, async (sends) => {
      for (const one of sends) {
        if (outside.now() > checking.untilMs) return;
        const { send_id } = one.send;
        const isUnfinished = await checkSend(forMerchant(outside, one.send), one, known, checking).catch((error) =>
          outside.log.warn('send_unchecked', { send_id, error }),
        );
        if (isUnfinished) unfinished.push(send_id);
      }
    });
  }
  return unfinished;
}

/**
 * Returns the gateway to ask about a text that is missing from the gateway's list. Returns undefined if no such text
 * exists.
 */
function gatewayToAsk({ send, messages }: SendAndMessages, known: ReadonlyMap<string, TextState>): string | undefined {
  const asks = (message: Message) => mayHaveMoved(message) && !known.has(messageId(send.send_id, message.index));
  return messages.find(asks)?.gateway;
}

async function checkSend(
  outside: WorkerOutside,
  found: SendAndMessages,
  known: ReadonlyMap<string, TextState>,
  checking: Checking,
): Promise<boolean> {
  const { send, messages } = found;
  const queues = await firstWaiting(outside, send, messages, checking.senders);
  const plan = planCheck(outside, found, { queues, known, silent: checking.silent });
  switch (plan.action) {
    case 'end':
      break;
    case 'expire':
      return expireUntaken(outside, send, messages);
    case 'queue':
      await queueSms(outside, send, plan.jobs, plan.atMs);
      await setNextCheck(outside, send, isoOf(plan.atMs + FIRST_CHECK_MS));
      return false;
    case 'check': {
      // Schedule the next check first, so that a send whose check fails does not delay others.
      const setNext = () => setNextCheck(outside, send, isoOf(plan.nextMs));
      if (!plan.isKnown) await setNext();
      await queueForgotten(outside, send, plan.forgotten);
      const { open, isSilent } = await learnStates(outside, send, { messages, known }, checking);
      if (isSilent) await setNextCheck(outside, send, isoOf(outside.now() + SEEN_BY_WORKER_MS));
      const isClosed = plan.isOver && (await failWhatStayed(outside, send.send_id));
      if (isClosed || open === 0) break;
      if (plan.isKnown) await setNext();
      return plan.isUnfinished;
    }
  }
  await setNextCheck(outside, send);
  return false;
}

interface Seen extends Pick<Checking, 'silent'> {
  readonly queues: ReadonlyMap<string, readonly WaitingText[]>;
  readonly known: ReadonlyMap<string, TextState>;
}

/** Decides what to do with a send. The first matching condition wins. */
export function planCheck(outside: Clock, { send, messages }: SendAndMessages, { queues, known, silent }: Seen) {
  const nowMs = outside.now();
  const open = messages.filter((message) => !isFinal(message));
  const held = open.filter(({ state }) => state === 'scheduled');
  const heldMs = held.length > 0 ? (heldUntilMs(outside, send) ?? nowMs) : undefined;
  if (open.length === 0) return { action: 'end' } as const;
  if (isTooLate(outside, send) && open.some(isUntaken)) return { action: 'expire' } as const;
  if (heldMs !== undefined && heldMs - nowMs <= QUEUED_AHEAD_MS)
    return { action: 'queue', jobs: held.map(jobOf), atMs: heldMs } as const;

  const isQueued = (one: Message) => waits(one) && isBehind(one, queues.get(senderOf(send, one))?.[0]);
  const isNext = [...queues.values()].flat().some(({ send_id }) => send_id === send.send_id);
  const isOnItsWay = open.some(({ state }) => state === 'pending' || state === 'sending');
  const isSeen = nowMs - mayLeaveSinceMs(outside, send) >= SEEN_BY_WORKER_MS;
  const ageMs = nowMs - dueMs(send);
  const isOver = ageMs > CLOSED_MS && !open.some((message) => mayStillLeave(outside, message));
  const moving = open.filter(mayHaveMoved);
  const restMs = () => {
    if (heldMs !== undefined && open.length === held.length) return Number.POSITIVE_INFINITY;
    if (moving.some(({ gateway = '' }) => silent.has(gateway))) return PUT_OFF_MS;
    if (open.every(isQueued) && !isNext) return WAITING_MS;
    return waitMs(ageMs, isOnItsWay);
  };
  const heldEndsMs = heldMs === undefined ? [] : [heldMs - QUEUED_AHEAD_MS];
  const uselessMs = open.some(isUntaken) && send.useless_at ? [Date.parse(send.useless_at)] : [];
  return {
    action: 'check',
    nextMs: Math.min(nowMs + restMs(), ...heldEndsMs, ...uselessMs),
    isKnown: moving.every(({ send_id, index }) => known.has(messageId(send_id, index))),
    forgotten: isSeen && !isOver ? open.filter((one) => one.state === 'pending' && !isQueued(one)) : [],
    isOver,
    isUnfinished: isSeen && isOnItsWay,
  } as const;
}

async function expireUntaken(outside: WorkerOutside, send: Send, messages: readonly Message[]): Promise<boolean> {
  for (const { index } of messages.filter(isUntaken)) await expireMessage(outside, send, index, { isUntaken: true });
  await setNextCheck(outside, send, isoOf(outside.now() + FIRST_CHECK_MS));
  return false;
}

async function firstWaiting(
  outside: WorkerOutside,
  send: Send,
  messages: readonly Message[],
  senders: readonly Sender[],
): Promise<ReadonlyMap<string, readonly WaitingText[]>> {
  const numbers = new Set(messages.filter(waits).map((message) => senderOf(send, message)));
  const known = senders.filter(({ number }) => numbers.has(number));
  return new Map(
    await Promise.all(
      known.map(async ({ number }) => [number, await listWaiting(outside, number, SOON_TURNS)] as const),
    ),
  );
}

function jobOf({ send_id, index }: Message): SmsJob {
  return { send_id, index };
}

function mayHaveMoved({ state }: Message): boolean {
  return state === 'sending' || state === 'sent';
}

function mayStillLeave(outside: Clock, { state, sending_at }: Message): boolean {
  if (state === 'scheduled') return true;
  return state === 'sending' && sending_at !== undefined && outside.now() - Date.parse(sending_at) < MAY_LEAVE_MS;
}

/** Marks texts as failed if they can no longer be sent. Returns false if any text can still be sent. */
async function failWhatStayed(outside: WorkerOutside, sendId: string): Promise<boolean> {
  const found = await getSendAndMessages(outside, sendId);
  const stayed = (found?.messages ?? []).filter(
    ({ state }) => state === 'pending' || state === 'sending' || state === 'scheduled',
  );
  const isLeaving = (message: Message) => mayStillLeave(outside, message);
  const reason = `The phone did not send it within ${CLOSED_MS / HOUR_MS} hours`;
  for (const { index, sending_at } of stayed.filter((message) => !isLeaving(message))) {
    if (found) await failMessage(outside, found.send, index, { reason, isUntaken: sending_at === undefined });
  }
  return !stayed.some(isLeaving);
}

async function listKnown(
  outside: WorkerOutside,
  sends: readonly SendAndMessages[],
  { silent }: Checking,
  unlisted: Set<string>,
): Promise<ReadonlyMap<string, TextState>> {
  const known = new Map<string, TextState>();
  const moving = sends.flatMap(({ messages }) => messages.filter(mayHaveMoved));
  const list = async (gateway: string) => {
    const wanted = moving.filter((message) => message.gateway === gateway);
    if (wanted.length < 2 || silent.has(gateway) || unlisted.has(gateway)) return;
    try {
      const account = await gatewayAccount(outside, gateway);
      const oldestMs = Math.min(...wanted.map(({ sending_at }) => Date.parse(sending_at ?? '')));
      const sinceMs = (Number.isNaN(oldestMs) ? outside.now() : oldestMs) - CLOCK_MARGIN_MS;
      const isMissing = ({ send_id, index }: Message) => !known.has(messageId(send_id, index));
      for (let page = 0; page < wanted.length / 2 && wanted.some(isMissing); page++) {
        const listed = await listStates(outside, account, { sinceMs, page });
        if (listed === undefined) unlisted.add(gateway);
        for (const [id, state] of listed ?? []) known.set(id, state);
        if (listed === undefined || listed.size < STATES_PER_PAGE) break;
      }
    } catch (error) {
      outside.log.warn('gateway_silent', { gateway, error });
      if (error instanceof GatewayRejects) silent.add(gateway);
      // Perhaps only the list request failed, so texts are still queried individually.
      unlisted.add(gateway);
    }
  };
  await Promise.all([...new Set(moving.map((message) => message.gateway ?? ''))].map(list));
  return known;
}

/**
 * Reads the states of a send's texts from the gateways. Returns the number of unfinished texts, and whether a gateway
 * failed to respond.
 */
async function learnStates(
  outside: WorkerOutside,
  send: Send,
  { messages, known }: { readonly messages: readonly Message[]; readonly known: ReadonlyMap<string, TextState> },
  { silent, untilMs }: Checking,
): Promise<{ open: number; isSilent: boolean }> {
  let open = 0;
  let isSilent = false;
  for (const message of messages) {
    if (isFinal(message)) continue;
    open++;
    const isListed = known.has(messageId(send.send_id, message.index));
    if (!mayHaveMoved(message) || (!isListed && (outside.now() > untilMs || silent.has(message.gateway ?? ''))))
      continue;
    try {
      if (await learnState(outside, send, message, known)) open--;
    } catch (error) {
      outside.log.warn('gateway_silent', { gateway: message.gateway, send_id: send.send_id, error });
      if (!isOutOfService(error)) continue;
      silent.add(message.gateway ?? '');
      isSilent = true;
    }
  }
  return { open, isSilent };
}

/**
 * Returns true if further requests to the gateway would fail too, because the gateway timed out or rejects the account.
 */
function isOutOfService(error: unknown): boolean {
  return error instanceof GatewayRejects || (error instanceof Error && error.name === 'TimeoutError');
}

async function queueForgotten(outside: WorkerOutside, send: Send, forgotten: readonly Message[]): Promise<void> {
  if (forgotten.length === 0) return;
  outside.log.warn('sms_queued_again', { merchant_id: send.merchant_id, send_id: send.send_id });
  await queueSms(outside, send, forgotten.map(jobOf));
}

function waits(message: Message): message is Message & WaitingText {
  return message.state === 'pending' && message.place !== undefined;
}

async function learnState(
  outside: WorkerOutside,
  send: Send,
  message: Message,
  known: ReadonlyMap<string, TextState>,
): Promise<boolean> {
  const { gateway, index, state, sending_at } = message;
  if (gateway === undefined || sending_at === undefined) return false;
  const id = messageId(send.send_id, index);
  const found = known.get(id) ?? (await askState(outside, await gatewayAccount(outside, gateway), id));
  if (found === undefined) {
    if (state !== 'sending') return false;
    if (isTooLate(outside, send) && outside.now() - Date.parse(send.useless_at ?? '') > HANDING_OVER_MS) {
      await expireMessage(outside, send, index);
      return true;
    }
    if (isQuietForLong(outside, send)) {
      await failMessage(outside, send, index, { reason: 'It could not be sent before its quiet hours' });
      return true;
    }
    const isGone = outside.now() - Date.parse(sending_at) > HANDED_OVER_MS;
    if (isGone) await failMessage(outside, send, index, { reason: 'The gateway has no record of it' });
    return isGone;
  }
  switch (found.state) {
    case 'waiting':
      return false;
    case 'sent':
    case 'delivered':
      if (found.state !== state)
        await outside.table.update(
          moveMessage(outside, send, index, { to: found.state, once: timesOf(outside, found, sending_at) }),
        );
      return found.state === 'delivered';
    case 'failed':
      if (mayBeAPart(outside, textTo(send, index), found)) return false;
      await endAsReported(outside, send, index, found);
      return true;
  }
}

function isQuietForLong(outside: WorkerOutside, { quiet_hours }: Send): boolean {
  const nowMs = outside.now();
  const endsMs = quietUntilMs(quiet_hours, nowMs);
  return endsMs !== undefined && quietUntilMs(quiet_hours, nowMs - HANDING_OVER_MS) === endsMs;
}

function timesOf(outside: WorkerOutside, { state, at }: TextState, sendingAt: string): Record<string, string> {
  const now = nowIso(outside);
  const believed = (time: string) => [[time, sendingAt].toSorted().at(-1) ?? now, now].toSorted()[0] ?? now;
  return {
    ...(at.sent && { sent_at: believed(at.sent) }),
    ...(state === 'delivered' && at.delivered && { delivered_at: believed(at.delivered) }),
  };
}

function mayBeAPart(outside: WorkerOutside, text: string, { at }: TextState): boolean {
  const agoMs = outside.now() - Date.parse(at.failed ?? '');
  return sizeOf(text).segments > 1 && agoMs >= 0 && agoMs < PARTS_MS;
}

/** Returns the wait until the next check, which is shorter while a text is unsent. */
function waitMs(ageMs: number, isOnItsWay: boolean): number {
  if (ageMs < HOUR_MS) return Math.min((isOnItsWay ? 2 : 10) * MINUTE_MS, Math.max(MINUTE_MS, ageMs / 2));
  if (ageMs < HANDED_OVER_MS) return isOnItsWay ? 10 * MINUTE_MS : HOUR_MS;
  return isOnItsWay ? MAX_CHECK_MS : 6 * HOUR_MS;
}

/** Age at which a text counts as overdue. Must be shorter than `SEEN_BY_WORKER_MS`. */
const OVERDUE_MS = 8 * MINUTE_MS;
/** Maximum number of sends examined per run. The metric only needs to be above zero. */
const MAX_SENDS = 20;

/** Counts overdue texts. Returns the sends to examine again in the next run. */
export async function reportOverdue(
  outside: WorkerOutside,
  sendIds: readonly string[],
  senders: readonly Sender[],
): Promise<string[]> {
  const overdue: string[] = [];
  let texts = 0;
  const turns = await queueLateTurns(outside, senders);
  const first = turns.flatMap(({ sendId }) => sendId ?? []);
  for (const sendId of [...new Set([...first, ...sendIds])].slice(0, MAX_SENDS)) {
    const found = await getSendAndMessages(outside, sendId);
    if (!found) continue;
    const { send, messages } = found;
    const late = messages.filter((message) => {
      const sender = senders.find(({ number }) => number === senderOf(send, message));
      const turnMs = turns.find(({ number }) => number === sender?.number)?.turnMs ?? 0;
      const isLate = outside.now() - dueAtMs(outside, send, message, turnMs) >= OVERDUE_MS;
      return sender && isAvailable(sender) && isLate;
    });
    const [first] = late;
    if (!first) continue;
    texts += late.length;
    overdue.push(sendId);
    const { merchant_id } = send;
    outside.log.warn('texts_overdue', {
      ...(merchant_id && { merchant_id }),
      send_id: sendId,
      gateway: senders.find(({ number }) => number === senderOf(send, first))?.gateway,
    });
  }
  outside.metrics.count('texts_overdue', texts);
  return overdue;
}

/**
 * Requeues late turns. Returns the time of each sender's turn. If the turn is late, also returns the send of the
 * sender's first waiting text.
 */
function queueLateTurns(outside: WorkerOutside, senders: readonly Sender[]) {
  return Promise.all(
    senders.map(async ({ number }) => {
      const { turnMs } = await readPace(outside, number);
      if (turnMs === undefined || outside.now() - turnMs < LATE_TURN_MS) return { number, turnMs };
      const [text] = await listWaiting(outside, number, 1);
      if (await mayRecall(outside, number, turnMs))
        await queueTurn(outside, text ?? {}, { sender: number, turn_ms: turnMs });
      return { number, turnMs, sendId: text?.send_id };
    }),
  );
}

function dueAtMs(outside: WorkerOutside, send: Send, message: Message, turnMs: number): number {
  const { state, sending_at } = message;
  if (state === 'pending') return Math.max(mayLeaveSinceMs(outside, send), waits(message) ? turnMs : 0);
  return state === 'sending' && sending_at ? Date.parse(sending_at) : Number.POSITIVE_INFINITY;
}
