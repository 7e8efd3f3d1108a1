/**
 * contact   CONTACT#<merchant> / <number>   a merchant's customer, with any marketing consent. Rows of numbers that are
 *                                           not contacts only record a STOP
 */
import * as z from 'zod/mini';
import { endOfTest } from '../../merchants/merchant/test-account.ts';
import { type Clock, nowIso, type TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import type { Page, TableWrite } from '../../runtime/table/table.ts';
import { inList, PublicError } from '../../runtime/values/errors.ts';

const Consent = z.object({
  /** Time of consent (ISO), as stated by the merchant. */
  at: z.string(),
  /** The merchant's description of the consent: `Form in the shop`. */
  how: z.string(),
  /** The user id or API key that stored the consent. A key is abbreviated as in the audit log (`key …1a2B`). */
  by: z.string(),
  stored_at: z.string(),
});

export const Contact = z.object({
  merchant_id: z.string(),
  number: z.string(),
  name: z.optional(z.string()),
  consent: z.optional(Consent),
  /** True after STOP, false after START. Unset if neither was received since the contact was stored. */
  opted_out: z.optional(z.boolean()),
  /** Unset if the row only records a STOP. */
  created_at: z.optional(z.string()),
  expires_at_epoch_seconds: z.optional(z.number()),
});
export type Contact = z.infer<typeof Contact>;

const contactRows = rows(Contact, { pk: 'CONTACT#<merchant_id>', sk: '<number>' });
const isContact = ({ created_at }: Contact) => created_at !== undefined;

export async function findContact(
  outside: TableOutside,
  merchantId: string,
  number: string,
): Promise<Contact | undefined> {
  return (await getContacts(outside, merchantId, [number])).get(number);
}

export async function getContacts(
  outside: TableOutside,
  merchantId: string,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, Contact>> {
  const contacts = (await contactRows.findMany(outside, named(merchantId, numbers))).filter(isContact);
  return new Map(contacts.map((one) => [one.number, one]));
}

export async function withoutConsent(
  outside: TableOutside,
  merchantId: string,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = await contactRows.findMany(outside, named(merchantId, numbers));
  const agreed = new Set(known.filter(hasConsent).map(({ number }) => number));
  return new Set(numbers.filter((number) => !agreed.has(number)));
}

const named = (merchant_id: string, numbers: readonly string[]) =>
  [...new Set(numbers)].map((number) => ({ merchant_id, number }));

export function hasConsent({ consent, opted_out }: Pick<Contact, 'consent' | 'opted_out'>): boolean {
  return consent !== undefined && opted_out !== true;
}

/** Lists a merchant's contacts by number. A page may be short, because non-contacts are skipped. */
export async function listContacts(outside: TableOutside, merchant_id: string, page: Page) {
  const { entries, next } = await contactRows.page(outside, { merchant_id }, page);
  return { contacts: entries.filter(isContact), next };
}

/** The fields to change. A field set to `undefined` is removed. */
export type ContactChange = { readonly [Name in 'name' | 'consent']?: Contact[Name] | undefined };

export function changeContact(
  outside: Clock,
  { merchant_id, number }: Pick<Contact, 'merchant_id' | 'number'>,
  change: ContactChange,
): TableWrite {
  const created_at = nowIso(outside);
  const fields = { merchant_id, number, ...change, ...endOfTest(merchant_id, created_at) };
  return contactRows.change(fields, fields, { once: { created_at } });
}

/**
 * Removes a contact. Keeps the record of any STOP or withdrawn consent.
 * @throws PublicError `not_found` when the write is committed.
 */
export function removeContact(merchant_id: string, number: string): TableWrite {
  return contactRows.remove({ merchant_id, number }, { when: 'attribute_exists(created_at)', refused: noSuchContact });
}

export function noSuchContact(): PublicError {
  return new PublicError('not_found', 'You have no contact with this number. GET /api/v1/contact lists your contacts.');
}

/**
 * Copies a STOP or START to the contact row, which is checked before marketing is sent. Commit this in the
 * same transaction as the opt-out.
 */
export function noteOptOut(merchant_id: string, number: string, opted_out: boolean): TableWrite {
  return contactRows.change({ merchant_id, number }, { merchant_id, number, opted_out });
}

/**
 * Returns transaction conditions that require consent and no opt-out. The conditions cost two write units per number.
 */
export function stillConsented(
  merchant_id: string,
  to: readonly string[],
  stopped: (number: string) => Error,
): TableWrite[] {
  const when = 'attribute_exists(consent) AND (attribute_not_exists(opted_out) OR opted_out = :no)';
  return named(merchant_id, to).map((one) =>
    contactRows.check(one, {
      when,
      values: { ':no': false },
      refused: (current) =>
        current?.opted_out === true ? stopped(one.number) : consentMissing(to, new Set([one.number])),
    }),
  );
}

export function consentMissing(
  to: readonly string[],
  without: ReadonlySet<string>,
  errorAt = inList('to'),
): PublicError {
  const errors = to.flatMap((number, n) =>
    without.has(number) ? [errorAt(n, `${number} has no stored consent`)] : [],
  );
  const [first = '', ...others] = without;
  const who = others.length > 0 ? `${first} and ${others.length} more` : first;
  return new PublicError(
    'consent_missing',
    `No consent is stored for ${who}, and marketing is sent only to people who agreed. Nothing was debited. Store their consent with POST /api/v1/contact, or leave out the numbers listed in errors.`,
    { errors },
  );
}
