/** Formats `+233241234567` as people dial it: `0241234567`. */
export function localNumber(number: string): string {
  return number.replace(/^\+233/, '0');
}

export function shownNumber(number: string): string {
  return localNumber(number).replace(/^(0\d\d)(\d{3})(\d{4})$/, '$1 $2 $3');
}

/** Formats a phone number for sentences and titles, so that it does not wrap across lines. */
export function wholeNumber(number: string): string {
  return shownNumber(number).replaceAll(' ', '\u00a0');
}
