/*
 * payment request   REQUEST#<slug> / REQUEST     what a merchant asks a customer to pay, until its sum has arrived
 *   gsi1   MERCHANT#<merchant>#REQUEST / <created_at>#<slug>      a merchant's requests by time
 *   gsi2   REMIND#<0 or 1> / <merchant>#<remind_at>#<slug>         while a reminder is to come
 *
 * Its row names the charges that were opened for it. What is paid is the sum of what those say; the row records it a moment later, because
 * a request outlives the rows of its charges, and so that its page need not read them all.
 */
import * as z from 'zod/mini';
import { ArrivedPesewas } from '../../ghana/arrived.ts';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { listInTurns } from '../../runtime/table/in-turns.ts';
import { rows } from '../../runtime/table/rows.ts';
import { spread } from '../../runtime/table/spread.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { Proof } from '../../wallets/chain/proof.ts';
import { isSlug } from '../charge/slug.ts';
import { weakestFirst } from '../payment/backing.ts';
import { requestStates, requestTransitions } from './states.ts';

export const Line = z.object({ description: z.string(), quantity: z.number(), amount_pesewas: z.number() });
export type Line = z.infer<typeof Line>;

/** A part of the sum with a day of its own, in Accra (`2026-12-01`); without one it is due at once. */
export const Instalment = z.object({ due: z.optional(z.string()), amount_pesewas: z.number() });
export type Instalment = z.infer<typeof Instalment>;

/** A charge that was opened for a request, and what of it counted when that was recorded last. */
export const RequestCharge = z.object({
  reference: z.string(),
  paid_pesewas: ArrivedPesewas,
  paid_at: z.optional(z.string()),
  /** The backing and the proof of `paid_pesewas`. Unset for verified money, for tests, and in rows of 1.0.0. */
  backing: z.optional(z.enum(weakestFirst)),
  proof: z.optional(Proof),
  /** Its page, where it is paid and no more is to be said of it: its row need not be read then. */
  access_code: z.optional(z.string()),
  /** Money came for it, and more is to be said than its sum: it is disputed, was paid twice, late or in part, or goes back. */
  look: z.optional(z.literal(true)),
  /** The sum that it was opened for: whoever presses Pay for as much gets it again. Unset in rows of 1.0.0. */
  asked_pesewas: z.optional(z.number()),
  /** 16 bits of the hashed address that opened it, which say whose openings are many. Unset in rows of 1.0.0. */
  from: z.optional(z.string()),
});
export type RequestCharge = z.infer<typeof RequestCharge>;

/** The reminder that was due last. */
const Reminder = z.object({
  at: z.string(),
  /** It asked for what is due by then (a day). */
  until: z.string(),
  /** The sum that it asked for: it does not leave once another is due. */
  asked_pesewas: z.optional(z.number()),
  /** The text, or why there is none. */
  send_id: z.optional(z.string()),
  not_sent: z.optional(z.string()),
});

export const PaymentRequest = z.object({
  slug: z.string(),
  merchant_id: z.string(),
  title: z.string(),
  note: z.optional(z.string()),
  /** Those of one period, where it repeats. */
  lines: z.array(Line),
  customer_name: z.optional(z.string()),
  /** `+233…` */
  customer_phone: z.optional(z.string()),
  merchant_reference: z.optional(z.string()),
  /** JSON text, as the merchant wrote its numbers: each of its charges has it. */
  metadata: z.optional(z.string()),
  /** By their days; at least one. */
  instalments: z.array(Instalment),
  every: z.optional(z.enum(['week', 'month'])),
  total_pesewas: z.number(),
  state: z.enum(requestStates),
  /** Counts the changes of the row: each is of the row as it was read. */
  version: z.number(),
  charges: z.array(RequestCharge),
  /** The days before (-) or after a due day on which the customer is reminded. */
  reminder_days: z.optional(z.array(z.number())),
  remind_at: z.optional(z.string()),
  last_reminder: z.optional(Reminder),
  created_at: z.string(),
  paid_at: z.optional(z.string()),
  cancelled_at: z.optional(z.string()),
  /** When its row is removed. */
  expires_at_epoch_seconds: z.optional(z.number()),
});
export type PaymentRequest = z.infer<typeof PaymentRequest>;

/** 59 bits: unlike a link's, its page says who owes what, so nobody may find it by trying. */
export const REQUEST_SLUG_CHARACTERS = 12;

export const requestRows = rows(PaymentRequest, {
  pk: 'REQUEST#<slug>',
  sk: 'REQUEST',
  gsi1: { pk: 'MERCHANT#<merchant_id>#REQUEST', sk: '<created_at>#<slug>' },
  changed: 'The request is changing. Try again in a second.',
  largestUnits: 24,
});
const reminders = spread('REMIND', 2);

function reminderKey({ slug, merchant_id, remind_at }: Pick<PaymentRequest, 'slug' | 'merchant_id' | 'remind_at'>) {
  return remind_at
    ? { gsi2pk: reminders.of(slug), gsi2sk: `${merchant_id}#${remind_at}#${slug}` }
    : { gsi2pk: undefined, gsi2sk: undefined };
}

/** The request of a slug, of any merchant: for its public page, and for workers. */
export async function findRequest(outside: TableOutside, slug: string): Promise<PaymentRequest | undefined> {
  return isSlug(slug, REQUEST_SLUG_CHARACTERS) ? requestRows.find(outside, { slug }) : undefined;
}

/** The request of a slug, for its own merchant only. @throws PublicError `not_found`. */
export async function requireRequest(outside: TableOutside, merchantId: string, slug: string): Promise<PaymentRequest> {
  const request = await findRequest(outside, slug);
  if (request?.merchant_id === merchantId) return request;
  throw new PublicError('not_found', 'You have no payment request with this slug. GET /api/v1/request lists yours.');
}

/** The requests with a reminder that was due before `at` (ISO), about `limit`, alternating between merchants. */
export async function listRemindersDue({ table }: TableOutside, at: string, limit: number): Promise<PaymentRequest[]> {
  return (await listInTurns(table, reminders.partitions, at, limit)).map(requestRows.parse);
}

/**
 * Refused where another has the slug. A repeat is accepted, whatever became of the request since: of many, slugs follow from
 * the seed that their key keeps.
 */
export function createRequest(request: PaymentRequest): TableWrite {
  const { merchant_id, title, total_pesewas } = request;
  const { gsi2pk, gsi2sk } = reminderKey(request);
  return requestRows.create({ ...(gsi2pk && { gsi2pk, gsi2sk }), ...request }, (current) => {
    const isSame = current?.merchant_id === merchant_id && current.total_pesewas === total_pesewas;
    return isSame && current.title === title ? undefined : requestRows.changed();
  });
}

/** What of a request may change. */
export type RequestChange = Partial<
  Pick<
    PaymentRequest,
    'state' | 'charges' | 'remind_at' | 'last_reminder' | 'paid_at' | 'cancelled_at' | 'expires_at_epoch_seconds'
  >
>;

/**
 * Sets what is given, and removes what is undefined. Refused where the row is not as it was read.
 * @throws the same for a state that does not follow.
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
