import { html } from 'hono/html';
import { unbroken, wholeMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { wholeNumber } from '../../../ghana/shown-number.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import { isDenied, type PaidBill } from '../../../money/payment/backing.ts';
import type { Payment } from '../../../money/payment/payment.ts';
import { cautionOfSecond, type ShownPayment, shownReceipt } from '../../../money/payment/shown-payment.ts';
import type { HeldReason, Receipt } from '../../../money/receipt/receipt.ts';
import type { needOf } from '../../../money/request/more-than-asked.ts';
import { YOUNG_PESEWAS } from '../../../wallets/chain/anchor.ts';
import type { Html, Tone } from '../parts/content.ts';
import { MAY_BE_REVERSED, TEXTS_DIFFER } from './charge-state.ts';

/** `unsure`: unverified money has paid the payment request. */
export type Need = Awaited<ReturnType<typeof needOf>>;

interface HeldWords {
  readonly tone: Tone;
  readonly label: string;
  readonly explanation: string;
  /** The first advice: to check the wallet. */
  readonly look?: string;
  /** Instructions, in order. */
  readonly steps: readonly string[];
}

interface ReasonWords extends Pick<HeldWords, 'label' | 'explanation'> {
  readonly tone?: Tone;
  readonly todo: string;
  /** Used after a look at the wallet, instead of `todo`, which may say to send money back. */
  readonly afterLooking?: readonly string[];
}

const STILL_WANTED = (to: string) =>
  `If the customer still gets the goods, match it to ${to}. Otherwise, send it back.`;
const ONLY_IF_THERE = 'Match it to a bill only if the money is in your wallet.';
const ifThere = (then: string): readonly string[] => [`If the money is there${then}`];
const MATCH_IF_THERE = ifThere(', choose its bill below.');
/** A payment that the network took back may still be listed. */
export const NO_REVERSAL = 'If the payment was reversed, your wallet’s list shows both the payment and its reversal.';
const ASK_SUPPORT = 'Ask support to assign the number to its phone.';
const ONLY_AFTER_LOOKING = { todo: ONLY_IF_THERE, afterLooking: MATCH_IF_THERE };
const ASK = {
  todo: 'Ask the customer which order the payment is for. Then match it to that order’s bill.',
  afterLooking: ifThere(', ask the customer which order it is for. Then match it to that order’s bill.'),
};
const WANTED_IF_THERE = (to: string) => ifThere(` and the goods are still wanted, match it to ${to}.`);

const NO_NEW_BILL = 'Do not create a new bill for it, or the goods will go out twice.';
const IF_EXTRA = `If it is extra, send it back. Then record that under “It is not for a bill”. ${NO_NEW_BILL}`;
const ONLY_THIS_ONE =
  'If you find only this payment, and no cash for the bill, the other one is forged or was marked by mistake. Remove it on the bill’s page.';
export const NEW_BILL_OF_REQUEST =
  'If the customer still owes this money, press Pay on the request’s page, and match this payment to the new bill.';
const FIND_BOTH = 'If you find both, and no reversal of either,';
const IF_BOTH_OWED = `${FIND_BOTH} ask the customer. ${NEW_BILL_OF_REQUEST}`;
const IF_REQUEST_NEEDS_IT =
  'First check the other payments of its request. If all are there, and none was reversed, send this one back.';
const IF_BOTH = `${FIND_BOTH} ask the customer about this one. ${NO_NEW_BILL}`;

// Anyone can create a bill in a customer's name.
const WHICH_OF_TWO =
  'Ask the customer which bill this is for. Without an answer, match it to the bill whose reference they typed.';

/** Explanations of the reasons for holding a payment. A missing explanation is a type error. */
const words: Readonly<Record<HeldReason, ReasonWords>> = {
  amount_differs: {
    label: 'Too many parts',
    explanation: 'The bill already has twenty part payments. This payment does not cover the rest.',
    todo: 'Match it to that bill as full payment, or send it back.',
    afterLooking: ifThere(', match it to that bill as full payment.'),
  },
  amount_of_another: {
    label: 'Two bills',
    explanation: 'The payer typed one bill’s reference, but paid another bill’s amount.',
    todo: WHICH_OF_TWO,
    afterLooking: [WHICH_OF_TWO],
  },
  already_paid: {
    label: 'Already paid',
    explanation: 'The bill for this payment was already paid. The customer may have paid twice.',
    todo: `Send it back, then record that under “It is not for a bill”. ${NO_NEW_BILL}`,
    afterLooking: [ONLY_THIS_ONE, IF_BOTH],
  },
  charge_expired: {
    label: 'Too late',
    explanation: 'The bill expired before it was paid in full.',
    todo: STILL_WANTED('that bill within a day of its expiry'),
    afterLooking: WANTED_IF_THERE('that bill within a day of its expiry'),
  },
  before_charge: {
    tone: 'bad',
    label: 'Older than its bill',
    explanation: 'The phone received this payment’s text before the bill was created. The text is old or forged.',
    ...ONLY_AFTER_LOOKING,
  },
  charge_cancelled: {
    label: 'Cancelled bill',
    explanation: 'The bill for this payment was cancelled before the payment arrived.',
    todo: STILL_WANTED('that bill within a day'),
    afterLooking: WANTED_IF_THERE('that bill within a day'),
  },
  charge_reversed: {
    label: 'Reversed bill',
    explanation: 'The network reversed another payment for this bill.',
    todo: STILL_WANTED('a new bill, and ask for the rest'),
    afterLooking: WANTED_IF_THERE('a new bill, and ask for the rest'),
  },
  charge_disputed: {
    label: 'Bill in doubt',
    explanation: 'Another payment for the same bill may be forged.',
    ...ONLY_AFTER_LOOKING,
  },
  reference_unclear: {
    label: 'Reference unclear',
    explanation: 'The payer typed an unknown reference, two references, or a bill’s details, such as its order number.',
    ...ASK,
  },
  name_differs: {
    label: 'Paid under another name',
    explanation:
      'We checked the bills for this amount from the two hours before the payment. None matches the payer’s name. Perhaps someone paid for a friend.',
    ...ASK,
  },
  several_fit: {
    label: 'Several match',
    explanation:
      'Several bills fit, or the payer has just paid another. The payer did not type one of your references.',
    ...ASK,
  },
  too_many_open: {
    label: 'Too many unpaid',
    explanation: 'More than 200 unpaid bills had this amount, too many to compare by name.',
    ...ASK,
  },
  name_only: {
    label: 'Name only',
    explanation: 'The name matches a bill. The amount is above your limit for matching by name.',
    todo: 'Make sure the payer is that customer, then match the payment to that bill.',
    afterLooking: ifThere(', make sure the payer is that customer. Then match the payment to that bill.'),
  },
  no_charge: {
    label: 'No bill matches',
    explanation:
      'The payer did not type one of your references. We checked the bills for this amount from the two hours before the payment. None matches the payer’s name.',
    todo: 'Match the payment to its bill. If it is not for a bill, such as a friend’s transfer, say so below.',
    afterLooking: MATCH_IF_THERE,
  },
  conflict: {
    tone: 'bad',
    label: 'Two texts differ',
    explanation: TEXTS_DIFFER,
    ...ONLY_AFTER_LOOKING,
  },
  network_differs: {
    label: 'Another network',
    explanation: 'The text is not from the network that this number is set to.',
    todo: 'Tell support. The number may be set to the wrong network.',
    afterLooking: ifThere(', tell support. The number may be set to the wrong network.'),
  },
  number_unknown: {
    label: 'Number unknown',
    explanation: 'The phone did not report which of its numbers was paid.',
    ...ONLY_AFTER_LOOKING,
  },
  number_not_placed: {
    tone: 'bad',
    label: 'Number has no phone',
    explanation:
      'The number that received this payment is not assigned to a phone. Any phone could report payments to that number.',
    todo: `${ONLY_IF_THERE} ${ASK_SUPPORT}`,
    afterLooking: [...MATCH_IF_THERE, ASK_SUPPORT],
  },
  checking: {
    tone: 'waiting',
    label: 'Being checked',
    explanation: 'An earlier text may still be on its way. The check takes at most two minutes.',
    todo: 'Wait. If everything matches, the payment is applied to its bill automatically.',
  },
  balance_gap: {
    tone: 'bad',
    label: 'Balance does not match',
    explanation:
      'The balance in the payment’s text does not follow from your wallet’s previous balance. Either an earlier text is missing, or this text is forged.',
    ...ONLY_AFTER_LOOKING,
  },
  balance_unsure: {
    tone: 'bad',
    label: 'Balance in doubt',
    explanation:
      'Your wallet’s balance was one that anyone would guess, such as 0 or whole cedis, or someone is sending forged texts to guess it. Payments cannot be verified until you enter the balance.',
    todo: 'Enter your wallet’s balance under Wallets. The texts that lead to it are then verified. Their bills are marked as paid automatically.',
  },
  anchor_young: {
    label: 'Above today’s limit',
    explanation: `A balance that was entered once verifies at most ${wholeMoney(YOUNG_PESEWAS)} in 24 hours. This payment is above it.`,
    todo: 'Enter your wallet’s balance again, at least twelve hours after the first time. Or check this payment in the wallet.',
    afterLooking: ifThere(', match it to its bill.'),
  },
  clock_odd: {
    tone: 'bad',
    label: 'Unusual transaction ID',
    explanation: 'The payment’s transaction ID does not match the time it arrived.',
    ...ONLY_AFTER_LOOKING,
  },
  balance_impossible: {
    tone: 'bad',
    label: 'Impossible balance',
    explanation: 'The payment’s text reports a balance smaller than the payment.',
    ...ONLY_AFTER_LOOKING,
  },
  large_amount: {
    label: 'Large amount',
    explanation: 'This payment is above your limit for automatic confirmation.',
    ...ONLY_AFTER_LOOKING,
  },
  reversed: {
    tone: 'bad',
    label: 'Reversed',
    explanation: 'The network has reversed this payment. The money is no longer in your wallet.',
    todo: 'This payment cannot be matched to a bill. Mark it “not for a bill” below.',
  },
};

const OWED_ON_ITS_BILL = {
  todo: 'If the customer still owes this money, match it to that bill. There is no time limit.',
  afterLooking: ifThere(' and still owed, match it to that bill.'),
};

/** Explanations for a late or second payment that its bill or its payment request may still need. */
const STILL_OWED: Readonly<Partial<Record<HeldReason, ReasonWords>>> = {
  charge_expired: { ...words.charge_expired, ...OWED_ON_ITS_BILL },
  charge_cancelled: { ...words.charge_cancelled, ...OWED_ON_ITS_BILL },
  charge_reversed: {
    ...words.charge_reversed,
    todo: NEW_BILL_OF_REQUEST,
    afterLooking: ifThere(' and still owed, match it to a new bill for the same request.'),
  },
  already_paid: {
    ...words.already_paid,
    explanation:
      'The bill for this payment was already paid. Its payment request still needs money, so this may be the next part.',
    todo: `${NEW_BILL_OF_REQUEST} Otherwise, send it back, then record that under “It is not for a bill”.`,
    afterLooking: [ONLY_THIS_ONE, IF_BOTH_OWED],
  },
};

const REVERSAL_DOUBTED: ReasonWords = {
  ...words.conflict,
  label: 'May be reversed',
  explanation: MAY_BE_REVERSED,
  afterLooking: [NO_REVERSAL, ...MATCH_IF_THERE],
};

const REVERSAL_AND_CONFLICT: ReasonWords = {
  ...REVERSAL_DOUBTED,
  explanation: `${REVERSAL_DOUBTED.explanation} ${words.conflict.explanation}`,
};

const MAY_BE_SECOND = ifThere(`, ask the customer whether it is a second payment. ${NO_NEW_BILL}`);

const PAID_SINCE = 'The bill has been paid by another payment since.';

/** Explanations for a payment that still waits although its bill has been paid. It is not stored as a second payment. */
const BESIDE_ANOTHER: Readonly<Partial<Record<HeldReason, ReasonWords>>> = {
  amount_of_another: {
    ...words.amount_of_another,
    explanation: `${words.amount_of_another.explanation} The bill that they named is paid.`,
    todo: `Ask the customer which bill this is for. ${IF_EXTRA}`,
    afterLooking: ifThere(', ask the customer which bill it is for.'),
  },
  number_unknown: besideAnother(words.number_unknown),
  number_not_placed: besideAnother(words.number_not_placed),
};

function besideAnother({ explanation, ...own }: ReasonWords): ReasonWords {
  const { todo, afterLooking } = words.already_paid;
  return { ...own, explanation: `${explanation} ${PAID_SINCE}`, todo, ...(afterLooking && { afterLooking }) };
}

const NO_REASON: ReasonWords = {
  label: 'To check',
  explanation: 'This payment could not be matched to a bill automatically.',
  ...ASK,
};

/**
 * Explains a held payment. `bill` is the bill that the payment references, or the bill that replaced it. `need`: whether
 * the bill or its payment request needs the payment.
 */
export function heldWords(receipt: Partial<Receipt>, bill?: PaidBill, need: Need = 'no'): HeldWords {
  const { reason } = receipt;
  const isSecond = reason === 'already_paid';
  const isOwed = need === 'yes' || (need === 'unsure' && !isSecond);
  const late = isOwed && reason ? STILL_OWED[reason] : undefined;
  const beside = bill?.state === 'success' && reason ? BESIDE_ANOTHER[reason] : undefined;
  const inDoubt = reason === 'conflict' ? conflictWords(receipt, bill) : undefined;
  const own = late ?? beside ?? inDoubt ?? (reason ? words[reason] : NO_REASON);
  const { tone = 'plain', label, explanation, todo, afterLooking = [todo] } = own;
  // A reversed payment is gone, verified or not.
  const doubt = reason === 'reversed' ? undefined : shownReceipt(receipt).doubt;
  if (doubt) return { tone, label, explanation, look: doubt.lookFirst, steps: afterLooking };
  const caution = isSecond || bill ? cautionOfSecond(receipt, bill) : undefined;
  const isUnsure = isSecond && need === 'unsure';
  if (!caution) return { tone, label, explanation, steps: [isUnsure ? IF_REQUEST_NEEDS_IT : todo] };
  const ifBoth = late ? IF_BOTH_OWED : caution.isAboutBill ? IF_EXTRA : IF_BOTH;
  return { tone, label, explanation, look: caution.lookFirst, steps: isSecond ? [ifBoth] : afterLooking };
}

function conflictWords(receipt: Partial<Receipt>, bill: PaidBill | undefined): ReasonWords {
  const isReversal = receipt.reversal_doubt_at !== undefined;
  const reversal = isDenied(receipt) ? REVERSAL_AND_CONFLICT : REVERSAL_DOUBTED;
  const own = isReversal ? reversal : words.conflict;
  return bill?.state === 'success'
    ? { ...own, afterLooking: [...(isReversal ? [NO_REVERSAL] : []), ...MAY_BE_SECOND] }
    : own;
}

type Findable = Partial<Pick<Receipt, 'transaction_id' | 'payer_name' | 'payer_reference'>>;

type InWallet = Findable & Partial<Pick<Receipt, 'momo_number' | 'network' | 'marked'>>;

/** Says where to look for an unverified payment, and for what. Follows the advice to look first. */
export function lookFor(shown: ShownPayment, payment: InWallet): Html | undefined {
  const place = placeOf(shown, payment);
  if (!place) return undefined;
  const { dial, number } = place;
  const where =
    dial && number
      ? html`Dial <b class="number">${dial}</b> on the phone with <b class="number">${number}</b>, and look for`
      : html`Look ${number && html`on <b class="number">${number}</b> `}for`;
  return html`${where} <b class="number">${place.amount}</b>${place.more}.`;
}

function placeOf(shown: ShownPayment, { momo_number, network, marked, ...payment }: InWallet) {
  const what = shown.doubt && marked?.how !== 'cash' ? whatToFind(shown, payment) : undefined;
  const number = momo_number && wholeNumber(momo_number);
  return what && { dial: network && networks[network].ussd, number, ...what };
}

/**
 * Lists what a wallet's own history shows of a payment. A forged text can copy another payment's amount, payer and id,
 * but must name the forger's bill.
 */
export function whatToFind(
  { amount }: Pick<ShownPayment, 'amount'>,
  { transaction_id, payer_name, payer_reference }: Findable,
): { readonly amount: string; readonly more: string } | undefined {
  if (!transaction_id) return undefined;
  const from = payer_name === undefined ? '' : ` from ${payer_name}`;
  const reference = payer_reference === undefined ? '' : `, reference “${payer_reference}”`;
  return {
    amount: unbroken(amount),
    more: `${from}${reference}, ID ending ${transaction_id.slice(-4)}`,
  };
}

/** Returns the payment with what its payer typed, which is the charge's reference if nothing else is stored. */
export function withReference({ reference }: Pick<Charge, 'reference'>, payment: Payment): Payment {
  const { matched_by, payer_reference = matched_by === 'reference' ? reference : undefined } = payment;
  return { ...payment, payer_reference };
}

/**
 * Reasons that concern only the bill, so a verified payment needs no look at the wallet. Reasons in `OWED` (receipt.table.ts) and
 * `amount_of_another` do, because the payment that paid a bill, perhaps later, may be forged.
 */
const ABOUT_THE_BILL: ReadonlySet<HeldReason | undefined> = new Set([
  undefined,
  'amount_differs',
  'reference_unclear',
  'name_differs',
  'several_fit',
  'too_many_open',
  'name_only',
  'no_charge',
]);

/** Returns true for a verified payment that only has to be matched to a bill or sent back. */
export function onlyNeedsBill(receipt: Receipt): boolean {
  return ABOUT_THE_BILL.has(receipt.reason) && shownReceipt(receipt).doubt === undefined;
}

type UnprovenReason = NonNullable<NonNullable<Receipt['proof']>['why']>;

const PROOFS: Readonly<Record<Exclude<UnprovenReason, 'reversal_suspected'>, string>> = {
  not_anchored: 'your wallet’s balance was not entered when its text arrived',
  anchor_young: 'it is above what a new balance verifies in 24 hours',
  balance_gap: 'the balance in its text does not follow from the wallet’s last one',
  balance_unsure: 'anyone would guess your wallet’s balance, or someone is guessing it',
  clock_odd: 'its transaction ID does not match its time',
  balance_impossible: 'its text reports a balance smaller than the payment',
  sender_differs: 'its text has a different sender from the wallet’s other texts',
  no_balance: 'its text reports no balance',
};

/** Describes the evidence for a payment from the wallet's other receipts. Returns undefined if there is none. */
export function proofWords({ proof }: Pick<Receipt, 'proof'>): string | undefined {
  if (!proof) return undefined;
  if (proof.state === 'proven') return 'Verified: the balance in its text follows from your wallet’s last balance.';
  if (proof.state === 'checking') return 'It is being checked against your wallet’s other texts.';
  if (proof.why === 'reversal_suspected') return MAY_BE_REVERSED;
  return `Not verified${proof.why ? `: ${PROOFS[proof.why]}` : ''}.`;
}
