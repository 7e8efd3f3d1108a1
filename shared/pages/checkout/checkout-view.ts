import { shownMoney } from '../../ghana/money.ts';
import { Network, networks } from '../../ghana/network.ts';
import { localNumber, shownNumber } from '../../ghana/shown-number.ts';
import { logoUrl } from '../../merchants/logo/logo-url.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isTwin } from '../../merchants/merchant/twin.ts';
import { hasEndedUnpaid, type PaidBill } from '../../money/payment/backing.ts';
import {
  idNameOf,
  missingPesewas,
  type Payment,
  paidPesewas,
  sentRefunds,
  unreturnedPesewas,
} from '../../money/payment/payment.ts';
import {
  cautionOfSecond,
  type EndedParts,
  shownPayment,
  shownReceipt,
  shownToCustomer,
} from '../../money/payment/shown-payment.ts';
import type { PaymentReceipt } from '../../money/receipt/receipt.ts';
import { CUSTOMER, lastDigits, paymentIdFor } from '../../money/receipt/shown-receipt.ts';
import { codeOf } from '../../money/transaction/goods.ts';
import { isClaimedById } from '../../money/transaction/origin.ts';
import type { Transaction } from '../../money/transaction/transaction.table.ts';
import { accountsOf, statusOf } from '../../money/transaction/transaction.ts';
import { type Clock, nowIso, type Outside } from '../../runtime/outside/outside.ts';
import { inWords } from '../../runtime/values/calendar.ts';
import * as icons from '../frame/drawings.ts';
import { checkoutPath } from './checkout-path.ts';
import type { StatusResponse } from './responses.ts';

export interface Moment {
  /** ISO */
  readonly at: string;
  /** `20 Nov 2025, 14:03 GMT` */
  readonly shown: string;
}

/** How the page is asked for. */
export interface ViewOptions {
  /** The network that the customer says to pay from. */
  readonly network?: string | undefined;
  /** The payments that came for it when it was paid already, or had expired. */
  readonly second?: readonly PaymentReceipt[];
  /** Its parts as they are now, where it ended unpaid. */
  readonly ended?: EndedParts | undefined;
  /** The charge whose payments paid it, where that is not itself. */
  readonly bill?: PaidBill | undefined;
  /** The code that it was given, on its own page alone. */
  readonly code?: string | undefined;
  /** The merchant as it is now. */
  readonly merchant?: Pick<Merchant, 'logo' | 'pay_texts_per_day'> | undefined;
}

/** What the page shows of a charge, ready to print. Amounts are as in `GHS 1,234.50`. */
export type CheckoutView = ReturnType<typeof checkoutView>;

export function checkoutView(
  outside: Pick<Outside, 'now' | 'baseUrl'>,
  transaction: Transaction,
  { network: asked, second = [], ended, bill = transaction, merchant, code }: ViewOptions = {},
) {
  const status = statusOf(outside, transaction);
  const arrived = shownToCustomer(transaction, status, ended?.held);
  const overpaid = unreturnedPesewas(transaction);
  const { callback_url, merchant_contact, paid_at, cancelled_at, reversed_at } = transaction;
  const goods = codeOf(transaction);
  const url = redirectUrlOf(outside, transaction);
  const path = checkoutPath(transaction.access_code);
  const isChecked = (receipt: PaymentReceipt) => isLookedInto(receipt, bill);
  return {
    status,
    /** Nobody pays it: the page says so, and has buttons for what a payer would do. */
    isTest: isTwin(transaction.merchant_id),
    /** Its payment was taken at a till, as another charge. */
    isPaidAtCounter: transaction.paid_as !== undefined,
    /** In GHS. The page shows something else once this has changed. */
    amountPaid: arrived.ghs,
    /** Something of what was paid is not verified. */
    isUnverified: arrived.doubt !== undefined,
    /** A text says that it was paid, and is being checked: now, or it took too long and the merchant has to. */
    check: checkOf(outside, transaction),
    /** The page's path on its host; `/status` and `/claim` are below it. */
    path,
    merchant: transaction.merchant_name,
    /** Whether the merchant pays for texts to customers with what they have to type. */
    textsCustomers: (merchant?.pay_texts_per_day ?? 0) > 0,
    /** True if its page has the form for a transaction id and a name. */
    isClaimedById: isClaimedById(transaction),
    /** The address of the merchant's logo. */
    logo: merchant?.logo && logoUrl(outside, merchant.logo),
    /** How the customer reaches the merchant, where the operator has set it. */
    contact: merchant_contact === undefined ? undefined : contactLink(merchant_contact, transaction.reference),
    amount: shownMoney(transaction.amount_pesewas),
    /** The code that its payer gets from a link's stock: itself, or why it is not there yet. */
    code: goods && ({ state: goods.state, shown: code } as const),
    /** The money that arrived for an unpaid charge, and the missing rest; for one that ended, the money still held and verified. */
    parts:
      arrived.pesewas > 0 && transaction.state !== 'success'
        ? { arrived: arrived.amount, missing: shownMoney(missingPesewas(transaction)) }
        : undefined,
    description: transaction.description,
    /** The verified excess that was not sent back yet. */
    overpaid: overpaid > 0 && !arrived.doubt ? shownPayment(overpaid, arrived.backing).amount : undefined,
    /** There is money that did not pay the bill, and is not verified or may be the bill's own. The shop alone sees its amount. */
    isOtherChecked: hasOtherMoney(transaction, status, ended) || second.some(isChecked),
    /** What was sent back of it: `GHS 4.00 was sent back on …`. */
    sentBack: sentBackOf(transaction),
    reference: transaction.reference,
    ...wayToPay(transaction, asked, path),
    /** When the page was made, by the service's clock (ISO). */
    madeAt: nowIso(outside),
    expires: momentOf(transaction.expires_at),
    paid: paid_at === undefined ? undefined : momentOf(paid_at),
    cancelled: cancelled_at === undefined ? undefined : momentOf(cancelled_at),
    reversed: reversed_at === undefined ? undefined : momentOf(reversed_at),
    /** What paid it, in the order of arrival: the network, and the network's id. For a reversed charge, what was reversed. */
    payments: paymentsOf(transaction).map((payment) => ({
      network: networks[payment.network],
      idName: idNameOf(payment),
      transactionId: paymentIdFor(CUSTOMER, payment),
    })),
    /** Payments that named it when it was paid already, and are too much or were sent back: as much as their payer needs to recognise them. */
    second: second.filter((receipt) => !isLate(receipt) && !isChecked(receipt)).map(secondOf),
    /** The same of payments that came when its time to pay had ended. */
    late: second.filter((receipt) => isLate(receipt) && !isChecked(receipt)).map(secondOf),
    /** Where a customer goes after paying: the address, and its host to show. */
    back: url === null ? undefined : { url, host: new URL(url).host },
    /**
     * The shop, for a customer who has not paid. Its front page and never the callback, which may take anybody who arrives there
     * for somebody who paid.
     */
    shop: callback_url === undefined ? undefined : shopOf(callback_url),
    /** The short address of the page, for another device. */
    shortUrl: `${outside.baseUrl}/c/${transaction.access_code}`,
  };
}

/** True for money that arrived for a charge, did not pay it, and is not verified. */
function hasOtherMoney(transaction: Transaction, status: StatusResponse['status'], ended: EndedParts | undefined) {
  if (hasEndedUnpaid(transaction)) return (ended?.held ?? []).some((part) => shownReceipt(part).doubt);
  const { doubt, pesewas } = shownToCustomer(transaction, status);
  const beyond = status === 'success' ? unreturnedPesewas(transaction) : paidPesewas(transaction) - pesewas;
  return doubt !== undefined && beyond > 0;
}

/** True if the shop has yet to find out about a second payment: it or its bill's own is not verified, and nobody has said that it was sent back. */
function isLookedInto(receipt: PaymentReceipt, bill: PaidBill): boolean {
  return cautionOfSecond(receipt, bill) !== undefined && !receipt.set_aside?.sent_back;
}

function isLate({ reason }: PaymentReceipt): boolean {
  return reason === 'charge_expired';
}

function secondOf({ set_aside, ...receipt }: PaymentReceipt) {
  const { amount, doubt } = shownReceipt(receipt);
  return {
    amount: doubt ? undefined : amount,
    network: networks[receipt.network],
    /** `…4821`: the whole id is nobody's who only has the link. */
    lastDigits: lastDigits(receipt.transaction_id),
    received: momentOf(receipt.received_at),
    sentBack: set_aside?.sent_back ? momentOf(set_aside.at) : undefined,
  };
}

/** The number that a charge is paid to from the network that its customer says to pay from. */
function wayToPay(transaction: Transaction, asked: string | undefined, path: string) {
  const { payer, account, choices, isChosen } = payingFrom(transaction, asked);
  return {
    /** The network of the number that is shown. */
    network: networks[account.network],
    /** That network, or another that the merchant has a number on, if it gives payers' numbers: else nobody can be texted a code. */
    codesOf: [account, ...accountsOf(transaction)]
      .map(({ network }) => networks[network])
      .find(({ tellsNumbersOf }) => tellsNumbersOf !== 'nobody'),
    /** The class of its colours. */
    colours: account.network.toLowerCase(),
    /** How to pay to it from the others. */
    fromOthers: fromOthers(account.network),
    /** The network that the customer pays from: mostly the same. */
    payer: networks[payer],
    choices: choices.map((choice) => ({
      name: networks[choice].name,
      url: `${path}?network=${choice}`,
      isCurrent: choice === payer,
    })),
    /** Keeps the choice when added to an address: `network=TELECEL`, or nothing. */
    networkQuery: isChosen ? `network=${payer}` : '',
    /** `0241234567`, as a phone takes it. */
    number: localNumber(account.number),
    /** `024 123 4567`, as a person reads it. */
    shownNumber: shownNumber(account.number),
    accountName: account.account_name,
  };
}

/** What of a charge's money has left its merchant's wallet again, a sentence each. */
export function sentBackOf(charge: Pick<Transaction, 'refunds'>): string[] {
  return sentRefunds(charge).flatMap(({ amount_pesewas, closed_at }) =>
    closed_at ? [`${shownMoney(amount_pesewas)} was sent back on ${momentOf(closed_at).shown}.`] : [],
  );
}

function checkOf(outside: Clock, transaction: Transaction): 'now' | 'late' | undefined {
  const { checking_until } = transaction;
  if (checking_until === undefined || statusOf(outside, transaction) !== 'pending') return undefined;
  return outside.now() < Date.parse(checking_until) ? 'now' : 'late';
}

function paymentsOf({ state, parts = [], payment }: Transaction): readonly Payment[] {
  return [...(state === 'success' ? parts : []), ...(payment ? [payment] : [])];
}

function shopOf(callbackUrl: string) {
  const { origin, host } = new URL(callbackUrl);
  return { url: `${origin}/`, host };
}

/** The answer of `status`, which the page asks for while it waits. */
export function presentStatus(outside: Clock, transaction: Transaction, ended?: EndedParts): StatusResponse {
  const status = statusOf(outside, transaction);
  return {
    status,
    amount_paid: shownToCustomer(transaction, status, ended?.held).ghs,
    checking: checkOf(outside, transaction) === 'now',
    expires_at: transaction.expires_at,
    redirect_url: redirectUrlOf(outside, transaction),
  };
}

/** Of the receipt of a paid charge. */
export function receiptPath(accessCode: string): string {
  return `${checkoutPath(accessCode)}/receipt`;
}

/**
 * The merchant's callback with the reference added to its query; null before the charge is paid and where there is no callback.
 * Appended as text, because `searchParams` would rewrite the rest of the merchant's query (`?a` as `?a=`).
 */
function redirectUrlOf(outside: Clock, transaction: Transaction): string | null {
  if (!transaction.callback_url || statusOf(outside, transaction) !== 'success') return null;
  const url = new URL(transaction.callback_url);
  // If it already has one, there would be two, and servers differ in which one they read.
  url.search = url.search.replace(/(?<=[?&])reference(?:=[^&]*)?(?:&|$)/g, '').replace(/[?&]$/, '');
  url.search += `${url.search ? '&' : '?'}reference=${encodeURIComponent(transaction.reference)}`;
  return url.href;
}

/** Ghana is on GMT all year. */
export function momentOf(at: string): Moment {
  const { day, time } = inWords(at);
  return { at, shown: `${day}, ${time} GMT` };
}

/**
 * Which network a customer pays from, and the account that is paid from there. `asked` is what the page's address says; anything that is
 * not one of the choices counts as the charge's own network. There are choices where the merchant has numbers on several networks.
 */
function payingFrom(transaction: Transaction, asked: string | undefined) {
  const { momo_number: number, momo_network: network, momo_account_name: account_name } = transaction;
  const accounts = accountsOf(transaction);
  const own = { number, network, account_name };
  const hasChoice = accounts.some((account) => account.network !== network);
  const payer = (hasChoice && Network.options.find((option) => option === asked)) || network;
  const account = payer === network ? undefined : accounts.find((one) => one.network === payer);
  return { payer, account: account ?? own, choices: hasChoice ? Network.options : [], isChosen: payer !== network };
}

/** For a customer whose own wallet is on another network: `From Telecel or AT: dial *110# and send to an MTN number.` */
function fromOthers(network: Network): string {
  const others = Network.options.filter((one) => one !== network).map((one) => networks[one]);
  const ways = Object.entries(Object.groupBy(others, ({ ussd }) => ussd)).map(
    ([ussd, from = []], n) =>
      `${n ? 'from' : 'From'} ${from.map(({ short }) => short).join(' or ')}: ${n ? '' : 'dial '}${ussd}`,
  );
  const { article, short } = networks[network];
  return `${ways.join(', ')}${ways.length > 1 ? ',' : ''} and send to ${article} ${short} number.`;
}

/** How a customer reaches the merchant with one tap. */
export interface ContactLink {
  readonly href: string;
  readonly label: string;
  /** The same in a few words, at the top of the page. */
  readonly short: string;
  /** Its drawing. */
  readonly icon: string;
}

/** The link of a merchant's contact, which `parseContact` has read. The merchant sees which payment the question is about. */
function contactLink(contact: string, reference: string): ContactLink {
  if (contact.startsWith('https://wa.me/')) {
    const text = encodeURIComponent(`Hello, I have a question about my payment with the reference ${reference}.`);
    const number = shownNumber(contact.replace('https://wa.me/', '+'));
    return {
      href: `${contact}?text=${text}`,
      label: 'Ask on WhatsApp',
      short: `WhatsApp ${unbroken(number)}`,
      icon: icons.chat,
    };
  }
  if (contact.includes('@')) {
    const subject = encodeURIComponent(`My payment ${reference}`);
    const address = encodeURIComponent(contact).replace('%40', '@');
    return {
      href: `mailto:${address}?subject=${subject}`,
      label: `Write to ${contact}`,
      short: contact,
      icon: icons.mail,
    };
  }
  return {
    href: `tel:${contact}`,
    label: `Call ${shownNumber(contact)}`,
    short: unbroken(shownNumber(contact)),
    icon: icons.phone,
  };
}

/** On one line. */
function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}
