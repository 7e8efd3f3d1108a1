import * as z from 'zod/mini';
import { Amount } from '../../ghana/amount-schema.ts';
import { CURRENCY } from '../../ghana/country.ts';
import { shownMoney } from '../../ghana/money.ts';
import { isMobileNumber } from '../../ghana/network.ts';
import { parsePhoneNumber } from '../../ghana/phone-number.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { withinFairLimit } from '../../runtime/table/limits.ts';
import { invalidRequest, PublicError } from '../../runtime/values/errors.ts';
import { createCharge } from '../transaction/create-charge.ts';
import type { Goods } from '../transaction/goods.ts';
import type { Origin } from '../transaction/origin.ts';
import type { Transaction } from '../transaction/transaction.table.ts';
import { type Link, openingsLimit } from './link.table.ts';
import { boundsOf, hasEnded, isSoldOut } from './link.ts';

/** What a customer may write. */
export const MAX_NOTE_CHARACTERS = 200;

/** How long a charge lives that a customer opens to pay it now. */
export const OPENED_LIFETIME_SECONDS = 30 * 60;

/** What a customer typed on a link's page; fields that were left empty are empty. */
export interface Typed {
  readonly amount: string;
  readonly note: string;
  readonly phone: string;
}

/**
 * Opens a charge through a link, as whoever presses Pay: it lives for half an hour, and no name pays it.
 * @throws PublicError `link_ended`, `sold_out`, `invalid_request` with the field that is wrong, `too_many_requests`, `no_momo_number`.
 */
export async function openCharge(
  outside: Outside,
  merchant: Merchant,
  link: Link,
  typed: Typed,
  sourceIp: string,
): Promise<Transaction> {
  if (hasEnded(outside, link))
    throw new PublicError('link_ended', 'This link has ended. Do not pay; ask the shop for another one.');
  if (isSoldOut(link))
    throw new PublicError('sold_out', 'This is sold out. Do not pay; ask the shop when there will be more.');
  const { slug, title, note_label, metadata, till: till_id } = link;
  const amount = amountOf(link, typed.amount);
  const note = note_label === undefined ? undefined : noteOf(note_label, typed.note);
  const customer_phone = link.codes_stocked !== undefined && link.texts_codes ? phoneOf(typed.phone) : undefined;
  const asked = { amount, description: title, customer_phone, metadata, expires_in: OPENED_LIFETIME_SECONDS };
  const origin: Origin =
    till_id === undefined ? { kind: 'link', slug, note } : { kind: 'sticker', slug, till_id, note };
  return createCharge(outside, merchant, { asked, origin, goods: goodsAt(link) }, async (charge, writes) => {
    await withinFairLimit(outside, openingsLimit(link), sourceIp, (counts) =>
      outside.table.write([...writes, ...counts]),
    );
    return charge;
  });
}

/** What leaves for what is paid here: at a till's sticker as its cashier says. */
function goodsAt({ codes_stocked, till }: Link): Goods | undefined {
  if (codes_stocked !== undefined) return { kind: 'code', state: 'unpaid' };
  return till === undefined ? undefined : { kind: 'counter', state: 'unpaid' };
}

/** What people write before an amount. */
const WRITTEN_CURRENCY = new RegExp(`^(${CURRENCY}|GH₵|₵) *`, 'i');

function amountOf(link: Link, written: string): number {
  const [least, most] = boundsOf(link);
  return least === most ? least : typedAmount(written, least, most);
}

/** What a customer typed, in pesewas. @throws PublicError `invalid_request` where it is no amount from `least` to `most`. */
export function typedAmount(written: string, least: number, most: number): number {
  const plain = written
    .trim()
    .replace(WRITTEN_CURRENCY, '')
    .replace(/(?<=\d),(?=\d{3}(\D|$))/g, '');
  const pesewas = z.safeParse(Amount, plain).data;
  if (pesewas !== undefined && pesewas >= least && pesewas <= most) return pesewas;
  const message = `Type an amount from ${shownMoney(least)} to ${shownMoney(most)}, such as ${CURRENCY} 20.`;
  throw invalidRequest([{ field: 'amount', message }]);
}

/** Optional: the page has the code, too. */
function phoneOf(written: string): string | undefined {
  if (written.trim() === '') return undefined;
  const number = parsePhoneNumber(written);
  if (number && isMobileNumber(number)) return number;
  throw invalidRequest([{ field: 'phone', message: 'Type a mobile number as your phone has it, like 020 987 6543.' }]);
}

function noteOf(label: string, written: string): string {
  const note = written.trim();
  if (note === '') throw invalidRequest([{ field: 'note', message: `Fill this in: ${label}.` }]);
  if (note.length > MAX_NOTE_CHARACTERS || !note.isWellFormed())
    throw invalidRequest([{ field: 'note', message: `Write at most ${MAX_NOTE_CHARACTERS} characters.` }]);
  return note;
}
