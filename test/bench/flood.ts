import { settingsFrom } from '../../infra/cdk/settings.ts';
import type { HttpRow } from '../../shared/runtime/triggers/row.ts';
import { HOUR_MS } from '../../shared/runtime/values/calendar.ts';
import { httpRoutes } from '../support/routes.ts';
import type { Usage } from './meter.ts';
import { dollarsOfAMillion, MILLION } from './price.ts';
import { PRICES } from './prices.ts';
import { gigabyteSeconds, LOG_BYTES_PER_API_REQUEST, waitMs } from './story.ts';

type PublicRow = Extract<HttpRow, { readonly publicBecause: string }>;

export function publicRoutes(): { readonly name: string; readonly row: PublicRow }[] {
  return httpRoutes().flatMap(({ name, row }) => (row.throttledWith === undefined ? [] : [{ name, row }]));
}

/** Rate limit of a public route in `prod`, per second. */
export function limitOf({ throttledWith }: PublicRow): number {
  return settingsFrom((name) => (name === 'stage' ? 'prod' : undefined)).throttles[throttledWith].ratePerSecond;
}

/**
 * Cost of an hour of requests at the route's limit, in US cents at AWS's list prices. `bytes` is the length of one
 * response.
 */
export function centsAnHour(row: PublicRow, usage: Usage, bytes: number): number {
  const { requests, readUnits, writeUnits } = usage;
  const bill = {
    apiRequests: Math.max(1, Math.ceil(bytes / API_REQUEST_BYTES)),
    invocations: 1,
    lambdaGigabyteSeconds: gigabyteSeconds(row, waitMs(requests)),
    writeUnits,
    readUnits,
    queueRequests: 0,
    logBytes: LOG_BYTES_PER_API_REQUEST,
    storedByteMonths: 0,
  };
  const dollars = dollarsOfAMillion(bill) / MILLION + (bytes / 1e9) * PRICES.sentGigabyte;
  return dollars * 100 * limitOf(row) * (HOUR_MS / 1000);
}

const API_REQUEST_BYTES = 512 * 1024;
