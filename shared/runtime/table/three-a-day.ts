import type { Clock } from '../outside/outside.ts';
import type { Key } from './table.ts';

/** Any period of this length, whenever it begins. */
const WINDOW_MS = 24 * 60 * 60 * 1000;

/** Takes one of the three times that a row allows in any 24 hours; the condition does not hold for a fourth. The row has the last three. */
export function takeOneOfThreeADay({ now }: Clock, key: Key, keptSeconds: number) {
  const nowMs = now();
  return {
    Key: key,
    UpdateExpression:
      'SET third_last_ms = if_not_exists(second_last_ms, :never), second_last_ms = if_not_exists(last_ms, :never), last_ms = :now, expires_at_epoch_seconds = :gone',
    ConditionExpression: 'attribute_not_exists(third_last_ms) OR third_last_ms <= :long_ago',
    ExpressionAttributeValues: {
      ':never': 0,
      ':now': nowMs,
      ':long_ago': nowMs - WINDOW_MS,
      ':gone': Math.floor(nowMs / 1000) + keptSeconds,
    },
  };
}
