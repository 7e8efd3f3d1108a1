/*
 * claim tries   CLAIM#<reference> / CLAIM                          how often the payment of a charge was claimed, in all and in these ten minutes
 * wrong claims  CLAIM#<momo number>#<hour> / CLAIM_HOUR#<hash>     how often wrongly, in an hour (`2026-11-20T08`), for an amount and a word of a
 *                                                                  payer's name, or the payer's number; and how often from each address, of whose hash
 *                                                                  16 bits are kept; a claim counts until it is found to be right
 */
import {
  type Clock,
  endsIn,
  nowIso,
  nowSeconds,
  type Outside,
  type TableOutside,
} from '../../runtime/outside/outside.ts';
import { addressMark, countUpTo, secondsLeft } from '../../runtime/table/limits.ts';
import { changeItem, type Key } from '../../runtime/table/table.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { missingPesewas } from '../payment/payment.ts';

export const MAX_TRIES = 5;
export const WINDOW_SECONDS = 10 * 60;
/** A charge's first tries are never refused, so that a charge in the payer's own name is confirmed whatever others guess. */
const FREE_TRIES = 2;
/** For an amount and a word of a name: a name of two, three or four words can be guessed at 30, 45 or 60 times in an hour. */
export const MAX_WRONG_PER_HOUR = 3 * MAX_TRIES;
/** One address alone never uses up what is wrong of others: many customers of a network or a shop have the same. */
export const MAX_WRONG_OF_ADDRESS = 2 * MAX_TRIES;
/** Each may be a write. A claim with more words fits fewer payers, and needs no more places to be counted. */
const MAX_PLACES = 6;
/** Longer than a charge may be claimed. */
const KEPT_SECONDS = 8 * DAY_SECONDS;

const keyOf = (reference: string) => ({ pk: `CLAIM#${reference}`, sk: 'CLAIM' });

/** The charge that a payment is claimed for. */
type ClaimedCharge = Parameters<typeof missingPesewas>[0] & {
  readonly reference: string;
  readonly momo_number: string;
};

/** The claimed payer, and the address that the claim came from. */
interface Claimant {
  /** By each of these the payer is known: the words of the name, or the number. */
  readonly payers: readonly string[];
  readonly sourceIp: string;
}

/** The counter of a wrong claim. */
interface CountedClaim {
  readonly key: Key;
  readonly address: string;
}

/**
 * A try to claim. `refusedBy` says whose tries were used up: the charge's, or those for what this payer may have paid, by whomever.
 * `pausedSeconds` is set where these are used up and the charge's own name may still decide.
 */
export type ClaimTry =
  | { readonly refusedBy: 'charge' | 'payer'; readonly waitSeconds: number }
  | { readonly counted: readonly CountedClaim[]; readonly pausedSeconds?: number };

/**
 * Takes one of the tries to claim a charge's payment. It is taken, and counted for the payments that it could be right about, before
 * its result is known, so that concurrent tries gain nothing over sequential ones. So who guesses uses up the tries for the payments
 * that are guessed at, and no others.
 */
export async function takeClaimTry(outside: Outside, charge: ClaimedCharge, claimant: Claimant): Promise<ClaimTry> {
  const { reference } = charge;
  // If two tries open a window at once, the second one takes its try inside it.
  const taken =
    (await tryInWindow(outside, reference)) ??
    (await openWindow(outside, reference)) ??
    (await tryInWindow(outside, reference));
  const seconds = nowSeconds(outside);
  if (!taken) {
    const current = await outside.table.get(keyOf(reference));
    const endsAt = Number(current?.window_ends_at_epoch_seconds ?? seconds);
    return { refusedBy: 'charge', waitSeconds: Math.max(1, endsAt - seconds) };
  }
  const counted: CountedClaim[] = [];
  const waitSeconds = secondsLeft(outside, 'hour');
  for (const counters of countersOf(outside, charge, claimant)) {
    const first = await countOnce(outside, counters);
    if (first) counted.push(first);
    else {
      const isFree = Number(taken.tries_in_all) <= FREE_TRIES;
      return isFree ? { counted, pausedSeconds: waitSeconds } : { refusedBy: 'payer', waitSeconds };
    }
  }
  return { counted };
}

/** Counts the claims of a charge's payment, right or wrong; undefined if there were none, or too long ago. */
export async function claimTries(outside: TableOutside, reference: string): Promise<number | undefined> {
  const row = await outside.table.get(keyOf(reference));
  return row && Number(row.tries_in_all);
}

/** The counters of a claim, for each amount that its payment may have: one of several for a payer known by several words. */
export function countersOf(outside: Clock, charge: ClaimedCharge, { payers, sourceIp }: Claimant): CountedClaim[][] {
  const hour = nowIso(outside).slice(0, 13);
  const pk = `CLAIM#${charge.momo_number}#${hour}`;
  const address = `from_${addressMark(pk, sourceIp)}`;
  const amounts = new Set([charge.amount_pesewas, missingPesewas(charge)]);
  return [...amounts].map((amount) =>
    payers
      .slice(0, MAX_PLACES)
      .map((payer) => ({ key: { pk, sk: `CLAIM_HOUR#${hashOf(pk, String(amount), payer)}` }, address })),
  );
}

/** Counts a claim where there are tries left; undefined where there are none. */
async function countOnce(outside: Outside, counters: readonly CountedClaim[]): Promise<CountedClaim | undefined> {
  for (const counter of counters) {
    const { key, address } = counter;
    const most = { wrong: MAX_WRONG_PER_HOUR, [address]: MAX_WRONG_OF_ADDRESS };
    if (await outside.table.update(countUpTo(outside, { key: () => key, per: 'hour', most }))) return counter;
  }
  return undefined;
}

/** Takes claims out of the counts of wrong ones: they were right. */
export async function uncountClaims(outside: Outside, counted: readonly CountedClaim[]): Promise<void> {
  for (const { key, address } of counted) {
    const when = `wrong > :none AND #${address} > :none`;
    const less = { when, values: { ':none': 0 }, add: { wrong: -1, [address]: -1 } };
    await outside.table.update(changeItem(key, {}, less));
  }
}

function hashOf(...parts: readonly string[]): string {
  return sha256(parts.join('\n')).slice(0, 32);
}

function tryInWindow(outside: Outside, reference: string) {
  const inWindow = {
    when: 'window_ends_at_epoch_seconds > :now',
    values: { ':now': nowSeconds(outside) },
    upTo: { tries: MAX_TRIES },
    add: { tries_in_all: 1 },
  };
  return outside.table.update(changeItem(keyOf(reference), {}, inWindow));
}

function openWindow(outside: Outside, reference: string) {
  const seconds = nowSeconds(outside);
  const opened = { tries: 1, window_ends_at_epoch_seconds: seconds + WINDOW_SECONDS, ...endsIn(outside, KEPT_SECONDS) };
  const when = 'attribute_not_exists(pk) OR window_ends_at_epoch_seconds <= :now';
  const atEnd = { when, values: { ':now': seconds }, add: { tries_in_all: 1 } };
  return outside.table.update(changeItem(keyOf(reference), opened, atEnd));
}
