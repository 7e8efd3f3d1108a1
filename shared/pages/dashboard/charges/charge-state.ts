import { wholeMoney } from '../../../ghana/money.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import { haveLeft, statusOf } from '../../../money/charge/charge.ts';
import { backingOfCharge, isDoubted } from '../../../money/payment/backing.ts';
import {
  type Dispute,
  missingPesewas,
  overpaidPesewas,
  paidPesewas,
  refundedPesewas,
  shownDispute,
} from '../../../money/payment/payment.ts';
import { shownOf, shownPaid } from '../../../money/payment/shown-payment.ts';
import type { Clock } from '../../../runtime/outside/outside.ts';
import { type Html, PARTLY_PAID, paymentPill, pill, type Remark, shownTime } from '../parts/content.ts';

interface ChargeState extends Remark {
  readonly text: string;
  /** Consequences of the state, shown on the charge's own page. */
  readonly more?: string;
}

export function chargeStateOf(outside: Clock, charge: Charge): ChargeState {
  const state = plainStateOf(outside, charge);
  if (!isDoubted(charge)) return state;
  // Without a dispute, only a reversal is in doubt.
  const [text, more] = DISPUTES[shownDispute(charge)?.why ?? 'reversal'];
  return { tone: 'look', label: 'In doubt', text, more: [more, state.text, state.more].join(' ').trim() };
}

export function statePill(outside: Clock, charge: Charge, paid = shownPaid(charge)): Html {
  const state = chargeStateOf(outside, charge);
  return paid.pesewas === 0 ? pill(state.tone, state.label) : paymentPill(state, paid);
}

export const TEXTS_DIFFER = 'Two texts report this payment differently, so one of them is false.';
export const MAY_BE_REVERSED = 'A text or your wallet’s balance suggests that the network reversed this payment.';

const DISPUTES: Readonly<Record<Dispute['why'], readonly [text: string, more: string]>> = {
  conflict: [TEXTS_DIFFER, 'Check your wallet before you hand anything over.'],
  reversal: [MAY_BE_REVERSED, 'Check your wallet.'],
  forged: ['This payment’s text does not match your wallet’s balance, so it may be forged.', 'Check your wallet.'],
};

const IF_PAID_LATER = 'If a payment still arrives, you will need to check it.';

function plainStateOf(outside: Clock, charge: Charge): ChargeState {
  switch (statusOf(outside, charge)) {
    case 'pending':
      return pendingState(outside, charge);
    case 'success':
      return paidState(charge);
    case 'expired':
      return {
        tone: 'plain',
        label: 'Expired',
        text: `This bill was not paid before ${shownTime(charge.expires_at)}${butGoodsLeft(charge)}.`,
      };
    case 'cancelled':
      if (charge.paid_as !== undefined)
        return {
          tone: 'plain',
          label: 'Paid at the counter',
          text: `The payment was taken at a till as ${charge.paid_as}.`,
          more: `This bill no longer asks for money. ${IF_PAID_LATER}`,
        };
      return {
        tone: 'plain',
        label: 'Cancelled',
        text: `This bill was cancelled${butGoodsLeft(charge)}.`,
        more: `Its page tells the customer not to pay. ${IF_PAID_LATER}`,
      };
    case 'reversed':
      return {
        tone: 'bad',
        label: 'Reversed',
        text: 'The network reversed the payment.',
        more: 'The money is no longer in your wallet.',
      };
  }
}

function pendingState(outside: Clock, charge: Charge): ChargeState {
  const until = `The bill can be paid until ${shownTime(charge.expires_at)}.`;
  if (charge.checking_until && Date.parse(charge.checking_until) > outside.now()) {
    const text = 'A payment for this bill has arrived and is being checked against your wallet.';
    return { tone: 'waiting', label: 'Checking', text, more: 'This takes at most two minutes.' };
  }
  const text = `Nobody has paid yet${butGoodsLeft(charge)}.`;
  if (!charge.parts?.length) return { tone: 'waiting', label: 'Waiting', text, more: until };
  return { ...PARTLY_PAID, text: until };
}

function paidState(charge: Charge): ChargeState {
  const [sent, paid] = [refundedPesewas(charge.refunds?.filter(({ state }) => state === 'sent')), paidPesewas(charge)];
  const [missing, over] = [missingPesewas(charge), overpaidPesewas(charge)];
  const isVerified = backingOfCharge(charge) === 'verified';
  const text = `Paid ${isVerified ? 'and verified ' : ''}on ${shownTime(charge.paid_at ?? charge.created_at)}.`;
  if (sent > 0 && sent >= paid)
    return { tone: 'plain', label: 'Refunded', text, more: 'The full amount was sent back.' };
  if (missing > 0)
    return {
      tone: 'good',
      label: 'Paid',
      text,
      more: `You accepted ${wholeMoney(missing)} less than the full amount.`,
    };
  if (over > 0) {
    const { amountText } = shownOf(charge, over);
    const more =
      charge.origin.kind === 'request'
        ? `${amountText} more than the bill was paid. The extra counts towards the payment request. The request’s page shows any overpayment.`
        : `${amountText} too much was paid.`;
    return { tone: 'good', label: 'Paid', text, more };
  }
  return { tone: 'good', label: 'Paid', text };
}

function butGoodsLeft(charge: Charge): string {
  return haveLeft(charge) ? ', but the goods have left' : '';
}
