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
  /** Result of the balance chain, once known. Undefined for texts that are not about a wallet. */
  checked?: Checked;
}

export function paidNumber({ gateway, event }: PhoneEvent, senders: readonly Sender[]): string | undefined {
  return placedNumber(gateway, event, senders);
}

export function numbersOfPhone({ gateway, event }: PhoneEvent, senders: readonly Sender[]): string[] {
  const here = senders.filter((one) => one.gateway === gateway && one.device_id === event.deviceId);
  return here.map(({ number }) => number);
}

/**
 * Returns the number that a phone reported if it is not assigned to any phone. Any phone could report such a number.
 */
export function unplacedNumber({ event }: PhoneEvent, senders: readonly Sender[]): string | undefined {
  const reported = parsePhoneNumber(event.payload.recipient ?? '');
  return reported && !isTestNumber(reported) && !senders.some(({ number }) => number === reported)
    ? reported
    : undefined;
}

/** Returns all numbers assigned to phones. Reads them again if a number may just have been assigned. */
export async function sendersForText(outside: Outside, phoneEvent: PhoneEvent): Promise<readonly Sender[]> {
  const remembered = await rememberedSenders(outside);
  return paidNumber(phoneEvent, remembered) === undefined ? listSenders(outside) : remembered;
}

/**
 * Returns the time at which the phone received the text, by the phone's own clock. If the clock is unset, ahead or
 * impossible, returns the time of arrival here. Old times are accepted, because a phone may send its whole inbox: if an
 * old payment looked new, it would pay today's charge.
 */
export function receivedAt(phoneEvent: PhoneEvent): string {
  return isoOf(reportedOrArrivedMs(phoneEvent, Number.POSITIVE_INFINITY));
}

/**
 * Variant of `receivedAt` in milliseconds, for ordering a wallet's texts. Ignores the phone's time if its clock was
 * reset.
 */
export function receivedMs(phoneEvent: PhoneEvent): number {
  return reportedOrArrivedMs(phoneEvent, INBOX_SECONDS);
}

/**
 * Ghana's first mobile-money wallets opened in July 2009. If a phone reports an earlier text, its clock has been reset.
 */
const FIRST_WALLETS_MS = Date.UTC(2009, 6);

const INBOX_SECONDS = 2 * 365 * DAY_SECONDS;

function reportedOrArrivedMs({ event, arrived_at }: PhoneEvent, longestAgoSeconds: number): number {
  const reportedMs = Date.parse(event.payload.receivedAt ?? '');
  const arrivedMs = Date.parse(arrived_at);
  const isPossible = reportedMs >= FIRST_WALLETS_MS && reportedMs <= arrivedMs;
  const isPlausible = isPossible && reportedMs > arrivedMs - longestAgoSeconds * 1000;
  return isPlausible ? reportedMs : arrivedMs;
}
