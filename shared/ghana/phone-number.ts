/**
 * A Ghanaian number in international form, `+233` and nine digits; undefined for anything else. Accepts a local `0`, `+233`,
 * `233` or `00233` before the nine digits, the `(0)` that some write behind it, and spaces, dots, dashes and brackets anywhere
 * between. It does not say which network the number is on.
 */
export function parsePhoneNumber(written: string): string | undefined {
  const [, subscriber] = /^(?:0|(?:\+|00)?2330?)(\d{9})$/.exec(written.replace(/[ ().-]/g, '')) ?? [];
  return subscriber && `+233${subscriber}`;
}

/**
 * Whether a number as `parsePhoneNumber` gives it is a mobile one. By the prefixes that Ghana's National Communications
 * Authority has assigned to MTN, Telecel and AT; 03… are landlines, and no others exist.
 */
export function isMobileNumber(number: string): boolean {
  return /^\+233(?:2[034567]|5[0345679])/.test(number);
}

/** Whether digits may be a phone number: a local one, or an international one without its plus. */
export function mayBeNumber(digits: string): boolean {
  return /^(?:0|233)\d{9}$/.test(digits);
}

/** What an operator is told who writes anything else. */
export const NUMBER_RULE = 'Write a Ghanaian number: 0241234567 or +233241234567.';
export const WHATSAPP_EXAMPLE = 'https://wa.me/233241234567';
