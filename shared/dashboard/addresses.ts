export const HOME = '/dashboard/today';
export const SIGN_IN = '/dashboard/sign-in';
export const SETTINGS = '/dashboard/settings';
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

/** Where a person signs in, or uses their passkey again, to go on to a page of the dashboard. */
export function signInTo(next: string): string {
  return `${SIGN_IN}?next=${encodeURIComponent(next)}`;
}

export function confirmTo(next: string): string {
  return `${SIGN_IN}/confirm?next=${encodeURIComponent(next)}`;
}

/** The page of the dashboard that an address names; the first page for anything else, so that nobody is led elsewhere. */
export function safeNext(next: string | undefined): string {
  if (!next || next.length > MAX_CHARACTERS || !URL.canParse(next, NOWHERE)) return HOME;
  const { origin, pathname, search } = new URL(next, NOWHERE);
  return origin === NOWHERE && pathname.startsWith('/dashboard/') ? `${pathname}${search}` : HOME;
}

/** A host that an address without one of its own is read against. */
const NOWHERE = 'https://nowhere.invalid';
const MAX_CHARACTERS = 2_000;
