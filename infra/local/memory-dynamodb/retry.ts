import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

type RetryStrategy = Extract<NonNullable<DynamoDBClientConfig['retryStrategy']>, { acquireInitialRetryToken: unknown }>;
type RetryToken = Awaited<ReturnType<RetryStrategy['acquireInitialRetryToken']>>;

/** The SDK's retry limits for DynamoDB. */
export const MAX_TRIES = 4;
const CAPACITY = 500;
const COSTS = { THROTTLING: 5, TRANSIENT: 14 };
const GAIN = 1;

/** Creates the SDK's retry strategy without delays. The original sets a timer even for 0 ms. */
export function withoutWaiting(): RetryStrategy {
  let capacity = CAPACITY;
  /** Retry capacity used by each token, returned if the retry succeeds. */
  const costs = new WeakMap<RetryToken, number>();
  return {
    acquireInitialRetryToken: async () => token(0),
    refreshRetryTokenForRetry: async (last, { errorType }) => {
      const cost = errorType === 'THROTTLING' || errorType === 'TRANSIENT' ? COSTS[errorType] : undefined;
      const tries = last.getRetryCount() + 1;
      if (cost === undefined || tries >= MAX_TRIES || capacity < cost) throw new Error('No retry token available');
      capacity -= cost;
      const next = token(tries);
      costs.set(next, cost);
      return next;
    },
    recordSuccess: (last) => {
      capacity = Math.min(CAPACITY, capacity + (costs.get(last) ?? GAIN));
    },
  };
}

function token(tries: number): RetryToken {
  return { getRetryCount: () => tries, getRetryDelay: () => 0 };
}
