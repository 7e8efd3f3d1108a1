import type { TableOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import type { FieldError } from '../../runtime/values/errors.ts';
import { consentMissing, stillConsented, withoutConsent } from '../contact/contact.table.ts';
import { findOptOut, optedOutOf, recipientOptedOut, stillOptedIn } from '../conversation/opt-out.table.ts';
import type { Send } from './send.table.ts';

type Category = Send['category'];

/**
 * Rejects marketing to people without consent, and marketing or reminders to people who opted out. The error lists
 * every such recipient.
 * @throws PublicError `recipient_opted_out`, `consent_missing`.
 */
export async function refuseUnwanted(
  outside: TableOutside,
  send: Unsent,
  errorAt?: (n: number, message: string) => FieldError,
): Promise<void> {
  const { to } = send;
  const { optedOut, without } = await unwantedIn(outside, send);
  if (optedOut.size > 0) throw recipientOptedOut(to, optedOut, errorAt);
  if (without.size > 0) throw consentMissing(to, without, errorAt);
}

export async function unwantedOf(outside: TableOutside, send: Unsent): Promise<ReadonlySet<string>> {
  const { optedOut, without } = await unwantedIn(outside, send);
  return optedOut.union(without);
}

type Unsent = Pick<Send, 'merchant_id' | 'category' | 'to'>;

async function unwantedIn(outside: TableOutside, { merchant_id = '', category, to }: Unsent) {
  const nobody: ReadonlySet<string> = new Set();
  const [optedOut, without] = await Promise.all([
    category ? optedOutOf(outside, merchant_id, to) : nobody,
    category === 'marketing' ? withoutConsent(outside, merchant_id, to) : nobody,
  ]);
  return { optedOut, without };
}

/**
 * Returns transaction conditions that require every recipient to still accept the text. The conditions cost two write
 * units per number.
 */
export function stillWanted(merchantId: string, category: Category, to: readonly string[]): TableWrite[] {
  if (!category) return [];
  if (category === 'reminder') return stillOptedIn(merchantId, to);
  return stillConsented(merchantId, to, (number) => recipientOptedOut(to, new Set([number])));
}

export async function unwantedBecause(
  outside: TableOutside,
  { merchant_id, category }: Pick<Send, 'merchant_id' | 'category'>,
  to: string,
): Promise<string | undefined> {
  if (!category || merchant_id === undefined) return undefined;
  const [optOut, without] = await Promise.all([
    findOptOut(outside, merchant_id, to),
    category === 'marketing' ? withoutConsent(outside, merchant_id, [to]) : new Set<string>(),
  ]);
  if (optOut?.opted_out) return 'The recipient has opted out';
  return without.has(to) ? 'The recipient’s consent is no longer stored' : undefined;
}
