import type { PublicAnswer } from './post-public.ts';

/** Returns the seconds in an overloaded server's Retry-After header (RFC 9110, 10.2.3), or 0. */
export function retryAfterSeconds({ statusCode, headers }: PublicAnswer, nowMs: number): number {
  const { 'retry-after': header } = headers;
  if (header === undefined || (statusCode !== 429 && statusCode !== 503)) return 0;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - nowMs) / 1000;
  return seconds > 0 ? seconds : 0;
}
