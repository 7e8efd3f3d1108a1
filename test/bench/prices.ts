/**
 * AWS's list prices in eu-west-1 (Ireland), the region in docs/deploy/deploying.md, in US dollars, without free tiers
 * and volume discounts. Source: AWS's price list
 * (pricing.us-east-1.amazonaws.com/offers/v1.0/aws/{service}/{version}/eu-west-1/index.json) as of September 2026,
 * except for Lambda on ARM and SQS, whose prices are from their web pages. Prices change, so check them before you rely
 * on them.
 */
export const PRICES = {
  /** An HTTP API request or answer of up to 512 KB. A larger one is billed as several. */
  apiRequest: 1.11 / 1e6,
  /** A gigabyte sent to the internet, of the first ten terabytes in a month. */
  sentGigabyte: 0.09,
  invocation: 0.2 / 1e6,
  /** A gigabyte-second on ARM. */
  lambdaGigabyteSecond: 0.0000133334,
  /** On demand. Stream reads by Lambda are free. */
  writeUnit: 0.705 / 1e6,
  readUnit: 0.1415 / 1e6,
  /** A gigabyte stored for a month (0.283) and its point-in-time backup (0.22). */
  storedGigabyteMonth: 0.503,
  /** A request of up to 64 KB to a standard queue (0.40) with fair queueing by message group (0.10). */
  queueRequest: 0.5 / 1e6,
  /** Ingestion. Storage for seven to ninety days adds two percent. */
  logGigabyte: 0.57,
} as const;
