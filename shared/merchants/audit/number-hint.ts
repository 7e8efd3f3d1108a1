/** What the audit says of a phone number, which may be a person's: its last four digits, `…4567`. */
export function numberHint(number: string): string {
  return `…${number.slice(-4)}`;
}
