export const HOME = '/dashboard/today';
export const SIGN_IN = '/dashboard/sign-in';
export const SETTINGS = '/dashboard/settings';
/** What waits for an owner, and what was changed lately. */
export const CHANGES = `${SETTINGS}/changes`;
export const TEAM = `${SETTINGS}/team`;
/** The wallets of one merchant, for its owner. */
export const MERCHANT_WALLETS = `${SETTINGS}/wallets`;
export const TEXTS = '/dashboard/texts';
export const DEVELOPERS = '/dashboard/developers';
export const OPERATOR_PHONES = '/dashboard/operator/phones';
/** All wallets of the stage. */
export const OPERATOR_WALLETS = `${OPERATOR_PHONES}/wallets`;
export const OPERATOR_MERCHANTS = '/dashboard/operator/merchants';
export const OPERATOR_REPAIR = '/dashboard/operator/repair';
export const ACCOUNT = `${SIGN_IN}/account`;

/** A text, by the id of its send or of one of its messages. */
export function textAddress(id: string): string {
  return `${TEXTS}/${id}`;
}

export function eventAddress(eventId: string): string {
  return `${DEVELOPERS}/events/${eventId}`;
}

/** Where a person signs in to go on to a page of the dashboard; who has sent a form is told that nothing was done. */
export function signInTo(next: string, isForm: boolean): string {
  return `${SIGN_IN}?next=${encodeURIComponent(next)}${isForm ? UNSENT : ''}`;
}

/** The same for who is signed in, and has to use their passkey again. */
export function confirmTo(next: string, isForm: boolean): string {
  return `${SIGN_IN}/confirm?next=${encodeURIComponent(next)}${isForm ? UNSENT : ''}`;
}

const UNSENT = '&unsent=1';

/** The page of the dashboard that an address names; the first page for anything else, so that nobody is led elsewhere. */
export function safeNext(next: string | undefined): string {
  if (!next || next.length > MAX_CHARACTERS || !URL.canParse(next, NOWHERE)) return HOME;
  const { origin, pathname, search } = new URL(next, NOWHERE);
  return origin === NOWHERE && pathname.startsWith('/dashboard/') ? `${pathname}${search}` : HOME;
}

/** A host that an address without one of its own is read against. */
const NOWHERE = 'https://nowhere.invalid';
const MAX_CHARACTERS = 2_000;
