/*
 * claim tries   CLAIM#<reference> / CLAIM   how many transaction ids were typed on a charge's page in these ten minutes
 */
import type { Outside } from '../runtime/outside.ts';

const TRIES = 5;
const WINDOW_SECONDS = 10 * 60;

/** Takes one try and gives 0, or the seconds until the next one where none is left. Taken before it is known what the try finds. */
export async function takeClaimTry(outside: Outside, reference: string): Promise<number> {
  const Key = { pk: `CLAIM#${reference}`, sk: 'CLAIM' };
  const nowSeconds = Math.floor(outside.now() / 1000);
  const inThisWindow = await outside.table.update({
    update: {
      Key,
      UpdateExpression: 'ADD tries :one',
      ConditionExpression: 'expires_at_epoch_seconds > :now AND tries < :most',
      ExpressionAttributeValues: { ':one': 1, ':now': nowSeconds, ':most': TRIES },
    },
  });
  if (inThisWindow) return 0;
  const inNewWindow = await outside.table.update({
    update: {
      Key,
      UpdateExpression: 'SET tries = :one, expires_at_epoch_seconds = :end',
      ConditionExpression: 'attribute_not_exists(pk) OR expires_at_epoch_seconds <= :now',
      ExpressionAttributeValues: { ':one': 1, ':now': nowSeconds, ':end': nowSeconds + WINDOW_SECONDS },
    },
  });
  if (inNewWindow) return 0;
  const standing = await outside.table.get(Key);
  return Math.max(1, Number(standing?.expires_at_epoch_seconds ?? nowSeconds) - nowSeconds);
}
