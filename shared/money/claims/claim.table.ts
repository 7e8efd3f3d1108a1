/*
 * claim tries   CLAIM#<reference> / CLAIM                          number of claims for a charge, in total and in the current ten minutes
 * wrong claims  CLAIM#<momo number>#<hour> / CLAIM_HOUR#<hash>     number of wrong claims in an hour (`2026-11-20T08`) for an amount and a word of the
 *                                                                  payer's name, or the payer's number, in total and by address (16 bits of
 *                                                                  its hash); a claim counts as wrong until it succeeds
 * A bill marked as paid by its shop has the same counters, at CLAIM#<reference>#MARK and with other hashes.
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
/**
 * Attempts per charge that are never rejected. Without them, other people's guesses could block a charge in the payer's
 * own name.
 */
const FREE_TRIES = 2;
/**
 * Maximum number of wrong claims per hour for each combination of an amount and a word from a payer's name. A name of
 * two to four words allows 30 to 60 guesses an hour.
 */
export const MAX_WRONG_PER_HOUR = 3 * MAX_TRIES;
/**
 * Maximum number of wrong claims per hour from one address. Lower than `MAX_WRONG_PER_HOUR`, which one address must not
 * exhaust.
 */
export const MAX_WRONG_OF_ADDRESS = 2 * MAX_TRIES;
/** Maximum number of words from a name for which a claim is counted. Each word costs one write. */
const MAX_PLACES = 6;
const KEPT_SECONDS = 8 * DAY_SECONDS;

const keyOf = (reference: string) => ({ pk: `CLAIM#${reference}`, sk: 'CLAIM' });

type ClaimedCharge = Parameters<typeof missingPesewas>[0] & {
  readonly reference: string;
  readonly momo_number: string;
};

interface Claimant {
  readonly payers: readonly string[];
  readonly sourceIp: string;
  /** True if the shop marks the bill as paid. Counted separately, because customers could block it. */
  readonly isMark?: boolean;
}

interface CountedClaim {
  readonly key: Key;
  readonly address: string;
}

/**
 * Result of counting a claim. `refusedBy`: the charge or the payer has reached its limit, so the claim is rejected.
 * `pausedSeconds`: the payer's limit is reached, but a charge in the payer's own name may still be confirmed.
 */
export type ClaimTry =
  | { readonly refusedBy: 'charge' | 'payer'; readonly waitSeconds: number }
  | { readonly counted: readonly CountedClaim[]; readonly pausedSeconds?: number };

/**
 * Uses one of a charge's attempts before the claim is checked, so concurrent attempts gain nothing. The attempt also
 * counts against each payer that the claim may concern.
 */
export async function countClaimTry(outside: Outside, charge: ClaimedCharge, claimant: Claimant): Promise<ClaimTry> {
  const key = keyOf(claimant.isMark ? `${charge.reference}#MARK` : charge.reference);
  const taken =
    (await tryInWindow(outside, key)) ?? (await openWindow(outside, key)) ?? (await tryInWindow(outside, key));
  const seconds = nowSeconds(outside);
  if (!taken) {
    const current = await outside.table.get(key);
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

export async function claimTries(outside: TableOutside, reference: string): Promise<number | undefined> {
  const row = await outside.table.get(keyOf(reference));
  return row && Number(row.tries_in_all);
}

export function countersOf(outside: Clock, charge: ClaimedCharge, claimant: Claimant): CountedClaim[][] {
  const { payers, sourceIp, isMark } = claimant;
  const hour = nowIso(outside).slice(0, 13);
  const pk = `CLAIM#${charge.momo_number}#${hour}`;
  const address = `from_${addressMark(pk, sourceIp)}`;
  const amounts = new Set([charge.amount_pesewas, missingPesewas(charge)]);
  return [...amounts].map((amount) =>
    payers
      .slice(0, MAX_PLACES)
      .map((payer) => (isMark ? `MARK ${payer}` : payer))
      .map((payer) => ({ key: { pk, sk: `CLAIM_HOUR#${hashOf(pk, String(amount), payer)}` }, address })),
  );
}

async function countOnce(outside: Outside, counters: readonly CountedClaim[]): Promise<CountedClaim | undefined> {
  for (const counter of counters) {
    const { key, address } = counter;
    const most = { wrong: MAX_WRONG_PER_HOUR, [address]: MAX_WRONG_OF_ADDRESS };
    if (await outside.table.update(countUpTo(outside, { key: () => key, per: 'hour', most }))) return counter;
  }
  return undefined;
}

export async function uncountClaims(outside: Outside, counted: readonly CountedClaim[]): Promise<void> {
  for (const { key, address } of counted) {
    const when = `wrong > :none AND #${address} > :none`;
    const less = { when, values: { ':none': 0 }, add: { wrong: -1, [address]: -1 } };
    // Not `update()`: a repeated request would subtract twice.
    await outside.table.write([changeItem(key, {}, { ...less, refused: () => undefined })]);
  }
}

function hashOf(...parts: readonly string[]): string {
  return sha256(parts.join('\n')).slice(0, 32);
}

function tryInWindow(outside: Outside, key: Key) {
  const inWindow = {
    when: 'window_ends_at_epoch_seconds > :now',
    values: { ':now': nowSeconds(outside) },
    upTo: { tries: MAX_TRIES },
    add: { tries_in_all: 1 },
  };
  return outside.table.update(changeItem(key, {}, inWindow));
}

function openWindow(outside: Outside, key: Key) {
  const seconds = nowSeconds(outside);
  const opened = { tries: 1, window_ends_at_epoch_seconds: seconds + WINDOW_SECONDS, ...endsIn(outside, KEPT_SECONDS) };
  const when = 'attribute_not_exists(pk) OR window_ends_at_epoch_seconds <= :now';
  const atEnd = { when, values: { ':now': seconds }, add: { tries_in_all: 1 } };
  return outside.table.update(changeItem(key, opened, atEnd));
}
