/**
 * AWS's list prices in eu-west-1 (Ireland), the region of docs/deploy/deploying.md, in US dollars, without free tiers and discounts for volume.
 * From AWS's price list (pricing.us-east-1.amazonaws.com/offers/v1.0/aws/{service}/{version}/eu-west-1/index.json) as of September 2026,
 * but those of Lambda's ARM processors and of SQS, which its pages show. They change: look before you count on them.
 */
export const PRICES = {
  /** HTTP API, a request of up to 512 KB. */
  apiRequest: 1.11 / 1e6,
  invocation: 0.2 / 1e6,
  /** A second with a gigabyte of memory, on ARM. */
  lambdaGigabyteSecond: 0.0000133334,
  /** On demand. Lambda's own reads of the table's stream are free. */
  writeUnit: 0.705 / 1e6,
  readUnit: 0.1415 / 1e6,
  /** A gigabyte that a table keeps for a month, 0.283, and its backup for restoring to a point in time, 0.22. */
  storedGigabyteMonth: 0.503,
  /** A request of up to 64 KB to a standard queue: 0.40, and 0.10 for its fair queueing by message group. */
  queueRequest: 0.5 / 1e6,
  /** Ingestion; seven to ninety days of storage add a fiftieth. */
  logGigabyte: 0.57,
} as const;
