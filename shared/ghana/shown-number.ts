/** Formats `+233241234567` as the local number `0241234567`. */
export function localNumber(number: string): string {
  return number.replace(/^\+233/, '0');
}

export function shownNumber(number: string): string {
  return localNumber(number).replace(/^(0\d\d)(\d{3})(\d{4})$/, '$1 $2 $3');
}

/** Formats a phone number with non-breaking spaces. */
export function wholeNumber(number: string): string {
  return shownNumber(number).replaceAll(' ', '\u00a0');
}
