import { isTestNumber, parsePhoneNumber } from '../../ghana/phone-number.ts';
import type { Reading } from '../../ghana/wallet-text/reading.ts';
import type { PhoneEvent } from '../../phones/gateway/phone-event.table.ts';
import { placedNumber } from '../../phones/sender/placed-number.ts';
import { listSenders, rememberedSenders } from '../../phones/sender/sender.table.ts';
import type { Sender } from '../../phones/sender/sender.ts';
import { isoOf, type Outside } from '../../runtime/outside/outside.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import type { Checked } from '../chain/check-text.ts';

export interface ArrivedText {
  readonly phoneEvent: PhoneEvent;
  readonly reading: Reading;
  readonly senders: readonly Sender[];
  /** Result of the balance check, once known. Undefined if the text is not about a wallet. */
  checked?: Checked;
}

export function paidNumber({ gateway, event }: PhoneEvent, senders: readonly Sender[]): string | undefined {
  return placedNumber(gateway, event, senders);
}

export function numbersOfPhone(phoneEvent: PhoneEvent, senders: readonly Sender[]): string[] {
  return sendersOfPhone(phoneEvent, senders).map(({ number }) => number);
}

export function sendersOfPhone({ gateway, event }: PhoneEvent, senders: readonly Sender[]): Sender[] {
  return senders.filter((one) => one.gateway === gateway && one.device_id === event.deviceId);
}

/**
 * Returns the number that a phone reported, if the number is not assigned to any phone. Untrusted: a phone can report
 * any number.
 */
export function unplacedNumber({ event }: PhoneEvent, senders: readonly Sender[]): string | undefined {
  const reported = parsePhoneNumber(event.payload.recipient ?? '');
  return reported && !isTestNumber(reported) && !senders.some(({ number }) => number === reported)
    ? reported
    : undefined;
}

/** Returns all numbers assigned to phones. Refreshes the list if a number may just have been assigned. */
export async function sendersForText(outside: Outside, phoneEvent: PhoneEvent): Promise<readonly Sender[]> {
  const remembered = await rememberedSenders(outside);
  return paidNumber(phoneEvent, remembered) === undefined ? listSenders(outside) : remembered;
}

/**
 * Returns the time at which the phone received the text. If the phone's clock is wrong, returns the time at which the
 * text arrived here. Past times are kept however old, so that an old payment is not matched to a charge of today.
 */
export function receivedAt(phoneEvent: PhoneEvent): string {
  return isoOf(reportedOrArrivedMs(phoneEvent, Number.POSITIVE_INFINITY));
}

/** Like `receivedAt`, but in milliseconds. Also ignores times more than `INBOX_SECONDS` before the text arrived here. */
export function receivedMs(phoneEvent: PhoneEvent): number {
  return reportedOrArrivedMs(phoneEvent, INBOX_SECONDS);
}

/** Ghana's first mobile-money wallets opened in July 2009. An earlier time means that the phone's clock was reset. */
const FIRST_WALLETS_MS = Date.UTC(2009, 6);

const INBOX_SECONDS = 2 * 365 * DAY_SECONDS;

function reportedOrArrivedMs({ event, arrived_at }: PhoneEvent, longestAgoSeconds: number): number {
  const reportedMs = Date.parse(event.payload.receivedAt ?? '');
  const arrivedMs = Date.parse(arrived_at);
  const isPossible = reportedMs >= FIRST_WALLETS_MS && reportedMs <= arrivedMs;
  const isPlausible = isPossible && reportedMs > arrivedMs - longestAgoSeconds * 1000;
  return isPlausible ? reportedMs : arrivedMs;
}
