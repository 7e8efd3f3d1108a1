import type { TableOutside, TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import {
  MAX_SECOND_RECEIPTS,
  noteSecondReceipts,
  noteWaitingReceipts,
  type ReadFor,
} from '../charge/change-charge.table.ts';
import type { Charge } from '../charge/charge.table.ts';
import { hasEndedUnpaid } from '../payment/backing.ts';
import { getReceipts } from './receipt.table.ts';
import { isAssignable, type PaymentReceipt } from './receipt.ts';

/**
 * Records a payment that its charge may need later: a second payment, a late one, or one that arrived while the charge
 * was disputed.
 */
export async function noteSecond(
  outside: TimedOutside,
  charge: Charge,
  receipt: Second,
  shown: 'not confirmed' | 'quiet' = 'quiet',
): Promise<TableWrite[]> {
  const { second_receipts: before = [] } = charge;
  const second_receipts = await withSecond(outside, charge, [receipt]);
  const verified = verifiedWaiting(charge, receipt);
  const isNew = second_receipts.some((id) => !before.includes(id)) || verified !== undefined;
  const noted = { second_receipts, ...verified };
  return isNew ? [noteSecondReceipts(outside, charge, noted, shown)] : [];
}

/**
 * Records any other payment that is held for a charge, so that the charge's pages find it among any number of payments.
 * Keeps such payments apart from second payments, by the same rules.
 */
export async function noteWaiting(
  outside: TimedOutside,
  charge: ReadFor<'waiting'>,
  receipt: Second,
  shown: 'checking' | 'not confirmed' | 'quiet' = 'quiet',
): Promise<TableWrite[]> {
  const { waiting_receipts: before = [] } = charge;
  const waiting_receipts = await withWaiting(outside, charge, [receipt]);
  const verified = verifiedWaiting(charge, receipt);
  const isNew = waiting_receipts.some((id) => !before.includes(id)) || verified !== undefined;
  const noted = { waiting_receipts, ...verified };
  return isNew || shown !== 'quiet' ? [noteWaitingReceipts(outside, charge, noted, shown)] : [];
}

/** Adds payments to those that wait for a charge, by the rules for second payments. */
export function withWaiting(
  outside: TableOutside,
  { reference, waiting_receipts }: Pick<Charge, 'reference' | 'waiting_receipts'>,
  payments: readonly Second[],
): Promise<string[]> {
  return withSecond(outside, { reference, second_receipts: waiting_receipts }, payments);
}

/** Returns the change if the payment is verified and larger than any before. */
function verifiedWaiting(
  { verified_waiting_pesewas: before = 0 }: Pick<Charge, 'verified_waiting_pesewas'>,
  { amount_pesewas, proof }: Second,
): Pick<Charge, 'verified_waiting_pesewas'> | undefined {
  const isLarger = proof?.state === 'proven' && amount_pesewas > before;
  return isLarger ? { verified_waiting_pesewas: amount_pesewas } : undefined;
}

type Second = Pick<PaymentReceipt, 'receipt_id' | 'amount_pesewas' | 'proof'>;

/**
 * Adds second payments to a charge's list. If the list is full, drops payments already dealt with first, then
 * unverified ones, then the smallest. Forged or tiny payments therefore cannot displace real money. If `isKept` is set,
 * the new payments are never dropped.
 */
export async function withSecond(
  outside: TableOutside,
  charge: Pick<Charge, 'reference' | 'second_receipts'>,
  added: readonly Second[],
  { isKept = false } = {},
): Promise<string[]> {
  const { second_receipts: noted = [] } = charge;
  const fresh = added.map(({ receipt_id }) => receipt_id).filter((id) => !noted.includes(id));
  const all = [...noted, ...fresh];
  if (all.length <= MAX_SECOND_RECEIPTS) return all;
  const held = (await getReceipts(outside, noted)).filter(isAssignable);
  const ofCharge = held.filter(({ suggested_reference }) => suggested_reference === charge.reference);
  const waiting = new Map<string, Second>([...ofCharge, ...added].map((one) => [one.receipt_id, one]));
  const verified = (id: string) => Number(waiting.get(id)?.proof?.state === 'proven');
  const pesewas = (id: string) => waiting.get(id)?.amount_pesewas ?? 0;
  const best = all.toSorted((one, other) => verified(other) - verified(one) || pesewas(other) - pesewas(one));
  const first = new Set([...(isKept ? fresh : []), ...best]);
  const kept = new Set([...first].slice(0, MAX_SECOND_RECEIPTS));
  return all.filter((id) => kept.has(id));
}

/** Adds the parts of a charge that has ended, which are held again, to the payments that wait. */
export function withReleasedParts<Ended extends Pick<Charge, 'state' | 'parts' | 'waiting_receipts'>>(
  charge: Ended,
): Ended {
  const { parts = [], waiting_receipts = [] } = charge;
  if (!hasEndedUnpaid(charge)) return charge;
  const ids = [...waiting_receipts, ...parts.map(({ receipt_id }) => receipt_id)];
  return { ...charge, waiting_receipts: [...new Set(ids)] };
}

/** Adds all parts of a reversed charge to its second payments. The stored list has room for only a few of them. */
export function withHeldParts(charge: Charge): Charge {
  const { state, parts = [], second_receipts = [] } = charge;
  if (state !== 'reversed') return charge;
  const ids = [...second_receipts, ...parts.map(({ receipt_id }) => receipt_id)];
  return { ...charge, second_receipts: [...new Set(ids)] };
}
