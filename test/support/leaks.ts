import type { LogFields } from '../../shared/runtime/outside/log.ts';

/**
 * Patterns that must never be logged. Gateway passwords, signing keys, texts and names have no recognisable format. In
 * tests, they contain the word canary.
 */
const SECRETS: Readonly<Record<string, RegExp>> = {
  'an API key': /sk_(live|test|sms)_\w{10,}/,
  'a webhook secret': /whsec_[\w+/=]{10,}/,
  'a phone number': /(?<![\w-])(\+?233|0)[235]\d{8}(?![\w-])/,
  'a code to a payer': /(?<!_ms":|[\w./+-])\d{6}(?![\w./+-])/,
  'a canary': /canary/i,
};

export function leaksIn(event: string, { error, ...fields }: LogFields = {}): string[] {
  const line = [event, JSON.stringify(fields), ...textsOf(error)].join(' ');
  return Object.entries(SECRETS).flatMap(([what, pattern]) => (pattern.test(line) ? [`${what} in: ${line}`] : []));
}

/** Returns the messages of an error and of its causes. */
function textsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return error === undefined ? [] : [JSON.stringify(error) ?? String(error)];
  return [error.name, error.message, String(error.stack), ...textsOf(error.cause)];
}

/** Leaks since the last check. Every test's logs are checked, and a leak fails the test (`no-leaks.ts`). */
export const leaks: string[] = [];
