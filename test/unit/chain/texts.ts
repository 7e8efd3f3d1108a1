import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import type { Chain, Movement } from '../../../shared/wallets/chain/chain.ts';
import { firstChain } from '../../../shared/wallets/chain/look.ts';

export const WALLET = { network: 'MTN', momo_number: '+233241234567' } as const;

/** Approximate number of ids that MTN assigns per minute. */
export const IDS_A_MINUTE = 46_000;
const SINCE_MS = Date.parse('2026-11-20T10:00:00Z');
const SINCE_ID = 95_000_000_000;

/** Returns the time `minute` minutes after 10:00, in ms. */
export const at = (minute: number): number => SINCE_MS + minute * MINUTE_MS;

/** Returns the id that MTN assigns at that minute. */
export const idOf = (minute: number): number => SINCE_ID + Math.round(minute * IDS_A_MINUTE);

/** Creates a text that arrives without delay, from its minute and the balances before and after it. */
export function text(minute: number, before: number, after: number, changed: Partial<Movement> = {}): Movement {
  const moment = { id: idOf(minute), at_ms: at(minute), arrived_ms: at(minute) };
  return { ...moment, before, after, sender: 'mobilemoney', ...changed };
}

/** Creates the chain of a wallet whose owner has just named its balance for the first time. */
export function newChain(minute: number, balance: number, changed: Partial<Chain> = {}): Chain {
  return { ...firstChain(WALLET, [], balance, at(minute)), known_since_ms: at(minute), ...changed };
}

/**
 * Creates a chain whose head has this balance at this minute, with several earlier positions. Its anchor is old, and a
 * second look has agreed with it.
 */
export function chainAt(minute: number, balance: number, changed: Partial<Chain> = {}): Chain {
  const placeAt = (one: number) => ({ id: idOf(one), at_ms: at(one), balance: one === minute ? balance : -1 });
  const places = Array.from({ length: 8 }, (_, n) => placeAt(minute - 7 + n));
  return {
    ...newChain(minute, balance),
    anchor: { balance, at_ms: 0, proves_since_ms: 0, agreed_ms: 0 },
    sender: 'mobilemoney',
    recent: places,
    known_since_ms: 0,
    unbroken_since_ms: at(minute - 7),
    looked_ms: at(minute - 7),
    links: 100,
    ...changed,
  };
}
