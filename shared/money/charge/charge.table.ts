/*
 * transaction   TRANSACTION#<reference> / TRANSACTION
 *   gsi1   MERCHANT#<merchant>#TRANSACTION / <created_at>#<reference>     a merchant's charges by time
 *          MERCHANT#<merchant>#OPENED / <created_at>#<reference>          those that strangers opened, until money arrives for them
 *   gsi2   OPEN#<merchant>#<pesewas> / <created_at>#<reference>           until it is paid, where its customer's name can be matched;
 *                                                                       `…#LONG` where it is open for longer than a day
 *          STATUS#<merchant>#<state> / <created_at>#<reference>           once it is paid, and once that was reversed
 */

import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { Network } from '../../ghana/network.ts';
import { MomoAccount } from '../../merchants/merchant/merchant.ts';
import { otherModeHint } from '../../merchants/merchant/twin.ts';
import { isoOf, type Outside, type TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { type Page, type PageStart, readPages, type TableWrite } from '../../runtime/table/table.ts';
import { type BudgetedPage, listWithin, type RowUnits } from '../../runtime/table/within-budget.ts';
import { decodeBase62, encodeBase62, randomBase62 } from '../../runtime/values/base62.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { type ChargeState, Dispute, Note, Payment, Refund, UNITS_OF_RECEIPT } from '../payment/payment.ts';
import { matchableName } from './customer-name.ts';
import { Goods, type TakenGoods, takeOf } from './goods.ts';
import { isOpenedByStranger, Origin } from './origin.ts';
import { chargeStatuses } from './states.ts';

export const Charge = z.object({
  reference: z.string(),
  access_code: z.string(),
  merchant_id: z.string(),
  /** As it was when the charge was created, so that the checkout page takes one read. */
  merchant_name: z.string(),
  state: z.enum(chargeStatuses),
  amount_pesewas: z.number(),
  momo_number: z.string(),
  momo_network: Network,
  momo_account_name: z.string(),
  /** Where the merchant has accounts with several networks, all of them: the customer picks one on the page. */
  momo_accounts: z.optional(z.array(MomoAccount)),
  /** Whom a customer asks: a phone number, an e-mail address or a link. As it was when the charge was made. */
  merchant_contact: z.optional(z.string()),
  email: z.optional(z.string()),
  customer_name: z.optional(z.string()),
  /** `+233…` */
  customer_phone: z.optional(z.string()),
  origin: Origin,
  /** What leaves for it, and what becomes of that. */
  goods: z.optional(Goods),
  callback_url: z.optional(z.string()),
  description: z.optional(z.string()),
  /** What the merchant calls it: an order's number. */
  merchant_reference: z.optional(z.string()),
  /** JSON text, as the merchant wrote its numbers. */
  metadata: z.optional(z.string()),
  created_at: z.string(),
  /** When it can no longer be paid; not when its row is removed. */
  expires_at: z.string(),
  paid_at: z.optional(z.string()),
  expired_at: z.optional(z.string()),
  cancelled_at: z.optional(z.string()),
  reversed_at: z.optional(z.string()),
  /** The time at which a mark as paid was last undone. */
  unmarked_at: z.optional(z.string()),
  /**
   * What arrived for it and is less than its amount, in the order of arrival. While it is pending or paid these receipts are
   * matched to it. Once it ends unpaid they are held again, and this is the record of what had arrived by then.
   */
  parts: z.optional(z.array(Payment)),
  /** The payment that completed it; after a reversal the one that was reversed. */
  payment: z.optional(Payment),
  /** Set once: something that arrived later contradicts its payment. A person must check. */
  disputed: z.optional(Dispute),
  /** Until when a payment for it that has arrived is being checked. */
  checking_until: z.optional(z.string()),
  /** What its merchant has noted to send back, oldest first. */
  refunds: z.optional(z.array(Refund)),
  /** The id of the person who lets goods leave for it although nothing proves its payment. */
  released_by: z.optional(z.string()),
  /** The charge of a till that its customer's payment made: nothing more is to be paid for this one. */
  paid_as: z.optional(z.string()),
  /** What its merchant's team wrote about it, oldest first; seen by nobody else. */
  notes: z.optional(z.array(Note)),
  /** The receipts of payments that named it when it was paid already, or a request's when it had expired: its page says that they arrived. */
  second_receipts: z.optional(z.array(z.string())),
  /** The text that told its payer that it is paid: there is at most one. */
  receipt_send_id: z.optional(z.string()),
  /** When its row is removed. */
  expires_at_epoch_seconds: z.optional(z.number()),
});
export type Charge = z.infer<typeof Charge>;
export type PaidCharge = Charge & Required<Pick<Charge, 'paid_at' | 'payment'>>;

/** Of any merchant's: for the service's own use. */
export const chargeRows = rows(Charge, { pk: 'TRANSACTION#<reference>', sk: 'TRANSACTION' });

const indexPartition = (merchantId: string) => `MERCHANT#${merchantId}#TRANSACTION`;
/** Apart from the others: somebody who opens very many crowds out nothing that a merchant, or a search for a mistyped reference, looks through. */
const openedPartition = (merchantId: string) => `MERCHANT#${merchantId}#OPENED`;
/** The states that a charge is listed by. Of the others there are few, or they are no more than what is left. */
const listedStatuses = ['success', 'reversed'] as const satisfies readonly ChargeState[];
type ListedStatus = (typeof listedStatuses)[number];
export function isListed(status: ChargeState | undefined): status is ListedStatus {
  return listedStatuses.some((one) => one === status);
}

export const statusPartition = (merchantId: string, status: ListedStatus) => `STATUS#${merchantId}#${status}`;
export const byTime = ({ created_at, reference }: Pick<Charge, 'created_at' | 'reference'>) =>
  `${created_at}#${reference}`;
const openPartition = (merchantId: string, amountPesewas: number, isLong: boolean) =>
  `OPEN#${merchantId}#${amountPesewas}${isLong ? '#LONG' : ''}`;

/** How long a customer has to pay where the merchant says nothing else. */
export const CHARGE_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Charges that are open for longer are listed apart: looking for those of a week among the others would read a week of them. */
function isLong({ created_at, expires_at }: Pick<Charge, 'created_at' | 'expires_at'>): boolean {
  return Date.parse(expires_at) - Date.parse(created_at) > CHARGE_LIFETIME_MS;
}

/** Whether a payment was taken at a till for it, and its merchant's server not told of that yet. */
export function isUntold<Taken extends Pick<Charge, 'state' | 'goods'>>(
  charge: Taken,
): charge is Taken & { readonly goods: TakenGoods } {
  const take = takeOf(charge);
  return charge.state === 'success' && take !== undefined && take.told_at === undefined;
}

/** The charge of a reference, for its own merchant only; undefined for anybody else, as for one that does not exist. */
export async function getCharge(outside: Outside, reference: string, merchantId: string): Promise<Charge | undefined> {
  const charge = isReference(reference) ? await chargeRows.find(outside, { reference }) : undefined;
  return charge?.merchant_id === merchantId ? charge : undefined;
}

/** The same. @throws PublicError `not_found`, which says what else the reference may be. */
export async function requireCharge(outside: Outside, reference: string, merchantId: string): Promise<Charge> {
  if (!isReference(reference)) {
    const own = encodeURIComponent(reference.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed());
    const search = `/api/v1/transaction?merchant_reference=${own}`;
    throw noCharge(`${AS_RETURNED} If it is your own merchant_reference: GET ${search}.`);
  }
  const charge = await chargeRows.find(outside, { reference });
  if (charge?.merchant_id === merchantId) return charge;
  const hint = charge && otherModeHint('charge', charge.merchant_id, merchantId);
  throw noCharge(hint ?? AS_RETURNED);
}

/** As long as a merchant's own reference may be. */
const MAX_SHOWN_CHARACTERS = 100;

const AS_RETURNED = 'Use it as returned by initialize: MK- in capitals and ten digits.';

function noCharge(hint: string): PublicError {
  return new PublicError('not_found', `You have no charge with this reference. ${hint}`);
}

/** The sort keys of what was made between two moments. `~` sorts behind every reference of that moment. */
export function madeBetween({ fromMs, toMs }: { fromMs: number; toMs: number }): readonly [string, string] {
  return [isoOf(fromMs), `${isoOf(toMs)}~`];
}

/**
 * A page of a merchant's charges that were made between two moments, newest first: all of them, or those of a status that they are
 * listed by.
 */
export async function listChargeRows(
  outside: Outside,
  merchantId: string,
  page: BudgetedPage,
  { fromMs, toMs, status }: { fromMs: number; toMs: number; status?: ListedStatus | undefined },
): Promise<{ entries: Charge[]; left: number; next: PageStart | undefined }> {
  const between = madeBetween({ fromMs, toMs });
  const list = status
    ? (['gsi2', statusPartition(merchantId, status)] as const)
    : (['gsi1', indexPartition(merchantId)] as const);
  const { items, ...rest } = await listWithin(outside.table, list, { ...page, between }, unitsOfCharge);
  return { entries: items.map(chargeRows.parse), ...rest };
}

/** The read units of a charge in a list, with those of its second payments (five), and of its parts where it ended with some (twenty). */
export const unitsOfCharge: RowUnits = {
  largest: 22,
  beside: {
    most: UNITS_OF_RECEIPT * 25,
    of: ({ second_receipts, parts, state }) => {
      const isCounted = state === 'pending' || state === 'success';
      return UNITS_OF_RECEIPT * (lengthOf(second_receipts) + (isCounted ? 0 : lengthOf(parts)));
    },
  },
};

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

/** The charges of some references, in their order; those that are gone are left out. */
export async function getCharges(outside: TableOutside, references: readonly string[]): Promise<Charge[]> {
  const charges = await chargeRows.findMany(outside, references.map(named));
  const found = new Map(charges.map((charge) => [charge.reference, charge]));
  return references.flatMap((reference) => found.get(reference) ?? []);
}

const named = (reference: string) => ({ reference });

/** Where a merchant's list of charges continues after one of them. */
export function startAfterTransaction(charge: Pick<Charge, 'reference' | 'created_at'>): PageStart {
  return { ...chargeRows.key(charge), sort: byTime(charge) };
}

/** The charge of a checkout code; undefined where the code is not exactly its own. */
export async function getChargeByAccessCode(outside: Outside, accessCode: string): Promise<Charge | undefined> {
  const reference = referenceOfAccessCode(accessCode);
  const charge = reference ? await chargeRows.find(outside, { reference }) : undefined;
  return charge && isSameAccessCode(accessCode, charge.access_code) ? charge : undefined;
}

/** How the partitions of the rows begin that say when charges end. */
export const EXPIRY = 'EXPIRY';

/**
 * Whether a payer's name may say that a payment is for this charge. It may not where a stranger opened the charge: anybody could open
 * charges in other people's names, take their payments, or have two fit where one did.
 */
export function isMatchedByName(charge: Pick<Charge, 'customer_name' | 'origin'>): boolean {
  return !isOpenedByStranger(charge) && matchableName(charge.customer_name ?? '') !== undefined;
}

/** The fields by which a payer's name finds a charge. */
export type Found = Pick<
  Charge,
  'reference' | 'merchant_id' | 'customer_name' | 'origin' | 'created_at' | 'expires_at'
>;

/**
 * Where a charge is looked for by an amount and its customer's name. Charges that no name can match are left out: they would
 * crowd out the others.
 */
export function openKey(charge: Found, pesewas: number): { gsi2pk?: string; gsi2sk?: string } {
  if (!isMatchedByName(charge)) return {};
  return { gsi2pk: openPartition(charge.merchant_id, pesewas, isLong(charge)), gsi2sk: byTime(charge) };
}

/**
 * A new charge, pending or paid at once. Refused with `ReferenceTaken` where another charge has the reference; a repeat of the very same
 * charge is accepted.
 */
export function createCharge(charge: Charge): TableWrite {
  const { reference, access_code, merchant_id, amount_pesewas, state } = charge;
  const listed = isOpenedByStranger(charge)
    ? { gsi1pk: openedPartition(merchant_id), gsi1sk: byTime(charge) }
    : listedKey(charge);
  const byState = isListed(state)
    ? { gsi2pk: statusPartition(merchant_id, state), gsi2sk: byTime(charge) }
    : openKey(charge, amount_pesewas);
  return chargeRows.create({ ...listed, ...byState, ...charge }, (current) =>
    current?.access_code === access_code ? undefined : new ReferenceTaken(reference),
  );
}

/** Where its merchant's charges are listed by time: one that a stranger opened from when money arrives for it. */
export function listedKey(charge: Pick<Charge, 'merchant_id' | 'created_at' | 'reference'>) {
  return { gsi1pk: indexPartition(charge.merchant_id), gsi1sk: byTime(charge) };
}

/** The fields that tell which of several charges a payment is meant for. */
const OpenCharge = z.pick(Charge, {
  reference: true,
  merchant_id: true,
  state: true,
  amount_pesewas: true,
  parts: true,
  payment: true,
  disputed: true,
  paid_as: true,
  second_receipts: true,
  customer_name: true,
  customer_phone: true,
  origin: true,
  email: true,
  created_at: true,
  expires_at: true,
});
export type OpenCharge = z.infer<typeof OpenCharge>;

/**
 * The references of a merchant's charges, paid or not, that were made between two moments (ISO), newest first and at most
 * `limit`; or of those that strangers opened and nothing has arrived for. From an index that is a moment behind.
 */
export async function listReferences(
  outside: TableOutside,
  merchantId: string,
  [from, to]: readonly [string, string],
  { limit, openedBy }: { readonly limit: number; readonly openedBy?: 'stranger' | undefined },
): Promise<string[]> {
  const between = [from, `${to}~`] as const;
  const page = { between, newestFirst: true, limit };
  const partition = openedBy ? openedPartition(merchantId) : indexPartition(merchantId);
  const { keys } = await outside.table.listIndexKeys('gsi1', partition, page);
  return keys.map(referenceOfKey);
}

/** A page of the keys of a merchant's charges that were made between two moments. */
export function listChargeKeys(
  outside: TableOutside,
  merchantId: string,
  page: Page,
  times: { fromMs: number; toMs: number },
): Promise<{ keys: PageStart[]; next: PageStart | undefined }> {
  return outside.table.listIndexKeys('gsi1', indexPartition(merchantId), { ...page, between: madeBetween(times) });
}

/** As many keys as fit into an answer of DynamoDB's. */
const KEYS_A_READ = 5_000;

/**
 * When a merchant's charges were created that were made between two moments (ISO each), oldest first and at most `most`. From keys
 * alone, which cost a fortieth of what charges do.
 */
export async function listCreationTimes(
  outside: TableOutside,
  merchantId: string,
  times: { fromMs: number; toMs: number },
  most = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const created: string[] = [];
  let start: PageStart | undefined;
  do {
    const limit = Math.min(KEYS_A_READ, most - created.length);
    const { keys, next } = await listChargeKeys(outside, merchantId, { start, limit }, times);
    created.push(...keys.map(({ sort }) => sort.slice(0, sort.indexOf('#'))));
    start = next;
  } while (start && created.length < most);
  return created;
}

export interface OpenCharges {
  readonly made: readonly [string, string];
  readonly limit: number;
  /** The same for charges that are open for longer than a day. */
  readonly madeIfLong?: readonly [string, string] | undefined;
}

/**
 * The references of a merchant's unpaid charges over an amount, or that lack it, whose customer's name can be matched, made between two
 * moments (ISO), newest first and of each kind at most `limit`. From an index that is a moment behind. Expired ones are among them.
 */
export async function listOpenReferences(
  outside: TableOutside,
  merchantId: string,
  amountPesewas: number,
  { made, limit, madeIfLong = made }: OpenCharges,
): Promise<string[]> {
  const periods = [made, madeIfLong] as const;
  const found = await Promise.all(
    periods.map(([from, to], n) =>
      readPages(limit, async (start) => {
        const partition = openPartition(merchantId, amountPesewas, n === 1);
        const page = {
          start,
          between: [from, `${to}~`],
          newestFirst: true,
          limit: Math.min(limit, KEYS_A_READ),
        } as const;
        const { keys, next } = await outside.table.listIndexKeys('gsi2', partition, page);
        return { items: keys, next };
      }),
    ),
  );
  return [...new Set(found.flatMap(({ items }) => items.map(referenceOfKey)))];
}

/** Of a charge's own row, or of the row that says when it ends and what it lacks. */
function referenceOfKey({ pk, sk }: { pk: string; sk: string }): string {
  return pk.startsWith(EXPIRY) ? sk.slice(sk.indexOf('#') + 1) : pk.slice('TRANSACTION#'.length);
}

/** Charges by their references, without the fields that only their merchant needs; read consistently, in no order. */
export async function getOpenCharges(outside: TableOutside, references: readonly string[]): Promise<OpenCharge[]> {
  const fields = Object.keys(OpenCharge.shape);
  const items = await outside.table.getMany(references.map(named).map(chargeRows.key), fields);
  return items.map((item) => z.parse(OpenCharge, item));
}

export class ReferenceTaken extends Error {
  constructor(reference: string) {
    super(`The reference ${reference} is taken`);
  }
}

type RandomBytes = (length: number) => Buffer;

/**
 * `MK-` and ten random digits, the first not 0: people type phone numbers where a reference belongs. A first collision is
 * likely by the 112,000th, so a create is conditional and tries another.
 */
export function newReference(randomBytes: RandomBytes): string {
  return `MK-${1_000_000_000n + (randomBytes(8).readBigUInt64BE() % 9_000_000_000n)}`;
}

export function isReference(text: string): boolean {
  return /^MK-\d{10}$/.test(text);
}

/** A checkout code: 6 base62 characters that say the reference, so that no index is needed, and 16 random ones (95 bits). */
export function newAccessCode(reference: string, randomBytes: RandomBytes): string {
  return encodeBase62(Number(reference.slice(3)), REFERENCE_CHARACTERS) + randomBase62(16, randomBytes);
}

/** The reference inside a checkout code; undefined for what cannot be one. It says where to look, not that the code is right. */
export function referenceOfAccessCode(accessCode: string): string | undefined {
  if (!/^[0-9A-Za-z]{22}$/.test(accessCode)) return undefined;
  const digits = String(decodeBase62(accessCode.slice(0, REFERENCE_CHARACTERS))).padStart(10, '0');
  return digits.length === 10 ? `MK-${digits}` : undefined;
}

/** Compares checkout codes in constant time. */
export function isSameAccessCode(shown: string, stored: string): boolean {
  return shown.length === stored.length && timingSafeEqual(Buffer.from(shown), Buffer.from(stored));
}

/** 62^6 is more than 10^10. */
const REFERENCE_CHARACTERS = 6;
