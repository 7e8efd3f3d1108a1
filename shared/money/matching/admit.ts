import { merchantRows } from '../../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isTwin } from '../../merchants/merchant/twin.ts';
import type { TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import type { Checked } from '../../wallets/chain/check-text.ts';
import type { Proof, Unproven } from '../../wallets/chain/proof.ts';
import type { Charge } from '../charge/charge.table.ts';
import type { Goods } from '../charge/goods.ts';
import { countOneMore } from '../goods/may-leave.ts';
import type { Payment } from '../payment/payment.ts';
import type { HeldReason, PaymentReceipt } from '../receipt/receipt.ts';

export type ToConfirm = Pick<Charge, 'merchant_id' | 'amount_pesewas'> & {
  readonly goods?: Goods | undefined;
  readonly parts?: readonly Payment[] | undefined;
  readonly payment?: Payment | undefined;
};

/** A payment may confirm a charge, or count towards it: what else to write for that. */
export interface Admitted {
  readonly writes: readonly TableWrite[];
  /** The day's sum of unproven payments that it is counted in by them. */
  readonly counted_in?: string;
}

/**
 * Decides by its proof whether a payment may confirm a charge that it is certainly meant for. A proven one may. While a text before it
 * may still be on its way it is held as `checking`. One whose text cannot be true confirms nothing, even where the chain only observes. One that stays unproven confirms small sums only, per charge and per day,
 * because its text may be forged. Where the wallet's chain only observes, and for tests, nothing is held for want of a proof: whether goods leave
 * for it, `mayLeave` says. A purchase of credits is held for want of it wherever the wallet's texts can prove something: its credits leave for
 * nothing else, and a forged text must not take the place of its buyer's payment. Beyond `confirm_always_above`, a person confirms whatever the
 * proof.
 */
export async function admit(
  outside: TimedOutside,
  charge: ToConfirm,
  { momo_number, amount_pesewas }: Pick<PaymentReceipt, 'momo_number' | 'amount_pesewas'>,
  checked: Checked | undefined,
): Promise<Admitted | { readonly held: HeldReason }> {
  if (isTwin(charge.merchant_id)) return { writes: [] };
  const untrue = checked && whyUntrue(checked.proof);
  if (untrue) return { held: untrue };
  const merchant = await merchantRows.find(outside, charge);
  if (merchant && needsPerson(merchant, charge, amount_pesewas)) return { held: 'large_amount' };
  const needsProof = checked !== undefined && charge.goods?.kind === 'credits' && isProvable(checked.proof);
  if (!checked || !momo_number || (checked.mode === 'observe' && !checked.isFalse && !needsProof))
    return { writes: [] };
  const { state, why } = checked.proof;
  if (state === 'proven') return { writes: [] };
  if (state === 'checking') return { held: 'checking' };
  const counted =
    merchant &&
    !checked.isFalse &&
    !needsProof &&
    (await countOneMore(outside, merchant, charge, { amount_pesewas, proof: checked.proof }));
  return counted || { held: reasonFor(why) };
}

/** True if the texts of a payment's wallet are enough to prove it. */
function isProvable({ why }: Proof): boolean {
  return why !== 'not_established' && why !== 'no_balance';
}

/** Why a text cannot be true, as far as it and the wallet's clock show. */
function whyUntrue({ why }: Proof): Extract<HeldReason, Unproven> | undefined {
  return why === 'clock_odd' || why === 'balance_impossible' ? why : undefined;
}

/** Why a payment is held that is not proven. */
export function reasonFor(why: Unproven | undefined): HeldReason {
  return why === 'balance_unsure' ? why : 'balance_gap';
}

/** By the charge's amount too: a large charge may be paid in small parts. */
function needsPerson({ confirm_always_above_pesewas }: Merchant, charge: ToConfirm, amountPesewas: number): boolean {
  return (
    confirm_always_above_pesewas !== undefined &&
    Math.max(charge.amount_pesewas, amountPesewas) > confirm_always_above_pesewas
  );
}
