import { backingOfReceipt, type PaidBill } from '../../../money/payment/backing.ts';
import { cautionOfSecond, doubtOf } from '../../../money/payment/shown-payment.ts';
import type { HeldReason, Receipt } from '../../../money/receipt/receipt.ts';
import type { Tone } from '../parts/content.ts';
import { PROOF_BEGINS } from '../settings/proof-begins.ts';

interface HeldWords {
  readonly tone: Tone;
  readonly label: string;
  readonly explanation: string;
  readonly todo: string;
}

interface ReasonWords extends Omit<HeldWords, 'tone'> {
  readonly tone?: Tone;
  /** Replaces `todo` when the person is advised to check the wallet first, because `todo` says to send money back. */
  readonly afterLooking?: string;
}

const CHOOSE = 'Ask the customer which order it is for, and give it to that bill.';
const STILL_WANTED = (to: string) => `If the customer still gets the goods, give it to ${to}; otherwise send it back.`;
const REQUESTS_WAIT = 'The bill of a payment request takes it at any time.';
const ONLY_IF_THERE = 'Give it to a bill only if the money is in your wallet.';
const NOT_THERE = 'If it is not there, say below that it is for no bill.';
const WANTED_IF_THERE = (to: string) =>
  `If the money is there and the goods are still wanted, give it to ${to}. ${NOT_THERE}`;

const NO_NEW_BILL = 'Make no new bill for it: the goods would leave twice.';

/** Explains each reason for holding a payment. A new reason does not compile until it is explained here. */
const words: Readonly<Record<HeldReason, ReasonWords>> = {
  amount_differs: {
    label: 'Too many parts',
    explanation: 'It names a bill that already has twenty parts, and does not cover the rest.',
    todo: 'Give it to that bill as full payment, or send it back.',
    afterLooking: `If the money is there, give it to that bill as full payment. ${NOT_THERE}`,
  },
  amount_of_another: {
    label: 'Two bills',
    explanation: 'It names one bill, but its amount is exactly that of the customer’s other bill.',
    todo: 'Compare both bills below. Give it to the one with its amount, unless the customer says otherwise.',
  },
  already_paid: {
    label: 'Paid already',
    explanation: 'The bill it names was already paid: the customer may have paid twice.',
    todo: `Send it back, and note that below. ${NO_NEW_BILL}`,
    afterLooking: `${NOT_THERE} ${NO_NEW_BILL}`,
  },
  charge_expired: {
    label: 'Too late',
    explanation: 'The bill expired before it was paid in full.',
    todo: `${STILL_WANTED('that bill within a day of its expiry')} ${REQUESTS_WAIT}`,
    afterLooking: `${WANTED_IF_THERE('that bill within a day of its expiry')} ${REQUESTS_WAIT}`,
  },
  before_charge: {
    tone: 'bad',
    label: 'Older than its bill',
    explanation: 'The phone received it before the bill was made. The text is old, or forged.',
    todo: ONLY_IF_THERE,
  },
  charge_cancelled: {
    label: 'Cancelled bill',
    explanation: 'The bill it names was cancelled before the payment arrived.',
    todo: STILL_WANTED('that bill within a day'),
    afterLooking: WANTED_IF_THERE('that bill within a day'),
  },
  charge_reversed: {
    label: 'Reversed bill',
    explanation: 'The network took back a payment of the bill that it is for.',
    todo: STILL_WANTED('a new bill, and ask for what is missing'),
    afterLooking: WANTED_IF_THERE('a new bill, and ask for what is missing'),
  },
  charge_disputed: {
    label: 'Bill in doubt',
    explanation: 'Another payment for the bill it names may be false.',
    todo: ONLY_IF_THERE,
  },
  reference_unclear: {
    label: 'Reference unclear',
    explanation: 'The payer typed a reference that is not yours, or two of them.',
    todo: CHOOSE,
  },
  name_differs: {
    label: 'Paid in another name',
    explanation: 'No bill for this amount is in the payer’s name. Perhaps somebody paid for a friend.',
    todo: CHOOSE,
  },
  several_fit: {
    label: 'Several fit',
    explanation: 'Several bills have this amount and this name, and the payer typed no reference.',
    todo: CHOOSE,
  },
  too_many_open: {
    label: 'Too many unpaid',
    explanation: 'More than 200 bills of this amount were unpaid: too many to compare names.',
    todo: CHOOSE,
  },
  name_only: {
    label: 'Name only',
    explanation: 'The name matches a bill. The amount is above your limit for matching by name.',
    todo: 'Make sure that it is the same person, and give it to that bill.',
  },
  no_charge: {
    label: 'No bill fits',
    explanation: 'The payer typed no reference. No bill for this amount was made in the two hours before.',
    todo: 'Give it to the bill that it is for. If it is for none, such as a friend’s transfer, say so below.',
  },
  conflict: {
    tone: 'bad',
    label: 'Two texts differ',
    explanation: 'Two texts report this payment with different details: one of them is false.',
    todo: ONLY_IF_THERE,
  },
  network_differs: {
    label: 'Another network',
    explanation: 'The text is from another network than this number has here.',
    todo: 'Tell support: the number may be set to the wrong network.',
  },
  number_unknown: {
    label: 'Number unknown',
    explanation: 'The phone did not say which of its numbers was paid.',
    todo: ONLY_IF_THERE,
  },
  number_not_placed: {
    tone: 'bad',
    label: 'Number in no phone',
    explanation: 'The paid number is not assigned to a phone. Any phone could report payments to it.',
    todo: `${ONLY_IF_THERE} Ask support to assign the number to its phone.`,
  },
  checking: {
    tone: 'waiting',
    label: 'Being checked',
    explanation: 'An earlier text may still be on its way. This is decided within two minutes.',
    todo: 'Wait: it pays its bill automatically if everything matches.',
  },
  balance_gap: {
    tone: 'bad',
    label: 'Balance does not fit',
    explanation:
      'The balance in its text does not continue your wallet’s. An earlier text is missing, or this one is forged.',
    todo: ONLY_IF_THERE,
  },
  balance_unsure: {
    tone: 'bad',
    label: 'Balance in doubt',
    explanation:
      'Your wallet was empty, or somebody sends false texts to guess its balance. Until you confirm it, a matching text verifies nothing.',
    todo: 'Confirm your wallet’s balance: what it verifies then pays its bill automatically.',
  },
  clock_odd: {
    tone: 'bad',
    label: 'Unusual transaction ID',
    explanation: 'Its transaction ID does not match the time it arrived.',
    todo: ONLY_IF_THERE,
  },
  balance_impossible: {
    tone: 'bad',
    label: 'Impossible balance',
    explanation: 'Its text reports a balance smaller than the payment.',
    todo: ONLY_IF_THERE,
  },
  large_amount: {
    label: 'Large amount',
    explanation: 'It is above the amount that you let any text confirm automatically.',
    todo: ONLY_IF_THERE,
  },
  reversed: {
    tone: 'bad',
    label: 'Taken back',
    explanation: 'The network has taken this payment back: the money is no longer in your wallet.',
    todo: 'It cannot be given to a bill. Say below that it is for none.',
  },
};

const NO_REASON: ReasonWords = {
  label: 'To check',
  explanation: 'It could not be given to a bill automatically.',
  todo: CHOOSE,
};

/**
 * Explains a held payment. `bill` is the paid bill that a second payment names. Without it, the text does not advise
 * sending that payment back.
 */
export function heldWords(
  receipt: Pick<Receipt, 'merchant_id' | 'reason' | 'proof' | 'looked_by'>,
  bill?: PaidBill,
): HeldWords {
  const { reason } = receipt;
  // The default suits most reasons: a person must decide, and no money is lost.
  const { tone = 'look', label, explanation, todo, afterLooking = todo } = reason ? words[reason] : NO_REASON;
  // A reversed payment is gone, whatever the wallet's balance.
  const doubt = reason === 'reversed' ? undefined : doubtOf(backingOfReceipt(receipt));
  if (doubt) return { tone, label, explanation, todo: `${doubt.lookFirst} ${afterLooking}` };
  const caution = reason === 'already_paid' ? cautionOfSecond(receipt, bill) : undefined;
  return { tone, label, explanation, todo: caution ? `${caution.lookFirst} ${NO_NEW_BILL}` : todo };
}

type UnprovenReason = NonNullable<NonNullable<Receipt['proof']>['why']>;

const PROOFS: Readonly<Record<Exclude<UnprovenReason, 'not_established'>, string>> = {
  balance_gap: 'the balance in its text does not continue the wallet’s',
  balance_unsure: 'your wallet was empty, or somebody is guessing its balance: confirm the balance',
  clock_odd: 'its transaction ID does not match its time',
  balance_impossible: 'its text reports a balance smaller than the payment',
  sender_differs: 'its text came under another sender’s name than the wallet’s other texts',
  no_balance: 'its text reports no balance',
};

/** Describes what the wallet's other receipts say about a payment. Undefined if there is no evidence. */
export function proofWords({ proof }: Pick<Receipt, 'proof'>): string | undefined {
  if (!proof) return undefined;
  if (proof.state === 'proven') return 'Verified: its balance continues your wallet’s.';
  if (proof.state === 'checking') return 'Being checked against your wallet’s other texts.';
  if (proof.why === 'not_established') return PROOF_BEGINS;
  return `Not verified${proof.why ? `: ${PROOFS[proof.why]}` : ''}.`;
}
