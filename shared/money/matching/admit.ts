import { merchantRows } from '../../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import type { TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import type { Checked } from '../../wallets/chain/check-text.ts';
import type { Proof, Unproven } from '../../wallets/chain/proof.ts';
import { askedPesewas, type Charge } from '../charge/charge.table.ts';
import type { Goods } from '../charge/goods.ts';
import { countOneMore } from '../goods/decide-release.ts';
import type { Payment } from '../payment/payment.ts';
import type { HeldReason, PaymentReceipt } from '../receipt/receipt.ts';

export type ToConfirm = Pick<Charge, 'merchant_id' | 'amount_pesewas'> & {
  readonly asked_pesewas?: number | undefined;
  readonly goods?: Goods | undefined;
  readonly parts?: readonly Payment[] | undefined;
  readonly payment?: Payment | undefined;
};

export interface Admitted {
  readonly writes: readonly TableWrite[];
  readonly counted_in?: string;
}

/**
 * Decides from a payment's proof whether the payment may confirm the charge to which it was matched.
 * - A verified payment may confirm the charge; a payment with an impossible text never may. While an earlier text may
 *   still arrive, the payment is held as `checking`.
 * - Other unverified payments confirm only small amounts, limited per charge and per day.
 * - Purchases of credits require proof wherever the wallet can provide it. Otherwise, a forged text could confirm a
 *   purchase before the buyer pays.
 * - Without an anchor and for tests, no proof is required here. `decideRelease` guards the goods.
 * - Above `confirm_always_above`, a person always confirms.
 */
export async function admit(
  outside: TimedOutside,
  charge: ToConfirm,
  { momo_number, amount_pesewas }: Pick<PaymentReceipt, 'momo_number' | 'amount_pesewas'>,
  checked: Checked | undefined,
): Promise<Admitted | { readonly held: HeldReason }> {
  if (isTestAccount(charge.merchant_id)) return { writes: [] };
  const untrue = checked && contradictionOf(checked.proof);
  if (untrue) return { held: untrue };
  const merchant = await merchantRows.find(outside, charge);
  if (merchant && needsPerson(merchant, charge, amount_pesewas)) return { held: 'large_amount' };
  const needsProof = checked !== undefined && charge.goods?.kind === 'credits' && isProvable(checked.proof);
  if (!checked || !momo_number || (!checked.isAnchored && !checked.isFalse && !needsProof)) return { writes: [] };
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

function isProvable({ why }: Proof): boolean {
  return why !== 'not_anchored' && why !== 'no_balance';
}

function contradictionOf({ why }: Proof): Extract<HeldReason, Unproven> | undefined {
  return why === 'clock_odd' || why === 'balance_impossible' ? why : undefined;
}

export function reasonFor(reason: Unproven | undefined): HeldReason {
  return reason === 'balance_unsure' || reason === 'anchor_young' ? reason : 'balance_gap';
}

function needsPerson({ confirm_always_above_pesewas }: Merchant, charge: ToConfirm, amountPesewas: number): boolean {
  return (
    confirm_always_above_pesewas !== undefined &&
    Math.max(askedPesewas(charge), amountPesewas) > confirm_always_above_pesewas
  );
}
