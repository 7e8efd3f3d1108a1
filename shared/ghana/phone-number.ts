/**
 * A Ghanaian number in international form, `+233` and nine digits; undefined for anything else. Accepts a local `0` or `+233`
 * before the nine digits, with spaces, dashes and brackets anywhere between. It does not say which network the number is on.
 */
export function parsePhoneNumber(written: string): string | undefined {
  const [, subscriber] = /^(?:0|\+233)(\d{9})$/.exec(written.replace(/[ ()-]/g, '')) ?? [];
  return subscriber && `+233${subscriber}`;
}
