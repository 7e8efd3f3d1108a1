import { html } from 'hono/html';
import { parsePhoneNumber } from '../../../ghana/phone-number.ts';
import { NoSuch } from '../../../runtime/values/no-such.ts';
import type { Wallet } from '../../../wallets/chain/chain.table.ts';
import type { Html } from './content.ts';

export const HOME = '/dashboard/today';
/** It leads a person who has signed in to the page that they begin with, which follows from their rights. */
export const SIGN_IN = '/dashboard/sign-in';
export const SETTINGS = '/dashboard/settings';
export const ANSWERS = `${SETTINGS}/answers`;
/** The numbers that a merchant is paid on. */
export const NUMBERS = `${SETTINGS}/numbers`;
export const AUDIT = `${SETTINGS}/audit`;
/** What waits for an owner, and what was changed lately. */
export const CHANGES = `${SETTINGS}/changes`;
export const TEAM = `${SETTINGS}/team`;
/** The phones on which people sign in by PIN, for the owner. */
export const SHARED_PHONES = '/dashboard/shared-phones';
/** The wallets of one merchant, for its owner. */
export const MERCHANT_WALLETS = `${SETTINGS}/wallets`;
export const TEXTS = '/dashboard/texts';
/** What people answered to texts. */
export const INBOX = `${TEXTS}/inbox`;
export const OPT_OUTS = `${TEXTS}/opt-outs`;
/** Texts to many, and the people whom they may go to. */
export const MANY = '/dashboard/many';
export const CONTACTS = `${MANY}/contacts`;
export const DEVELOPERS = '/dashboard/developers';
export const OPERATOR_PHONES = '/dashboard/operator/phones';
/** All wallets of the stage. */
export const OPERATOR_WALLETS = `${OPERATOR_PHONES}/wallets`;
export const OPERATOR_MERCHANTS = '/dashboard/operator/merchants';
/** Which credits for texts shops can buy. */
export const OPERATOR_CREDITS = `${OPERATOR_MERCHANTS}/credits`;
/** Money that belongs to no known merchant, and texts that nobody could read. */
export const UNASSIGNED = `${OPERATOR_MERCHANTS}/unassigned`;
export const UNREAD = `${OPERATOR_MERCHANTS}/unread`;
export const OPERATOR_REPAIR = '/dashboard/operator/repair';
/** What people are told on their own devices, and the dashboard as an app. */
export const APP = '/dashboard/app';
/** Served by that area alone: the others need not carry it. */
export const PUSH_SCRIPT = '/dashboard/app/push.js';
export const ACCOUNT = `${SIGN_IN}/account`;
/** Where people sign in by PIN. */
export const ON_PHONE = `${SIGN_IN}/phone`;

/** A text, by the id of its send or of one of its messages. */
export function textAddress(id: string): string {
  return `${TEXTS}/${id}`;
}

/** A conversation with a person; addresses have numbers without their `+`. */
export function threadAddress(number: string): string {
  return `${INBOX}/${number.slice(1)}`;
}

/** A text to many, by the id of its first send. */
export function manyAddress(id: string): string {
  return `${MANY}/${id}`;
}

export function contactAddress(number: string): string {
  return `${CONTACTS}/${number.slice(1)}`;
}

export function eventAddress(eventId: string): string {
  return `${DEVELOPERS}/events/${eventId}`;
}

/** Where a person signs in to go on to a page of the dashboard; after a form, the page says that nothing was done. */
export function signInTo(next: string, isForm: boolean): string {
  return `${SIGN_IN}?next=${encodeURIComponent(next)}${isForm ? UNSENT : ''}`;
}

/** The same for who is signed in, and has to use their passkey again. */
export function confirmTo(next: string, isForm: boolean): string {
  return `${SIGN_IN}/confirm?next=${encodeURIComponent(next)}${isForm ? UNSENT : ''}`;
}

const UNSENT = '&unsent=1';

/** The page of the dashboard that an address names; for anything else the one that a person begins with, so that nobody is led elsewhere. */
export function safeNext(next: string | undefined): string {
  if (!next || next.length > MAX_CHARACTERS || !URL.canParse(next, NOWHERE)) return SIGN_IN;
  const { origin, pathname, search } = new URL(next, NOWHERE);
  return origin === NOWHERE && pathname.startsWith('/dashboard/') ? `${pathname}${search}` : SIGN_IN;
}

/** A host that an address without one of its own is read against. */
const NOWHERE = 'https://nowhere.invalid';
const MAX_CHARACTERS = 2_000;

export const CHARGES = '/dashboard/charges';
export const HELD = `${CHARGES}/held`;
/** Texts that could not be read. */
export const UNREAD_TEXTS = `${HELD}?list=unread`;

export function chargeAddress(reference: string): string {
  return `${CHARGES}/${encodeURIComponent(reference)}`;
}

/** The pages where anybody pays. */
export const LINKS = '/dashboard/links';

export function linkAddress(slug: string): string {
  return `${LINKS}/${encodeURIComponent(slug)}`;
}

/** Of the code that a charge gets from a link's stock. */
export function codeAddress(slug: string, reference: string): string {
  return `${linkAddress(slug)}/code/${encodeURIComponent(reference)}`;
}

/** Where cashiers take payments. */
export const TILL = '/dashboard/till';

export function tillAddress(tillId: string): string {
  return `${TILL}/${encodeURIComponent(tillId)}`;
}

/** What customers are asked to pay. */
export const REQUESTS = '/dashboard/requests';

export function requestAddress(slug: string): string {
  return `${REQUESTS}/${encodeURIComponent(slug)}`;
}

/** What is looked up, and printed: nothing is changed there. */
export const SEARCH = '/dashboard/records';
export const CUSTOMERS = `${SEARCH}/customers`;

export function receiptAddress(reference: string): string {
  return `${SEARCH}/receipt/${encodeURIComponent(reference)}`;
}

export function caseFileAddress(reference: string): string {
  return `${SEARCH}/case/${encodeURIComponent(reference)}`;
}

export function heldAddress(receiptId: string): string {
  return `${HELD}/${encodeURIComponent(receiptId)}`;
}

export function chargeLink(reference: string): Html {
  return html`<a class="number" translate="no" href="${chargeAddress(reference)}">${reference}</a>`;
}

export function merchantAddress(merchantId: string): string {
  return `${OPERATOR_MERCHANTS}/${merchantId}`;
}

/** Addresses have numbers without their `+`, which some programs take for a space. */
export function senderAddress(number: string): string {
  return `${OPERATOR_PHONES}/${number.slice(1)}`;
}

export function operatorWalletAddress({ network, momo_number }: Wallet): string {
  return `${OPERATOR_WALLETS}/${network}/${momo_number.slice(1)}`;
}

/** The number in an address. @throws NoSuch where it is none. */
export function numberIn(written: string): string {
  const number = parsePhoneNumber(`+${written}`);
  if (number !== `+${written}`) throw new NoSuch('sender', `There is no number ${written}.`);
  return number;
}

export const REPORTS = `${HOME}/reports`;
export const NEW_CHARGE = `${CHARGES}/new`;
export const FAILED_TEXTS = `${TEXTS}?status=failed`;
export const CREDITS = `${TEXTS}/credits`;
/** The numbers that texts leave from. */
export const SENDERS = `${TEXTS}/senders`;
export const WEBHOOKS = `${DEVELOPERS}/webhooks`;
export const EVENTS = `${DEVELOPERS}/events`;
export const FAILED_REQUESTS = `${DEVELOPERS}/requests`;

/** Where the owner of a wallet says whether it held what its texts say. */
export function balanceAddress({ network, momo_number }: Wallet): string {
  return `${HOME}/balance/${network}/${momo_number.slice(1)}`;
}

export const DOCTOR = `${OPERATOR_REPAIR}/doctor`;
export const OPERATOR_AUDIT = `${OPERATOR_REPAIR}/audit`;
