/**
 * Wallets that only exist in test mode have numbers that begin so. Nobody can have one, or dial it: behind the 0 of a local number
 * another 0 is the prefix for calls abroad.
 */
export const TEST_NUMBER_PREFIX = '+23300';

export function isTestNumber(number: string): boolean {
  return number.startsWith(TEST_NUMBER_PREFIX);
}
