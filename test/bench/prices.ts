/**
 * AWS's list prices in eu-west-1 (Ireland), in US dollars, without free tiers and volume discounts. Source: AWS's price
 * list (pricing.us-east-1.amazonaws.com/offers/v1.0/aws/{service}/{version}/eu-west-1/index.json) as of September 2026.
 * Prices of Lambda on ARM and SQS are from their web pages.
 */
export const PRICES = {
  /** HTTP API request of up to 512 KB. */
  apiRequest: 1.11 / 1e6,
  /** GB sent to the internet, within the first 10 TB a month. */
  sentGigabyte: 0.09,
  invocation: 0.2 / 1e6,
  /** GB-second on ARM. */
  lambdaGigabyteSecond: 0.0000133334,
  /** On-demand capacity. Lambda reads the stream free of charge. */
  writeUnit: 0.705 / 1e6,
  readUnit: 0.1415 / 1e6,
  /** GB stored for a month (0.283) and its point-in-time backup (0.22). */
  storedGigabyteMonth: 0.503,
  /** Request of up to 64 KB to a standard queue (0.40) with fair queueing (0.10). */
  queueRequest: 0.5 / 1e6,
  /** Ingestion. Storage for seven to ninety days adds two percent. */
  logGigabyte: 0.57,
} as const;
