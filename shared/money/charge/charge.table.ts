/*
 * transaction   TRANSACTION#<reference> / TRANSACTION
 *   gsi1   MERCHANT#<merchant>#TRANSACTION / <created_at>#<reference>     a merchant's charges by time
 *          MERCHANT#<merchant>#OPENED / <created_at>#<reference>          charges opened by strangers, until money arrives for them
 *   gsi2   OPEN#<merchant>#<pesewas> / <created_at>#<reference>           until the charge is paid, if its customer's name can be matched;
 *                                                                       `…#LONG` if the charge is open for more than a day
 *          STATUS#<merchant>#<state> / <created_at>#<reference>           once the charge is paid or reversed
 */

import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { Network } from '../../ghana/network.ts';
import { MomoAccount } from '../../merchants/merchant/merchant.ts';
import { otherModeHint } from '../../merchants/merchant/test-account.ts';
import { isoOf, type Outside, type TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { type Page, type PageStart, readPages, type TableWrite } from '../../runtime/table/table.ts';
import { type BudgetedPage, listWithin, type RowUnits } from '../../runtime/table/within-budget.ts';
import { decodeBase62, encodeBase62, randomBase62 } from '../../runtime/values/base62.ts';
import { DAY_MS } from '../../runtime/values/calendar.ts';
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
  /** Copied when the charge is created, so the checkout page needs only one read. */
  merchant_name: z.string(),
  state: z.enum(chargeStatuses),
  amount_pesewas: z.number(),
  /**
   * The amount originally requested. Set only if a payment request's charge was closed as paid before all of its parts
   * had arrived.
   */
  asked_pesewas: z.optional(z.number()),
  momo_number: z.string(),
  momo_network: Network,
  momo_account_name: z.string(),
  /** All accounts of a merchant with several networks. The customer chooses one. */
  momo_accounts: z.optional(z.array(MomoAccount)),
  /** Merchant's contact when the charge was created: a phone number, e-mail address or link. */
  merchant_contact: z.optional(z.string()),
  email: z.optional(z.string()),
  customer_name: z.optional(z.string()),
  customer_phone: z.optional(z.string()),
  origin: Origin,
  goods: z.optional(Goods),
  callback_url: z.optional(z.string()),
  description: z.optional(z.string()),
  merchant_reference: z.optional(z.string()),
  metadata: z.optional(z.string()),
  created_at: z.string(),
  /** Payment deadline. The row is kept longer. */
  expires_at: z.string(),
  paid_at: z.optional(z.string()),
  expired_at: z.optional(z.string()),
  cancelled_at: z.optional(z.string()),
  reversed_at: z.optional(z.string()),
  unmarked_at: z.optional(z.string()),
  /**
   * Partial payments, in order of arrival. Once the charge has expired or been cancelled, its parts are held again, and
   * this list is only a record.
   */
  parts: z.optional(z.array(Payment)),
  payment: z.optional(Payment),
  /** Set when a later text contradicts the payment. A person must then check the payment. */
  disputed: z.optional(Dispute),
  /** Start of the last dispute that has ended. Keeps the event ids of later disputes distinct. */
  earlier_dispute_at: z.optional(z.string()),
  checking_until: z.optional(z.string()),
  refunds: z.optional(z.array(Refund)),
  released_by: z.optional(z.string()),
  paid_as: z.optional(z.string()),
  notes: z.optional(z.array(Note)),
  /** Receipts that arrived after the charge was paid or, for a payment request, after it expired. Shown on the page. */
  second_receipts: z.optional(z.array(z.string())),
  /** Other receipts that were held for the charge. Once one is matched or set aside, its id may remain. */
  waiting_receipts: z.optional(z.array(z.string())),
  /** Largest verified payment that was recorded in either list. */
  verified_waiting_pesewas: z.optional(z.number()),
  receipt_send_id: z.optional(z.string()),
  expires_at_epoch_seconds: z.optional(z.number()),
});
export type Charge = z.infer<typeof Charge>;

/**
 * Returns the amount originally requested. This is more than `amount_pesewas` if the charge was closed as paid before
 * all of its parts had arrived.
 */
export function askedPesewas({ amount_pesewas, asked_pesewas }: Pick<Charge, 'amount_pesewas' | 'asked_pesewas'>) {
  return asked_pesewas ?? amount_pesewas;
}

export type PaidCharge = Charge & Required<Pick<Charge, 'paid_at' | 'payment'>>;

export const chargeRows = rows(Charge, { pk: 'TRANSACTION#<reference>', sk: 'TRANSACTION' });

const indexPartition = (merchantId: string) => `MERCHANT#${merchantId}#TRANSACTION`;
/** A separate partition, so that a flood of charges opened by strangers cannot hide the merchant's own. */
const openedPartition = (merchantId: string) => `MERCHANT#${merchantId}#OPENED`;
/** States with their own index. Charges in other states are found by filtering the list of all charges. */
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

export const CHARGE_LIFETIME_MS = DAY_MS;

/**
 * True for a long-lived charge, which has a separate index. Otherwise, every search for open charges would have to
 * cover a week.
 */
function isLong({ created_at, expires_at }: Pick<Charge, 'created_at' | 'expires_at'>): boolean {
  return Date.parse(expires_at) - Date.parse(created_at) > CHARGE_LIFETIME_MS;
}

/** True if the charge was paid at a till and `charge.success` has not been sent yet. */
export function isSuccessEventDue<Taken extends Pick<Charge, 'state' | 'goods'>>(
  charge: Taken,
): charge is Taken & { readonly goods: TakenGoods } {
  const take = takeOf(charge);
  return charge.state === 'success' && take !== undefined && take.told_at === undefined;
}

export async function getCharge(outside: Outside, reference: string, merchantId: string): Promise<Charge | undefined> {
  const charge = isReference(reference) ? await chargeRows.find(outside, { reference }) : undefined;
  return charge?.merchant_id === merchantId ? charge : undefined;
}

/** @throws PublicError `not_found`, with a hint if the reference identifies something else. */
export async function requireCharge(outside: Outside, reference: string, merchantId: string): Promise<Charge> {
  if (!isReference(reference)) {
    const own = encodeURIComponent(reference.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed());
    const search = `/api/v1/transaction?merchant_reference=${own}`;
    throw noCharge(`${AS_RETURNED} To find the charge by your own merchant_reference, use GET ${search}.`);
  }
  const charge = await chargeRows.find(outside, { reference });
  if (charge?.merchant_id === merchantId) return charge;
  const hint = charge && otherModeHint('charge', charge.merchant_id, merchantId);
  throw noCharge(hint ?? AS_RETURNED);
}

const MAX_SHOWN_CHARACTERS = 100;

const AS_RETURNED = 'Use the reference exactly as initialize returned it: MK- in capitals, then ten digits.';

function noCharge(hint: string): PublicError {
  return new PublicError('not_found', `You have no charge with this reference. ${hint}`);
}

/**
 * Returns the sort-key range for charges created between two times. `~` sorts after every reference with the same time.
 */
export function madeBetween({ fromMs, toMs }: { fromMs: number; toMs: number }): readonly [string, string] {
  return [isoOf(fromMs), `${isoOf(toMs)}~`];
}

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

/** Read units per charge in a list, for a charge with five second payments and twenty parts. */
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

export async function getCharges(outside: TableOutside, references: readonly string[]): Promise<Charge[]> {
  const charges = await chargeRows.findMany(outside, references.map(named));
  const found = new Map(charges.map((charge) => [charge.reference, charge]));
  return references.flatMap((reference) => found.get(reference) ?? []);
}

const named = (reference: string) => ({ reference });

export function startAfterTransaction(charge: Pick<Charge, 'reference' | 'created_at'>): PageStart {
  return { ...chargeRows.key(charge), sort: byTime(charge) };
}

export async function getChargeByAccessCode(outside: Outside, accessCode: string): Promise<Charge | undefined> {
  const reference = referenceOfAccessCode(accessCode);
  const charge = reference ? await chargeRows.find(outside, { reference }) : undefined;
  return charge && isSameAccessCode(accessCode, charge.access_code) ? charge : undefined;
}

export const EXPIRY = 'EXPIRY';

/**
 * True if this charge can be matched by the payer's name. Never true for a charge that a stranger opened: by typing
 * another person's name, the stranger could capture that person's payments.
 */
export function isMatchedByName(charge: Pick<Charge, 'customer_name' | 'origin'>): boolean {
  return !isOpenedByStranger(charge) && matchableName(charge.customer_name ?? '') !== undefined;
}

export type Found = Pick<
  Charge,
  'reference' | 'merchant_id' | 'customer_name' | 'origin' | 'created_at' | 'expires_at'
>;

export function openKey(charge: Found, pesewas: number): { gsi2pk?: string; gsi2sk?: string } {
  if (!isMatchedByName(charge)) return {};
  return { gsi2pk: openPartition(charge.merchant_id, pesewas, isLong(charge)), gsi2sk: byTime(charge) };
}

/** Creates a pending or paid charge. Fails with `ReferenceTaken` if another charge has the reference. Idempotent. */
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

export function listedKey(charge: Pick<Charge, 'merchant_id' | 'created_at' | 'reference'>) {
  return { gsi1pk: indexPartition(charge.merchant_id), gsi1sk: byTime(charge) };
}

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
  waiting_receipts: true,
  verified_waiting_pesewas: true,
  customer_name: true,
  customer_phone: true,
  merchant_reference: true,
  origin: true,
  email: true,
  created_at: true,
  expires_at: true,
});
export type OpenCharge = z.infer<typeof OpenCharge>;

/**
 * Lists references of a merchant's charges created between two times (ISO), newest first, up to `limit`. Lists only
 * unpaid charges opened by strangers if `openedBy` is set. Eventually consistent.
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

export function listChargeKeys(
  outside: TableOutside,
  merchantId: string,
  page: Page,
  times: { fromMs: number; toMs: number },
): Promise<{ keys: PageStart[]; next: PageStart | undefined }> {
  return outside.table.listIndexKeys('gsi1', indexPartition(merchantId), { ...page, between: madeBetween(times) });
}

const KEYS_A_READ = 5_000;

/**
 * Lists creation times of charges created between two times, oldest first, up to `most`. Reads only index keys, at one
 * fortieth of the cost of reading the charges.
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
  readonly madeIfLong?: readonly [string, string] | undefined;
}

/**
 * Lists a merchant's unpaid charges that can be matched by name and whose full or outstanding amount is
 * `amountPesewas`. Includes expired charges. Newest first, up to `limit` of each kind. Eventually consistent.
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

function referenceOfKey({ pk, sk }: { pk: string; sk: string }): string {
  return pk.startsWith(EXPIRY) ? sk.slice(sk.indexOf('#') + 1) : pk.slice('TRANSACTION#'.length);
}

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
 * Returns `MK-` and ten random digits. The first digit is never 0, because people also type phone numbers, which start
 * with 0, into reference fields. Collisions become likely at about 112,000 charges, so callers must retry.
 */
export function newReference(randomBytes: RandomBytes): string {
  return `MK-${1_000_000_000n + (randomBytes(8).readBigUInt64BE() % 9_000_000_000n)}`;
}

export function isReference(text: string): boolean {
  return /^MK-\d{10}$/.test(text);
}

/** Returns a checkout code: 6 base62 characters that encode the reference, then 16 random characters (95 bits). */
export function newAccessCode(reference: string, randomBytes: RandomBytes): string {
  return encodeBase62(Number(reference.slice(3)), REFERENCE_CHARACTERS) + randomBase62(16, randomBytes);
}

/** Decodes the reference in a checkout code without verifying the code. Returns undefined if the code is malformed. */
export function referenceOfAccessCode(accessCode: string): string | undefined {
  if (!/^[0-9A-Za-z]{22}$/.test(accessCode)) return undefined;
  const digits = String(decodeBase62(accessCode.slice(0, REFERENCE_CHARACTERS))).padStart(10, '0');
  return digits.length === 10 ? `MK-${digits}` : undefined;
}

export function isSameAccessCode(shown: string, stored: string): boolean {
  return shown.length === stored.length && timingSafeEqual(Buffer.from(shown), Buffer.from(stored));
}

const REFERENCE_CHARACTERS = 6;
