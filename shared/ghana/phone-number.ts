/**
 * A Ghanaian number in international form, `+233` and nine digits; undefined for anything else. Takes a local `0` or `+233`
 * before the nine digits, with spaces, dashes and brackets anywhere between. Which network a number is on, it does not say.
 */
export function parsePhoneNumber(written: string): string | undefined {
  const [, subscriber] = /^(?:0|\+233)(\d{9})$/.exec(written.replace(/[ ()-]/g, '')) ?? [];
  return subscriber && `+233${subscriber}`;
}
