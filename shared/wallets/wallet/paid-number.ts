import { isTestNumber, parsePhoneNumber } from '../../ghana/phone-number.ts';
import type { Reading } from '../../ghana/wallet-text/reading.ts';
import type { PhoneEvent } from '../../phones/gateway/phone-event.table.ts';
import { placedNumber } from '../../phones/sender/placed-number.ts';
import { listSenders, rememberedSenders } from '../../phones/sender/sender.table.ts';
import type { Sender } from '../../phones/sender/sender.ts';
import { isoOf, type Outside } from '../../runtime/outside/outside.ts';
import type { Checked } from '../chain/check-text.ts';

/** A text that arrived at a phone, as it was read, with every number that is in a phone. */
export interface ArrivedText {
  readonly phoneEvent: PhoneEvent;
  readonly reading: Reading;
  readonly senders: readonly Sender[];
  /** What the wallet's other texts say about it, once that is known; undefined where it says nothing of a wallet. */
  checked?: Checked;
}

/** The number that a text came to, as `placedNumber` has it. */
export function paidNumber({ gateway, event }: PhoneEvent, senders: readonly Sender[]): string | undefined {
  return placedNumber(gateway, event, senders);
}

/** The number that a phone reports and that is in no phone here, so that any phone could report it. */
export function unplacedNumber({ event }: PhoneEvent, senders: readonly Sender[]): string | undefined {
  const told = parsePhoneNumber(event.payload.recipient ?? '');
  return told && !isTestNumber(told) && !senders.some(({ number }) => number === told) ? told : undefined;
}

/** Every number that is in a phone, for a text that has arrived: one that was placed a moment ago is known at once. */
export async function sendersForText(outside: Outside, phoneEvent: PhoneEvent): Promise<readonly Sender[]> {
  const remembered = await rememberedSenders(outside);
  return unplacedNumber(phoneEvent, remembered) ? listSenders(outside) : remembered;
}

/**
 * When the phone got the text, by its own clock; when it reached us where that clock says nothing or a time that cannot be. However long ago
 * that is: a phone tells its whole inbox when it is asked to, and an old payment counted as new would pay a charge of today.
 */
export function receivedAt(phoneEvent: PhoneEvent): string {
  return isoOf(toldOrArrivedMs(phoneEvent, Number.POSITIVE_INFINITY));
}

/** The same in milliseconds for what orders a wallet's texts: a clock that had been reset says nothing about their order. */
export function receivedMs(phoneEvent: PhoneEvent): number {
  return toldOrArrivedMs(phoneEvent, INBOX_SECONDS);
}

/** Ghana's first wallets opened in July 2009: no text of one is older, and a phone that says so has a clock that was reset. */
const FIRST_WALLETS_MS = Date.UTC(2009, 6);

const INBOX_SECONDS = 2 * 365 * 24 * 60 * 60;

function toldOrArrivedMs({ event, arrived_at }: PhoneEvent, longestAgoSeconds: number): number {
  const toldMs = Date.parse(event.payload.receivedAt ?? '');
  const arrivedMs = Date.parse(arrived_at);
  const isPossible = toldMs >= FIRST_WALLETS_MS && toldMs <= arrivedMs;
  const isPlausible = isPossible && toldMs > arrivedMs - longestAgoSeconds * 1000;
  return isPlausible ? toldMs : arrivedMs;
}
