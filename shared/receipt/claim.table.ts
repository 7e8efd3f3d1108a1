/*
 * claim tries   CLAIM#<reference> / CLAIM   how many transaction ids were typed on a charge's page in these ten minutes
 */
import type { Outside } from '../runtime/outside.ts';

const TRIES = 5;
const WINDOW_SECONDS = 10 * 60;

const keyOf = (reference: string) => ({ pk: `CLAIM#${reference}`, sk: 'CLAIM' });

/**
 * Takes one try and gives 0, or the seconds until the next one where none is left. It is taken before it is known what the
 * try finds, so that many at once are no more tries than one after the other.
 */
export async function takeClaimTry(outside: Outside, reference: string): Promise<number> {
  // Two tries that open a window together: the one that comes second takes its try inside it.
  if ((await tryInWindow(outside, reference)) || (await openWindow(outside, reference))) return 0;
  if (await tryInWindow(outside, reference)) return 0;
  const standing = await outside.table.get(keyOf(reference));
  const nowSeconds = Math.floor(outside.now() / 1000);
  return Math.max(1, Number(standing?.expires_at_epoch_seconds ?? nowSeconds) - nowSeconds);
}

async function tryInWindow(outside: Outside, reference: string): Promise<boolean> {
  const taken = await outside.table.update({
    update: {
      Key: keyOf(reference),
      UpdateExpression: 'ADD tries :one',
      ConditionExpression: 'expires_at_epoch_seconds > :now AND tries < :most',
      ExpressionAttributeValues: { ':one': 1, ':now': Math.floor(outside.now() / 1000), ':most': TRIES },
    },
  });
  return taken !== undefined;
}

async function openWindow(outside: Outside, reference: string): Promise<boolean> {
  const nowSeconds = Math.floor(outside.now() / 1000);
  const opened = await outside.table.update({
    update: {
      Key: keyOf(reference),
      UpdateExpression: 'SET tries = :one, expires_at_epoch_seconds = :end',
      ConditionExpression: 'attribute_not_exists(pk) OR expires_at_epoch_seconds <= :now',
      ExpressionAttributeValues: { ':one': 1, ':now': nowSeconds, ':end': nowSeconds + WINDOW_SECONDS },
    },
  });
  return opened !== undefined;
}
