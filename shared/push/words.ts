import { shownMoney } from '../ghana/money.ts';
import { shownNumber } from '../ghana/shown-number.ts';
import { type Charge, getCharge } from '../money/charge/charge.table.ts';
import { findLink, type Link } from '../money/link/link.table.ts';
import { lowStockOf } from '../money/link/link.ts';
import { codesLeft } from '../money/link/stock.table.ts';
import { type Backing, backingOfCharge, backingOfReceipt, isDoubted } from '../money/payment/backing.ts';
import { isReversalDoubted, paymentsOf } from '../money/payment/payment.ts';
import { doubtOf, LOOK_FIRST, shownOne, shownPaid, shownPayment } from '../money/payment/shown-payment.ts';
import { listReceipts, receiptRows } from '../money/receipt/receipt.table.ts';
import { isUndecidedText, type Receipt } from '../money/receipt/receipt.ts';
import { type Reader, receiptFor } from '../money/receipt/shown-receipt.ts';
import { namingOperator } from '../runtime/outside/operator.ts';
import { type Clock, nowIso, type Outside } from '../runtime/outside/outside.ts';
import { inWords } from '../runtime/values/calendar.ts';
import { counted } from '../runtime/values/counted.ts';
import { offerFor } from '../texts/credits/bundles.ts';
import { getMoneyOut, type MoneyOut } from '../wallets/wallet/wallet-notice.table.ts';
import { eveningWords } from './evening.ts';
import type { PushJob, PushNotification } from './notice.ts';

/** The message of a notification. It never includes a wallet's balance. */
export interface Words {
  readonly title: string;
  readonly body: string;
  readonly path: string;
  /** A warning shown first. Set if the money is not verified. */
  readonly look_first?: typeof LOOK_FIRST;
}

/** Added to a count of payments, some of which may be unverified. */
const UNSURE = 'check which are verified';

/** Noun and page for a notification that covers several events, such as `5 payments received`. */
export const several = {
  paid: { many: 'payments received', list: '/dashboard/charges', unsure: UNSURE },
  held: { many: 'payments to check', list: '/dashboard/held', unsure: UNSURE },
  undone: { many: 'payments reversed or in doubt', list: '/dashboard/today' },
  wallet: { many: 'wallets need your answer', list: '/dashboard/today' },
  credits: { many: 'warnings of low credits', list: '/dashboard/texts/credits' },
  money_out: { many: 'amounts went out of your wallets', list: '/dashboard/settings/wallets', unsure: UNSURE },
  phone: { many: 'phones are silent', list: '/dashboard/today' },
  code_waiting: { many: 'codes are waiting for you', list: '/dashboard/links' },
  limit_reached: { many: 'limits are used up', list: '/dashboard/held' },
  unread: { many: 'MoMo messages not understood', list: '/dashboard/held?list=unread' },
  stock_low: { many: 'links are running out of codes', list: '/dashboard/links' },
  evening: { many: 'summaries', list: '/dashboard/today' },
  hello: { many: 'devices', list: '/dashboard/app' },
} as const satisfies Readonly<
  Record<PushNotification['kind'], { readonly many: string; readonly list: string; readonly unsure?: string }>
>;

/**
 * Returns the message of a notification, or undefined if it is outdated. Without `withDetails`, omits amounts, names
 * and numbers, because anybody can read a locked screen.
 */
export async function wordsOf(
  outside: Outside,
  {
    kind,
    about,
    merchant_id,
    is_suspected,
    is_late,
    wallet,
  }: Pick<PushJob, 'kind' | 'about' | 'merchant_id' | 'is_suspected' | 'is_late' | 'wallet'>,
  { withDetails, ...reader }: Reader & { readonly withDetails: boolean },
): Promise<Words | undefined> {
  const { list } = several[kind];
  switch (kind) {
    case 'paid':
    case 'undone': {
      const charge = await getCharge(outside, about, merchant_id);
      if (is_suspected) return suspicionWords(charge, withDetails);
      return charge && chargeWords(charge, kind, withDetails);
    }
    case 'held': {
      const receipt = await receiptRows.find(outside, { receipt_id: about });
      return heldWords(receipt && receiptFor(reader, receipt), merchant_id, withDetails);
    }
    case 'wallet':
      return {
        title: 'A wallet needs your answer',
        body: `Check the balance of your ${about} wallet and enter it under Wallets in the dashboard.`,
        path: list,
      };
    case 'money_out': {
      const notice = wallet && (await getMoneyOut(outside, wallet, about));
      return notice?.merchant_id === merchant_id
        ? { ...moneyOutWords(outside, notice, withDetails), path: list }
        : undefined;
    }
    case 'credits':
      return {
        title: 'Credits for texts are low',
        body: namingOperator(
          outside,
          (await offerFor(outside, merchant_id)) ? 'Buy more under Texts.' : 'Ask support for more.',
        ),
        path: list,
      };
    case 'phone':
      return {
        title: 'A phone is silent',
        body: `Payments${withDetails ? ` to ${shownNumber(about)}` : ''} will not be recognised until the phone is on, online and charged.`,
        path: list,
      };
    case 'code_waiting': {
      const charge = await getCharge(outside, about, merchant_id);
      return charge && codeWords(charge, list);
    }
    case 'limit_reached':
      return {
        title: 'Today’s limit is used up',
        body: 'Payments that are not verified are waiting for you. Check your MoMo balance before handing over goods.',
        path: list,
      };
    case 'unread':
      return (await hasUndecidedText(outside, { about, merchant_id, is_late })) ? { ...UNREAD, path: list } : undefined;
    case 'stock_low': {
      const link = await findLink(outside, about);
      return link?.merchant_id === merchant_id ? stockWords(link, list) : undefined;
    }
    case 'evening':
      return { ...(await eveningWords(outside, { merchant_id, day: about }, withDetails)), path: list };
    case 'hello':
      return { title: 'Notifications are on', body: 'This is how they will look on this device.', path: list };
  }
}

/** The message of a notification about a text that could not be parsed. */
const UNREAD: Omit<Words, 'path'> = {
  title: 'A MoMo message was not understood',
  body: `${LOOK_FIRST} If it is a payment, mark its bill as paid.`,
  look_first: LOOK_FIRST,
};

/**
 * Returns true if the text still needs a decision. A late notification covers several texts, so it returns true if any
 * of them needs a decision.
 */
async function hasUndecidedText(
  outside: Outside,
  { about: receipt_id, merchant_id, is_late }: Pick<PushJob, 'about' | 'merchant_id' | 'is_late'>,
): Promise<boolean> {
  const receipt = await receiptRows.find(outside, { receipt_id });
  if (receipt?.merchant_id === merchant_id && isUndecidedText(receipt)) return true;
  if (is_late !== true) return false;
  const { receipts } = await listReceipts(outside, merchant_id, 'unread', { limit: MAX_LOOKED_AT });
  return receipts.length > 0;
}

const MAX_LOOKED_AT = 50;

function chargeWords(charge: Charge, kind: 'paid' | 'undone', withDetails: boolean): Words | undefined {
  const { state, disputed } = charge;
  const { path, amount, from } = partsOf(charge, withDetails);
  if (kind === 'paid') {
    if (state !== 'success') return undefined;
    const backing = backingOfCharge(charge);
    const title = `${withDetails ? shownPaid(charge).amount : 'Payment'} received${inDoubt(backing, ', ')}`;
    return { title, ...lookFirst(backing, `A bill was paid${from}.`), path };
  }
  if (state === 'reversed')
    return { title: `${amount} was reversed`, body: `The network reversed a payment${from}.`, path };
  if (!disputed) return undefined;
  const what = isReversalDoubted(charge) ? 'The network may have reversed' : 'A text contradicts';
  return {
    title: `${amount} is in doubt`,
    body: `${what} a payment${from}. Check your wallet before you hand over the goods.`,
    path,
  };
}

/** Returns `before` followed by `not verified` or `in doubt`. Returns an empty string for verified money. */
function inDoubt(backing: Backing, before: string): string {
  const doubt = doubtOf(backing);
  return doubt ? `${before}${doubt.badge.toLowerCase()}` : '';
}

function lookFirst(backing: Backing, body: string): Pick<Words, 'body' | 'look_first'> {
  return doubtOf(backing) ? { body: `${LOOK_FIRST} ${body}`, look_first: LOOK_FIRST } : { body };
}

/**
 * Describes a possible reversal, inferred from the wallet's balance. Returns undefined once a text reports the
 * reversal.
 */
function suspicionWords(charge: Charge | undefined, withDetails: boolean): Words | undefined {
  if (charge?.state === 'reversed') return undefined;
  const { path, amount, from } = charge
    ? partsOf(charge, withDetails)
    : { path: several.undone.list, amount: 'A payment', from: '' };
  const body = `Your balance fell by the amount of a payment${from}. No text says why. Check your wallet before you hand over the goods.`;
  return { title: `${amount} may have been reversed`, body, path };
}

function partsOf(charge: Charge, withDetails: boolean) {
  const { reference, state, amount_pesewas, customer_name, payment } = charge;
  const payer = paymentsOf(charge).at(-1)?.payer_name ?? customer_name;
  // A charge may be paid with another amount than its own.
  const amount = state === 'reversed' && payment ? shownOne(charge, payment).amount : shownMoney(amount_pesewas);
  return {
    path: `${several.paid.list}/${encodeURIComponent(reference)}`,
    amount: withDetails ? amount : 'A payment',
    from: withDetails && payer ? ` from ${payer}` : '',
  };
}

/** Describes an outgoing payment, such as `GHS 400.00 went out at 14:02 to YAA ADJEI`. */
function moneyOutWords(
  outside: Clock,
  { amount_pesewas, counterparty, received_at, proof, unread_id }: MoneyOut,
  withDetails: boolean,
): Omit<Words, 'path'> {
  const { day, time } = inWords(received_at);
  const on = day === inWords(nowIso(outside)).day ? '' : ` on ${day}`;
  if (unread_id !== undefined)
    return {
      title: `Money may have gone out at ${time}${on}`,
      body: `${LOOK_FIRST} The message about it was not understood.`,
      look_first: LOOK_FIRST,
    };
  const amount = withDetails && amount_pesewas !== undefined ? shownMoney(amount_pesewas) : 'Money';
  const to = withDetails && counterparty ? ` to ${counterparty}` : '';
  const title = `${amount} went out at ${time}${on}${to}`;
  if (proof.state === 'proven') return { title, body: 'Verified: your wallet’s other texts confirm it.' };
  return { title: `${title}, not verified`, body: `${LOOK_FIRST} Texts can be forged.`, look_first: LOOK_FIRST };
}

/** Omit the goods' name, because anybody can read a locked screen. */
function codeWords({ origin, goods, reference, ...charge }: Charge, list: string): Words | undefined {
  if (origin.kind !== 'link') return undefined;
  const title = 'A payer is waiting for a code';
  const isInDoubt = isDoubted(charge);
  if (goods?.state === 'waiting' && !isInDoubt)
    return {
      title,
      body: 'There are no codes left. This payer gets the next code you add.',
      path: `${list}/${origin.slug}`,
    };
  if (goods?.state !== 'waiting' && goods?.state !== 'to_release') return undefined;
  const path = `${list}/${origin.slug}/code/${encodeURIComponent(reference)}`;
  if (isInDoubt) return { title, body: 'The payment is in doubt, so no code was sent. Check your wallet.', path };
  return { title, body: 'The payment is not verified. Check your MoMo balance, then release the code.', path };
}

function stockWords(link: Link, list: string): Words | undefined {
  const left = codesLeft(link);
  if (left > lowStockOf(link)) return undefined;
  const title = left > 0 ? `Only ${counted(left, 'code')} left` : 'No codes are left';
  const body = left > 0 ? 'Add more before the link sells out.' : 'The link is sold out until you add more.';
  return { title, body, path: `${list}/${link.slug}` };
}

function heldWords(receipt: Receipt | undefined, merchantId: string, withDetails: boolean): Words | undefined {
  if (receipt?.state !== 'held' || receipt.set_aside) return undefined;
  const { receipt_id, merchant_id, amount_pesewas, payer_name } = receipt;
  if (merchant_id !== merchantId) return undefined;
  const backing = backingOfReceipt(receipt);
  const what = withDetails && amount_pesewas !== undefined ? shownPayment(amount_pesewas, backing).amount : 'A payment';
  const from = withDetails && payer_name ? `The payment is from ${payer_name}. ` : '';
  return {
    title: `${what}${inDoubt(backing, ', ')}${doubtOf(backing) ? ',' : ''} needs to be checked`,
    ...lookFirst(backing, `${from}Someone must match this payment to a bill.`),
    path: `${several.held.list}/${encodeURIComponent(receipt_id)}`,
  };
}
