/*
 * transaction   TRANSACTION#<reference> / TRANSACTION
 *   gsi1   MERCHANT#<merchant>#TRANSACTION / <created_at>#<reference>     a merchant's charges by time
 *   gsi2   OPEN#<momo number>#<pesewas> / <created_at>#<reference>        until it is paid, where its customer's name can be matched
 */
import * as z from 'zod/mini';
import { Network } from '../ghana/network.ts';
import { MomoAccount } from '../merchant/momo-account.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import type { Item, Page, PageStart, TableWrite } from '../runtime/table/table.ts';
import { mayBecome } from '../runtime/table/transitions.ts';
import { PublicError } from '../runtime/values/errors.ts';
import { matchableName } from './customer-name.ts';
import { Dispute, Payment } from './payment.ts';
import { isReference, isSameAccessCode, referenceOfAccessCode } from './reference.ts';
import { transactionTransitions } from './states.ts';

export const Transaction = z.object({
  reference: z.string(),
  access_code: z.string(),
  merchant_id: z.string(),
  /** As it was when the charge was made, so that the checkout page is one read. */
  merchant_name: z.string(),
  merchant_contact: z.optional(z.string()),
  state: z.enum(['pending', 'success', 'reversed']),
  amount_pesewas: z.number(),
  momo_number: z.string(),
  momo_network: Network,
  momo_account_name: z.string(),
  /** All of the merchant's, the charge's own included; only where there is more than one. */
  momo_accounts: z.optional(z.array(MomoAccount)),
  email: z.optional(z.string()),
  customer_name: z.optional(z.string()),
  /** `+233…` */
  customer_phone: z.optional(z.string()),
  callback_url: z.optional(z.string()),
  description: z.optional(z.string()),
  /** JSON text, as the merchant wrote its numbers. */
  metadata: z.optional(z.string()),
  created_at: z.string(),
  /** Not the table's time to live: a charge is kept. */
  expires_at: z.string(),
  paid_at: z.optional(z.string()),
  reversed_at: z.optional(z.string()),
  payment: z.optional(Payment),
  /** Set once: something that arrived later speaks against its payment. A person must look. */
  disputed: z.optional(Dispute),
});
export type Transaction = z.infer<typeof Transaction>;
export type PaidTransaction = Transaction & Required<Pick<Transaction, 'paid_at' | 'payment'>>;

const keyOf = (reference: string) => ({ pk: `TRANSACTION#${reference}`, sk: 'TRANSACTION' });

const indexPartition = (merchantId: string) => `MERCHANT#${merchantId}#TRANSACTION`;
const openPartition = (momoNumber: string, amountPesewas: number) => `OPEN#${momoNumber}#${amountPesewas}`;

/** The charge of a reference, whoever asks: for the service's own use. */
export async function findTransaction(
  outside: Pick<Outside, 'table'>,
  reference: string,
): Promise<Transaction | undefined> {
  const item = await outside.table.get(keyOf(reference));
  return item && parseTransaction(item);
}

export function parseTransaction(item: Item): Transaction {
  return z.parse(Transaction, item);
}

/** The charge of a reference, for its own merchant only; undefined for anybody else, as for one that does not exist. */
export async function getTransaction(
  outside: Outside,
  reference: string,
  merchantId: string,
): Promise<Transaction | undefined> {
  const transaction = isReference(reference) ? await findTransaction(outside, reference) : undefined;
  return transaction?.merchant_id === merchantId ? transaction : undefined;
}

/** A page of a merchant's charges that were made between two moments, newest first. */
export async function listTransactions(
  outside: Outside,
  merchantId: string,
  page: Page,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<{ entries: Transaction[]; next: PageStart | undefined }> {
  const { items, next } = await outside.table.listIndex('gsi1', indexPartition(merchantId), {
    ...page,
    // `~` sorts behind every reference of that moment.
    between: [new Date(fromMs).toISOString(), `${new Date(toMs).toISOString()}~`],
  });
  return { entries: items.map(parseTransaction), next };
}

/** The charge of a checkout code; undefined where the code is not exactly its own. */
export async function getTransactionByAccessCode(
  outside: Outside,
  accessCode: string,
): Promise<Transaction | undefined> {
  const reference = referenceOfAccessCode(accessCode);
  const transaction = reference ? await findTransaction(outside, reference) : undefined;
  return transaction && isSameAccessCode(accessCode, transaction.access_code) ? transaction : undefined;
}

/** Refused with `ReferenceTaken` where another charge has the reference; a repeat of the very same charge is no clash. */
export function createTransaction(transaction: Transaction): TableWrite {
  const { reference, access_code, merchant_id, momo_number, amount_pesewas, created_at } = transaction;
  const byTime = `${created_at}#${reference}`;
  return {
    put: {
      Item: {
        ...keyOf(reference),
        gsi1pk: indexPartition(merchant_id),
        gsi1sk: byTime,
        // Whom no name can find need not be looked at: neither crowds out the others.
        ...(matchableName(transaction.customer_name ?? '') && {
          gsi2pk: openPartition(momo_number, amount_pesewas),
          gsi2sk: byTime,
        }),
        ...transaction,
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
    refused: (current) => (current?.access_code === access_code ? undefined : new ReferenceTaken(reference)),
  };
}

/** What is looked at to tell which of several charges a payment is meant for. */
const OpenTransaction = z.pick(Transaction, {
  reference: true,
  merchant_id: true,
  state: true,
  amount_pesewas: true,
  momo_network: true,
  customer_name: true,
  customer_phone: true,
  email: true,
  created_at: true,
  expires_at: true,
});
export type OpenTransaction = z.infer<typeof OpenTransaction>;

/**
 * The references of a merchant's charges, paid or not, that were made between two moments (ISO), newest first and at most
 * `limit`. From an index that is a moment behind.
 */
export async function listReferences(
  outside: Pick<Outside, 'table'>,
  merchantId: string,
  [from, to]: readonly [string, string],
  limit: number,
): Promise<string[]> {
  const between = [from, `${to}~`] as const;
  const page = { between, newestFirst: true, limit };
  const { keys } = await outside.table.listIndexKeys('gsi1', indexPartition(merchantId), page);
  return keys.map(referenceOfKey);
}

/**
 * The references of the unpaid charges of an amount on a MoMo number whose customer's name can be matched, made between two
 * moments (ISO), newest first and at most `limit`. From an index that is a moment behind. Expired ones are among them.
 */
export async function listOpenReferences(
  outside: Pick<Outside, 'table'>,
  momoNumber: string,
  amountPesewas: number,
  [from, to]: readonly [string, string],
  limit: number,
): Promise<string[]> {
  const partition = openPartition(momoNumber, amountPesewas);
  const between = [from, `${to}~`] as const;
  const { keys } = await outside.table.listIndexKeys('gsi2', partition, { between, newestFirst: true, limit });
  return keys.map(referenceOfKey);
}

function referenceOfKey({ pk }: { pk: string }): string {
  return pk.slice('TRANSACTION#'.length);
}

/** Charges by their references, without what only their merchant needs. What they read as now, in no order. */
export async function getOpenTransactions(
  outside: Pick<Outside, 'table'>,
  references: readonly string[],
): Promise<OpenTransaction[]> {
  const fields = Object.keys(OpenTransaction.shape);
  const items = await outside.table.getMany(references.map(keyOf), fields);
  return items.map((item) => z.parse(OpenTransaction, item));
}

/** Moves a pending charge to `success`, as `paid` says; refused with `MovedOn` where it is not pending. */
export function payTransaction({
  reference,
  paid_at,
  payment,
}: Pick<PaidTransaction, 'reference' | 'paid_at' | 'payment'>): TableWrite {
  const { condition, names, values } = mayBecome(transactionTransitions, 'success');
  return {
    update: {
      Key: keyOf(reference),
      UpdateExpression: 'SET #state = :success, paid_at = :paid_at, payment = :payment REMOVE gsi2pk, gsi2sk',
      ConditionExpression: condition,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ...values, ':success': 'success', ':paid_at': paid_at, ':payment': payment },
    },
    refused: () =>
      new MovedOn(
        `The charge ${reference} is not pending: it was paid, or its payment was taken back. Look at it again.`,
      ),
  };
}

/** Moves a paid charge to `reversed`, refused with `MovedOn` where it is not paid. */
export function reverseTransaction(outside: Outside, reference: string): TableWrite {
  const { condition, names, values } = mayBecome(transactionTransitions, 'reversed');
  return {
    update: {
      Key: keyOf(reference),
      UpdateExpression: 'SET #state = :reversed, reversed_at = :now',
      ConditionExpression: condition,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ...values, ':reversed': 'reversed', ':now': new Date(outside.now()).toISOString() },
    },
    refused: () => new MovedOn(`The charge ${reference} is not paid. Look at it again.`),
  };
}

/** Marks a charge as disputed; the first dispute stays. */
export function disputeTransaction(outside: Pick<Outside, 'now'>, reference: string, why: Dispute['why']): TableWrite {
  return {
    update: {
      Key: keyOf(reference),
      UpdateExpression: 'SET disputed = if_not_exists(disputed, :disputed)',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':disputed': { at: new Date(outside.now()).toISOString(), why } },
    },
  };
}

/** The charge has moved on since it was read. A worker reads it again and decides anew; a caller is told. */
export class MovedOn extends PublicError {
  constructor(message: string) {
    super('charge_not_pending', message);
  }
}

export class ReferenceTaken extends Error {
  constructor(reference: string) {
    super(`The reference ${reference} is taken`);
  }
}
