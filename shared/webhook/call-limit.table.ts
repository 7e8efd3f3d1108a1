/*
 * webhook calls   WEBHOOK_CALLS#<holder> / <minute>   how many events a holder tested or replayed in that minute
 */
import { holderId, type KeyHolder } from '../merchants/merchant/key-holder.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import type { TableWrite } from '../runtime/table/table.ts';
import { PublicError } from '../runtime/values/errors.ts';

/** Tests and replays together. More than a person needs, and too few to delay anybody's real events. */
export const MAX_CALLS_PER_MINUTE = 10;
const MINUTE_SECONDS = 60;

/** Counts a call, in the same transaction as its effect; refused beyond the limit. */
export function countCall(outside: Pick<Outside, 'now'>, holder: KeyHolder): TableWrite {
  const nowSeconds = Math.floor(outside.now() / 1000);
  const leftSeconds = MINUTE_SECONDS - (nowSeconds % MINUTE_SECONDS);
  return {
    update: {
      Key: { pk: `WEBHOOK_CALLS#${holderId(holder)}`, sk: new Date(outside.now()).toISOString().slice(0, 16) },
      UpdateExpression: 'SET expires_at_epoch_seconds = :end ADD calls :one',
      ConditionExpression: 'attribute_not_exists(calls) OR calls < :most',
      ExpressionAttributeValues: { ':one': 1, ':most': MAX_CALLS_PER_MINUTE, ':end': nowSeconds + 2 * MINUTE_SECONDS },
    },
    refused: () =>
      new PublicError(
        'too_many_requests',
        `At most ${MAX_CALLS_PER_MINUTE} events can be tested or replayed in a minute. Nothing was done; wait and try again.`,
        { headers: { 'retry-after': String(leftSeconds) } },
      ),
  };
}
