import { html } from 'hono/html';
import { parsePhoneNumber } from '../../../ghana/phone-number.ts';
import { localNumber } from '../../../ghana/shown-number.ts';
import { NoSuch } from '../../../runtime/values/no-such.ts';
import type { Wallet } from '../../../wallets/chain/chain.table.ts';
import type { Html } from './content.ts';

export const HOME = '/dashboard/today';
/** The wallets on Today, which every role sees. */
export const WALLETS_SEEN = `${HOME}#wallets`;
/** The sign-in page. Redirects signed-in people to their start page. */
export const SIGN_IN = '/dashboard/sign-in';
export const SETTINGS = '/dashboard/settings';
export const ANSWERS = `${SETTINGS}/answers`;
export const NUMBERS = `${SETTINGS}/numbers`;
export const AUDIT = `${SETTINGS}/audit`;
export const CHANGES = `${SETTINGS}/changes`;
export const TEAM = `${SETTINGS}/team`;
export const SHARED_PHONES = '/dashboard/shared-phones';
export const MERCHANT_WALLETS = `${SETTINGS}/wallets`;
export const TEXTS = '/dashboard/texts';
export const INBOX = `${TEXTS}/inbox`;
export const MANY = '/dashboard/many';
export const DEVELOPERS = '/dashboard/developers';
export const OPERATOR_PHONES = '/dashboard/operator-phones';
export const OPERATOR_WALLETS = `${OPERATOR_PHONES}/wallets`;
export const OPERATOR_MERCHANTS = '/dashboard/operator-money';
export const OPERATOR_CREDITS = `${OPERATOR_MERCHANTS}/credits`;
export const UNASSIGNED = `${OPERATOR_MERCHANTS}/unassigned`;
export const UNREAD = `${OPERATOR_MERCHANTS}/unread`;
export const OPERATOR_REPAIR = '/dashboard/operator-repair';
export const APP = '/dashboard/app';
/** The push script. Served by one area, to keep it out of other bundles. */
export const PUSH_SCRIPT = '/dashboard/app/push.js';
export const ACCOUNT = `${SIGN_IN}/account`;
export const ON_PHONE = `${SIGN_IN}/phone`;

/** Returns the URL of a text, given the id of a send or of one of its messages. */
export function textAddress(id: string): string {
  return `${TEXTS}/${id}`;
}

export function threadAddress(number: string): string {
  return `${INBOX}/${number.slice(1)}`;
}

/** Returns the URL of a bulk send, given the id of its first send. */
export function manyAddress(id: string): string {
  return `${MANY}/${id}`;
}

export const CUSTOMERS = '/dashboard/customers';
export const CONTACTS = `${CUSTOMERS}?list=contacts`;
export const STOPPED = `${CUSTOMERS}?list=stopped`;
export const ADD_CONTACT = `${CUSTOMERS}/add`;

export function contactAddress(number: string): string {
  return `${CUSTOMERS}/${number.slice(1)}`;
}

export function eventAddress(eventId: string): string {
  return `${DEVELOPERS}/events/${eventId}`;
}

/**
 * Returns a URL for signing in and then returning to `next`. If `isForm` is set, the sign-in page says that nothing was
 * done.
 */
export function signInTo(next: string, isForm: boolean): string {
  return `${SIGN_IN}?next=${encodeURIComponent(next)}${isForm ? UNSENT : ''}`;
}

/** Like `signInTo`, for a signed-in person who must confirm with their passkey. */
export function confirmTo(next: string, isForm: boolean): string {
  return `${SIGN_IN}/confirm?next=${encodeURIComponent(next)}${isForm ? UNSENT : ''}`;
}

const UNSENT = '&unsent=1';

/** Returns `next` if it is a dashboard URL, else the start page, to prevent open redirects. */
export function safeNext(next: string | undefined): string {
  if (!next || next.length > MAX_CHARACTERS || !URL.canParse(next, NOWHERE)) return SIGN_IN;
  const { origin, pathname, search } = new URL(next, NOWHERE);
  return origin === NOWHERE && pathname.startsWith('/dashboard/') ? `${pathname}${search}` : SIGN_IN;
}

const NOWHERE = 'https://nowhere.invalid';
const MAX_CHARACTERS = 2_000;

export const CHARGES = '/dashboard/charges';
export const HELD = '/dashboard/held';
export const UNREAD_TEXTS = `${HELD}?list=unread`;

export function chargesSearch(typed: string): string {
  return `${CHARGES}?q=${encodeURIComponent(typed.toWellFormed())}`;
}

export function chargeAddress(reference: string): string {
  return `${CHARGES}/${encodeURIComponent(reference)}`;
}

export const LINKS = '/dashboard/links';

export function linkAddress(slug: string): string {
  return `${LINKS}/${encodeURIComponent(slug)}`;
}

export function codeAddress(slug: string, reference: string): string {
  return `${linkAddress(slug)}/code/${encodeURIComponent(reference)}`;
}

export const TILL = '/dashboard/till';

export function tillAddress(tillId: string): string {
  return `${TILL}/${encodeURIComponent(tillId)}`;
}

export const REQUESTS = '/dashboard/requests';

export function requestsSearch(typed: string): string {
  return `${REQUESTS}?q=${encodeURIComponent(typed.toWellFormed())}`;
}

export function requestAddress(slug: string): string {
  return `${REQUESTS}/${encodeURIComponent(slug)}`;
}

/** Path of the reports and searches, which are read-only. */
export const SEARCH = '/dashboard/records';

export const RECEIPTS = `${SEARCH}/receipt`;

export function receiptAddress(reference: string): string {
  return `${RECEIPTS}/${encodeURIComponent(reference)}`;
}

export function caseFileAddress(reference: string): string {
  return `${SEARCH}/case/${encodeURIComponent(reference)}`;
}

export function heldAddress(receiptId: string): string {
  return `${HELD}/${encodeURIComponent(receiptId)}`;
}

export function giveAddress(receiptId: string, reference?: string): string {
  return `${heldAddress(receiptId)}/give${reference ? `?reference=${encodeURIComponent(reference)}` : ''}`;
}

export function markAddress(reference: string, query: string): string {
  return `${chargeAddress(reference)}/mark?${query}`;
}

export function chargeLink(reference: string): Html {
  return html`<a class="number" translate="no" href="${chargeAddress(reference)}">${reference}</a>`;
}

export function merchantAddress(merchantId: string): string {
  return `${OPERATOR_MERCHANTS}/${merchantId}`;
}

/** Returns a sender's URL. Omits the number's `+`, which some programs decode as a space. */
export function senderAddress(number: string): string {
  return `${OPERATOR_PHONES}/${number.slice(1)}`;
}

export function operatorWalletAddress({ network, momo_number }: Wallet): string {
  return `${OPERATOR_WALLETS}/${network}/${momo_number.slice(1)}`;
}

/** Parses a phone number in a path. @throws NoSuch for anything else. */
export function numberIn(written: string): string {
  const number = parsePhoneNumber(`+${written}`);
  if (number !== `+${written}`) throw new NoSuch('sender', `${written} is not a phone number.`);
  return number;
}

export const REPORTS = `${HOME}/reports`;
export const NEW_CHARGE = `${CHARGES}/new`;
/** Opens the form for a text, filled in with one that failed for all its numbers or only the `n`th. */
export function sendAgainAddress(id: string, n?: number): string {
  return `${TEXTS}/send?again=${id}${n === undefined ? '' : `&n=${n}`}`;
}

export const FAILED_TEXTS = `${TEXTS}?status=failed`;
export const CLOSING = `${TILL}/closing`;
export const CREDITS = `${TEXTS}/credits`;
export const SENDERS = `${TEXTS}/senders`;
export const WEBHOOKS = `${DEVELOPERS}/webhooks`;
export const EVENTS = `${DEVELOPERS}/events`;
export const FAILED_REQUESTS = `${DEVELOPERS}/requests`;

export function merchantWalletAddress(momoNumber: string): string {
  return `${MERCHANT_WALLETS}/${localNumber(momoNumber)}`;
}

export function balanceAddress({ network, momo_number }: Wallet): string {
  return `${HOME}/balance/${network}/${momo_number.slice(1)}`;
}

export const DOCTOR = `${OPERATOR_REPAIR}/doctor`;
export const OPERATOR_AUDIT = `${OPERATOR_REPAIR}/audit`;
