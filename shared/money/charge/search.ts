import * as z from 'zod/mini';
import { Amount } from '../../ghana/amount-schema.ts';
import { CURRENCY } from '../../ghana/country.ts';
import { ghsOf, MAX_AMOUNT_GHS, MIN_AMOUNT_GHS } from '../../ghana/money.ts';
import { parsePhoneNumber } from '../../ghana/phone-number.ts';
import { type FieldError, refuseInvalid } from '../../runtime/values/errors.ts';
import { missingPesewas, paymentsOf } from '../payment/payment.ts';
import type { Charge } from './charge.table.ts';
import { lookedForWords, nameWords } from './customer-name.ts';
import { cameWith, isNamedByMerchant } from './origin.ts';
import { isSlug } from './slug.ts';
import { orderKey } from './typed-text.ts';
import { withoutZeros, writtenTransactionId } from './written-id.ts';

/** Kinds of search terms, rarest first. */
export const termKinds = ['transaction_id', 'merchant_reference', 'email', 'phone', 'name', 'link', 'amount'] as const;
export type TermKind = (typeof termKinds)[number];

/**
 * Internal terms that users cannot search for: payments at a link, the amount still due on a partly paid charge, paid
 * charges whose code is not handed out yet, and order numbers as payers may type them.
 */
type OwnKind = 'paid_at_link' | 'lacks' | 'code_waiting' | 'order';

export type Term = `${TermKind | OwnKind}:${string}`;

type Searched = Partial<
  Pick<
    Charge,
    | 'state'
    | 'merchant_reference'
    | 'origin'
    | 'customer_name'
    | 'customer_phone'
    | 'email'
    | 'amount_pesewas'
    | 'payment'
    | 'parts'
    | 'goods'
  >
>;

export function termsOf(charge: Searched): Set<Term> {
  const payments = paymentsOf(charge);
  const { link } = cameWith(charge);
  const terms = (kind: TermKind | OwnKind, values: readonly (string | number | undefined)[]) =>
    values.flatMap((value): Term[] => (value === undefined ? [] : [`${kind}:${value}`]));
  return new Set([
    ...terms('merchant_reference', [charge.merchant_reference]),
    ...terms('order', [orderKey(charge.merchant_reference)]),
    ...terms('email', [charge.email?.toLowerCase()]),
    ...terms(
      'name',
      [charge.customer_name, ...payments.map(({ payer_name }) => payer_name)].flatMap((name) =>
        lookedForWords(name ?? '').filter(isWord),
      ),
    ),
    ...terms('lacks', [lackedPesewas(charge)]),
    ...terms('link', [link]),
    ...terms('paid_at_link', payments.length > 0 ? [link] : []),
    ...terms('code_waiting', isCodeWaiting(charge) ? ['yes'] : []),
    ...terms('phone', [charge.customer_phone, ...payments.map(({ payer_phone }) => payer_phone)]),
    ...terms('amount', [charge.amount_pesewas, ...payments.map(({ amount_pesewas }) => amount_pesewas)]),
    // Spreadsheets drop leading zeros, so store the id without them too.
    ...terms(
      'transaction_id',
      payments.flatMap(({ transaction_id }) => [transaction_id, withoutZeros(transaction_id)]),
    ),
  ]);
}

function isCodeWaiting({ goods }: Searched): boolean {
  return goods?.kind === 'code' && (goods.state === 'waiting' || goods.state === 'to_release');
}

/** Single letters are not search terms: half of all names contain one. */
function isWord(word: string): boolean {
  return word.length > 1;
}

function lackedPesewas({ state, amount_pesewas, origin, customer_name, parts }: Searched): number | undefined {
  if (state !== 'pending' || !parts?.length || amount_pesewas === undefined || !origin) return undefined;
  return customer_name && isNamedByMerchant({ origin }) ? missingPesewas({ state, amount_pesewas, parts }) : undefined;
}

export function termsOfPayer(name: string): Term[] {
  return lookedForWords(name)
    .filter(isWord)
    .map((word): Term => `name:${word}`);
}

export function termsOfName(name: string): readonly [Term, ...Term[]] | undefined {
  const [rarest, ...others] = READ.name(name).map((word): Term => `name:${word}`);
  return rarest && [rarest, ...others];
}

/**
 * Returns the terms in a query, rarest first, or undefined if there are none. A charge must match all terms.
 * @throws PublicError `invalid_request`.
 */
export function searchedTerms(
  query: Readonly<Record<string, string | undefined>>,
): readonly [Term, ...Term[]] | undefined {
  const errors: FieldError[] = [];
  const [rarest, ...others] = termKinds.flatMap((kind): Term[] => {
    const written = query[kind];
    if (written === undefined) return [];
    const values = READ[kind](written).filter((value) => value !== undefined);
    if (values.length === 0) errors.push({ field: kind, message: RULES[kind] });
    return values.map((value): Term => `${kind}:${value}`);
  });
  refuseInvalid(errors);
  return rarest && [rarest, ...others];
}

const READ: Readonly<Record<TermKind, (written: string) => readonly (string | number | undefined)[]>> = {
  transaction_id: (written) => [writtenTransactionId(written)],
  merchant_reference: (written) => (written.trim() === '' ? [] : [written]),
  email: (written) => (written.includes('@') ? [written.trim().toLowerCase()] : []),
  phone: (written) => [parsePhoneNumber(written)],
  // The longest word usually occurs in the fewest names.
  name: (written) =>
    nameWords(written)
      .filter(isWord)
      .toSorted((one, other) => other.length - one.length),
  link: (written) => (isSlug(written.trim()) ? [written.trim()] : []),
  amount: (written) => [z.safeParse(Amount, written.trim()).data],
};

const RULES: Readonly<Record<TermKind, string>> = {
  transaction_id: 'must be a network’s complete transaction id',
  merchant_reference: 'must not be empty',
  email: 'must be an e-mail address, such as kofi@example.com',
  phone: 'must be a Ghanaian number, such as 0241234567',
  name: 'must contain a whole name of two or more letters, such as Mensah',
  link: 'must be the slug of a payment link, such as k7m2q9x4',
  amount: `must be an amount in ${CURRENCY} from ${MIN_AMOUNT_GHS} to ${MAX_AMOUNT_GHS}, such as ${ghsOf(36_50)}`,
};
