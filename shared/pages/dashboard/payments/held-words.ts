import type { HeldReason, Receipt } from '../../../money/receipt/receipt.ts';
import type { Tone } from '../parts/content.ts';
import { PROOF_BEGINS } from '../wallets/proof-begins.ts';

interface HeldWords {
  readonly tone: Tone;
  /** In a word or three, beside the payment in a list. */
  readonly word: string;
  /** Why it was given to no charge. */
  readonly why: string;
  /** What its merchant can do. */
  readonly todo: string;
}

const CHOOSE = 'Ask the customer which order it is for, and give it to that bill.';
const STILL_WANTED = (to: string) => `If the customer still gets the goods, give it to ${to}; otherwise send it back.`;
const CHECK_WALLET = 'Check your wallet: give it to a bill only if the money is there.';

/** Before a person lets something leave for a payment. */
export const LOOK_FIRST =
  'This payment is not verified, and may be forged. Look in your MoMo balance first: is the money there?';

/** Why a payment waits for a person. A new reason does not compile without its words. */
const words: Readonly<Record<HeldReason, Partial<Pick<HeldWords, 'tone'>> & Omit<HeldWords, 'tone'>>> = {
  amount_differs: {
    word: 'Too many parts',
    why: 'It names a bill that was paid in twenty parts, and does not cover the rest.',
    todo: 'Give it to that bill as full payment, or send it back.',
  },
  already_paid: {
    word: 'Paid already',
    why: 'The bill it names was already paid: the customer may have paid twice.',
    todo: 'Send it back, and note that below. Make no new bill for it: the goods would leave twice.',
  },
  charge_expired: {
    word: 'Too late',
    why: 'The bill expired before it was paid in full.',
    todo: STILL_WANTED('that bill within a day of its expiry'),
  },
  before_charge: {
    tone: 'bad',
    word: 'Older than its bill',
    why: 'The phone received it before the bill it names was created: the text is old, or forged.',
    todo: CHECK_WALLET,
  },
  charge_cancelled: {
    word: 'Cancelled bill',
    why: 'The bill it names was cancelled before the payment arrived.',
    todo: STILL_WANTED('that bill within a day'),
  },
  charge_reversed: {
    word: 'Reversed bill',
    why: 'The network took back a payment of the bill that it is for.',
    todo: STILL_WANTED('a new bill, and ask for what is missing'),
  },
  charge_disputed: {
    word: 'Bill in doubt',
    why: 'Another payment for the bill it names may be false.',
    todo: CHECK_WALLET,
  },
  reference_unclear: {
    word: 'Reference unclear',
    why: 'What the payer typed looks like a reference, but is none of yours, or names two.',
    todo: CHOOSE,
  },
  name_differs: {
    word: 'Paid in another name',
    why: 'No bill for this amount is in the payer’s name: perhaps somebody paid for a friend.',
    todo: CHOOSE,
  },
  several_fit: {
    word: 'Several fit',
    why: 'Several bills have this amount and this name, and the payer typed no reference.',
    todo: CHOOSE,
  },
  too_many_open: {
    word: 'Too many unpaid',
    why: 'More than 200 bills of this amount were unpaid: too many to compare names.',
    todo: CHOOSE,
  },
  name_only: {
    word: 'Name only',
    why: 'The name matches a bill, but the amount is above your limit for matching by name.',
    todo: 'Make sure that it is the same person, and give it to that bill.',
  },
  no_charge: {
    word: 'No bill fits',
    why: 'No bill for this amount was made in the two hours before, and the payer typed no reference.',
    todo: 'Give it to the bill that it is for. If it is for none, such as a friend’s transfer, say so below.',
  },
  conflict: {
    tone: 'bad',
    word: 'Two texts differ',
    why: 'Two texts report this payment with different details: one of them is false.',
    todo: CHECK_WALLET,
  },
  network_differs: {
    word: 'Another network',
    why: 'The text is from another network than this number has here.',
    todo: 'Tell support: the number may be set to the wrong network.',
  },
  number_unknown: {
    word: 'Number unknown',
    why: 'The phone did not say which of its numbers was paid.',
    todo: CHECK_WALLET,
  },
  number_not_placed: {
    tone: 'bad',
    word: 'Number in no phone',
    why: 'The paid number is not assigned to a phone, so any phone could report payments to it.',
    todo: `${CHECK_WALLET} Ask support to assign the number to its phone.`,
  },
  checking: {
    tone: 'waiting',
    word: 'Being checked',
    why: 'An earlier text may still be on its way. This is decided within two minutes.',
    todo: 'Wait: it pays its bill automatically if everything matches.',
  },
  balance_gap: {
    tone: 'bad',
    word: 'Not verified',
    why: 'The balance in its text does not continue your wallet’s: a text before it is missing, or this one is forged.',
    todo: CHECK_WALLET,
  },
  balance_unsure: {
    tone: 'bad',
    word: 'Balance in doubt',
    why: 'Your wallet was empty, or somebody sends false texts to guess its balance. Until you confirm it, a matching text verifies nothing.',
    todo: 'Confirm your wallet’s balance: what it verifies then pays its bill automatically.',
  },
  clock_odd: {
    tone: 'bad',
    word: 'Unusual transaction ID',
    why: 'Its transaction ID does not match the time it arrived.',
    todo: CHECK_WALLET,
  },
  balance_impossible: {
    tone: 'bad',
    word: 'Impossible balance',
    why: 'Its text reports a balance smaller than the payment.',
    todo: CHECK_WALLET,
  },
  large_amount: {
    word: 'Large amount',
    why: 'It is above the amount that you let any text confirm automatically.',
    todo: CHECK_WALLET,
  },
  reversed: {
    tone: 'bad',
    word: 'Taken back',
    why: 'The network has taken this payment back: the money is no longer in your wallet.',
    todo: 'It cannot be given to a bill. Say below that it is for none.',
  },
};

const NO_REASON: HeldWords = {
  tone: 'look',
  word: 'To check',
  why: 'It could not be given to a bill automatically.',
  todo: CHOOSE,
};

export function heldWords({ reason }: Pick<Receipt, 'reason'>): HeldWords {
  // Most need a person, and are no loss.
  return reason ? { tone: 'look', ...words[reason] } : NO_REASON;
}

type WhyUnproven = NonNullable<NonNullable<Receipt['proof']>['why']>;

const PROOFS: Readonly<Record<Exclude<WhyUnproven, 'not_established'>, string>> = {
  balance_gap: 'the balance in its text does not continue the wallet’s',
  balance_unsure: 'your wallet was empty, or somebody is guessing its balance: confirm the balance',
  clock_odd: 'its transaction ID does not match its time',
  balance_impossible: 'its text reports a balance smaller than the payment',
  sender_differs: 'its text came under another sender’s name than the wallet’s other texts',
  no_balance: 'its text reports no balance',
};

/** What the wallet's other texts say about a payment; undefined where nothing is known. */
export function proofWords({ proof }: Pick<Receipt, 'proof'>): string | undefined {
  if (!proof) return undefined;
  if (proof.state === 'proven') return 'Verified: its balance continues your wallet’s';
  if (proof.state === 'checking') return 'Being checked against your wallet’s other texts';
  if (proof.why === 'not_established') return PROOF_BEGINS;
  return `Not verified${proof.why ? `: ${PROOFS[proof.why]}` : ''}`;
}
