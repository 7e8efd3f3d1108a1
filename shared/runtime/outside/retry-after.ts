import type { PublicAnswer } from './post-public.ts';

/** The pause that an overloaded receiver asks for, in seconds; as a number or as a date (RFC 9110, 10.2.3). 0 where it asks for none. */
export function retryAfterSeconds({ statusCode, headers }: PublicAnswer, nowMs: number): number {
  const { 'retry-after': header } = headers;
  if (header === undefined || (statusCode !== 429 && statusCode !== 503)) return 0;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - nowMs) / 1000;
  return seconds > 0 ? seconds : 0;
}
