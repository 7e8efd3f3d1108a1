import * as z from 'zod/mini';
import { isoOf } from '../../runtime/outside/outside.ts';
import type { PageStart } from '../../runtime/table/table.ts';
import type { Receipt } from './receipt.ts';

export interface Reader {
  /**
   * True if the reader may see a wallet's balance. Anybody who knows the balance can forge a text that gets verified.
   */
  readonly seesBalances: boolean;
  /** True if the reader may see full ids of held payments. Anybody who knows a payment's id can claim it. */
  readonly seesIds: boolean;
}

export const WEBHOOK: Reader = { seesBalances: false, seesIds: true };

export const CUSTOMER = { seesIds: false } as const;

/**
 * Returns a receipt with only the fields that the reader may see. Replaces a secret receipt id, which contains the
 * network's id, with `shownIdOf`.
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
 * True if somebody could claim a payment by its id. Assigned, tapped and claimed payments count too, although they are
 * matched: they may be held again, and no typed reference prevents a claim for another charge.
 */
function isSecret({ state, matched_by, transaction_id }: PaymentFields): boolean {
  return transaction_id !== undefined && (state === 'held' || MAY_BE_CLAIMED.has(matched_by));
}

const MAY_BE_CLAIMED: ReadonlySet<string | null | undefined> = new Set(['hand', 'till', 'claim']);

interface PaymentFields {
  readonly state?: string | undefined;
  readonly matched_by?: string | null | undefined;
  readonly transaction_id?: string | undefined;
}

const Answered = z.object({
  transaction_id: z.string(),
  status: z.optional(z.string()),
  matched_by: z.nullish(z.string()),
});

export function withoutIds({ seesIds }: Pick<Reader, 'seesIds'>, json: string): string {
  if (seesIds) return json;
  return secretIdsIn(JSON.parse(json)).reduce((shown, id) => shown.replaceAll(id, lastDigits(id)), json);
}

function secretIdsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { data: answered } = z.safeParse(Answered, value);
  const { status, matched_by = null, transaction_id } = answered ?? {};
  const state = matched_by === null ? (status ?? 'held') : status;
  const own = isSecret({ state, matched_by, transaction_id }) && transaction_id ? [transaction_id] : [];
  return [...own, ...Object.entries(value).flatMap(([name, one]) => (name === 'metadata' ? [] : secretIdsIn(one)))];
}

/** True if the reader may request a receipt by its id. Any other reader could guess ids. */
export function mayAskFor(reader: Pick<Reader, 'seesIds'>, receipt: Receipt): boolean {
  return reader.seesIds || !isSecret(receipt);
}

export function paymentIdFor(
  reader: Pick<Reader, 'seesIds'>,
  payment: Pick<Receipt, 'matched_by'> & { transaction_id: string },
): string {
  return reader.seesIds || !isSecret(payment) ? payment.transaction_id : lastDigits(payment.transaction_id);
}

export function shownIdOf({
  received_at,
  transaction_id = '',
}: Pick<Receipt, 'received_at' | 'transaction_id'>): string {
  return `${Date.parse(received_at)}-${transaction_id.slice(-LAST)}`;
}

export function timeOfShownId(id: string): string | undefined {
  const [, ms] = /^(\d{13})-\w{1,4}$/.exec(id) ?? [];
  return ms === undefined ? undefined : isoOf(Number(ms));
}

export function startFor(reader: Reader, next: PageStart | undefined): PageStart | undefined {
  if (!next || reader.seesIds) return next;
  return { pk: 'RECEIPT#', sk: 'RECEIPT', sort: next.sort.slice(0, next.sort.indexOf('#') + 1) };
}

export function withoutBalanceWords(text: string): string {
  return text.replace(BALANCE, '$1…');
}

export function lastDigits(transactionId: string): string {
  return `…${transactionId.slice(-LAST)}`;
}

function withoutBalance({ state, text }: Receipt): string | undefined {
  return state === 'unread' ? text?.replace(NUMBER, '…') : text && withoutBalanceWords(text);
}

const LAST = 4;
const NUMBER = /\d[\d,.]*/g;
const BALANCE = /(\bbal\w*[^\d]{0,40})\d[\d,]*(?:\.\d+)?/gi;
