import * as z from 'zod/mini';
import { ArrivedPesewas, arrivedPesewas } from '../../ghana/arrived.ts';
import { Network, networks } from '../../ghana/network.ts';
import { isoOf } from '../../runtime/outside/outside.ts';
import { DAY_MS } from '../../runtime/values/calendar.ts';
import { Proof } from '../../wallets/chain/proof.ts';

/**
 * Payments that may make up a charge besides the one that completes it. Ending a charge moves all of them in one
 * transaction (DynamoDB allows 100 writes); nobody pays a charge in twenty steps.
 */
export const MAX_PARTS = 20;

/**
 * How a payment found its charge: what the payer typed, the payer's name, the customer's claim by the network's id, a code that
 * was sent to the number that paid, the merchant's hand, or a cashier's tap at a till.
 */
export const MatchedBy = z.enum(['reference', 'name', 'claim', 'phone', 'hand', 'till']);
export type MatchedBy = z.infer<typeof MatchedBy>;

/** Whence a person knows of money that no machine saw: a text that could not be read, a transfer whose text was lost, or cash. */
export const MarkedHow = z.enum(['text', 'transfer', 'cash']);
export type MarkedHow = z.infer<typeof MarkedHow>;

/** Says that a manager or owner marked a charge as paid, and no machine has read a text of the payment: it is never verified. */
export const Marked = z.object({
  how: MarkedHow,
  at: z.string(),
  /** The id of the person. */
  by: z.string(),
  /** The receipt of the text that could not be read. */
  text_id: z.optional(z.string()),
});
export type Marked = z.infer<typeof Marked>;

/** For how long somebody can undo that a charge was marked as paid. */
export const UNMARK_MS = DAY_MS;

/** What paid a charge. The amount differs from the charge's only if the merchant assigned the payment by hand. */
export const Payment = z.object({
  receipt_id: z.string(),
  network: Network,
  transaction_id: z.string(),
  amount_pesewas: ArrivedPesewas,
  payer_name: z.optional(z.string()),
  payer_phone: z.optional(z.string()),
  received_at: z.string(),
  matched_by: MatchedBy,
  /** What the wallet's other texts say about it; unset for a test's, and where it was matched before that was recorded. */
  proof: z.optional(Proof),
  /** The day's sum of unproven payments that it is counted in; unset where it is in none. */
  counted_in: z.optional(z.string()),
  /** The pesewas with which that sum has it, where goods of a higher price left for it. */
  counted_pesewas: z.optional(z.number()),
  /** The id of the person who gave it to its charge, from a form that called it not verified and asked them to look in the wallet first. */
  looked_by: z.optional(z.string()),
  marked: z.optional(Marked),
});
export type Payment = z.infer<typeof Payment>;

/** The most read units of a payment's receipt. */
export const UNITS_OF_RECEIPT = 2;

/**
 * Until when its payer can ask the network to take it back, by what is known of the network (ISO). The network decides, and may take
 * longer.
 */
export function reversibleUntil({
  network,
  received_at,
  marked,
}: Pick<Payment, 'network' | 'received_at' | 'marked'>): string {
  if (marked?.how === 'cash') return received_at;
  return isoOf(Date.parse(received_at) + networks[network].takesBack.days * DAY_MS);
}

/** The name of a payment's id on pages; cash has a number of ours. */
export function idNameOf({ network, marked }: Pick<Payment, 'network' | 'marked'>): string {
  return marked?.how === 'cash' ? 'Paid in cash' : `${networks[network].short} transaction ID`;
}

/** Every payment that a charge has on record, in the order of arrival: its parts, and the one that completed it. */
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
 * Why a charge's payment is in doubt, and since when. `conflict`: another text reported the same payment with different details.
 * `reversal`: a text that is not fully understood says that the payment was reversed. `forged`: its text never became a part of
 * the wallet's balance chain, or, in version 1.0.0, too many texts that nothing proves were to pay it.
 */
export const Dispute = z.object({
  at: z.string(),
  why: z.enum(['conflict', 'reversal', 'forged']),
  /** Set while another text contradicts the payment's and either may be false. */
  is_contested: z.optional(z.boolean()),
  /** The hash of the contradicting text, in rows of version 1.0.0. */
  text_hash: z.optional(z.string()),
});
export type Dispute = z.infer<typeof Dispute>;

/** For how long a cashier's tap can be undone by its cashier; the merchant's server is told of the charge after that. */
export const UNDO_MS = 60_000;

/** How many notes a charge may have: they are on its row, which each of its pages reads. */
export const MAX_NOTES = 20;

/** What somebody of the merchant's team wrote about a charge, for the team alone. */
export const Note = z.object({
  at: z.string(),
  /** The id of the person. */
  by: z.string(),
  text: z.string(),
  /** The text that this note records: the charge's link was sent with it. */
  send_id: z.optional(z.string()),
});
export type Note = z.infer<typeof Note>;

/**
 * A note that a merchant sends money back: `noted` until it has left the wallet. The service holds no money and cannot send any, so
 * it is the wallet's own text or a person that says so.
 */
export const Refund = z.object({
  refund_id: z.string(),
  amount_pesewas: z.number(),
  reason: z.optional(z.string()),
  state: z.enum(['noted', 'sent', 'withdrawn']),
  noted_at: z.string(),
  closed_at: z.optional(z.string()),
  /** Who said so: a text of the wallet that it was sent from, a person, or the network, which took the money back itself. */
  closed_by: z.optional(z.enum(['wallet', 'hand', 'network'])),
  /** The network's id of the transfer that sent it, if a text told of it. */
  transaction_id: z.optional(z.string()),
});
export type Refund = z.infer<typeof Refund>;

/** What a charge's notes take of what was paid for it, in pesewas. */
export function refundedPesewas(refunds: readonly Refund[] = []): number {
  const counted = refunds.filter(({ state }) => state !== 'withdrawn');
  return counted.reduce((sum, { amount_pesewas }) => sum + amount_pesewas, 0);
}

/** True if the money of a note is still to leave. */
export function isOpenRefund({ state }: Pick<Refund, 'state'>): boolean {
  return state === 'noted';
}

/** The notes whose money has left the wallet. */
export function sentRefunds({ refunds = [] }: { readonly refunds?: readonly Refund[] | undefined }): Refund[] {
  return refunds.filter(({ state }) => state === 'sent');
}

/** The states of a charge; `charge/states.ts` has the moves between them. */
export type ChargeState = 'pending' | 'success' | 'expired' | 'cancelled' | 'reversed';

interface Amounts {
  readonly state: ChargeState;
  readonly amount_pesewas: number;
  readonly parts?: readonly Payment[] | undefined;
  readonly payment?: Payment | undefined;
}

type Refundable = Amounts & { readonly refunds?: readonly Refund[] | undefined };

/** The sum of some payments, in pesewas. */
export function totalPesewas(payments: readonly Pick<Payment, 'amount_pesewas'>[]): ArrivedPesewas {
  return arrivedPesewas(payments.reduce((sum, { amount_pesewas }) => sum + amount_pesewas, 0));
}

/**
 * What has arrived for a charge and was not reversed, in pesewas: its parts, and the payment that completed it. For a charge
 * that ended unpaid, this is what had arrived by then and is held again.
 */
export function paidPesewas({ state, parts = [], payment }: Omit<Amounts, 'amount_pesewas'>): ArrivedPesewas {
  return totalPesewas(paymentsOf({ parts, payment: state === 'success' ? payment : undefined }));
}

/** What a charge still lacks, in pesewas; 0 if nothing. Payments of a charge that has ended no longer count. */
export function missingPesewas(charge: Amounts): number {
  const counted = charge.state === 'pending' || charge.state === 'success' ? paidPesewas(charge) : 0;
  return Math.max(0, charge.amount_pesewas - counted);
}

/** What a charge's payers are still to get back, in pesewas: what is too much or was promised to them, and has not been sent. */
export function owedPesewas(charge: Refundable): ArrivedPesewas {
  const owed = Math.max(overpaidPesewas(charge), refundedPesewas(charge.refunds));
  return arrivedPesewas(owed - refundedPesewas(sentRefunds(charge)));
}

/** What was paid beyond a charge's amount, in pesewas; 0 if nothing. */
export function overpaidPesewas(charge: Amounts): ArrivedPesewas {
  return arrivedPesewas(Math.max(0, paidPesewas(charge) - charge.amount_pesewas));
}

/** The excess of a charge that no sent refund covers, in pesewas; 0 if nothing. */
export function unreturnedPesewas(charge: Refundable): ArrivedPesewas {
  return arrivedPesewas(Math.max(0, overpaidPesewas(charge) - refundedPesewas(sentRefunds(charge))));
}

/** The money of a charge that is in no refund note, in pesewas; 0 if nothing. */
export function refundablePesewas(charge: Refundable): ArrivedPesewas {
  return arrivedPesewas(Math.max(0, paidPesewas(charge) - refundedPesewas(charge.refunds)));
}
