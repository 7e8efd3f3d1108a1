import { shownMoney } from '../../ghana/money.ts';
import { Network, networks } from '../../ghana/network.ts';
import { localNumber, shownNumber } from '../../ghana/shown-number.ts';
import { logoUrl } from '../../merchants/logo/logo-url.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import type { Charge } from '../../money/charge/charge.table.ts';
import { accountsOf, statusOf } from '../../money/charge/charge.ts';
import { codeOf } from '../../money/charge/goods.ts';
import { isClaimedById } from '../../money/charge/origin.ts';
import { asCustomerSees, hasEndedUnpaid, type PaidBill } from '../../money/payment/backing.ts';
import {
  idNameOf,
  missingPesewas,
  type Payment,
  paidPesewas,
  refundedPesewas,
  sentRefunds,
  unreturnedPesewas,
} from '../../money/payment/payment.ts';
import {
  cautionOfSecond,
  type EndedParts,
  shownOne,
  shownPayment,
  shownReceipt,
  shownToCustomer,
} from '../../money/payment/shown-payment.ts';
import { LATE } from '../../money/receipt/receipt.table.ts';
import type { PaymentReceipt } from '../../money/receipt/receipt.ts';
import { CUSTOMER, lastDigits, paymentIdFor } from '../../money/receipt/shown-receipt.ts';
import { type Clock, nowIso, type Outside } from '../../runtime/outside/outside.ts';
import { inWords } from '../../runtime/values/calendar.ts';
import * as icons from '../frame/drawings.ts';
import { sharedWords as words } from '../words/words.ts';
import { checkoutPath } from './checkout-path.ts';
import type { StatusResponse } from './responses.ts';

export interface Moment {
  readonly at: string;
  readonly shown: string;
}

export interface ViewOptions {
  readonly network?: string | undefined;
  readonly second?: readonly PaymentReceipt[];
  readonly ended?: EndedParts | undefined;
  readonly bill?: PaidBill | undefined;
  /** The stock code. Set only on the page that shows it. */
  readonly code?: string | undefined;
  readonly merchant?: Pick<Merchant, 'logo' | 'pay_texts_per_day'> | undefined;
}

/** A charge as shown on the checkout page. Amounts are formatted like `GHS 1,234.50`. */
export type CheckoutView = ReturnType<typeof checkoutView>;

export function checkoutView(outside: Pick<Outside, 'now' | 'baseUrl'>, charge: Charge, options: ViewOptions = {}) {
  return viewOf(outside, asCustomerSees(charge), options);
}

function viewOf(
  outside: Pick<Outside, 'now' | 'baseUrl'>,
  charge: Charge,
  { network: asked, second = [], ended, bill = charge, merchant, code }: ViewOptions,
) {
  const status = statusOf(outside, charge);
  const arrived = shownToCustomer(charge, status, ended?.held);
  const overpaid = unreturnedPesewas(charge);
  const { callback_url, merchant_contact, paid_at, cancelled_at, reversed_at } = charge;
  const goods = codeOf(charge);
  const sentPesewas = refundedPesewas(sentRefunds(charge));
  const sentAt = sentRefunds(charge).reduce((last, { closed_at = '' }) => (closed_at > last ? closed_at : last), '');
  const isRefunded = status === 'success' && sentAt !== '' && sentPesewas >= Number(paidPesewas(charge));
  const url = redirectUrlOf(outside, charge);
  const path = checkoutPath(charge.access_code);
  const isUnderReview = (receipt: PaymentReceipt) => mustBeReviewed(receipt, bill, charge);
  const isPart = ({ receipt_id }: PaymentReceipt) => ended?.parts.some((part) => part.receipt_id === receipt_id);
  const others = second.filter((receipt) => !isPart(receipt) && !isUnderReview(receipt));
  return {
    status,
    /** True for a test charge, whose page simulates payments. */
    isTest: isTestAccount(charge.merchant_id),
    /** True if the customer paid at a till, under another charge. */
    isPaidAtCounter: charge.paid_as !== undefined,
    /** The amount paid, in GHS. An open page reloads when this amount changes. */
    amountPaid: arrived.ghs,
    isUnverified: arrived.doubt !== undefined,
    /** Set while a receipt is being checked, and after the check if the merchant must decide. */
    check: checkOf(outside, charge),
    path,
    merchant: charge.merchant_name,
    /** True if the merchant pays to have payment instructions texted to customers. */
    textsCustomers: (merchant?.pay_texts_per_day ?? 0) > 0,
    isClaimedById: isClaimedById(charge),
    logo: merchant?.logo && logoUrl(outside, merchant.logo),
    contact: merchant_contact === undefined ? undefined : contactLink(merchant_contact, charge.reference),
    amount: shownMoney(charge.amount_pesewas),
    code: goods && ({ state: goods.state, shown: code } as const),
    /** For an unpaid charge, the amounts received and missing. For a closed charge, the verified amount still held. */
    parts:
      arrived.pesewas > 0 && charge.state !== 'success'
        ? { arrived: arrived.amount, missing: shownMoney(missingPesewas(charge)) }
        : undefined,
    description: charge.description,
    /** The verified overpayment that has not been sent back. A payment request's own page says what is too much. */
    overpaid:
      overpaid > 0 && !arrived.doubt && charge.origin.kind !== 'request'
        ? shownPayment(overpaid, arrived.backing).amount
        : undefined,
    /** True if more money arrived that is unverified or may belong to this bill. The page never shows that amount. */
    hasMoneyUnderReview: hasOtherMoney(charge, status, ended) || second.some(isUnderReview),
    sentBack: sentBackOf(charge),
    refunded: isRefunded ? { amount: shownMoney(sentPesewas), at: momentOf(sentAt) } : undefined,
    reference: charge.reference,
    ...wayToPay(charge, asked, path),
    madeAt: nowIso(outside),
    expires: momentOf(charge.expires_at),
    paid: paid_at === undefined ? undefined : momentOf(paid_at),
    cancelled: cancelled_at === undefined ? undefined : momentOf(cancelled_at),
    reversed: reversed_at === undefined ? undefined : momentOf(reversed_at),
    /** The amount that the network reversed, which may differ from the charge's amount. */
    reversedAmount: charge.state === 'reversed' && charge.payment ? shownOne(charge, charge.payment).amount : undefined,
    /** The charge's payments in chronological order. For a reversed charge, these are the reversed payments. */
    payments: paymentsOf(charge).map((payment) => ({
      network: networks[payment.network],
      idName: idNameOf(payment),
      transactionId: paymentIdFor(CUSTOMER, payment),
    })),
    /** Payments that arrived after the charge was paid. */
    second: others.filter((receipt) => !isLate(receipt)).map(secondOf),
    /** Payments that arrived after the charge expired. */
    late: others.filter(isLate).map(secondOf),
    back: url === null || isRefunded ? undefined : { url, host: new URL(url).host },
    /**
     * The shop's home page, for customers who have not paid. Never the callback URL, because the shop's server may
     * treat a visit as a payment.
     */
    shop: callback_url === undefined ? undefined : shopOf(callback_url),
    shortUrl: `${outside.baseUrl}/c/${charge.access_code}`,
  };
}

function hasOtherMoney(charge: Charge, status: StatusResponse['status'], ended: EndedParts | undefined) {
  if (hasEndedUnpaid(charge)) return (ended?.held ?? []).some((part) => shownReceipt(part).doubt);
  const { doubt, pesewas } = shownToCustomer(charge, status);
  const beyond = status === 'success' ? unreturnedPesewas(charge) : paidPesewas(charge) - pesewas;
  return doubt !== undefined && beyond > 0;
}

/**
 * Returns true while the receipt or the bill's own payment is unverified, or a payment request may need both, because two
 * people may share its bill. False once the receipt's money was sent back.
 */
function mustBeReviewed(receipt: PaymentReceipt, bill: PaidBill, { origin }: Pick<Charge, 'origin'>): boolean {
  const mayBeNeeded = origin.kind === 'request' && !isLate(receipt);
  return (mayBeNeeded || cautionOfSecond(receipt, asCustomerSees(bill)) !== undefined) && !receipt.set_aside?.sent_back;
}

function isLate({ reason }: PaymentReceipt): boolean {
  return LATE.has(reason);
}

function secondOf({ set_aside, ...receipt }: PaymentReceipt) {
  const { amount, doubt } = shownReceipt(receipt);
  return {
    amount: doubt ? undefined : amount,
    network: networks[receipt.network],
    /** Shortened to `…4821`, because the page's link may be shared. */
    lastDigits: lastDigits(receipt.transaction_id),
    received: momentOf(receipt.received_at),
    sentBack: set_aside?.sent_back ? momentOf(set_aside.at) : undefined,
  };
}

function wayToPay(charge: Charge, asked: string | undefined, path: string) {
  const { payer, account, choices, isChosen } = payingFrom(charge, asked);
  return {
    network: networks[account.network],
    /** The merchant's first network whose receipts contain payers' numbers. Claim codes are sent to these numbers. */
    codesOf: [account, ...accountsOf(charge)]
      .map(({ network }) => networks[network])
      .find(({ namesNumbersOf }) => namesNumbersOf !== 'nobody'),
    colours: account.network.toLowerCase(),
    payer: networks[payer],
    choices: choices.map((choice) => ({
      name: networks[choice].name,
      url: `${path}?network=${choice}`,
      isCurrent: choice === payer,
    })),
    /** Query string of the chosen network, such as `network=TELECEL`. Empty if none was chosen. */
    networkQuery: isChosen ? `network=${payer}` : '',
    /** The number as dialled: `0241234567`. */
    number: localNumber(account.number),
    /** The number formatted for reading: `024 123 4567`. */
    shownNumber: shownNumber(account.number),
    accountName: account.account_name,
  };
}

export function sentBackOf(charge: Pick<Charge, 'refunds'>): string[] {
  return sentRefunds(charge).flatMap(({ amount_pesewas, closed_at }) =>
    closed_at ? [words.sentBack(shownMoney(amount_pesewas), momentOf(closed_at).shown)] : [],
  );
}

function checkOf(outside: Clock, charge: Charge): 'now' | 'late' | undefined {
  const { checking_until } = charge;
  if (checking_until === undefined || statusOf(outside, charge) !== 'pending') return undefined;
  return outside.now() < Date.parse(checking_until) ? 'now' : 'late';
}

function paymentsOf({ state, parts = [], payment }: Charge): readonly Payment[] {
  return [...(state === 'success' ? parts : []), ...(payment ? [payment] : [])];
}

function shopOf(callbackUrl: string) {
  const { origin, host } = new URL(callbackUrl);
  return { url: `${origin}/`, host };
}

export function presentStatus(outside: Clock, read: Charge, ended?: EndedParts): StatusResponse {
  const charge = asCustomerSees(read);
  const status = statusOf(outside, charge);
  return {
    status,
    amount_paid: shownToCustomer(charge, status, ended?.held).ghs,
    checking: checkOf(outside, charge) === 'now',
    expires_at: charge.expires_at,
    redirect_url: redirectUrlOf(outside, charge),
  };
}

export function receiptPath(accessCode: string): string {
  return `${checkoutPath(accessCode)}/receipt`;
}

/**
 * Returns the callback URL of a paid charge, with the reference in its query. Appends the reference as a string,
 * because `searchParams` would rewrite the rest (`?a` becomes `?a=`).
 */
function redirectUrlOf(outside: Clock, charge: Charge): string | null {
  if (!charge.callback_url || statusOf(outside, charge) !== 'success') return null;
  const url = new URL(charge.callback_url);
  // Remove an existing reference, because servers disagree on which duplicate to read.
  url.search = url.search.replace(/(?<=[?&])reference(?:=[^&]*)?(?:&|$)/g, '').replace(/[?&]$/, '');
  url.search += `${url.search ? '&' : '?'}reference=${encodeURIComponent(charge.reference)}`;
  return url.href;
}

export function momentOf(at: string): Moment {
  const { day, time } = inWords(at);
  return { at, shown: `${day}, ${time} GMT` };
}

/**
 * Determines the customer's network and the account to pay. `asked` is the network in the query; the default is the
 * charge's network.
 */
function payingFrom(charge: Charge, asked: string | undefined) {
  const { momo_number: number, momo_network: network, momo_account_name: account_name } = charge;
  const accounts = accountsOf(charge);
  const own = { number, network, account_name };
  const hasChoice = accounts.some((account) => account.network !== network);
  const payer = (hasChoice && Network.options.find((option) => option === asked)) || network;
  const account = payer === network ? undefined : accounts.find((one) => one.network === payer);
  return { payer, account: account ?? own, choices: hasChoice ? Network.options : [], isChosen: payer !== network };
}

export interface ContactLink {
  readonly href: string;
  readonly label: string;
  readonly short: string;
  readonly icon: string;
}

/** Builds a link from a normalised contact. WhatsApp and e-mail messages mention the reference. */
function contactLink(contact: string, reference: string): ContactLink {
  if (contact.startsWith('https://wa.me/')) {
    const text = encodeURIComponent(words.whatsAppText(reference));
    const number = shownNumber(contact.replace('https://wa.me/', '+'));
    return {
      href: `${contact}?text=${text}`,
      label: words.whatsApp,
      short: words.whatsAppNumber(unbroken(number)),
      icon: icons.chat,
    };
  }
  if (contact.includes('@')) {
    const subject = encodeURIComponent(words.mailSubject(reference));
    const address = encodeURIComponent(contact).replace('%40', '@');
    return {
      href: `mailto:${address}?subject=${subject}`,
      label: words.mailTo(contact),
      short: contact,
      icon: icons.mail,
    };
  }
  return {
    href: `tel:${contact}`,
    label: words.call(shownNumber(contact)),
    short: unbroken(shownNumber(contact)),
    icon: icons.phone,
  };
}

function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}
