import { numbersOfMerchant } from '../../merchants/merchant/merchant.table.ts';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { MovedOn, setParts } from '../charge/change-charge.table.ts';
import { type Charge, requireCharge } from '../charge/charge.table.ts';
import { isDenied, isDoubted, isUnproven } from '../payment/backing.ts';
import { type Payment, paymentsOf } from '../payment/payment.ts';
import { paymentUseRows, replaceReceipt, usePayment } from '../receipt/receipt.table.ts';
import {
  isCopy,
  isNotThere,
  isPayment,
  isSameText,
  isUndoneMark,
  looksLikeAnother,
  type PaymentReceipt,
  type Receipt,
} from '../receipt/receipt.ts';
import { isInDoubt } from '../receipt/repeated-text.ts';
import { type Look, refuseChanged, type ShownOfCharge } from '../receipt/shown-proof.ts';
import { textsAt } from '../receipt/texts-of-payment.ts';
import { foreignUse, isOfSuspended, loseUse } from '../receipt/typed-use.ts';
import { readKept } from './without-payment.ts';

/**
 * True if a charge is in doubt, or its payment may have been reversed, so that a person who looks in the wallet can say
 * that its money is there. False for credits whose payment is `forged`: they are being taken back, and would not return.
 * They stay given while texts only contest it. False if a text contradicts a mark as paid by MoMo: the money in the
 * wallet may be another bill's, so the mark must be undone.
 */
export function mayVouch({ merchant_id, state, disputed, goods, ...paid }: Doubtable): boolean {
  const isOpen = (state === 'success' || state === 'pending') && !isTestAccount(merchant_id);
  if (!isOpen || !isDoubted({ state, disputed, ...paid })) return false;
  const mayBeOthers =
    disputed?.why === 'conflict' && paymentsOf(paid).some(({ marked }) => marked && marked.how !== 'cash');
  const isTakenBack = goods?.kind === 'credits' && disputed?.why === 'forged' && !disputed.is_contested;
  return !mayBeOthers && !isTakenBack;
}

type Doubtable = Pick<Charge, 'merchant_id' | 'state' | 'disputed' | 'goods' | 'payment' | 'parts'>;

interface Vouching {
  readonly merchantId: string;
  readonly reference: string;
  readonly look: ShownOfCharge & Pick<Look, 'by'>;
}

/**
 * Ends the doubt about a charge, because a person found all of its payments in the wallet. The person then vouches for
 * those that are unverified or in doubt. A later text can put the charge in doubt again.
 * @throws PublicError `not_found`, `charge_not_pending` if the charge is not in doubt, `receipt_not_held` if the form is
 * outdated, or if the money may be that of another text with the same id.
 */
export async function vouchForCharge(
  outside: Outside,
  { merchantId, reference, look }: Vouching,
): Promise<TableWrite[]> {
  const charge = await requireCharge(outside, reference, merchantId);
  if (!mayVouch(charge))
    throw new MovedOn('This charge is no longer in doubt, or it was marked as paid by hand. Check it again.');
  refuseChanged(charge, look);
  const { receipts } = await readKept(outside, paymentsOf(charge));
  if (receipts.some((one) => one.marked && isDenied(one)))
    throw new MovedOn('A text contradicts the payment that was entered by hand. Undo the mark instead.');
  const lost = receipts.filter(isPayment).filter(({ use_lost }) => use_lost);
  const taken = await Promise.all(lost.map((one) => takenBack(outside, charge, { ...one, looked_by: look.by })));
  await refuseOthersMoney(outside, charge, receipts, taken);
  const mayBeReversed = (one: Receipt) =>
    one.reversal_doubt_at !== undefined || one.reversal_suspected_at !== undefined;
  // A mark stays unverified: only the doubt about its reversal ends.
  const isVouchedFor = (one: Receipt) =>
    mayBeReversed(one) || (one.marked === undefined && (isInDoubt(one) || isUnproven(one)));
  const seen = receipts.filter(isVouchedFor).map(({ receipt_id }) => receipt_id);
  const vouched = (one: Payment): Payment =>
    seen.includes(one.receipt_id) ? { ...one, looked_by: look.by, reversal_suspected_at: undefined } : one;
  const { payment, parts = [] } = charge;
  const copies = await Promise.all(receipts.map((one) => heldCopiesOf(outside, one)));
  return [
    ...taken.flatMap(({ writes }) => writes),
    ...copies.flat().map((one) => replaceReceipt(one, { ...one, reason: 'checking', first_undone: true })),
    ...receipts.map((one) => replaceReceipt(one, isVouchedFor(one) ? withoutDoubt(one, look.by) : one)),
    setParts(charge, parts.map(vouched), { payment: payment && vouched(payment), isDoubtOver: true }),
  ];
}

interface TakenBack {
  readonly from: Receipt | undefined;
  readonly writes: readonly TableWrite[];
}

/**
 * Returns to a payment the id that a text to another shop's wallet has taken over, if that text is unverified or the
 * operator has suspended its shop.
 */
async function takenBack(
  outside: Outside,
  { reference, merchant_id }: Charge,
  lost: PaymentReceipt,
): Promise<TakenBack> {
  const use = await paymentUseRows.find(outside, lost);
  const from = await foreignUse(outside, use, lost);
  if (lost.marked || (use && (!from || from.merchant_id === merchant_id)))
    throw new PublicError(
      'receipt_not_held',
      'Another text with the same transaction ID counts instead of this one. If that text is not yours, ask the operator.',
    );
  const writes = [
    ...usePayment(lost, { reference, merchant_id }, { foreign: use }),
    ...(from ? await loseUse(outside, from, lost, merchant_id) : []),
  ];
  return { from, writes };
}

/** Returns a receipt that a person found in the wallet. The texts known until then no longer put it in doubt. */
function withoutDoubt(receipt: Receipt, looked_by: string): Receipt {
  const { contradicted_by } = receipt;
  const doubt = { reversal_doubt_at: undefined, reversal_doubt_number: undefined, reversal_suspected_at: undefined };
  const known = { agreed_by: contradicted_by, ...doubt, use_lost: undefined };
  return { ...receipt, ...known, looked_by };
}

/** Finds the copies with a SIM number that other texts kept from replacing a counted text without it. */
async function heldCopiesOf(outside: Outside, counted: Receipt): Promise<Receipt[]> {
  if (!isPayment(counted) || counted.momo_number !== undefined) return [];
  const texts = await textsAt(outside, counted, counted.numbers_of_phone ?? []);
  const isHeld = ({ state, reason, set_aside }: Receipt) => state === 'held' && reason === 'conflict' && !set_aside;
  return texts.filter((one) => isHeld(one) && one.momo_number !== undefined && isSameText(one, counted));
}

/**
 * Refuses payments whose money in the wallet may be that of another text with the same id: a verified one or, if the
 * payment is unverified, one that pays another charge or states the same amount and payer. A person must compare the two.
 * Texts of suspended merchants do not count.
 */
async function refuseOthersMoney(
  outside: Outside,
  charge: Charge,
  receipts: readonly Receipt[],
  taken: readonly TakenBack[],
): Promise<void> {
  const numbers = (await numbersOfMerchant(outside, charge.merchant_id)) ?? [];
  for (const receipt of receipts.filter(isPayment)) {
    const texts = await textsAt(outside, receipt, [receipt.momo_number, ...numbers]);
    const isOther = (one: Receipt) =>
      isPayment(one) &&
      !isNotThere(one) &&
      !isUndoneMark(one) &&
      !taken.some(({ from }) => from?.receipt_id === one.receipt_id) &&
      !receipts.some((own) => own.receipt_id === one.receipt_id || isCopy(own, one));
    const mayBeFalse = receipt.proof?.state !== 'proven';
    // A text that no merchant sees pays nothing once this payment keeps the id, and nobody could remove it.
    const isAlike = (one: Receipt) => one.merchant_id !== undefined && looksLikeAnother(receipt, [one]);
    const isMoneyOf = (one: Receipt) =>
      one.proof?.state === 'proven' || (mayBeFalse && ((one.state === 'matched' && !one.use_lost) || isAlike(one)));
    const others = texts.filter((one) => isOther(one) && isMoneyOf(one));
    if ((await Promise.all(others.map((one) => isOfSuspended(outside, one)))).includes(false))
      throw new PublicError(
        'receipt_not_held',
        'Another text with the same transaction ID may report this money. Compare the two. If the other one is not listed for you, ask the operator.',
      );
  }
}
