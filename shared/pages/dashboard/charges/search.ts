import { parsePhoneNumber } from '../../../ghana/phone-number.ts';
import type { TermKind } from '../../../money/transaction/search.ts';

/** What somebody typed into the one field of the search: a charge's own reference, or what it may be, the likeliest first. */
export type Search = { readonly reference: string } | { readonly kinds: readonly [TermKind, ...TermKind[]] };

export function readSearch(typed: string): Search {
  const [, digits] = /^(?:mk)?[\s-]*(\d{10})$/i.exec(typed.trim()) ?? [];
  // Phone numbers begin with 0, references never.
  if (digits && !digits.startsWith('0')) return { reference: `MK-${digits}` };
  if (typed.includes('@')) return { kinds: ['email', 'merchant_reference'] };
  if (parsePhoneNumber(typed)) return { kinds: ['phone', 'merchant_reference'] };
  if (/^\d+$/.test(typed.trim())) return { kinds: ['merchant_reference', 'transaction_id'] };
  return { kinds: ['merchant_reference', 'name'] };
}
