import * as z from 'zod/mini';
import { isoOf } from '../../runtime/outside/outside.ts';
import type { PageStart } from '../../runtime/table/table.ts';
import type { Receipt } from './receipt.ts';

/** The rights of somebody who sees receipts. */
export interface Reader {
  /** Sees a wallet's balance, with which a text can be forged that counts as verified. */
  readonly seesBalances: boolean;
  /** The whole ids of payments that are held: who knows one can claim it for a charge of their own. */
  readonly seesIds: boolean;
}

/** A merchant's server, which may do what its keys may. What the wallet holds it need not know. */
export const WEBHOOK: Reader = { seesBalances: false, seesIds: true };

/** Whoever has the link of a charge: need not be who paid, and may be somebody of the shop. */
export const CUSTOMER = { seesIds: false } as const;

/**
 * A receipt as somebody may see it. The id of one that is held contains the network's id, so who may not see that gets another, which
 * `shownIdOf` makes.
 */
export function receiptFor(reader: Reader, receipt: Receipt): Receipt {
  const { balance_pesewas, ...others } = receipt;
  const shown = reader.seesBalances ? receipt : { ...others, text: withoutBalance(receipt) };
  const { transaction_id } = receipt;
  if (reader.seesIds || !isSecret(receipt) || transaction_id === undefined) return shown;
  return {
    ...shown,
    receipt_id: shownIdOf(receipt),
    transaction_id: lastDigits(transaction_id),
    text: shown.text?.replaceAll(transaction_id, lastDigits(transaction_id)),
  };
}

/**
 * True if a payment's id is worth hiding: a payment that has paid a charge cannot be claimed any more. Parts are held again where their
 * charge ends, but whose text names a charge is claimed for no other: so what was given by hand stays secret.
 */
function isSecret({ state, matched_by, transaction_id }: Told): boolean {
  return transaction_id !== undefined && (state === 'held' || matched_by === 'hand' || matched_by === 'till');
}

/** The part of a receipt or payment that says whether its id is secret, by the names that rows or answers have. */
interface Told {
  readonly state?: string | undefined;
  readonly matched_by?: string | null | undefined;
  readonly transaction_id?: string | undefined;
}

const Answered = z.object({
  transaction_id: z.string(),
  status: z.optional(z.string()),
  matched_by: z.nullish(z.string()),
});

/** Removes the ids that somebody may not see from an answer or event about payments. */
export function withoutIds({ seesIds }: Pick<Reader, 'seesIds'>, json: string): string {
  if (seesIds) return json;
  return secretIdsIn(JSON.parse(json)).reduce((shown, id) => shown.replaceAll(id, lastDigits(id)), json);
}

/** An object without a state or a match may be held. A merchant's metadata may have any fields. */
function secretIdsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { data: told } = z.safeParse(Answered, value);
  const { status, matched_by = null, transaction_id } = told ?? {};
  const state = matched_by === null ? (status ?? 'held') : status;
  const own = isSecret({ state, matched_by, transaction_id }) && transaction_id ? [transaction_id] : [];
  return [...own, ...Object.entries(value).flatMap(([name, one]) => (name === 'metadata' ? [] : secretIdsIn(one)))];
}

/** True if somebody may ask for a receipt by its id. Anybody else could count up to ids that exist. */
export function mayAskFor(reader: Pick<Reader, 'seesIds'>, receipt: Receipt): boolean {
  return reader.seesIds || !isSecret(receipt);
}

/** The network's id of what has paid a charge, or is a part of it. */
export function paymentIdFor(
  reader: Pick<Reader, 'seesIds'>,
  payment: Pick<Receipt, 'matched_by'> & { transaction_id: string },
): string {
  return reader.seesIds || !isSecret(payment) ? payment.transaction_id : lastDigits(payment.transaction_id);
}

/** Tells held payments apart, by when they came and what is shown of the network's id. */
export function shownIdOf({
  received_at,
  transaction_id = '',
}: Pick<Receipt, 'received_at' | 'transaction_id'>): string {
  return `${Date.parse(received_at)}-${transaction_id.slice(-LAST)}`;
}

/** When the payment of a shown id came (ISO); undefined for any other id. */
export function timeOfShownId(id: string): string | undefined {
  const [, ms] = /^(\d{13})-\w{1,4}$/.exec(id) ?? [];
  return ms === undefined ? undefined : isoOf(Number(ms));
}

/** The cursor of the next page, without the id of the receipt that ended this one. */
export function startFor(reader: Reader, next: PageStart | undefined): PageStart | undefined {
  if (!next || reader.seesIds) return next;
  return { pk: 'RECEIPT#', sk: 'RECEIPT', sort: next.sort.slice(0, next.sort.indexOf('#') + 1) };
}

/** A text of a payment, or what contains one, without what is in the wallet. */
export function withoutBalanceWords(text: string): string {
  return text.replace(BALANCE, '$1…');
}

/** The last digits of a network's id: enough to find a customer who reads them out. */
export function lastDigits(transactionId: string): string {
  return `…${transactionId.slice(-LAST)}`;
}

/** In words that nobody has described any number may be what the wallet holds. */
function withoutBalance({ state, text }: Receipt): string | undefined {
  return state === 'unread' ? text?.replace(NUMBER, '…') : text && withoutBalanceWords(text);
}

const LAST = 4;
const NUMBER = /\d[\d,.]*/g;
/** The word in any form, and the next number after it. */
const BALANCE = /(\bbal\w*[^\d]{0,40})\d[\d,]*(?:\.\d+)?/gi;
