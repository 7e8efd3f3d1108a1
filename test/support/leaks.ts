import type { LogFields } from '../../shared/runtime/outside/log.ts';

/*
 * What a log must never hold. Secrets of ours show by their prefixes, numbers and codes by their shape; whatever else is secret in a
 * test (a gateway's password, a signing key, a text, a name) has the word canary in it.
 */
const SECRETS: Readonly<Record<string, RegExp>> = {
  'an API key': /sk_(live|test|sms)_\w{10,}/,
  'a webhook secret': /whsec_[\w+/=]{10,}/,
  'a phone number': /(?<![\w-])(\+?233|0)[235]\d{8}(?![\w-])/,
  'a code to a payer': /(?<!_ms":|[\w./+-])\d{6}(?![\w./+-])/,
  'a canary': /canary/i,
};

/** The secrets in a line of the log, by what they are. */
export function leaksIn(event: string, { error, ...fields }: LogFields = {}): string[] {
  const line = [event, JSON.stringify(fields), ...textsOf(error)].join(' ');
  return Object.entries(SECRETS).flatMap(([what, pattern]) => (pattern.test(line) ? [`${what} in: ${line}`] : []));
}

/** An error's texts and those of its causes, as a logger writes them. */
function textsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return error === undefined ? [] : [JSON.stringify(error) ?? String(error)];
  return [error.name, error.message, String(error.stack), ...textsOf(error.cause)];
}

/** What leaked since the last look. Every test's logs are looked through, and a leak fails the test (`no-leaks.ts`). */
export const leaks: string[] = [];
