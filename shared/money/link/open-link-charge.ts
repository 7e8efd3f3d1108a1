import { isMobileNumber } from '../../ghana/network.ts';
import { parsePhoneNumber } from '../../ghana/phone-number.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { randomBase62 } from '../../runtime/values/base62.ts';
import { invalidRequest, PublicError } from '../../runtime/values/errors.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import type { Charge } from '../charge/charge.table.ts';
import type { NewCharge } from '../charge/charge.ts';
import { countPaidAtLink } from '../charge/lookup.table.ts';
import { openCharge, typedAmount } from '../charge/open-charge.ts';
import { type Link, notePress, openingsLimit } from './link.table.ts';
import { boundsOf, hasEnded, isSoldOut } from './link.ts';

export const MAX_NOTE_CHARACTERS = 200;

export const OPENED_LIFETIME_SECONDS = 30 * 60;

export interface Typed {
  readonly amount: string;
  readonly note: string;
  readonly phone: string;
  readonly nonce: string;
}

/**
 * Opens a charge that expires after half an hour and is never matched by name.
 * @throws PublicError `link_ended`, `sold_out`, `invalid_request` that names the invalid field, `too_many_requests`,
 * `no_momo_number`.
 */
export async function openThroughLink(
  outside: Outside,
  merchant: Merchant,
  link: Link,
  { typed, sourceIp }: { readonly typed: Typed; readonly sourceIp: string },
): Promise<Charge> {
  if (hasEnded(outside, link))
    throw new PublicError('link_ended', 'This link is no longer active. Do not pay. Ask the shop for a new one.');
  if (isSoldOut(link))
    throw new PublicError('sold_out', 'Sold out. Do not pay. Ask the shop when more will be available.');
  const { title: description, note_label, metadata } = link;
  const amount = amountOf(link, typed.amount);
  const note = note_label === undefined ? undefined : noteOf(note_label, typed.note);
  const customer_phone = link.codes_stocked !== undefined && link.texts_codes ? phoneOf(typed.phone) : undefined;
  const asked = { amount, description, customer_phone, metadata, expires_in: OPENED_LIFETIME_SECONDS };
  const limit = openingsLimit(link, (hour) => countPaidAtLink(outside, link, hour));
  const form = formOf(typed);
  const opening = {
    asked,
    ...from(link, note),
    limit,
    notePress:
      form === undefined
        ? undefined
        : ({ reference }: Charge, before?: string) => notePress(outside, link, { form, reference, before }),
  };
  return openCharge(outside, merchant, opening, sourceIp);
}

/**
 * Hashes a form and its fields. Returns undefined if there is no nonce. A form submitted with a changed field counts as
 * new.
 */
function formOf({ nonce, amount, note, phone }: Typed): string | undefined {
  return NONCE.test(nonce) ? sha256(JSON.stringify([nonce, amount, note, phone])).slice(0, 32) : undefined;
}

const NONCE_CHARACTERS = 22;
const NONCE = new RegExp(`^[0-9A-Za-z]{${NONCE_CHARACTERS}}$`);

export function newNonce({ randomBytes }: Pick<Outside, 'randomBytes'>): string {
  return randomBase62(NONCE_CHARACTERS, randomBytes);
}

/**
 * A charge opened at a sticker is for goods that the till's cashier hands over. A charge opened through any other link
 * may be for a code.
 */
function from({ slug, till, codes_stocked }: Link, note: string | undefined): Pick<NewCharge, 'origin' | 'goods'> {
  if (till !== undefined)
    return { origin: { kind: 'sticker', slug, till_id: till, note }, goods: { kind: 'counter', state: 'unpaid' } };
  const goods = codes_stocked === undefined ? undefined : ({ kind: 'code', state: 'unpaid' } as const);
  return { origin: { kind: 'link', slug, note }, goods };
}

function amountOf(link: Link, written: string): number {
  const [least, most] = boundsOf(link);
  return least === most ? least : typedAmount(written, least, most);
}

function phoneOf(written: string): string | undefined {
  if (written.trim() === '') return undefined;
  const number = parsePhoneNumber(written);
  if (number && isMobileNumber(number)) return number;
  throw invalidRequest([{ field: 'phone', message: 'Type a mobile number, such as 020 987 6543.' }]);
}

function noteOf(label: string, written: string): string {
  const note = written.trim();
  if (note === '') throw invalidRequest([{ field: 'note', message: `Fill this in: ${label}.` }]);
  if (note.length > MAX_NOTE_CHARACTERS || !note.isWellFormed())
    throw invalidRequest([{ field: 'note', message: `Use at most ${MAX_NOTE_CHARACTERS} characters.` }]);
  return note;
}
