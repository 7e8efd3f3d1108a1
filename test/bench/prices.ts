/**
 * AWS's list prices in us-east-1 (N. Virginia), in US dollars, without free tiers and discounts for volume.
 * They change: look at aws.amazon.com/{api-gateway,lambda,dynamodb,sqs,cloudwatch}/pricing before you count on them.
 */
export const PRICES = {
  /** HTTP API, a request of up to 512 KB. */
  apiRequest: 1.0 / 1e6,
  invocation: 0.2 / 1e6,
  /** A second with a gigabyte of memory, on ARM. */
  lambdaGigabyteSecond: 0.0000133334,
  /** On demand. Lambda's own reads of the table's stream are free. */
  writeUnit: 0.625 / 1e6,
  readUnit: 0.125 / 1e6,
  /** A gigabyte that a table keeps for a month, 0.25, and its backup for restoring to a point in time, 0.20. */
  storedGigabyteMonth: 0.45,
  /** A request of up to 64 KB to a standard queue: 0.40, and 0.10 for its fair queueing by message group. */
  queueRequest: 0.5 / 1e6,
  /** Ingestion; seven to ninety days of storage add a fiftieth. */
  logGigabyte: 0.5,
} as const;
