import * as z from 'zod/mini';
import { ArrivedPesewas, arrivedPesewas } from '../../ghana/arrived.ts';
import { Network, networks } from '../../ghana/network.ts';
import { isoOf } from '../../runtime/outside/outside.ts';
import { DAY_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';
import { Proof } from '../../wallets/chain/proof.ts';

/**
 * Maximum number of parts per charge, besides the payment that completes it. Closing a charge moves all parts in one
 * transaction (DynamoDB allows 100 writes).
 */
export const MAX_PART_PAYMENTS = 20;

/**
 * Ways to match a payment: by a typed reference, the payer's name, a claim by id, a claim code sent to the payer's
 * number, a person, or a tap at a till.
 */
export const MatchedBy = z.enum(['reference', 'name', 'claim', 'phone', 'hand', 'till']);
export type MatchedBy = z.infer<typeof MatchedBy>;

export const MarkedHow = z.enum(['text', 'transfer', 'cash']);
export type MarkedHow = z.infer<typeof MarkedHow>;

/** Set on a payment that a manager or owner entered to mark a charge as paid. Such a payment is never verified. */
export const Marked = z.object({
  how: MarkedHow,
  at: z.string(),
  by: z.string(),
  text_id: z.optional(z.string()),
  /**
   * Ids of the texts from which the payment's id was typed for earlier marks as paid. This mark replaced those marks.
   */
  earlier_text_ids: z.optional(z.array(z.string())),
});
export type Marked = z.infer<typeof Marked>;

/**
 * Returns the ids of the texts from which a payment's id was typed. Once the mark as paid is undone, these texts are
 * listed again.
 */
export function markedTextIds({ text_id, earlier_text_ids = [] }: Marked): string[] {
  return text_id === undefined ? [...earlier_text_ids] : [text_id, ...earlier_text_ids];
}

export const UNMARK_MS = DAY_MS;

export const Payment = z.object({
  receipt_id: z.string(),
  network: Network,
  transaction_id: z.string(),
  amount_pesewas: ArrivedPesewas,
  payer_name: z.optional(z.string()),
  payer_phone: z.optional(z.string()),
  /** Text typed by the payer. Unset if it was just the charge's reference. */
  payer_reference: z.optional(z.string()),
  received_at: z.string(),
  matched_by: MatchedBy,
  proof: z.optional(Proof),
  counted_in: z.optional(z.string()),
  counted_pesewas: z.optional(z.number()),
  /** Time when the payment began to count towards its charge. */
  counted_at: z.string(),
  /** Person who assigned the payment after the form showed it as unverified and asked them to check the wallet. */
  looked_by: z.optional(z.string()),
  marked: z.optional(Marked),
  /** Time when the wallet's balance fell by the payment's amount without a text (ISO). Customers never see this. */
  reversal_suspected_at: z.optional(z.string()),
});
export type Payment = z.infer<typeof Payment>;
export type OfPayment = Pick<Payment, 'network' | 'transaction_id'>;

export function isSamePayment(one: OfPayment, other: OfPayment): boolean {
  return one.network === other.network && one.transaction_id === other.transaction_id;
}

export const UNITS_OF_RECEIPT = 2;

/** Returns the end of the period for requesting a reversal (ISO), as far as known. The network has the final say. */
export function reversibleUntil({
  network,
  received_at,
  marked,
}: Pick<Payment, 'network' | 'received_at' | 'marked'>): string {
  if (marked?.how === 'cash') return received_at;
  return isoOf(Date.parse(received_at) + networks[network].takesBack.days * DAY_MS);
}

export function idNameOf({ network, marked }: Pick<Payment, 'network' | 'marked'>): string {
  return marked?.how === 'cash' ? 'Paid in cash' : `${networks[network].short} transaction ID`;
}

export function paymentsOf({
  parts = [],
  payment,
}: {
  readonly parts?: readonly Payment[] | undefined;
  readonly payment?: Payment | undefined;
}): Payment[] {
  return [...parts, ...(payment ? [payment] : [])];
}

/**
 * A doubt about a charge's payment. `conflict`: another text reports the payment with different details. `reversal`: a
 * text with partly unknown wording reports the payment's reversal. `forged`: the payment's text never joined the
 * balance chain.
 */
export const Dispute = z.object({
  at: z.string(),
  why: z.enum(['conflict', 'reversal', 'forged']),
  is_contested: z.optional(z.boolean()),
  /** Time at which a reversal was last in doubt (ISO). Unset if that is `at`. */
  reversal_at: z.optional(z.string()),
  text_hash: z.optional(z.string()),
});
export type Dispute = z.infer<typeof Dispute>;

interface Disputed {
  readonly disputed?: Dispute | undefined;
  readonly parts?: readonly Payment[] | undefined;
  readonly payment?: Payment | undefined;
}

/**
 * Returns the doubt that pages and API responses show, if a charge is disputed. One about a reversal hides any other,
 * also if only the wallet's balance suggests the reversal.
 */
export function shownDispute({ disputed, ...charge }: Disputed): Pick<Dispute, 'at' | 'why'> | undefined {
  if (!disputed) return undefined;
  const {
    at,
    why,
    reversal_at = paymentsOf(charge).find((one) => one.reversal_suspected_at)?.reversal_suspected_at,
  } = disputed;
  return why !== 'reversal' && reversal_at ? { at: reversal_at, why: 'reversal' } : { at, why };
}

/** Adds a doubt about a reversal to a charge's dispute, if any. `at`: when the doubt came up (ISO). */
export function withReversalDoubt(disputed: Dispute | undefined, at: string): Dispute {
  if (!disputed) return { at, why: 'reversal' };
  return disputed.at === at ? disputed : { ...disputed, reversal_at: at };
}

export function isReversalDoubted(charge: Disputed): boolean {
  return shownDispute(charge)?.why === 'reversal';
}

export const UNDO_MS = MINUTE_MS;

export const MAX_NOTES = 20;

export const Note = z.object({
  at: z.string(),
  by: z.string(),
  text: z.string(),
  send_id: z.optional(z.string()),
});
export type Note = z.infer<typeof Note>;

/**
 * A merchant's note that money is being sent back. The service cannot send money, so the wallet's text or a person
 * closes the refund. Until then, it stays `noted`.
 */
export const Refund = z.object({
  refund_id: z.string(),
  amount_pesewas: z.number(),
  reason: z.optional(z.string()),
  state: z.enum(['noted', 'sent', 'withdrawn']),
  noted_at: z.string(),
  closed_at: z.optional(z.string()),
  closed_by: z.optional(z.enum(['wallet', 'hand', 'network'])),
  transaction_id: z.optional(z.string()),
});
export type Refund = z.infer<typeof Refund>;

export function refundedPesewas(refunds: readonly Refund[] = []): number {
  const counted = refunds.filter(({ state }) => state !== 'withdrawn');
  return counted.reduce((sum, { amount_pesewas }) => sum + amount_pesewas, 0);
}

export function isOpenRefund({ state }: Pick<Refund, 'state'>): boolean {
  return state === 'noted';
}

export function sentRefunds({ refunds = [] }: { readonly refunds?: readonly Refund[] | undefined }): Refund[] {
  return refunds.filter(({ state }) => state === 'sent');
}

export type ChargeState = 'pending' | 'success' | 'expired' | 'cancelled' | 'reversed';

interface Amounts {
  readonly state: ChargeState;
  readonly amount_pesewas: number;
  readonly parts?: readonly Payment[] | undefined;
  readonly payment?: Payment | undefined;
}

type Refundable = Amounts & { readonly refunds?: readonly Refund[] | undefined };

export function totalPesewas(payments: readonly Pick<Payment, 'amount_pesewas'>[]): ArrivedPesewas {
  return arrivedPesewas(payments.reduce((sum, { amount_pesewas }) => sum + amount_pesewas, 0));
}

/**
 * Returns the money in pesewas that arrived for a charge and was not reversed. This money is held unless the charge is
 * pending or paid.
 */
export function paidPesewas({ state, parts = [], payment }: Omit<Amounts, 'amount_pesewas'>): ArrivedPesewas {
  return totalPesewas(paymentsOf({ parts, payment: state === 'success' ? payment : undefined }));
}

export function missingPesewas(charge: Amounts): number {
  const counted = charge.state === 'pending' || charge.state === 'success' ? paidPesewas(charge) : 0;
  return Math.max(0, charge.amount_pesewas - counted);
}

/** Returns the money in pesewas that must still be sent back: overpayments and open refunds. */
export function owedPesewas(charge: Refundable): ArrivedPesewas {
  const owed = Math.max(overpaidPesewas(charge), refundedPesewas(charge.refunds));
  return arrivedPesewas(owed - refundedPesewas(sentRefunds(charge)));
}

export function overpaidPesewas(charge: Amounts): ArrivedPesewas {
  return arrivedPesewas(Math.max(0, paidPesewas(charge) - charge.amount_pesewas));
}

export function unreturnedPesewas(charge: Refundable): ArrivedPesewas {
  return arrivedPesewas(Math.max(0, overpaidPesewas(charge) - refundedPesewas(sentRefunds(charge))));
}

/** Returns the part of an overpayment, in pesewas, that no open or sent refund covers. */
export function unnotedPesewas(charge: Refundable): ArrivedPesewas {
  return arrivedPesewas(Math.max(0, overpaidPesewas(charge) - refundedPesewas(charge.refunds)));
}

export function refundablePesewas(charge: Refundable): ArrivedPesewas {
  return arrivedPesewas(Math.max(0, paidPesewas(charge) - refundedPesewas(charge.refunds)));
}
