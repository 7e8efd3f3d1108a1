import type { Network } from '../ghana/network.ts';

const PREFIX = 'TEST';
/** As many digits as a customer may type on the page for an id of the network. */
const DIGITS: Readonly<Record<Network, number>> = { MTN: 11, TELECEL: 16, AT: 11 };

/** The id of a payment that only a test has. The networks' ids are digits alone, so none of theirs is ever one of these. */
export function newTestTransactionId(network: Network, randomBytes: (length: number) => Buffer): string {
  const number = randomBytes(8).readBigUInt64BE() % 10n ** BigInt(DIGITS[network]);
  return testTransactionId(String(number).padStart(DIGITS[network], '0'));
}

/** The test's id with these digits. */
export function testTransactionId(digits: string): string {
  return PREFIX + digits;
}

export function isTestTransactionId(id: string): boolean {
  return id.startsWith(PREFIX);
}
