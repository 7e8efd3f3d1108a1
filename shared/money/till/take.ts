import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { countTests } from '../../merchants/merchant/test-limit.table.ts';
import { isoOf, nowIso, type Outside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { DAY_MS } from '../../runtime/values/calendar.ts';
import { hasCode, PublicError } from '../../runtime/values/errors.ts';
import { markPaidAs } from '../charge/change-charge.table.ts';
import { type Charge, getCharge, type PaidCharge } from '../charge/charge.table.ts';
import { newCharge, withFreeReference } from '../charge/charge.ts';
import { type TakenGoods, takeOf } from '../charge/goods.ts';
import { cameWith, type Origin } from '../charge/origin.ts';
import { checkReceipt, isMeantForAnotherAtTill, takeOverAsClaimed } from '../claims/claimable.ts';
import { decideRelease } from '../goods/decide-release.ts';
import { UnprovenLimitReached } from '../goods/unproven.table.ts';
import { admit } from '../matching/admit.ts';
import { type Payment, refundedPesewas, UNDO_MS } from '../payment/payment.ts';
import { PaymentUsed, ReceiptChanged } from '../receipt/receipt.table.ts';
import {
  type HeldReason,
  isAssignable,
  type PaymentReceipt,
  type Receipt,
  vouchedAtTills,
} from '../receipt/receipt.ts';
import type { Reader } from '../receipt/shown-receipt.ts';
import { contradictionOf } from '../receipt/texts-of-payment.ts';
import { doubtElsewhere } from '../receipt/typed-use.ts';
import { requireReceipt } from '../settling/assign-receipt.ts';
import { paymentOf } from '../settling/matched-receipt.ts';
import { createPaidCharge } from '../settling/pay-charge.ts';
import { releaseTaken } from '../settling/undo-payment.ts';
import { isOpenAt } from './scanned.ts';
import { requireOpen } from './shift.ts';
import { createTake, type Shift, ShiftChanged, type Till, whileShiftIs } from './till.table.ts';

/** Hold reasons that allow a tap at any till: neither the payment's reference nor its payer's name fits a charge. */
const FREE: ReadonlySet<HeldReason> = new Set(['no_charge', 'name_differs', 'too_many_open']);
/**
 * Maps a hold reason to the reason why a cashier cannot take the payment. A hold reason that is not listed here means
 * that the payment may be for another charge.
 */
const byReason: Readonly<Partial<Record<HeldReason, CannotTake>>> = {
  checking: 'checking',
  conflict: 'doubtful',
  network_differs: 'doubtful',
  number_unknown: 'doubtful',
  number_not_placed: 'doubtful',
  clock_odd: 'doubtful',
  balance_impossible: 'doubtful',
  large_amount: 'large',
  reversed: 'gone',
};

export const cannotTake = {
  gone: 'This payment was already used for a bill or at another till. Do not hand over goods for it again.',
  other_amount: 'This payment is for a different amount.',
  before_shift:
    'This payment arrived before your shift began, or more than a day ago. A manager can match it to a bill.',
  for_another: 'This payment may be for an unpaid bill, such as a web order. A manager can match it to that bill.',
  doubtful: 'Something is wrong with this payment’s text. Ask a manager to check it.',
  checking: 'This payment is still being checked. Wait two minutes. If it is not verified by then, ask a manager.',
  not_proven: 'This payment is not verified. A manager must check the wallet and allow the payment under To check.',
  limit:
    'Today’s limit for payments that are not verified is used up. A manager must check your MoMo balance and allow the payment under To check.',
  large: 'Payments of this size need a manager’s confirmation.',
} as const;
export type CannotTake = keyof typeof cannotTake;

/** Maximum age of a payment that can be taken, even in a shift that was never closed. */
const TAKEN_WITHIN_MS = DAY_MS;

/** Returns the earliest arrival time (ISO) of a payment that can be taken in a shift. */
export function takenSince({ now }: Pick<TimedOutside, 'now'>, { began_at }: Pick<Shift, 'began_at'>): string {
  const dayAgo = isoOf(now() - TAKEN_WITHIN_MS);
  return began_at > dayAgo ? began_at : dayAgo;
}

interface Look {
  readonly since?: string;
  readonly amountPesewas?: number | undefined;
  readonly isBeingChecked?: boolean;
}

/** Returns the first reason why a payment cannot be taken, judging only by the payment's own row. */
export function refusalOf(
  receipt: Receipt,
  { since = '', amountPesewas, isBeingChecked }: Look,
): CannotTake | undefined {
  const { reason, set_aside, received_at, amount_pesewas } = receipt;
  if (!isAssignable(receipt) || set_aside) return 'gone';
  const isReleased = reason === 'reference_unclear' && receipt.released_by !== undefined;
  if (reason !== undefined && !FREE.has(reason) && !isReleased) return byReason[reason] ?? 'for_another';
  if (received_at < since) return 'before_shift';
  if (amountPesewas !== undefined && amount_pesewas !== amountPesewas) return 'other_amount';
  return isBeingChecked ? 'checking' : undefined;
}

/** True if the payment is being checked, judging only by its row. The wallet's balance chain may already know more. */
export function isBeingChecked({ now }: Pick<TimedOutside, 'now'>, { proof, received_at }: Receipt): boolean {
  return proof?.state === 'checking' && now() - Date.parse(received_at) < CHECKED_MS;
}

const CHECKED_MS = 150_000;

export interface AtTill {
  readonly till_id: string;
  readonly shift_id: string;
  readonly by: string;
}

export interface Taken extends AtTill {
  readonly receiptId: string;
  readonly amountPesewas: number;
  readonly reader: Pick<Reader, 'seesIds'>;
  readonly scanned?: string | undefined;
}

/**
 * Takes a payment at a till by creating a charge for exactly its amount. The charge replaces the customer's sticker
 * charge, if any. The writes require that the payment is free and unchanged, the cashier's shift is open, and
 * unverified money stays within the limit.
 * @throws PublicError `not_found`, `receipt_not_held` with a reason from `cannotTake`, ShiftChanged.
 */
export function takePayment<Result>(
  outside: Outside,
  merchant: Merchant,
  { till_id, shift_id, by, receiptId, amountPesewas, reader, scanned }: Taken,
  commit: (charge: PaidCharge, writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  // Another cashier may take the payment in the meantime, or the payment's proof may change.
  return retryIfChanged(
    async () => {
      const { merchant_id } = merchant;
      const till = await requireOpen(outside, merchant_id, till_id);
      if (till.shift?.shift_id !== shift_id || till.shift.by !== by) throw new ShiftChanged();
      const receipt = await requireReceipt(outside, merchant_id, receiptId, reader).catch((error) => {
        // Cashiers see only the last digits of an id, which find a payment only while it is held. A payment that is not
        // found has therefore been taken or assigned since.
        throw hasCode(error, 'not_found') ? refused('gone') : error;
      });
      const refusal = refusalOf(receipt, { since: takenSince(outside, till.shift), amountPesewas });
      if (refusal !== undefined || !isAssignable(receipt)) throw refused(refusal ?? 'gone');
      const opened = scanned === undefined ? undefined : await requireOpened(outside, till, scanned, amountPesewas);
      const take: TakenGoods = {
        kind: 'take',
        state: 'given',
        shift_id,
        by,
        at: nowIso(outside),
        scanned,
      };
      try {
        return await withFreeReference(async () => {
          const charge = chargeFor(outside, merchant, till, { receipt, take, opened });
          const { payment, writes } = await mayBeTaken(outside, merchant, charge, receipt);
          const taken = await takeOverAsClaimed(outside, charge, receipt);
          const paid = createPaidCharge(outside, charge, receipt, { payment, taken });
          const { reference, amount_pesewas } = paid.charge;
          return commit(paid.charge, [
            ...paid.writes,
            ...writes,
            ...(opened ? [markPaidAs(opened, reference)] : []),
            whileShiftIs(till),
            createTake(outside, {
              merchant_id,
              till_id,
              shift_id,
              by,
              at: take.at,
              reference,
              amount_pesewas,
              receipt_id: receipt.receipt_id,
            }),
            ...countTests(outside, merchant_id),
          ]);
        });
      } catch (error) {
        if (error instanceof PaymentUsed) throw refused('gone');
        if (error instanceof UnprovenLimitReached) throw refused('limit');
        throw error;
      }
    },
    { isChanged: (error) => error instanceof ReceiptChanged },
  );
}

async function requireOpened(outside: Outside, till: Till, reference: string, amountPesewas: number): Promise<Charge> {
  const charge = await getCharge(outside, reference, till.merchant_id);
  if (charge && isOpenAt(outside, till, charge, amountPesewas)) return charge;
  throw new PublicError(
    'charge_not_pending',
    'The bill that this customer scanned has just been paid or has expired. Nothing was taken. Tap the payment again.',
  );
}

/**
 * Builds a charge on the paid number. The charge expires when the tap can no longer be undone, and the expiry row then
 * triggers the webhook event.
 */
function chargeFor(
  outside: Outside,
  merchant: Merchant,
  till: Till,
  {
    receipt,
    take,
    opened,
  }: { readonly receipt: PaymentReceipt; readonly take: TakenGoods; readonly opened: Charge | undefined },
): Charge {
  const { amount_pesewas, momo_number, network } = receipt;
  const charge = newCharge(outside, merchant, {
    asked: { amount: amount_pesewas, description: `Till: ${till.name}` },
    origin: { kind: 'till', till_id: till.till_id, note: opened && cameWith(opened).customer_note },
    goods: take,
  });
  const account = merchant.momo_accounts.find((one) => one.number === momo_number && one.network === network);
  return {
    ...charge,
    ...(account && {
      momo_number: account.number,
      momo_network: account.network,
      momo_account_name: account.account_name,
    }),
    momo_accounts: undefined,
    // A person who gave a verified payment to the tills did not say that its money arrived.
    released_by: receipt.proof?.state === 'proven' ? undefined : vouchedAtTills(receipt),
    expires_at: isoOf(Date.parse(take.at) + UNDO_MS),
  };
}

/**
 * Returns the payment to store on the charge, and further writes.
 * @throws PublicError `receipt_not_held` if the payment's proof is too weak, or the payment seems to be for a different
 * charge.
 */
async function mayBeTaken(
  outside: Outside,
  merchant: Merchant,
  charge: Charge,
  receipt: PaymentReceipt,
): Promise<{ payment: Payment; writes: readonly TableWrite[] }> {
  if (await contradictionOf(outside, receipt)) throw refused('doubtful');
  // A person who gave it to the tills has seen the bills that it may be for.
  if (receipt.released_by === undefined && (await isMeantForAnotherAtTill(outside, receipt, charge)))
    throw refused('for_another');
  const checked = await checkReceipt(outside, receipt);
  // A manager may have released the payment before the owner denied that it arrived.
  if (checked?.isFalse) throw refused('doubtful');
  if (await doubtElsewhere(outside, merchant.merchant_id, { ...receipt, proof: checked?.proof }))
    throw refused('doubtful');
  const admission = charge.released_by === undefined ? await admit(outside, charge, receipt, checked) : { writes: [] };
  if ('held' in admission) throw refused(byProof[admission.held] ?? 'not_proven');
  const { counted_in } = admission;
  const matched = { matched_by: 'till', counted_in, counted_at: nowIso(outside) } as const;
  const payment = paymentOf({ ...receipt, proof: checked?.proof }, matched);
  const leaving = decideRelease(outside, merchant, { ...charge, state: 'success', payment }, 'till');
  if (typeof leaving === 'string') throw refused('not_proven');
  return {
    payment: leaving.counted?.payment ?? payment,
    writes: [...admission.writes, ...(await leaving.count(outside))],
  };
}

const byProof: Readonly<Partial<Record<HeldReason, CannotTake>>> = { checking: 'checking', large_amount: 'large' };

function refused(refusal: CannotTake): PublicError {
  return new PublicError('receipt_not_held', cannotTake[refusal]);
}

/** True for the cashier within one minute of the tap. Always true for people who may assign payments. */
export function mayUndo(
  { now }: Pick<TimedOutside, 'now'>,
  charge: Pick<Charge, 'state' | 'goods' | 'refunds'>,
  who: { readonly by: string; readonly mayAssign: boolean },
): boolean {
  const take = takeOf(charge);
  if (charge.state !== 'success' || !take || refundedPesewas(charge.refunds) > 0) return false;
  const isInTime = take.by === who.by && take.told_at === undefined && now() < Date.parse(take.at) + UNDO_MS;
  return who.mayAssign || isInTime;
}

type TakenCharge = Charge & { readonly goods: TakenGoods; readonly origin: Extract<Origin, { kind: 'till' }> };

/**
 * Undoes a tap: cancels the tap's charge and holds the payment again.
 * @throws PublicError `not_found`, `charge_not_pending`.
 */
export async function undoPayment(
  outside: Outside,
  merchantId: string,
  reference: string,
  who: { readonly by: string; readonly mayAssign: boolean },
): Promise<{ charge: TakenCharge; writes: TableWrite[] }> {
  const charge = await getCharge(outside, reference, merchantId);
  const goods = charge && takeOf(charge);
  if (!goods || charge.origin.kind !== 'till')
    throw new PublicError('not_found', 'No payment with this reference was taken at a till.');
  if (charge.state === 'success' && !mayUndo(outside, charge, who))
    throw new PublicError(
      'charge_not_pending',
      refundedPesewas(charge.refunds) > 0
        ? 'A refund is recorded for this bill. If it was not sent, withdraw it first.'
        : 'A cashier can only undo this within a minute. Ask a manager.',
    );
  const taken = { ...charge, goods, origin: charge.origin };
  return { charge: taken, writes: await releaseTaken(outside, taken, who.by) };
}
