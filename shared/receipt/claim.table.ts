/*
 * claim tries   CLAIM#<reference> / CLAIM                   how often the payment of a charge was claimed, in all and in these ten minutes
 * wrong claims  CLAIM#<momo number>#<hour> / CLAIM_HOUR     how often wrongly for all charges of a wallet, in an hour (`2026-11-20T08`);
 *                                                           a claim counts until it is found to be right
 */
import type { Outside } from '../runtime/outside/outside.ts';

const MAX_TRIES = 5;
const WINDOW_SECONDS = 10 * 60;
/** A charge's first tries count for its wallet but are never refused: thieves who claim other charges block no honest customer. */
const FREE_TRIES = 2;
/** A busy shop sees a few wrong claims in an hour; guessing ids takes thousands. */
export const MAX_WRONG_PER_HOUR = 60;
/** Longer than a charge may be claimed. */
const KEPT_SECONDS = 8 * 24 * 60 * 60;
const HOUR_SECONDS = 60 * 60;

const keyOf = (reference: string) => ({ pk: `CLAIM#${reference}`, sk: 'CLAIM' });
const hourKey = (outside: Pick<Outside, 'now'>, momoNumber: string) => ({
  pk: `CLAIM#${momoNumber}#${new Date(outside.now()).toISOString().slice(0, 13)}`,
  sk: 'CLAIM_HOUR',
});

/** A try to claim: none is left for some seconds, or it counts, and the wallet is under attack or not. */
export type ClaimTry = { readonly waitSeconds: number } | { readonly isWalletAttacked: boolean };

/**
 * Takes one of the tries to claim a charge's payment. It is taken, and counted for the wallet, before its result is
 * known, so that concurrent tries gain nothing over sequential ones. A charge's first tries are never refused.
 */
export async function takeClaimTry(outside: Outside, reference: string, momoNumber: string): Promise<ClaimTry> {
  // If two tries open a window at once, the second one takes its try inside it.
  const taken =
    (await tryInWindow(outside, reference)) ??
    (await openWindow(outside, reference)) ??
    (await tryInWindow(outside, reference));
  const nowSeconds = nowInSeconds(outside);
  if (!taken) {
    const current = await outside.table.get(keyOf(reference));
    return { waitSeconds: Math.max(1, Number(current?.window_ends_at_epoch_seconds ?? nowSeconds) - nowSeconds) };
  }
  const isFree = Number(taken.tries_in_all) <= FREE_TRIES;
  const hour = await countClaim(outside, momoNumber, isFree);
  return hour
    ? { isWalletAttacked: Number(hour.wrong) > MAX_WRONG_PER_HOUR }
    : { waitSeconds: HOUR_SECONDS - (nowSeconds % HOUR_SECONDS) };
}

/** Undefined where the wallet has no more for this hour. */
function countClaim(outside: Outside, momoNumber: string, isFree: boolean) {
  return outside.table.update({
    update: {
      Key: hourKey(outside, momoNumber),
      UpdateExpression: 'SET expires_at_epoch_seconds = :end ADD wrong :one',
      ...(!isFree && { ConditionExpression: 'attribute_not_exists(wrong) OR wrong < :most' }),
      ExpressionAttributeValues: {
        ':one': 1,
        ':end': nowInSeconds(outside) + 2 * HOUR_SECONDS,
        ...(!isFree && { ':most': MAX_WRONG_PER_HOUR }),
      },
    },
  });
}

/** Removes a claim from its wallet's count: it was right. */
export async function uncountClaim(outside: Outside, momoNumber: string): Promise<void> {
  await outside.table.update({
    update: {
      Key: hourKey(outside, momoNumber),
      UpdateExpression: 'ADD wrong :less',
      ConditionExpression: 'wrong > :none',
      ExpressionAttributeValues: { ':less': -1, ':none': 0 },
    },
  });
}

function tryInWindow(outside: Outside, reference: string) {
  return outside.table.update({
    update: {
      Key: keyOf(reference),
      UpdateExpression: 'ADD tries :one, tries_in_all :one',
      ConditionExpression: 'window_ends_at_epoch_seconds > :now AND tries < :most',
      ExpressionAttributeValues: { ':one': 1, ':now': nowInSeconds(outside), ':most': MAX_TRIES },
    },
  });
}

function openWindow(outside: Outside, reference: string) {
  const nowSeconds = nowInSeconds(outside);
  return outside.table.update({
    update: {
      Key: keyOf(reference),
      UpdateExpression:
        'SET tries = :one, window_ends_at_epoch_seconds = :end, expires_at_epoch_seconds = :gone ADD tries_in_all :one',
      ConditionExpression: 'attribute_not_exists(pk) OR window_ends_at_epoch_seconds <= :now',
      ExpressionAttributeValues: {
        ':one': 1,
        ':now': nowSeconds,
        ':end': nowSeconds + WINDOW_SECONDS,
        ':gone': nowSeconds + KEPT_SECONDS,
      },
    },
  });
}

function nowInSeconds(outside: Pick<Outside, 'now'>): number {
  return Math.floor(outside.now() / 1000);
}
