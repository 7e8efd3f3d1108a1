/*
 * payment request   REQUEST#<slug> / REQUEST     money that a merchant asks a customer to pay
 *   gsi1   MERCHANT#<merchant>#REQUEST / <created_at>#<slug>      a merchant's requests by time
 *   gsi2   REMIND#<0 or 1> / <merchant>#<remind_at>#<slug>         while a reminder is still due
 *
 * The row lists the charges that were opened for the request. A job derives the paid total from these charges and
 * records it a moment later. The recorded total outlives the charges' rows, and saves the page from reading all of them.
 */
import * as z from 'zod/mini';
import { ArrivedPesewas } from '../../ghana/arrived.ts';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { listInTurns } from '../../runtime/table/in-turns.ts';
import { rows } from '../../runtime/table/rows.ts';
import { spread } from '../../runtime/table/spread.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError, TRY_AGAIN } from '../../runtime/values/errors.ts';
import { Causer } from '../../texts/sms/causer.ts';
import { Proof } from '../../wallets/chain/proof.ts';
import { isSlug } from '../charge/slug.ts';
import { weakestFirst } from '../payment/backing.ts';
import { requestStates, requestTransitions } from './states.ts';

export const Line = z.object({ description: z.string(), quantity: z.number(), amount_pesewas: z.number() });
export type Line = z.infer<typeof Line>;

/** A part of the total, due on a day in Accra (`2026-12-01`) or, without a day, immediately. */
export const Instalment = z.object({ due: z.optional(z.string()), amount_pesewas: z.number() });
export type Instalment = z.infer<typeof Instalment>;

export const RequestCharge = z.object({
  reference: z.string(),
  paid_pesewas: ArrivedPesewas,
  paid_at: z.optional(z.string()),
  /**
   * Backing of `paid_pesewas`, and the proof if that money is unverified. Both are unset if there is no money.
   */
  backing: z.optional(z.enum(weakestFirst)),
  proof: z.optional(Proof),
  /** The verified share of `paid_pesewas`. Set only if other payments of the charge are unverified. */
  verified_pesewas: z.optional(ArrivedPesewas),
  /** Refunds of the charge, sent or only recorded. */
  refunded_pesewas: z.optional(z.number()),
  /**
   * Access code of the charge's page. Set only if the charge is paid and has nothing else to show, so that the charge's
   * row need not be read.
   */
  access_code: z.optional(z.string()),
  /**
   * Set if the charge's row must be read because the charge was disputed, refunded, paid twice, paid late or paid in
   * part.
   */
  look: z.optional(z.literal(true)),
  /** Set if payments may be held for the charge. */
  has_held: z.optional(z.literal(true)),
  /** Largest verified payment that may be held for the charge. */
  held_pesewas: z.optional(z.number()),
  /** The values for customers while a reversal is suspected (`asCustomerSees`). */
  unsuspected: z.optional(
    z.object({
      backing: z.optional(z.enum(weakestFirst)),
      proof: z.optional(Proof),
      verified_pesewas: z.optional(ArrivedPesewas),
    }),
  ),
  /** Amount for which the charge was opened. Pressing Pay for this amount returns the same charge. */
  asked_pesewas: z.optional(z.number()),
  /**
   * 16 bits of the hash of the address that opened the charge, for finding the address with the most charges.
   */
  from: z.optional(z.string()),
});
export type RequestCharge = z.infer<typeof RequestCharge>;

const Reminder = z.object({
  at: z.string(),
  until: z.string(),
  /** Amount that the reminder asks for. If a different amount is due just before sending, the text is not sent. */
  asked_pesewas: z.optional(z.number()),
  send_id: z.optional(z.string()),
  not_sent: z.optional(z.string()),
});

export const PaymentRequest = z.object({
  slug: z.string(),
  merchant_id: z.string(),
  title: z.string(),
  note: z.optional(z.string()),
  /** Lines for one period if the request repeats. */
  lines: z.array(Line),
  customer_name: z.optional(z.string()),
  customer_phone: z.optional(z.string()),
  merchant_reference: z.optional(z.string()),
  /** Raw JSON, which keeps numbers exactly as the merchant wrote them. Copied to each charge. */
  metadata: z.optional(z.string()),
  /** At least one instalment, sorted by day. */
  instalments: z.array(Instalment),
  every: z.optional(z.enum(['week', 'month'])),
  total_pesewas: z.number(),
  state: z.enum(requestStates),
  version: z.number(),
  charges: z.array(RequestCharge),
  /** Days before (negative) or after a due date on which to remind the customer. */
  reminder_days: z.optional(z.array(z.number())),
  remind_at: z.optional(z.string()),
  last_reminder: z.optional(Reminder),
  /** The API key that made the request. Reminders end with the key. Unset for a person: reminders outlive them. */
  by: z.optional(Causer),
  created_at: z.string(),
  paid_at: z.optional(z.string()),
  /** Refunds recorded before the request was paid. Unset unless the request is paid. */
  refunded_pesewas: z.optional(z.number()),
  /** Refunds recorded since, beyond the overpayment. The customer does not owe them. Unset unless the request is paid. */
  discount_pesewas: z.optional(z.number()),
  cancelled_at: z.optional(z.string()),
  expires_at_epoch_seconds: z.optional(z.number()),
});
export type PaymentRequest = z.infer<typeof PaymentRequest>;

/**
 * Characters in a payment request's slug (59 bits). Unlike a link's slug, it must not be guessable: the page shows who
 * owes what.
 */
export const REQUEST_SLUG_CHARACTERS = 12;

export const requestRows = rows(PaymentRequest, {
  pk: 'REQUEST#<slug>',
  sk: 'REQUEST',
  gsi1: { pk: 'MERCHANT#<merchant_id>#REQUEST', sk: '<created_at>#<slug>' },
  changed: `The request is being changed. ${TRY_AGAIN}`,
  largestUnits: 24,
});
const reminders = spread('REMIND', 2);

function reminderKey({ slug, merchant_id, remind_at }: Pick<PaymentRequest, 'slug' | 'merchant_id' | 'remind_at'>) {
  return remind_at
    ? { gsi2pk: reminders.of(slug), gsi2sk: `${merchant_id}#${remind_at}#${slug}` }
    : { gsi2pk: undefined, gsi2sk: undefined };
}

export async function findRequest(outside: TableOutside, slug: string): Promise<PaymentRequest | undefined> {
  return isSlug(slug, REQUEST_SLUG_CHARACTERS) ? requestRows.find(outside, { slug }) : undefined;
}

export async function requireRequest(outside: TableOutside, merchantId: string, slug: string): Promise<PaymentRequest> {
  const request = await findRequest(outside, slug);
  if (request?.merchant_id === merchantId) return request;
  throw new PublicError(
    'not_found',
    'You have no payment request with this slug. GET /api/v1/request lists your requests.',
  );
}

/** Lists about `limit` requests with a reminder due before `at` (ISO), alternating between merchants. */
export async function listRemindersDue({ table }: TableOutside, at: string, limit: number): Promise<PaymentRequest[]> {
  return (await listInTurns(table, reminders.partitions, at, limit)).map(requestRows.parse);
}

/**
 * Creates a payment request. Fails if another payment request has the slug. Idempotent, even if the stored request has
 * changed since, because the same slug means the same seed.
 */
export function createRequest(request: PaymentRequest): TableWrite {
  const { merchant_id, title, total_pesewas } = request;
  const { gsi2pk, gsi2sk } = reminderKey(request);
  return requestRows.create({ ...(gsi2pk && { gsi2pk, gsi2sk }), ...request }, (current) => {
    const isSame = current?.merchant_id === merchant_id && current.total_pesewas === total_pesewas;
    return isSame && current.title === title ? undefined : requestRows.changed();
  });
}

export type RequestChange = Partial<
  Pick<
    PaymentRequest,
    | 'state'
    | 'charges'
    | 'remind_at'
    | 'last_reminder'
    | 'paid_at'
    | 'refunded_pesewas'
    | 'discount_pesewas'
    | 'cancelled_at'
    | 'expires_at_epoch_seconds'
  >
>;

/**
 * Sets fields, and removes those that are undefined. Fails if the row has changed since it was read.
 * @throws Changed if the current state does not allow the new state.
 */
export function changeRequest(request: PaymentRequest, fields: RequestChange): TableWrite {
  const { state = request.state } = fields;
  if (state !== request.state && !requestTransitions[state]?.includes(request.state)) throw requestRows.changed();
  const listed = 'remind_at' in fields && reminderKey({ ...request, remind_at: fields.remind_at });
  return requestRows.change(
    request,
    { ...fields, ...listed, version: request.version + 1 },
    {
      when: '#version = :version_read',
      values: { ':version_read': request.version },
      refused: requestRows.changed,
      contended: requestRows.changed,
    },
  );
}
