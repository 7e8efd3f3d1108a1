/** `+233241234567` as a phone takes it: `0241234567`. */
export function localNumber(number: string): string {
  return number.replace(/^\+233/, '0');
}

/** `+233241234567` as a person reads it: `024 123 4567`. */
export function shownNumber(number: string): string {
  return localNumber(number).replace(/^(0\d\d)(\d{3})(\d{4})$/, '$1 $2 $3');
}

/** The same within a sentence or a title: no line breaks in it. */
export function wholeNumber(number: string): string {
  return shownNumber(number).replaceAll(' ', '\u00a0');
}
